"""The registry: one string names any agent."""

import dataclasses
import functools
import inspect
from collections.abc import Sequence
from typing import Any

from tamaya.agents.entry_points import load
from tamaya.agents.makers import (
    from_bridge,
    from_class,
    from_module,
    from_network,
    from_object,
    from_policy,
    from_recipe,
    from_rules,
    is_learned,
)
from tamaya.agents.names import POLICIES, Known, check_known, check_text, is_ours
from tamaya.agents.recipes import HASTY, POOL, RECIPES, SEARCHES, Search
from tamaya.bridges.pipe_agents import from_command
from tamaya.engine.settings import SEATS
from tamaya.engine.text import suggestion
from tamaya.networks.json_weights import weights_of
from tamaya.policies.agent import Agent, PolicyAgent
from tamaya.policies.contract import REPORT, Policy
from tamaya.policies.language import AgentError, Call, Value, parse, show, words_of
from tamaya.policies.rules.catalogue import COUNTING, FIRST_LINE, LINE_LENGTH, rule_list
from tamaya.policies.rules.rule_lists import RULE_SETS, encode, fill_in, parse_rules
from tamaya.search.beliefs.hand_pool import MOST_HANDS
from tamaya.search.plan import MOST_MODELS, MOST_RULES, SearchSettings
from tamaya.search.search_agent import SearchAgent

Playable = str | Agent | Policy | type
"""What makes an agent: its name, an agent, a policy, or a class with ``act(view)``."""

Team = Playable | list[Playable] | tuple[Playable, ...]
"""What makes a team: a name such as ``piers+iggi``, or a list of what makes its agents, seat by seat."""

MOST_ITERATIONS = 10**9
FLAGS = ("convention", "published", "confirm", "learns", "knows", "literal", "infers")
PARTS = ("rollout", "rules", "final", "leaf", "likelihood")
WHOLE = ("iterations", "deals", "tree_depth", "rollout_depth", "hands", "fresh")
"""Settings of searches that are yes or no, those that are no numbers, and those that are whole numbers."""


def from_search(call: Call, search: Search) -> Agent:
    """The agent of a search, such as ``ris(rules=goodman, rollout=vdb, ms=100)``.

    If a policy in it sees its own hand, so does the search.
    """
    given = search_settings(call, search)
    rollout, rules, final, leaf, judge = (given.pop(key, None) for key in PARTS)
    rules = rules or (Call(search.rules) if search.rules else None)
    roller = called(call, rollout) if rollout else recipe_agent(search.rollout)
    numbers = Call(call.name, keywords=tuple(given.items()))
    settings = fill_in(numbers, search.defaults)
    if is_learned(roller) and not settings.get("literal"):
        hasty = search.hasty if 0 < settings.get("ms", 0.0) < HASTY else {}
        settings = fill_in(numbers, search.defaults | search.learned | hasty)
    settings |= search.fixed
    check_search(call, settings)
    considered = tree_rules(call, rules, settings.get("convention", 0.0) != 0)
    if settings.get("published") and (not considered) != search.is_published_without_rules:
        raise AgentError(f"{call}: published=yes works only {'without' if considered else 'with'} rules")
    models = [called(call, model) for model in models_of(call, search)]
    if search.policies == "pool" and len(models) > MOST_MODELS:
        raise AgentError(f"{call.name}: {len(models)} policies given; a pool has at most {MOST_MODELS}")
    if search.policies == "models" and len(models) > SEATS - 1:
        raise AgentError(f"{call}: {len(models)} models given; there are at most {SEATS - 1} others")
    check_pool(call, [*models, roller] if search.policies == "pool" else [])
    settings["published"] = search.published * settings.get("published", 0.0)
    if final is not None:
        settings["by_value"] = final_choice(call, final)
    return SearchAgent(
        str(call),
        SearchSettings(**settings),
        roller,
        considered,
        leaf_of(call, leaf, settings) if leaf is not None else None,
        tuple(models),
        search.sees_deck,
        judge_of(call, judge, models),
    )


def models_of(call: Call, search: Search) -> Sequence[Value]:
    """The models in the brackets of a search; of an ally, if there are none, the pool of all strangers."""
    if search.policies == "pool":
        return call.arguments or parse_rules(POOL)
    return call.arguments if search.policies == "models" else ()


def check_pool(call: Call, strangers: Sequence[Agent]) -> None:
    """Refuses policies that keep a memory, which an ally cannot know, or see what they must not."""
    for agent in strangers:
        if agent.words > REPORT or agent.watches or agent.sees:
            raise AgentError(f"{call}: {agent} cannot be one of a pool, nor its rollout: they must keep no memory")


def judge_of(call: Call, value: Value | None, strangers: Sequence[Agent]) -> tuple[float, str] | None:
    """The generation, or the file, of the network that says who made a move; none where the pool is asked."""
    name = "asked" if value is None else words_of(value)
    if name == "asked":
        return None
    if name != "network" and not name.endswith(".json"):
        meant = suggestion(name, ["asked", "network"])
        raise AgentError(f"{call}: likelihood must be asked, network or a file of weights, not {name}{meant}")
    judge = (1.0, "" if name == "network" else name)
    pool = weights_of("likelihood", *judge).outputs
    if [str(one) for one in strangers] != pool:
        raise AgentError(f"{call}: the network knows only the pool that it was trained on, {', '.join(pool)}")
    return judge


def search_settings(call: Call, search: Search) -> dict[str, Value]:
    """What a call of a search sets, by name; raises an error for unknown settings and those given twice."""
    known = [*search.defaults, "leaf"] + ([] if search.fixed.get("expands") else ["rollout"])
    known += [] if search.fixed.get("deviates") else ["rules", "final"]
    known += ["rules", "likelihood"] if search.policies == "pool" else []
    given: dict[str, Value] = {}
    for key, value in call.keywords:
        if key not in known:
            raise AgentError(f"{call.name} has no setting {key!r}; it has {', '.join(known)}{suggestion(key, known)}")
        if key in given:
            raise AgentError(f"{call}: {key} is given twice")
        given[key] = value
    if search.policies == "models" and not call.arguments:
        raise AgentError(f"{call.name} needs models of the others, as in {call.name}(iggi)")
    if search.fixed.get("deviates") and search.policies != "pool" and not call.arguments and "rollout" not in given:
        raise AgentError(f"{call.name} needs a policy to search on top of, as in {call.name}(information)")
    if search.policies == "leaf":
        if len(call.arguments) > 1 or (call.arguments and "leaf" in given):
            raise AgentError(f"{call}: one generation, file of weights or leaf expected")
        given.setdefault("leaf", Call("evalfn", call.arguments))
    if search.policies == "pool" and search.fixed.get("expands"):
        given.setdefault("leaf", Call("evalfn", (3.0,)))
    if search.policies == "rollout" and call.arguments:
        if len(call.arguments) > 1 or "rollout" in given:
            raise AgentError(f"{call}: one rollout policy expected")
        given["rollout"] = call.arguments[0]
    return given


def check_search(call: Call, settings: dict[str, float]) -> None:
    """Raises an error for budgets, depths and weights that make no sense."""
    for key, value in settings.items():
        low = 1 if key in ("iterations", "deals") else 0
        high = 1 if key in FLAGS else MOST_HANDS if key in ("hands", "fresh") else MOST_ITERATIONS
        if not low <= value <= high:
            raise AgentError(f"{call}: {key} must be {'yes or no' if key in FLAGS else f'from {low} to {high:,}'}")
        if key in WHOLE and value != int(value):
            raise AgentError(f"{call}: {key} must be a whole number, not {value:g}")
    if not any(settings.get(key, 1.0) for key in ("score", "lives", "cards")):
        raise AgentError(f"{call}: score, lives and cards cannot all weigh 0")


@functools.cache
def recipe_agent(name: str) -> Agent:
    """The agent of a recipe as it is, the same one for all searches."""
    return from_recipe(Call(name), RECIPES[name])


def called(call: Call, value: Any) -> Agent:
    """The compiled agent that another one calls."""
    if not isinstance(value, Call):
        raise AgentError(f"{call}: expected an agent, found {show(value)}")
    agent = build(value)
    if not agent.is_compiled:
        words = "runs in another process" if value.name == "pipe" else "is written in plain Python"
        raise AgentError(f"{call}: {value} {words}; a search needs a compiled @policy")
    if agent.sees == "deck":
        raise AgentError(f"{call}: {value} sees the deck and cannot be part of a search")
    return agent


def leaf_of(call: Call, value: Any, settings: dict[str, float]) -> Agent:
    """The agent that says what positions, or the moves there, are worth; the convention of a search is its own too."""
    if isinstance(value, Call) and value.name == "evalfn" and "convention" not in dict(value.keywords):
        value = Call("evalfn", value.arguments, (*value.keywords, ("convention", settings.get("convention", 0.0))))
    agent = called(call, value)
    if settings.get("expands") and "appraiser" not in agent.policy.kernels:
        raise AgentError(f"{call}: {agent} does not appraise moves; leaf needs a policy made with appraises=...")
    if not settings.get("expands") and "evaluator" not in agent.policy.kernels:
        how = "values positions only for search(...)" if is_learned(agent) else "does not evaluate positions"
        raise AgentError(f"{call}: {agent} {how}; leaf needs a policy made with evaluates=...")
    return agent


def tree_rules(call: Call, value: Value | None, convention: bool) -> tuple[Agent, ...]:
    """The rules that narrow a tree: one of the sets, or those of a rule-based agent; empty for all moves."""
    if value is None or (isinstance(value, Call) and str(value) in RULE_SETS):
        text = RULE_SETS[str(value or "all")][convention]
        return single_rules(encode(parse_rules(text), 0.0)) if text else ()
    try:
        agent = called(call, value)
    except AgentError as error:
        meant = suggestion(show(value), RULE_SETS)
        raise AgentError(f"{call}: rules must be {', '.join(RULE_SETS)} or a rule list{meant}; {error}") from error
    if agent.policy is not rule_list:
        raise AgentError(f"{call}: rules must be {', '.join(RULE_SETS)}, a rule-based agent or rules(...), not {value}")
    if agent.params[COUNTING]:
        raise AgentError(f"{call}: the rules of a tree count cards correctly; counting=2017 is only for rollouts")
    rules = single_rules(agent.params.tolist())
    if len(rules) > MOST_RULES:
        raise AgentError(f"{call}: {value} has {len(rules)} lines; a tree takes at most {MOST_RULES}")
    return rules


def single_rules(params: Sequence[float]) -> tuple[Agent, ...]:
    """The lines of a rule list, each as its own policy, because a tree considers what all of them propose."""
    starts = range(FIRST_LINE, len(params), LINE_LENGTH)
    lines = [(0.0, 1.0, *params[start : start + LINE_LENGTH]) for start in starts]
    return tuple(PolicyAgent(f"rule {number}", rule_list, line) for number, line in enumerate(lines, 1))


def final_choice(call: Call, value: Any) -> float:
    """Whether the final move is the one with the best mean value, not the one with the most visits."""
    words = {"visits": 0.0, "value": 1.0}
    if str(value) not in words:
        raise AgentError(f"{call}: final must be visits or value, not {show(value)}")
    return words[str(value)]


def build(call: Call) -> Agent:
    """The agent for a parsed text."""
    check_known(call)
    if ":" in call.name:
        return from_module(call)
    if call.name == "rules":
        return from_rules(call)
    if call.name == "network":
        return from_network(call)
    if call.name == "pipe":
        return from_command(call)
    if call.name in ("hle", "openspiel"):
        return from_bridge(call)
    if call.name in SEARCHES:
        return from_search(call, SEARCHES[call.name])
    if not is_ours(call.name):
        return from_package(call)
    if call.name in POLICIES:
        known = POLICIES[call.name]
        return from_policy(call, known, known.load())
    return from_recipe(call, RECIPES[call.name])


def from_package(call: Call) -> Agent:
    """The agent that an installed package declares under a name: an object, or the text of an agent."""
    found = load(call.name)
    if not isinstance(found, str):
        return from_object(call, found)
    if call.arguments or call.keywords:
        raise AgentError(f"{call}: {call.name} stands for {found} and takes no settings")
    check_text(call.name)
    agent: Any = make_agent(found)
    named: Agent = dataclasses.replace(agent, name=call.name)
    return named


def make_agent(what: Playable, **settings: Any) -> Agent:
    """The agent for a name, or for a policy or a class with its settings; an agent is returned as it is."""
    if isinstance(what, str):
        calls = parse(what)
        if len(calls) != 1:
            raise AgentError(f"{what!r} is a team of {len(calls)}; one agent expected")
        return build(with_settings(calls[0], settings))
    if isinstance(what, Agent):
        if settings:
            raise AgentError(f"{what}: give settings in the text, as in risky(0.6), or with a policy or a class")
        return what
    if isinstance(what, Policy):
        call = Call(name_of(what), keywords=tuple((key, float(value)) for key, value in settings.items()))
        return from_policy(call, Known(""), what)
    if inspect.isclass(what) and callable(getattr(what, "act", None)):
        inside = ", ".join(f"{key}={value!r}" for key, value in settings.items())
        return from_class(name_of(what) + (f"({inside})" if inside else ""), what, (), settings)
    raise AgentError(f"{what!r} is not an agent: name one, or give a @policy or a class with act(view)")


def with_settings(call: Call, settings: dict[str, Any]) -> Call:
    """A call with more settings, given from Python: numbers, or texts as they are written in names."""
    more = ((key, parse(value)[0] if isinstance(value, str) else float(value)) for key, value in settings.items())
    return Call(call.name, call.arguments, (*call.keywords, *more))


def name_of(what: Any) -> str:
    """How a policy or a class is named in commands, or just its own name if it cannot be imported."""
    module, name = getattr(what, "__module__", "__main__"), getattr(what, "__name__", str(what))
    return name if module == "__main__" else f"{module}:{name}"


def make_team(what: Team) -> tuple[Agent, ...]:
    """The agents of a text such as ``piers+iggi+vdb``, or of several things that make agents, seat by seat."""
    if isinstance(what, str):
        return tuple(build(call) for call in parse(what))
    return tuple(map(make_agent, what)) if isinstance(what, (list, tuple)) else (make_agent(what),)
