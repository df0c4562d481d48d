"""What the solver remembers: positions from which the goal cannot be reached, by their hashes.

Two hashes of a position agree with those of another one by chance once in 2 ** 59 times: one says where it is
remembered, the other one is what is remembered.
"""

import numpy as np

from tamaya.engine.jit import kernel, wrapping_kernel
from tamaya.engine.randomness import GAMMA, scramble

TOKENS = np.uint64(31)
"""The bits of a remembered word that hold the number of hint tokens."""

PLACE, WORD = np.uint64(1), np.uint64(2)
"""What makes the two hashes different."""


@wrapping_kernel
def mixed(word, number):
    """A word that depends on another one and on a number."""
    return scramble(word + GAMMA * np.uint64(number + 1))


@wrapping_kernel
def seat_hash(deal, position, seat, salt):
    """A hash of what a seat keeps: the cards in any order, and the limits that bind with the cards below them."""
    cards, total, before = salt, salt, 0
    for index in range(position.counts[seat]):
        cards += mixed(salt, deal.deck[position.orders[seat, index]])
        limit = int(position.limits[seat, index])
        if limit == before:
            total += mixed(cards, limit)
        before = limit
    return scramble(total) + cards


@kernel
def position_hash(deal, position, salt):
    """A hash of a position; if discards are free, more hint tokens are never worse, and they are left out."""
    word = mixed(salt, position.needed)
    word = mixed(word, int(position.drawn) + 64 * int(position.seat) + 512 * int(position.turns_left))
    if not deal.is_relaxed:
        word = mixed(word, int(position.tokens) + 64 * int(position.spare))
    for seat in range(deal.players):
        word = mixed(seat_hash(deal, position, seat, word), seat)
    return word


@kernel
def memory_place(deal, position, memory):
    """Where a position is remembered; the length of the memory is a power of two."""
    return np.int64(position_hash(deal, position, PLACE) & np.uint64(len(memory) - 1))


@kernel
def is_remembered(deal, position, memory):
    """Whether it is known that the goal cannot be reached from a position, with as many tokens or more."""
    found = memory[memory_place(deal, position, memory)]
    is_known = (found ^ position_hash(deal, position, WORD)) & ~TOKENS == 0
    return is_known and np.int64(found & TOKENS) >= position.tokens


@kernel
def remember_lost(deal, position, memory):
    """Notes that the goal cannot be reached from a position."""
    word = position_hash(deal, position, WORD) & ~TOKENS
    memory[memory_place(deal, position, memory)] = word | np.uint64(position.tokens)
