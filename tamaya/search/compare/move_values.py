"""What moves are worth beside each other: each is made in the same deals, and these are played to their end."""

import time
from collections.abc import Sequence

import numpy as np

from tamaya.engine.jit import kernel
from tamaya.engine.moves import FAULT, MOVES
from tamaya.game.view import View
from tamaya.policies.agent import Agent, Player
from tamaya.policies.contract import PolicyError
from tamaya.policies.language import AgentError
from tamaya.search.beliefs.resampling import believe
from tamaya.search.compare.common_deals import deal_world, try_moves
from tamaya.search.determinization import begin, facts_in_memory, new_scratch
from tamaya.search.search_agent import ANY_MOVE, SearchAgent
from tamaya.search.search_settings import FlatSettings

ROUND = 64
"""How many deals are played before the time is looked at."""

HANDS, FRESH_HANDS = 512, 512
"""The hands that a player may hold, by what learned policies told it, and how many are dealt anew to find these."""


@kernel
def take_stock(views, memory, params, rng):
    """Finds hands that the player may hold, by how likely its policy makes the moves of the others."""
    rollout, start = begin(views[0], memory, params)
    believe(start, rollout.beliefs, params, rng)
    return 0


@kernel
def price_moves(values, moves, views, memory, params, rng):
    """Writes what each move of a mask is worth in each of some deals; returns who broke the rules, or 0.

    Whoever breaks them is numbered as in the facts of a search.
    """
    rollout, start = begin(views[0], memory, params)
    facts, scratch, dealt = facts_in_memory(memory), new_scratch(start), new_scratch(start)
    for number in range(len(values)):
        deal_world(dealt, start, rollout, rng)
        try_moves(values[number], moves, dealt, scratch, rollout, facts, rng)
        if facts.fault:
            break
    return int(facts.fault)


def team_of(agent: Agent) -> SearchAgent:
    """The policies that an agent takes to be at the seats, as a search that plays games to their end with them.

    A search says whom it expects. Anybody else expects everybody to be like itself.
    """
    if agent.sees:
        raise AgentError(f"{agent} sees hidden cards; name an agent that sees only what its seat sees")
    if not agent.is_compiled:
        raise AgentError(f"{agent} cannot play imagined games, because it is not a compiled @policy")
    if not isinstance(agent, SearchAgent):
        return SearchAgent(agent.name, FlatSettings(strict=True, hands=HANDS, fresh=FRESH_HANDS), agent)
    given, rollout = agent.settings, agent.rollout
    if given.leaf_role == "appraiser" and agent.leaf is not None:
        rollout = agent.leaf
    if rollout.name == ANY_MOVE:
        example = f"{agent.name.partition('(')[0]}(..., rollout=piers)"
        raise AgentError(f"{agent} imagines games of random moves; name its rollout policy, as in {example}")
    settings = FlatSettings(
        convention=given.convention,
        strict=given.strict,
        strangers=given.strangers,
        literal=given.literal,
        hands=HANDS if given.hands else 0,
        fresh=FRESH_HANDS,
    )
    return SearchAgent(agent.name, settings, rollout, models=agent.models, judge=agent.judge)


def seated(team: SearchAgent, view: View, rng: np.ndarray) -> Player:
    """A player who has seen all that led to a view, and knows which hands it may hold."""
    player = team.sit_down()
    player.catch_up(view)
    if team.hands:
        take_stock(view.tables.copy(), player.memory, team.params, rng)
    return player


def own_cards(agent: Agent, view: View) -> list[dict[str, float]]:
    """How likely each card of its hand, oldest first, is which card to an agent, by what its policy's moves told it."""
    team = team_of(agent)
    return team.own_cards_in(seated(team, view, np.array([1], dtype=np.uint64)).memory, view)


def price(team: SearchAgent, view: View, moves: Sequence[int], deals: int, ms: float, seed: int) -> np.ndarray:
    """The points to which some moves lead, [deal, move], in the same deals, none of which the view excludes.

    There are ``deals`` of them or, if ``ms`` is not 0, as many as can be played in so many milliseconds.
    """
    rng, rows = np.array([seed], dtype=np.uint64), []
    player = seated(team, view, rng)
    mask, end, done = sum(1 << move for move in set(moves)), time.monotonic() + ms / 1000, 0
    while not done or (time.monotonic() < end if ms else done < deals):
        values = np.zeros((ROUND if ms else min(ROUND, deals - done), MOVES))
        fault = price_moves(values, mask, view.tables.copy(), player.memory, team.params, rng)
        if fault:
            raise PolicyError(f"{team}: {team.broken_by(FAULT - fault)} made an illegal move in a rollout")
        rows.append(values[:, list(moves)])
        done += len(values)
    return view.max_score * np.concatenate(rows)
