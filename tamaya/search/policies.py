"""Searches as policies, so that they sit at tables, and in other searches, like every agent."""

import numpy as np

from tamaya.jit import float64, int8, int64, kernel, record_type, typed_kernel
from tamaya.moves import MOVES
from tamaya.policies import policy, report_search, seen_deck
from tamaya.randomness import RNG
from tamaya.search.loop import FACTS, THOUGHT, think
from tamaya.table import TABLE, TABLE_TYPE


@typed_kernel(int64(TABLE_TYPE[::1], int8[::1], float64[::1], RNG, record_type(THOUGHT)[::1], record_type(FACTS)[::1]))
def ponder(views, deck, params, rng, thoughts, facts):
    """The move of a search, with its thoughts; the entrance from Python."""
    return think(views, deck, params, rng, thoughts, facts)


@kernel
def answer(view, deck, memory, params, rng):
    """The move of a search; what it did goes into its memory."""
    views = np.empty(1, TABLE)
    views[0] = view
    thoughts, facts = np.zeros(MOVES, THOUGHT), np.zeros(1, FACTS)
    move = ponder(views, deck, params, rng, thoughts, facts)
    report_search(memory, facts[0].iterations, facts[0].depth)
    return move


@policy
def tree_search(view, memory, params, rng):
    """Searches by its params: settings, and the policies it uses."""
    return answer(view, np.empty(0, np.int8), memory, params, rng)


@policy(sees="deck")
def seeing_search(view, memory, params, rng):
    """Searches with the own hand and the deck in sight."""
    return answer(view, seen_deck(memory).astype(np.int8), memory, params, rng)
