"""Bit planes: how many copies of each card there are, as three masks of the cards with more than 0, 1, 2 copies."""

import numpy as np

from tamaya.engine.cards import bit
from tamaya.engine.jit import kernel, popcount


@kernel
def add_copies(planes, cards):
    """Adds one copy of each card of a mask to three planes."""
    for plane in range(2, 0, -1):
        planes[plane] |= planes[plane - 1] & cards
    planes[0] |= cards


@kernel
def add_copy(planes, card):
    """Adds one copy of a card to three planes."""
    add_copies(planes, bit(card))


@kernel
def add_planes(planes, others):
    """Adds the copies of three other planes to three planes."""
    third = planes[2] | others[2] | (planes[1] & others[0]) | (planes[0] & others[1])
    second = planes[1] | others[1] | (planes[0] & others[0])
    planes[0] |= others[0]
    planes[1], planes[2] = second, third


@kernel
def remove_copy(planes, card):
    """Takes one copy of a card out of three planes."""
    mask = bit(card)
    for plane in range(2, -1, -1):
        found = planes[plane] & mask
        planes[plane] ^= found
        mask ^= found


@kernel
def count_copies(planes, cards):
    """How many copies of the cards of a mask there are."""
    return popcount(planes[0] & cards) + popcount(planes[1] & cards) + popcount(planes[2] & cards)


@kernel
def counted(counts, cards):
    """Three counted planes with one more copy of each card of a mask; in registers, for loops over hands."""
    one, two, three = counts
    return one | cards, two | (one & cards), three | (two & cards)


@kernel
def write_rest(rest, planes, counts):
    """Writes what is left of three planes without the copies that were counted."""
    one, two, three = counts
    first, second, third = planes[0], planes[1], planes[2]
    rest[0] = (first & ~one) | (second & ~two) | (third & ~three)
    rest[1] = (second & ~one) | (third & ~two)
    rest[2] = third & ~one


@kernel
def used_up(planes, counts):
    """The cards of which all copies were counted, as a mask."""
    one, two, three = counts
    return (one & ~planes[1]) | (two & ~planes[2]) | three


NOTHING = (np.int64(0), np.int64(0), np.int64(0))
"""Planes in which nothing is counted yet."""
