"""How a search is made of a call such as ``ris(rules=goodman, rollout=vdb, ms=100)``: its parts, checked one by one."""

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tamaya.agents.policy_agents import from_recipe, is_learned
from tamaya.agents.rule_based_agents import RECIPES
from tamaya.agents.searches import AllySearch, Search
from tamaya.engine.text import suggestion
from tamaya.networks.json_weights import weights_of
from tamaya.policies.agent import Agent, PolicyAgent
from tamaya.policies.contract import REPORT
from tamaya.policies.language import AgentError, Call, Value, show, words_of
from tamaya.policies.rules.catalogue import COUNTING, FIRST_LINE, LINE_LENGTH, rule_list
from tamaya.policies.rules.rule_syntax import RULE_SETS, encode, fill_in, parse_rules
from tamaya.search.plan import MOST_RULES
from tamaya.search.search_agent import SearchAgent
from tamaya.search.search_settings import Flaw, SearchSettings

PARTS = ("rollout", "rules", "final", "leaf", "likelihood")
FINALS = {"visits": False, "value": True}
"""What ``final`` may be, and whether that is by value."""


@dataclass(frozen=True)
class SearchBuilder:
    """Makes the agent of a search for a call; ``build`` makes the agents of its parts."""

    call: Call
    search: Search
    build: Callable[[Call], Agent]

    def agent(self) -> Agent:
        """Returns the search; if a policy in it sees its own hand, so does the search."""
        named, others = self.search.read(self.call)
        rollout, rules, final, leaf, judge = (named.pop(part, None) for part in PARTS)
        roller = self.called(rollout) if rollout else recipe_agent(self.search.rollout)
        settings = self.settings(named, roller, final)
        considered = self.rules(rules or (Call(self.search.rules) if self.search.rules else None), settings.convention)
        self.check_flaw(settings, considered)
        models = tuple(self.called(model) for model in others)
        if isinstance(self.search, AllySearch):
            check_pool(self.call, [*models, roller])
        return SearchAgent(
            str(self.call),
            settings,
            roller,
            considered,
            self.leaf(leaf, settings) if leaf is not None else None,
            models,
            self.search.sees_deck,
            self.judge(judge, models),
        )

    def settings(self, named: dict[str, Value], roller: Agent, final: Value | None) -> SearchSettings:
        """Returns the settings, which depend on the rollout policy."""
        numbers = fill_in(Call(self.call.name, keywords=tuple(named.items())), self.search.defaults)
        given = {name: numbers[name] for name in named}
        settings = self.search.settings_for(self.call, is_learned(roller), given)
        return settings if final is None else settings.with_given(self.call, {"by_value": self.by_value(final)})

    def by_value(self, final: Value) -> bool:
        """Whether the final move is the one with the best mean value, not the one with the most visits."""
        if str(final) not in FINALS:
            raise AgentError(f"{self.call}: final must be visits or value, not {show(final)}")
        return FINALS[str(final)]

    def check_flaw(self, settings: SearchSettings, rules: Sequence[Agent]) -> None:
        """Raises an error where a flaw of the published code makes no difference."""
        flaw = settings.flaw
        if flaw != Flaw.NONE and flaw.needs_rules != bool(rules):
            raise AgentError(f"{self.call}: published=yes works only {'without' if rules else 'with'} rules")

    def called(self, value: Any) -> Agent:
        """Returns the compiled agent that the search calls."""
        if not isinstance(value, Call):
            raise AgentError(f"{self.call}: expected an agent, found {show(value)}")
        agent = self.build(value)
        if not agent.is_compiled:
            words = "runs in another process" if value.name == "pipe" else "is written in plain Python"
            raise AgentError(f"{self.call}: {value} {words}; a search needs a compiled @policy")
        if agent.sees == "deck":
            raise AgentError(f"{self.call}: {value} sees the deck and cannot be part of a search")
        return agent

    def leaf(self, value: Any, settings: SearchSettings) -> Agent:
        """Returns the agent that says what positions, or the moves there, are worth.

        The convention of a search is its own too.
        """
        if isinstance(value, Call) and value.name == "evalfn" and "convention" not in dict(value.keywords):
            convention = ("convention", float(settings.convention))
            value = Call("evalfn", value.arguments, (*value.keywords, convention))
        agent = self.called(value)
        if settings.leaf_role in agent.policy.kernels:
            return agent
        if settings.leaf_role == "appraiser":
            raise AgentError(
                f"{self.call}: {agent} does not appraise moves; leaf needs a policy made with appraises=..."
            )
        how = "values positions only for search(...)" if is_learned(agent) else "does not evaluate positions"
        raise AgentError(f"{self.call}: {agent} {how}; leaf needs a policy made with evaluates=...")

    def rules(self, value: Value | None, convention: bool) -> tuple[Agent, ...]:
        """Returns the rules that narrow a tree: one of the sets, or a rule-based agent's; none for all moves."""
        if value is None or (isinstance(value, Call) and str(value) in RULE_SETS):
            text = RULE_SETS[str(value or "all")][convention]
            return single_rules(encode(parse_rules(text), 0.0)) if text else ()
        sets = ", ".join(RULE_SETS)
        try:
            agent = self.called(value)
        except AgentError as error:
            meant = suggestion(show(value), RULE_SETS)
            raise AgentError(f"{self.call}: rules must be {sets} or a rule list{meant}; {error}") from error
        if agent.policy is not rule_list:
            raise AgentError(f"{self.call}: rules must be {sets}, a rule-based agent or rules(...), not {value}")
        if agent.params[COUNTING]:
            raise AgentError(
                f"{self.call}: the rules of a tree count cards correctly; counting=2017 is only for rollouts"
            )
        rules = single_rules(agent.params.tolist())
        if len(rules) > MOST_RULES:
            raise AgentError(f"{self.call}: {value} has {len(rules)} lines; a tree takes at most {MOST_RULES}")
        return rules

    def judge(self, value: Value | None, strangers: Sequence[Agent]) -> tuple[float, str] | None:
        """Returns the generation, or the file, of the network that says who made a move; none to ask the pool."""
        name = "asked" if value is None else words_of(value)
        if name == "asked":
            return None
        if name != "network" and not name.endswith(".json"):
            meant = suggestion(name, ["asked", "network"])
            raise AgentError(f"{self.call}: likelihood must be asked, network or a file of weights, not {name}{meant}")
        judge = (1.0, "" if name == "network" else name)
        pool = weights_of("likelihood", *judge).outputs
        if [str(one) for one in strangers] != pool:
            known = ", ".join(pool)
            raise AgentError(f"{self.call}: the network knows only the pool that it was trained on, {known}")
        return judge


def check_pool(call: Call, strangers: Sequence[Agent]) -> None:
    """Refuses policies that keep a memory, which an ally cannot know, or see what they must not."""
    for agent in strangers:
        if agent.words > REPORT or agent.watches or agent.sees:
            raise AgentError(f"{call}: {agent} cannot be one of a pool, nor its rollout: they must keep no memory")


@functools.cache
def recipe_agent(name: str) -> Agent:
    """Returns the agent of a recipe as it is, the same one for all searches."""
    return from_recipe(Call(name), RECIPES[name])


def single_rules(params: Sequence[float]) -> tuple[Agent, ...]:
    """Returns the lines of a rule list, each as its own policy: a tree considers what all of them propose."""
    starts = range(FIRST_LINE, len(params), LINE_LENGTH)
    lines = [(0.0, 1.0, *params[start : start + LINE_LENGTH]) for start in starts]
    return tuple(PolicyAgent(f"rule {number}", rule_list, line) for number, line in enumerate(lines, 1))
