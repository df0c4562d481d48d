"""Agents of tamaya in games of OpenSpiel; needs ``pyspiel``."""

from tamaya.bridges.openspiel import AgentBot

__all__ = ["AgentBot"]
