"""The laboratory for Hanabi: agents, matches and experiments at compiled speed."""

import importlib
import sys
from typing import TYPE_CHECKING, Any

if sys.platform == "win32":
    raise ImportError("tamaya runs on Linux and macOS; on Windows, use the Windows Subsystem for Linux (WSL)")

if TYPE_CHECKING:
    from tamaya.agents.registry import make_agent, make_team
    from tamaya.arena.analysis.analyst import TurnAnalysis, analyse
    from tamaya.arena.checks.check import check_agent
    from tamaya.arena.matches import run_match
    from tamaya.arena.statistics import Summary
    from tamaya.engine.settings import Settings
    from tamaya.experiments.experiment import Experiment, ExperimentError
    from tamaya.experiments.lineups import EveryPair, Pairing, RandomTeams, Seats, SelfPlay
    from tamaya.experiments.results import Results, run_experiment
    from tamaya.game.game import Game
    from tamaya.game.notation import Card, Kind, Move
    from tamaya.game.position import IllegalMove
    from tamaya.game.view import View
    from tamaya.policies.agent import Agent, Player, Thoughts
    from tamaya.policies.contract import Policy, PolicyError, policy
    from tamaya.policies.language import AgentError
    from tamaya.solver.solve import Loss, Solution, find_loss, solve

HOMES = {
    "Agent": "policies.agent",
    "AgentError": "policies.language",
    "Card": "game.notation",
    "EveryPair": "experiments.lineups",
    "Experiment": "experiments.experiment",
    "ExperimentError": "experiments.experiment",
    "Game": "game.game",
    "IllegalMove": "game.position",
    "Kind": "game.notation",
    "Loss": "solver.solve",
    "Move": "game.notation",
    "Pairing": "experiments.lineups",
    "Player": "policies.agent",
    "Policy": "policies.contract",
    "PolicyError": "policies.contract",
    "RandomTeams": "experiments.lineups",
    "Results": "experiments.results",
    "Seats": "experiments.lineups",
    "SelfPlay": "experiments.lineups",
    "Settings": "engine.settings",
    "Solution": "solver.solve",
    "Summary": "arena.statistics",
    "Thoughts": "policies.agent",
    "TurnAnalysis": "arena.analysis.analyst",
    "View": "game.view",
    "analyse": "arena.analysis.analyst",
    "check_agent": "arena.checks.check",
    "find_loss": "solver.solve",
    "make_agent": "agents.registry",
    "make_team": "agents.registry",
    "policy": "policies.contract",
    "run_experiment": "experiments.results",
    "run_match": "arena.matches",
    "solve": "solver.solve",
}
"""Where the public names live; each is loaded when it is first asked for, so that a command starts at once."""

ROOMS = (
    "conventions",
    "environments",
    "hle",
    "knowledge",
    "moves",
    "policies",
    "randomness",
    "replay",
    "rules",
    "search",
)
"""Modules and packages that are there after ``import tamaya``, loaded when they are asked for."""

__all__ = [
    "Agent",
    "AgentError",
    "Card",
    "EveryPair",
    "Experiment",
    "ExperimentError",
    "Game",
    "IllegalMove",
    "Kind",
    "Loss",
    "Move",
    "Pairing",
    "Player",
    "Policy",
    "PolicyError",
    "RandomTeams",
    "Results",
    "Seats",
    "SelfPlay",
    "Settings",
    "Solution",
    "Summary",
    "Thoughts",
    "TurnAnalysis",
    "View",
    "analyse",
    "check_agent",
    "find_loss",
    "make_agent",
    "make_team",
    "policy",
    "run_experiment",
    "run_match",
    "solve",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("tamaya")
    if name in ROOMS:
        return importlib.import_module(f"tamaya.{name}")
    if name not in HOMES:
        raise AttributeError(f"module 'tamaya' has no attribute {name!r}")
    return getattr(importlib.import_module(f"tamaya.{HOMES[name]}"), name)


def __dir__() -> list[str]:
    return [*globals(), *__all__, "__version__"]
