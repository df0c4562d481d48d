"""Agents that search: their settings, and the agents whose policies they use."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from tamaya.engine.jit import digest
from tamaya.engine.moves import FAULT, MOVES
from tamaya.engine.settings import CARDS, SEATS, Settings
from tamaya.game.notation import Card
from tamaya.game.view import View
from tamaya.networks.json_weights import weights_of
from tamaya.networks.likelihood import likelihood_params
from tamaya.policies.agent import Agent, BuiltOnce, Candidate, Thoughts
from tamaya.policies.contract import DECK_WORDS, REPORT, SIGHTS, Policy
from tamaya.policies.language import AgentError
from tamaya.search.beliefs.hand_pool import HANDS, HANDS_WORDS, words_for
from tamaya.search.beliefs.hint_inference import HUNCH_WORDS
from tamaya.search.beliefs.strangers import BELIEFS, EXPECTED, FORESEEN, UNIT
from tamaya.search.determinization import FACT_WORDS, FACTS
from tamaya.search.plan import FIRST_MODEL, JUDGE, LEAF, PLAN, ROLLOUT
from tamaya.search.rollouts import highest_weighted_sum
from tamaya.search.search_policies import ally_search, confirming_search, deviating_search, flat_search, tree_search
from tamaya.search.search_settings import MOST_MODELS, DeviationSettings, FlatSettings, SearchSettings, TreeSettings

ANY_MOVE = "legal-random"
"""The rollout policy that needs no call."""


@dataclass(frozen=True)
class SearchAgent(Agent):
    """A search with its settings and its parts."""

    name: str
    settings: SearchSettings
    rollout: Agent
    rules: tuple[Agent, ...] = ()
    """Agents that each propose a move to consider; empty to consider all moves."""
    leaf: Agent | None = None
    models: tuple[Agent, ...] = ()
    sees_deck: bool = False
    judge: tuple[float, str] | None = None
    """The generation, or the file, of the network that says who made a move; none to ask the policies themselves."""

    @property
    def policy(self) -> Policy:  # type: ignore[override]
        """The algorithm, by what its settings say that it is."""
        settings = self.settings
        if isinstance(settings, TreeSettings):
            found = tree_search
        elif isinstance(settings, FlatSettings):
            found = flat_search
        elif settings.strangers is not None:
            found = ally_search
        elif isinstance(settings, DeviationSettings) and settings.confirm:
            found = confirming_search
        else:
            found = deviating_search
        return found  # type: ignore[no-any-return]

    @property
    def players(self) -> tuple[Agent, ...]:
        """The agents that move in its rollouts."""
        return (self.rollout, *self.models)

    @BuiltOnce
    def network(self) -> np.ndarray:
        """The network that says who made a move, with its rules."""
        return likelihood_params(weights_of("likelihood", *self.judge)) if self.judge else np.empty(0)

    @BuiltOnce
    def params(self) -> np.ndarray:
        """The plan, with the addresses of its parts, which are valid as long as the parts exist."""
        plans = np.zeros(1, PLAN)
        plan, first = plans[0], 0
        for name, value in self.settings.values().items():
            plan[name] = value
        plan.fixes_deck, plan.pool = self.settings.fixes_deck, self.settings.strangers is not None
        plan.models, plan.sight = len(self.models), SIGHTS.index(self.sees)
        for number, agent in zip((ROLLOUT, *range(FIRST_MODEL, FIRST_MODEL + MOST_MODELS)), self.players, strict=False):
            part = plan.parts[number]
            roles = ("mover", "observer", *(("keeper", "predictor", "batcher", "valuer") if number == ROLLOUT else ()))
            agent.fill(part, () if agent.name == ANY_MOVE else roles)
            part.first, first = first, first + part.words * (part.observer != 0)
        plan.hands, plan.first_hand = self.hands, first
        plan.rules = len(self.rules)
        for number, rule in enumerate(self.rules):
            rule.fill(plan.proposers[number], ("mover",))
        if self.leaf:
            self.leaf.fill(plan.parts[LEAF], (self.settings.leaf_role,))
        if self.judge:
            plan.parts[JUDGE].params, plan.parts[JUDGE].length = self.network.ctypes.data, len(self.network)
        return plans.view(np.float64)

    @property
    def hands(self) -> int:
        """How many hands of its own it keeps in mind; none if its policy does not say how likely its moves are."""
        is_literal = self.settings.literal or "predictor" not in self.rollout.policy.kernels
        return 0 if is_literal else self.settings.hands

    @property
    def sees(self) -> str:
        """The deck, or else whatever its policies see."""
        return "deck" if self.sees_deck else max((one.sees for one in self.players), key=SIGHTS.index)

    @property
    def watches(self) -> bool:
        """Whether it, or one of its parts, observes every move."""
        watching = not self.settings.literal and any(one.watches for one in self.players)
        is_among_strangers = self.settings.strangers is not None
        return is_among_strangers or self.settings.is_inferring or self.hands > 0 or watching

    @property
    def words(self) -> int:
        """The words for the parts that observe, for beliefs, hands and hunches, for what it did, and for the deck."""
        kept = BELIEFS if self.settings.strangers else sum(one.words for one in self.players if one.watches)
        kept += words_for(self.rollout.words) if self.hands else 0
        kept += HUNCH_WORDS if self.settings.is_inferring else 0
        return kept + FACT_WORDS + DECK_WORDS + REPORT

    @property
    def is_timed(self) -> bool:
        """Whether its decisions, or those of a part, are limited by time."""
        return self.settings.ms > 0 or any(one.is_timed for one in self.players)

    @property
    def code(self) -> str:
        """A stamp of the code that the user has written for its parts."""
        network = digest([self.network.tobytes()])[:16] if self.judge else ""
        return " ".join(filter(None, (*(one.code for one in (*self.players, *filter(None, [self.leaf]))), network)))

    def check_table(self, settings: Settings) -> None:
        """Raises an error if a part cannot play there, or if there are several models, but not one for each other."""
        for one in (*self.players, *filter(None, [self.leaf])):
            one.check_table(settings)
        others = settings.players - 1
        is_drawn = self.settings.strangers is not None and not self.settings.strangers.knows
        if len(self.models) > 1 and len(self.models) != others and not is_drawn:
            wanted = f"it needs one, or one for each of {others} others"
            raise AgentError(f"{self} has {len(self.models)} models; {wanted}")

    def broken_by(self, answer: int) -> str:
        """The agent that broke the rules in its rollouts, if an answer says so: by a seat's number, its own being 1."""
        number = FAULT - answer
        if not 1 <= number <= SEATS:
            return ""
        return str(self.rollout if number == 1 or not self.models else self.models[(number - 2) % len(self.models)])

    def think(self, view: View) -> Thoughts:
        """What it thinks when it sees a view, read from its player's memory afterwards."""
        player = self.sit_down()
        move = player.act(view)
        facts = facts_in(player.memory)
        unit = float(highest_weighted_sum(view.table, self.params.view(PLAN)[0]))
        tried = [code for code in range(MOVES) if facts.thoughts[code].visits]
        candidates = [candidate(str(view.decode(code)), facts.thoughts[code], unit) for code in tried]
        return Thoughts(
            agent=self.name,
            move=str(move),
            candidates=sorted(candidates, key=lambda one: (one.visits, one.value), reverse=True),
            iterations=int(facts.iterations),
            depth=int(facts.depth),
            milliseconds=float(facts.nanoseconds) / 1e6,
            policy_move=str(view.decode(int(facts.own))) if isinstance(self.settings, DeviationSettings) else "",
            beliefs=self.beliefs_in(player.memory, view) if self.settings.strangers else {},
            chances=self.rollout.chances(view) if self.hands else {},
            own_cards=self.own_cards_in(player.memory, view) if self.hands else [],
            foreseen=math.exp(EXPECTED + player.memory[FORESEEN] / UNIT) if self.is_asking else 0.0,
        )

    def own_cards_in(self, memory: np.ndarray, view: View) -> list[dict[str, float]]:
        """How likely each of its own cards, oldest first, is which card, by the hands that it keeps in mind."""
        first, slots = int(self.params.view(PLAN)[0].first_hand), range(len(view.hands[view.seat]))
        pool = memory[first : first + HANDS_WORDS].view(HANDS)[0]
        hands = pool.hands[: pool.count]
        if not len(hands):
            return []
        weights = np.exp(hands["weight"] - hands["weight"].max())
        chances = [np.bincount(hands["cards"][:, slot], weights, CARDS) / weights.sum() for slot in slots]
        return [{str(Card.of(int(card))): float(row[card]) for card in np.flatnonzero(row)} for row in chances]

    @property
    def is_asking(self) -> bool:
        """Whether it learns by asking the policies of a pool."""
        return self.settings.is_learning and not self.judge

    def beliefs_in(self, memory: np.ndarray, view: View) -> dict[int, dict[str, float]]:
        """How likely it takes each of the others, by seat, for each stranger of its pool."""
        weights = memory[:FORESEEN].reshape(SEATS, MOST_MODELS)[:, : len(self.models)] / UNIT
        chances = np.exp(weights) / np.exp(weights).sum(axis=1, keepdims=True)
        names = [str(one) for one in self.models]
        others = [(view.seat + offset) % view.players for offset in range(1, view.players)]
        if self.settings.strangers and self.settings.strangers.knows:
            return {seat: {names[number % len(names)]: 1.0} for number, seat in enumerate(others)}
        return {seat: dict(zip(names, chances[seat].round(4).tolist(), strict=True)) for seat in sorted(others)}


def facts_in(memory: np.ndarray) -> Any:
    """What a search did in its last decision, read from its player's memory."""
    end = len(memory) - REPORT - DECK_WORDS
    return memory[end - FACT_WORDS : end].view(FACTS)[0]


def candidate(move: str, thought: Any, unit: float) -> Candidate:
    """What was thought of one move; where a network says what is still to come, it may say too much or too little."""
    visits, mean = int(thought.visits), float(thought.total / thought.visits)
    spread = max(0.0, float(thought.squares) / visits - mean * mean)
    error = math.sqrt(spread / (visits - 1)) if visits > 1 else math.nan
    return Candidate(move, visits, unit * min(1.0, max(0.0, mean)), unit * error)
