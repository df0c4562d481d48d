"""Environments for reinforcement learning: PettingZoo, Gymnasium, and thousands of games in one call.

In reading order:

- ``batch_state``: what changes in the games, what stays, and what learners are given
- ``step_loop``: the kernels that make moves and write what learners observe
- ``teammates``: who sits where, learners and compiled agents
- ``game_batch``: the arrays of many games, and what can be asked of them
- ``vector``, ``gym``: many games in one call, and one game for Gymnasium
- ``single_game``, ``hanabi_v0``: one game in a row of words, and the environment of PettingZoo on it
- ``gpu_games``: the same kernels on a GPU
- ``rendering``: a table as text or as a picture
"""

from tamaya.environments.vector import VectorHanabi

__all__ = ["VectorHanabi"]
