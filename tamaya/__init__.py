"""The laboratory for Hanabi: agents, matches and experiments at compiled speed.

Public are the names of this module and of the modules in ``DOORS``, with ``environments.hanabi_v0`` and
``environments.gym``. Everything else may move in any version.
"""

import importlib
import sys
from typing import TYPE_CHECKING, Any

if sys.platform == "win32":
    raise ImportError("tamaya runs on Linux and macOS; on Windows, use the Windows Subsystem for Linux (WSL)")

if TYPE_CHECKING:
    from tamaya.agents.registry import make_agent, make_team
    from tamaya.arena.analysis.game_analysis import TurnAnalysis, analyse
    from tamaya.arena.checks.conformance import Finding, check_agent
    from tamaya.arena.matches import run_match
    from tamaya.arena.statistics import Summary
    from tamaya.engine.jit.kernels import kernel
    from tamaya.engine.settings import Settings
    from tamaya.experiments.experiment import Experiment, ExperimentError
    from tamaya.experiments.lineups import EveryPair, Pairing, RandomTeams, Seats, SelfPlay
    from tamaya.experiments.papers.reproduce import play_table
    from tamaya.experiments.papers.verdicts import FigureVerdict, JudgedFigure
    from tamaya.experiments.results import Results, run_experiment
    from tamaya.game.game import Game
    from tamaya.game.notation import Card, Kind, Move
    from tamaya.game.position import IllegalMove
    from tamaya.game.view import View
    from tamaya.policies.agent import Agent, Player, Thoughts
    from tamaya.policies.contract import Policy, PolicyError, policy
    from tamaya.policies.language import AgentError
    from tamaya.solver.endgame import Prospect, TooManyWorlds, prospects
    from tamaya.solver.hindsight import Reach, lost_by, reach_by_turn
    from tamaya.solver.solve import Loss, Solution, find_loss, solve

HOMES = {
    "Agent": "policies.agent",
    "AgentError": "policies.language",
    "Card": "game.notation",
    "EveryPair": "experiments.lineups",
    "Experiment": "experiments.experiment",
    "ExperimentError": "experiments.experiment",
    "FigureVerdict": "experiments.papers.verdicts",
    "Finding": "arena.checks.conformance",
    "Game": "game.game",
    "IllegalMove": "game.position",
    "JudgedFigure": "experiments.papers.verdicts",
    "Kind": "game.notation",
    "Loss": "solver.solve",
    "Move": "game.notation",
    "Pairing": "experiments.lineups",
    "Player": "policies.agent",
    "Policy": "policies.contract",
    "PolicyError": "policies.contract",
    "Prospect": "solver.endgame",
    "RandomTeams": "experiments.lineups",
    "Reach": "solver.hindsight",
    "Results": "experiments.results",
    "Seats": "experiments.lineups",
    "SelfPlay": "experiments.lineups",
    "Settings": "engine.settings",
    "Solution": "solver.solve",
    "Summary": "arena.statistics",
    "Thoughts": "policies.agent",
    "TooManyWorlds": "solver.endgame",
    "TurnAnalysis": "arena.analysis.game_analysis",
    "View": "game.view",
    "analyse": "arena.analysis.game_analysis",
    "check_agent": "arena.checks.conformance",
    "find_loss": "solver.solve",
    "kernel": "engine.jit.kernels",
    "lost_by": "solver.hindsight",
    "make_agent": "agents.registry",
    "make_team": "agents.registry",
    "play_table": "experiments.papers.reproduce",
    "policy": "policies.contract",
    "prospects": "solver.endgame",
    "reach_by_turn": "solver.hindsight",
    "run_experiment": "experiments.results",
    "run_match": "arena.matches",
    "solve": "solver.solve",
}
"""Where the public names live; each is loaded when it is first asked for, so that a command starts at once."""

DOORS = (
    "environments",
    "hle",
    "knowledge",
    "moves",
    "openspiel",
    "ppo",
    "randomness",
    "replay",
    "rules",
    "training",
)
"""The public modules, which are there after ``import tamaya`` and are loaded when they are asked for."""

__all__ = [
    "Agent",
    "AgentError",
    "Card",
    "EveryPair",
    "Experiment",
    "ExperimentError",
    "FigureVerdict",
    "Finding",
    "Game",
    "IllegalMove",
    "JudgedFigure",
    "Kind",
    "Loss",
    "Move",
    "Pairing",
    "Player",
    "Policy",
    "PolicyError",
    "Prospect",
    "RandomTeams",
    "Reach",
    "Results",
    "Seats",
    "SelfPlay",
    "Settings",
    "Solution",
    "Summary",
    "Thoughts",
    "TooManyWorlds",
    "TurnAnalysis",
    "View",
    "analyse",
    "check_agent",
    "find_loss",
    "kernel",
    "lost_by",
    "make_agent",
    "make_team",
    "play_table",
    "policy",
    "prospects",
    "reach_by_turn",
    "run_experiment",
    "run_match",
    "solve",
]


class MovedNames:
    """Finds no module; asked after all other finders, it says where a name of an earlier version is now."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> None:
        """Raises the error that names the new place."""
        if name.startswith("tamaya."):
            from tamaya.moved_names import advice

            if words := advice(name):
                raise ModuleNotFoundError(words)


sys.meta_path.append(MovedNames)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("tamaya")
    if name in DOORS:
        try:
            return importlib.import_module(f"tamaya.{name}")
        except ImportError as error:  # of a library that is not installed
            raise AttributeError(f"tamaya.{name} cannot be loaded: {error}") from error
    if name not in HOMES:
        from tamaya.moved_names import advice

        raise AttributeError(advice(f"tamaya.{name}") or f"module 'tamaya' has no attribute {name!r}")
    return getattr(importlib.import_module(f"tamaya.{HOMES[name]}"), name)


def __dir__() -> list[str]:
    return [*__all__, *DOORS, "__version__"]
