"""The registry: one string names any agent."""

import dataclasses
import inspect
from typing import Any

from tamaya.agents.names import POLICIES, Known, check_known, check_text, is_ours
from tamaya.agents.plugins import load_plugin
from tamaya.agents.policy_agents import from_network, from_policy, from_recipe, from_rules
from tamaya.agents.rule_based_agents import RECIPES
from tamaya.agents.search_builder import SearchBuilder
from tamaya.agents.searches import SEARCHES
from tamaya.agents.user_agents import from_bridge, from_class, from_module, from_object
from tamaya.bridges.pipe_agents import from_command
from tamaya.policies.agent import Agent
from tamaya.policies.contract import Policy
from tamaya.policies.language import AgentError, Call, parse

Playable = str | Agent | Policy | type
"""What makes an agent: its name, an agent, a policy, or a class with ``act(view)``."""

Team = Playable | list[Playable] | tuple[Playable, ...]
"""What makes a team: a name such as ``piers+iggi``, or a list of what makes its agents, seat by seat."""


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
        return SearchBuilder(call, SEARCHES[call.name], build).agent()
    if not is_ours(call.name):
        return from_package(call)
    if call.name in POLICIES:
        known = POLICIES[call.name]
        return from_policy(call, known, known.load())
    return from_recipe(call, RECIPES[call.name])


def from_package(call: Call) -> Agent:
    """The agent that an installed package declares under a name: an object, or the text of an agent."""
    found = load_plugin(call.name)
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
