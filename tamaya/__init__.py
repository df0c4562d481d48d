"""The laboratory for Hanabi: agents, matches and experiments at compiled speed."""

from importlib.metadata import version

from tamaya.agents import make_agent, make_team
from tamaya.expression import AgentError
from tamaya.game import Game
from tamaya.matches import run_match
from tamaya.notation import Card, Kind, Move
from tamaya.players import Agent, Player
from tamaya.policies import Policy, PolicyError, policy
from tamaya.position import IllegalMove, View
from tamaya.settings import Settings

__version__ = version("tamaya")

__all__ = [
    "Agent",
    "AgentError",
    "Card",
    "Game",
    "IllegalMove",
    "Kind",
    "Move",
    "Player",
    "Policy",
    "PolicyError",
    "Settings",
    "View",
    "make_agent",
    "make_team",
    "policy",
    "run_match",
]
