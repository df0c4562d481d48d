"""Reasons why a goal cannot be reached: too few turns, or too many cards that must be held at once.

A draw is numbered by the cards drawn before it. A needed card is available after some draws, when its next copy is in
a hand. It is released after some draws, when its predecessors are available too. In between somebody must hold it.
"""

from typing import NamedTuple

import numpy as np

from tamaya.engine.cards import bit, contains
from tamaya.engine.jit import kernel, popcount
from tamaya.engine.settings import CARDS
from tamaya.solver.deals import FIRSTS


class Bounds(NamedTuple):
    """Room to compute the bounds of a position."""

    available: np.ndarray
    releases: np.ndarray
    counts: np.ndarray
    """[drawn]: how many cards are released then, or must be held then."""


@kernel
def slack(deal, position):
    """How many cards may be discarded, or turns of the last round passed, before there are too few turns left."""
    return int(deal.deck_size - position.drawn + position.turns_left) - popcount(position.needed)


@kernel
def held_cards(deal, position):
    """The cards that seats keep, as a mask."""
    held = np.int64(0)
    for seat in range(deal.players):
        for index in range(position.counts[seat]):
            held |= bit(deal.deck[position.orders[seat, index]])
    return held


@kernel
def find_available(deal, position, bounds):
    """Writes after how many draws each needed card is available."""
    held, drawn = held_cards(deal, position), int(position.drawn)
    for card in range(CARDS):
        if contains(position.needed, card):
            bounds.available[card] = drawn if contains(held, card) else int(deal.next_at[drawn, card]) + 1


@kernel
def find_releases(position, bounds):
    """Writes after how many draws each needed card is released."""
    release = 0
    for card in range(CARDS):
        if contains(position.needed, card):
            if contains(FIRSTS, card) or not contains(position.needed, card - 1):
                release = 0
            release = max(release, bounds.available[card])
            bounds.releases[card] = release


@kernel
def is_in_time(deal, position, bounds):
    """Whether the turns after each draw suffice for what is released only then.

    Every play but those of the last round draws a card. The last card of the deck can only be the last one played.
    """
    counts, total, size = bounds.counts, 0, int(deal.deck_size)
    for drawn in range(position.drawn, size + 1):
        counts[drawn] = 0
    for card in range(CARDS):
        if contains(position.needed, card):
            counts[bounds.releases[card]] += 1
    for drawn in range(size, position.drawn, -1):
        total += counts[drawn]
        if total > (1 if drawn == size else size - drawn + deal.players):
            return False
    return True


@kernel
def count_held(deal, position, bounds):
    """Counts the last copies that must be held at each draw; returns the largest number."""
    counts, total, largest, size = bounds.counts, 0, 0, int(deal.deck_size)
    for drawn in range(position.drawn, size + 1):
        counts[drawn] = 0
    for card in range(CARDS):
        if contains(position.needed, card):
            first = max(int(deal.last_at[card]) + 1, int(position.drawn))
            if first < bounds.releases[card]:
                counts[first] += 1
                counts[bounds.releases[card]] -= 1
    for drawn in range(position.drawn, size):
        total += counts[drawn]
        counts[drawn] = total
        largest = max(largest, total)
    return largest


@kernel
def give_up_copies(deal, position, bounds, room):
    """Makes cards wait for later copies where there is no room to hold earlier ones; returns whether there are any."""
    found = False
    for card in range(CARDS):
        if contains(position.needed, card):
            last = int(deal.last_at[card])
            end = min(bounds.releases[card], last + 1)
            for drawn in range(bounds.available[card], end):
                if bounds.counts[drawn] == room:
                    bounds.available[card] = int(deal.next_at[drawn, card]) + 1
                    found = True
    return found


@kernel
def is_possible(deal, position, bounds):
    """Whether no bound speaks against reaching the goal; whoever draws must have given up a card before."""
    if slack(deal, position) < 0:
        return False
    find_available(deal, position, bounds)
    room = int(deal.players * deal.hand_size) - 1
    while True:
        find_releases(position, bounds)
        if not is_in_time(deal, position, bounds):
            return False
        largest = count_held(deal, position, bounds)
        if largest > room:
            return False
        if largest < room or not give_up_copies(deal, position, bounds, room):
            return True
