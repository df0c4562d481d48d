"""The registry: one string names any agent."""

import importlib
import inspect
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tamaya.engine import is_legal
from tamaya.expression import AgentError, Call, nearest, parse
from tamaya.notation import Move
from tamaya.policies import Policy, PolicyError, ask_python
from tamaya.position import View
from tamaya.rules.catalogue import rule_list
from tamaya.rules.text import encode, fill_in

WALTON_RIVERS = "Walton-Rivers et al. 2017"
OSAWA = "Osawa 2015, in Walton-Rivers et al. 2017"
GOODMAN = "Goodman 2019"


@dataclass(frozen=True)
class Agent:
    """Somebody who can take a seat: a compiled policy with its parameters, or a Python class with ``act(view)``."""

    name: str
    policy: Policy
    params: np.ndarray = field(repr=False)
    python: Callable[[], Any] | None = None

    def __str__(self) -> str:
        return self.name

    def sit_down(self) -> "Player":
        """Takes a seat for one game."""
        return Player(self)


class Player:
    """An agent at one seat of one game, with the memory that it keeps there."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.memory = np.zeros(agent.policy.words, dtype=np.int64)
        self.mind = agent.python() if agent.python else None

    def answer(self, view: View) -> int:
        """The number of the move for what the seat sees, or what else the agent says."""
        if self.mind is None:
            rng = np.array([view.seed], dtype=np.uint64)
            return self.agent.policy(view.tables.copy()[0], self.memory, self.agent.params, rng)
        move = self.mind.act(view)
        move = Move.parse(move) if isinstance(move, str) else move
        if not isinstance(move, Move):
            raise TypeError(f"act(view) must return a Move, such as one of view.legal_moves, not {move!r}")
        return view.encode(move)

    def act(self, view: View) -> Move:
        """The move for what the seat sees."""
        if view.seat != view.mover or view.is_over:
            raise ValueError(f"seat {view.seat} is not to move")
        answer = self.answer(view)
        if not is_legal(view.table, answer):
            raise PolicyError(f"{self.agent} has no legal move; it answered {answer}")
        return view.decode(answer)


@dataclass(frozen=True)
class Recipe:
    """A rule-based agent as data: its rules, with the settings that they leave open."""

    source: str
    summary: str
    rules: str
    defaults: dict[str, float] = field(default_factory=dict)
    variants: dict[str, str] = field(default_factory=dict)
    """Rule lists to use instead when a setting of that name is yes."""


# As coded, Piers' and IGGI2's last resort asks whether the unseen cards, own hand included, have run out: never.
RECIPES = {
    "legal-random": Recipe(WALTON_RIVERS, "any legal move", "LegalRandom"),
    "internal": Recipe(
        OSAWA,
        "remembers what it was told",
        "PlaySafeCard, OsawaDiscard, TellPlayableCard, TellRandomly, DiscardRandomly",
    ),
    "outer": Recipe(
        OSAWA,
        "remembers what the others were told too",
        "PlaySafeCard, OsawaDiscard, TellPlayableCardOuter, TellUnknown, DiscardRandomly",
    ),
    "cautious": Recipe(
        WALTON_RIVERS,
        "never risks a life",
        "PlayIfCertain, PlaySafeCard, TellAnyoneAboutUsefulCard, OsawaDiscard, DiscardRandomly, TellRandomly",
    ),
    "iggi": Recipe(
        WALTON_RIVERS,
        "cautious, and predictable in its discards",
        "PlayIfCertain, PlaySafeCard, TellAnyoneAboutUsefulCard, OsawaDiscard, DiscardOldestFirst, TellRandomly",
    ),
    "piers": Recipe(
        WALTON_RIVERS,
        "iggi with calculated risks",
        "IfRule(lives > 1, IfRule(unseen == 0, PlayProbablySafeCard(0))), PlaySafeCard, "
        "IfRule(lives > 1, PlayProbablySafeCard(0.6)), TellAnyoneAboutUsefulCard, "
        "IfRule(information < 4, TellDispensable), OsawaDiscard, DiscardOldestFirst, TellRandomly, DiscardRandomly",
    ),
    "flawed": Recipe(
        WALTON_RIVERS,
        "plays recklessly unless it is told enough",
        "PlaySafeCard, PlayProbablySafeCard(0.25), TellRandomly, OsawaDiscard, DiscardOldestFirst, DiscardRandomly",
    ),
    "risky": Recipe(
        GOODMAN,
        "plays at a given chance; ends the game when no rule fires",
        "PlayIfCertain, PlayProbablySafeCard({threshold}), TellAnyoneAboutUsefulCard, OsawaDiscard, DiscardOldestFirst",
        {"threshold": 0.75},
    ),
    "risky2": Recipe(
        GOODMAN,
        "risky with hints and discards to fall back on",
        "PlayIfCertain, PlayProbablySafeCard({threshold}), TellAnyoneAboutUsefulCard, TellMostInformation(yes), "
        "OsawaDiscard, TellRandomly, DiscardProbablyUselessCard(0)",
        {"threshold": 0.7},
    ),
    "vdb": Recipe(
        "Van den Bergh et al. 2016, in Walton-Rivers et al. 2017",
        "the best of evolved rule lists; useless=yes as the paper prints it, with TellAnyoneAboutUselessCard",
        "IfRule(lives > 1, PlayProbablySafeCard(0.6), PlaySafeCard), DiscardProbablyUselessCard(1), "
        "TellAnyoneAboutUsefulCard, TellMostInformation(yes), DiscardProbablyUselessCard(0)",
        {"useless": 0},
        {
            "useless": "IfRule(lives > 1, PlayProbablySafeCard(0.6), PlaySafeCard), DiscardProbablyUselessCard(1), "
            "TellAnyoneAboutUsefulCard, TellAnyoneAboutUselessCard({counting}), TellMostInformation(yes), "
            "DiscardProbablyUselessCard(0)"
        },
    ),
    "iggi2": Recipe(
        GOODMAN,
        "iggi with risks, newer hint rules and safer discards",
        "IfRule(lives > 1, IfRule(unseen == 0, PlayProbablySafeCard(0))), PlayIfCertain, PlaySafeCard, "
        "IfRule(lives > 1, PlayProbablySafeCard(0.6)), OsawaDiscard, TellAnyoneAboutOldestUsefulCard, "
        "CompleteTellUsefulCard, DiscardUnidentifiedCard, DiscardOldestFirst, TellMostInformation(yes), TellRandomly",
    ),
    "clivej": Recipe(
        GOODMAN,
        "the written advice of a player, CliveJ of BoardGameGeek",
        "TryToUnBlock, PlaySafeCard, TellIllInformed, OsawaDiscard, CompleteTellUsefulCard, "
        "TellAnyoneAboutUsefulCard, TellAnyoneAboutUselessCard, TellMostInformation(yes), DiscardUnidentifiedCard, "
        "DiscardHighest",
    ),
    "clivej2": Recipe(
        GOODMAN,
        "clivej with discards to fall back on",
        "TryToUnBlock, PlaySafeCard, TellIllInformed, OsawaDiscard, CompleteTellUsefulCard, "
        "TellAnyoneAboutUsefulCard, TellAnyoneAboutUselessCard, TellMostInformation(yes), DiscardUnidentifiedCard, "
        "DiscardHighest, DiscardLeastLikelyToBeNecessary, DiscardProbablyUselessCard(0)",
    ),
}


def from_recipe(call: Call, recipe: Recipe) -> Agent:
    """The agent of a recipe with the settings of a call."""
    settings = fill_in(call, recipe.defaults | {"counting": 0.0})
    rules = recipe.rules
    for setting, variant in recipe.variants.items():
        if settings[setting]:
            rules = variant
    return Agent(str(call), rule_list, encode(parse_rules(rules.format(**settings)), settings["counting"]))


def parse_rules(text: str) -> tuple[Any, ...]:
    """The rules of a text."""
    return parse(f"rules({text})")[0].arguments


def from_rules(call: Call) -> Agent:
    """The agent of a rule list written out: ``rules(PlaySafeCard, ..., counting=2017)``."""
    settings = fill_in(Call("rules", keywords=call.keywords), {"counting": 0.0})
    return Agent(str(call), rule_list, encode(call.arguments, settings["counting"]))


def from_module(call: Call) -> Agent:
    """A user's own agent, ``module:name``: a policy, or a class with ``act(view)``."""
    module_name, _, name = call.name.partition(":")
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        module = importlib.import_module(module_name)
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and f"{module_name}.".startswith(f"{error.name}."):
            raise AgentError(f"there is no module {module_name!r} here or among the installed ones") from error
        raise AgentError(f"{module_name} cannot be imported: {blame(error)}") from error
    found = getattr(module, name, None)
    if isinstance(found, Policy):
        params = np.array(list(fill_in(call, found.defaults).values()), dtype=np.float64)
        return Agent(str(call), found, params)
    if inspect.isclass(found) and callable(getattr(found, "act", None)):
        if call.arguments or call.keywords:
            raise AgentError(f"{call.name} is a class and takes no settings here")
        return Agent(str(call), ask_python, np.zeros(0), found)
    usable = [key for key, value in vars(module).items() if isinstance(value, Policy) or hasattr(value, "act")]
    if found is None:
        raise AgentError(f"{module_name} has no {name!r}{nearest(name, usable)}")
    raise AgentError(f"{call.name} is neither a function under @policy nor a class with act(view)")


def blame(error: BaseException) -> str:
    """What was raised, and the line of the user's code that did it."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({frames[-1].filename}:{frames[-1].lineno})" if frames and not isinstance(error, SyntaxError) else ""
    return f"{type(error).__name__}: {error}{place}"


def build(call: Call) -> Agent:
    """The agent of a parsed text."""
    if ":" in call.name:
        return from_module(call)
    if call.name == "rules":
        return from_rules(call)
    if call.name not in RECIPES:
        hint = nearest(call.name, [*RECIPES, "rules"])
        raise AgentError(f"there is no agent {call.name!r}{hint} `tamaya agents` lists them all.")
    return from_recipe(call, RECIPES[call.name])


def make_agent(text: str) -> Agent:
    """The agent that a text names."""
    team = make_team(text)
    if len(team) != 1:
        raise AgentError(f"{text!r} is a team of {len(team)}; one agent expected")
    return team[0]


def make_team(text: str) -> tuple[Agent, ...]:
    """The agents of a text such as ``piers+iggi+vdb``, seat by seat."""
    return tuple(build(call) for call in parse(text))
