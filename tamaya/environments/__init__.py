"""Environments for reinforcement learning: PettingZoo, Gymnasium, and thousands of games in one call."""

from tamaya.environments.vector import VectorHanabi

__all__ = ["VectorHanabi"]
