"""Searches as policies, so that they sit at tables, and in other searches, like every agent."""

import numpy as np

from tamaya.engine import legal_moves
from tamaya.jit import float64, int8, int64, kernel, record_type, typed_kernel
from tamaya.moves import MOVES
from tamaya.policies import keeper_at, observer_at, policy, report_search, seen_deck
from tamaya.randomness import RNG
from tamaya.search.loop import think
from tamaya.search.plan import KEEPER_AT, MODEL_PART, MODELS, OBSERVER_AT, ROLLOUT_PART, memory_at, params_at, part_at
from tamaya.search.sampling import FACTS, THOUGHT
from tamaya.table import TABLE, TABLE_TYPE

THINKING = int64(
    TABLE_TYPE[::1], int8[::1], int64[::1], float64[::1], RNG, record_type(THOUGHT)[::1], record_type(FACTS)[::1]
)


@typed_kernel(THINKING)
def ponder(views, deck, memory, params, rng, thoughts, facts):
    """The move of a search, with its thoughts; the entrance from Python."""
    return think(views, deck, memory, params, rng, thoughts, facts)


@kernel
def watch(view, mover, move, shown, memory, params):
    """Shows a move to the parts of a search that observe."""
    for index in range(ROLLOUT_PART, MODEL_PART + int(params[MODELS])):
        place = part_at(params, index)
        observer = int(params[place + OBSERVER_AT])
        if observer:
            kept = memory_at(params, memory, index)
            observer_at(observer)(view, mover, move, shown, kept, params_at(params, place))
    return 0


@kernel
def answer(view, deck, memory, params, rng):
    """The move of a search; what it did goes into its memory."""
    views = np.empty(1, TABLE)
    views[0] = view
    thoughts, facts = np.zeros(MOVES, THOUGHT), np.zeros(1, FACTS)
    move = ponder(views, deck, memory, params, rng, thoughts, facts)
    report_search(memory, facts[0].iterations, facts[0].depth)
    return move


@kernel
def keep(view, memory, params):
    """The moves that keep the convention of the policy that a search plays on by; all if it has none."""
    place = part_at(params, ROLLOUT_PART)
    keeper = int(params[place + KEEPER_AT])
    if not keeper:
        return legal_moves(view)
    return keeper_at(keeper)(view, memory_at(params, memory, ROLLOUT_PART), params_at(params, place))


@policy(observe=watch, keeps=keep)
def tree_search(view, memory, params, rng):
    """Searches by its params: settings, and the policies it uses."""
    return answer(view, np.empty(0, np.int8), memory, params, rng)


@policy(sees="hand", observe=watch)
def hand_search(view, memory, params, rng):
    """Searches with the own hand in sight."""
    return answer(view, np.empty(0, np.int8), memory, params, rng)


@policy(sees="deck", observe=watch)
def deck_search(view, memory, params, rng):
    """Searches with the own hand and the deck in sight."""
    return answer(view, seen_deck(memory).astype(np.int8), memory, params, rng)
