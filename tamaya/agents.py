"""The registry: one string names any agent."""

import importlib
import inspect
import sys
import traceback
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tamaya.conventions.confidence import confidence
from tamaya.conventions.information import information
from tamaya.conventions.recommendation import recommendation
from tamaya.conventions.smartbot import smartbot
from tamaya.conventions.targets import targets
from tamaya.expression import AgentError, Call, Value, nearest, parse, show
from tamaya.players import Agent
from tamaya.policies import Policy, ask_python
from tamaya.recipes import BOUZY, COX, HANABI_RS, QUUXPLUSONE, RECIPES, RULE_SETS, SEARCHES, TAMAYA, Recipe, Search
from tamaya.rules.catalogue import rule_list
from tamaya.rules.text import encode, fill_in
from tamaya.search.plan import SETTINGS
from tamaya.search.policies import deck_search, hand_search, tree_search
from tamaya.seers import cheater, omniscient, seer_information, seer_recommendation

MOST_ITERATIONS = 10**9
FLAGS = ("convention", "published", "confirm")
WHOLE = ("iterations", "deals", "tree_depth", "rollout_depth")
"""Settings of searches that are yes or no, and those that are whole numbers."""


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


def from_search(call: Call, search: Search) -> Agent:
    """The agent of a search, such as ``ris(rules=goodman, rollout=vdb, ms=100)``.

    With a policy that sees its hand, the search sees its own.
    """
    given = search_settings(call, search)
    rollout, rules, final = (given.pop(key, None) for key in ("rollout", "rules", "final"))
    numbers = Call(call.name, keywords=tuple(given.items()))
    settings = fill_in(numbers, search.defaults) | search.fixed
    check_search(call, settings)
    considered = tree_rules(call, rules, settings.get("convention", 0.0) != 0)
    if settings.get("published") and (considered is None) != search.is_published_without_rules:
        raise AgentError(f"{call}: published=yes goes {'without' if considered else 'with'} rules")
    models = [called(call, model) for model in call.arguments] if search.policies == "models" else []
    settings |= {
        "published": search.published * settings.get("published", 0.0),
        "models": len(models),
        "has_rules": considered is not None,
        "by_value": search.fixed.get("by_value", 0.0) if final is None else final_choice(call, final),
    }
    parts = (considered or RANDOM_AGENT, called(call, rollout) if rollout else RANDOM_AGENT, *models)
    settings["sees"] = max(settings.get("sees", 0.0), *(part.policy.sight for part in parts))
    policy = (tree_search, hand_search, deck_search)[int(settings["sees"])]
    return Agent(str(call), policy, np.array(list((SETTINGS | settings).values()), dtype=np.float64), parts)


def search_settings(call: Call, search: Search) -> dict[str, Value]:
    """What a call of a search sets, by name; refuses what the search does not have, and what is set twice."""
    known = [*search.defaults, "rollout"] + ([] if search.fixed.get("deviates") else ["rules", "final"])
    given: dict[str, Value] = {}
    for key, value in call.keywords:
        if key not in known:
            raise AgentError(f"{call.name} has no setting {key!r}, it has {', '.join(known)}{nearest(key, known)}")
        if key in given:
            raise AgentError(f"{call}: {key} is given twice")
        given[key] = value
    if search.policies == "models" and not call.arguments:
        raise AgentError(f"{call.name} needs models of the others, as in {call.name}(iggi)")
    if search.fixed.get("deviates") and not call.arguments and "rollout" not in given:
        raise AgentError(f"{call.name} needs the policy to search on, as in {call.name}(information)")
    if search.policies == "rollout" and call.arguments:
        if len(call.arguments) > 1 or "rollout" in given:
            raise AgentError(f"{call}: one rollout policy expected")
        given["rollout"] = call.arguments[0]
    return given


def check_search(call: Call, settings: dict[str, float]) -> None:
    """Refuses budgets, depths and weights that make no sense."""
    for key, value in settings.items():
        low = 1 if key in ("iterations", "deals") else 0
        high = 1 if key in FLAGS else MOST_ITERATIONS
        if not low <= value <= high:
            raise AgentError(f"{call}: {key} must be {'yes or no' if key in FLAGS else f'from {low} to {high:,}'}")
        if key in WHOLE and value != int(value):
            raise AgentError(f"{call}: {key} must be a whole number, not {value:g}")
    if not any(settings.get(key, 1.0) for key in ("score", "lives", "cards")):
        raise AgentError(f"{call}: one of score, lives and cards must weigh something")


RANDOM_AGENT = from_recipe(Call("legal-random"), RECIPES["legal-random"])


def called(call: Call, value: Any) -> Agent:
    """The compiled agent that another one calls."""
    if not isinstance(value, Call):
        raise AgentError(f"{call}: an agent expected where {show(value)} stands")
    agent = build(value)
    if agent.python is not None:
        raise AgentError(f"{call}: {value} is written in plain Python; a search needs a compiled @policy")
    if agent.policy.sees == "deck":
        raise AgentError(f"{call}: {value} sees the deck and cannot be part of a search")
    return agent


def tree_rules(call: Call, value: Value | None, convention: bool) -> Agent | None:
    """The rule list that narrows a tree: one of the sets, or that of a rule-based agent; none for all moves."""
    if value is None or (isinstance(value, Call) and str(value) in RULE_SETS):
        text = RULE_SETS[str(value or "all")][convention]
        return Agent(str(value), rule_list, encode(parse_rules(text), 0.0)) if text else None
    try:
        agent = called(call, value)
    except AgentError as error:
        hint = nearest(show(value), RULE_SETS)
        raise AgentError(f"{call}: rules are {', '.join(RULE_SETS)}, or a rule list{hint}; {error}") from error
    if agent.policy is not rule_list:
        raise AgentError(f"{call}: rules must be {', '.join(RULE_SETS)}, a rule-based agent or rules(...), not {value}")
    if agent.settings[0]:
        raise AgentError(f"{call}: the rules of a tree count cards correctly; counting=2017 goes with rollouts only")
    return agent


def final_choice(call: Call, value: Any) -> float:
    """Whether the final move is that of the best mean value, not of most visits."""
    words = {"visits": 0.0, "value": 1.0}
    if str(value) not in words:
        raise AgentError(f"{call}: final is visits or value, not {show(value)}")
    return words[str(value)]


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
        return from_policy(call, Known(found))
    if inspect.isclass(found) and callable(getattr(found, "act", None)):
        if call.arguments or call.keywords:
            raise AgentError(f"{call.name} is a class and takes no settings here")
        return Agent(str(call), ask_python, np.zeros(0), python=found)
    usable = [key for key, value in vars(module).items() if isinstance(value, Policy) or hasattr(value, "act")]
    if found is None:
        raise AgentError(f"{module_name} has no {name!r}{nearest(name, usable)}")
    raise AgentError(f"{call.name} is neither a function under @policy nor a class with act(view)")


def blame(error: BaseException) -> str:
    """What was raised, and the line of the user's code that did it."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({frames[-1].filename}:{frames[-1].lineno})" if frames and not isinstance(error, SyntaxError) else ""
    return f"{type(error).__name__}: {error}{place}"


@dataclass(frozen=True)
class Known:
    """A policy that has a name here, and sets of its settings that have one."""

    policy: Policy
    source: str = ""
    presets: dict[str, dict[str, float]] = field(default_factory=dict)
    fixed: dict[str, float] = field(default_factory=dict)
    """Settings that the name stands for, and that cannot be changed."""
    summary: str = ""
    """What the name stands for, if it is not what the policy says of itself."""

    @property
    def open(self) -> dict[str, float]:
        """The settings that can be changed, with their defaults."""
        return {key: value for key, value in self.policy.defaults.items() if key not in self.fixed}


POLICIES = {
    "seer-recommendation": Known(seer_recommendation, BOUZY),
    "seer-information": Known(seer_information, BOUZY),
    "cheater": Known(cheater, HANABI_RS),
    "omniscient": Known(omniscient, TAMAYA),
    "confidence": Known(confidence, BOUZY),
    "hat-recommendation": Known(
        recommendation,
        BOUZY,
        fixed={"free": 1.0},
        summary="recommends a move to everybody by hats, where hints may touch nothing; elsewhere cox-recommendation",
    ),
    "hat-information": Known(
        targets,
        BOUZY,
        fixed={"free": 1.0},
        summary="tells everybody its likeliest playable card, where hints may touch nothing; elsewhere cox-information",
    ),
    "cox-recommendation": Known(
        recommendation,
        COX,
        fixed={"free": 0.0},
        summary="hat-recommendation with hints that touch a card; made for five players",
    ),
    "cox-information": Known(
        targets,
        COX,
        fixed={"free": 0.0},
        summary="hat-information with hints that touch a card; made for five players",
    ),
    "smartbot": Known(smartbot, QUUXPLUSONE),
    "information": Known(information, HANABI_RS, {"faithful": dict.fromkeys(information.defaults, 0.0)}),
}


def from_policy(call: Call, known: Known) -> Agent:
    """The agent of a policy with the settings of a call."""
    given = preset_settings(call, known) if known.presets else fill_in(call, known.open)
    settings = known.policy.defaults | given | known.fixed
    return Agent(str(call), known.policy, np.array(list(settings.values()), dtype=np.float64))


def preset_settings(call: Call, known: Known) -> dict[str, float]:
    """The settings, each yes or no, of a call that may name a preset first."""
    names, defaults = [str(value) for value in call.arguments], known.open
    if names and names[0] in known.presets:
        defaults, names = defaults | known.presets[names[0]], names[1:]
    if names:
        choices, hint = ", ".join(known.presets), nearest(names[0], known.presets)
        raise AgentError(f"{call}: {names[0]} is neither {choices} nor a setting with its value{hint}")
    settings = fill_in(Call(call.name, keywords=call.keywords), defaults)
    for key, value in settings.items():
        if value not in (0.0, 1.0):
            raise AgentError(f"{call}: {key} must be yes or no")
    return settings


def build(call: Call) -> Agent:
    """The agent of a parsed text."""
    if ":" in call.name:
        return from_module(call)
    if call.name == "rules":
        return from_rules(call)
    if call.name in SEARCHES:
        return from_search(call, SEARCHES[call.name])
    if call.name in POLICIES:
        return from_policy(call, POLICIES[call.name])
    if call.name not in RECIPES:
        hint = nearest(call.name, [*RECIPES, *SEARCHES, *POLICIES, "rules"])
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
