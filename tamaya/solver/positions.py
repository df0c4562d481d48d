"""Positions of the solver: every card is known, hints only pass the turn, and what is discarded is decided later.

A seat keeps all cards that it has drawn and that are still needed, even if it has discarded since. What its discards
cost is a limit: of the cards that it drew up to some moment, only so many can still be played. So a discard is one
move, whichever card it throws away.
"""

import numpy as np

from tamaya.engine.cards import bit, contains
from tamaya.engine.jit import copy_items, kernel, record
from tamaya.engine.settings import CARDS, SEATS
from tamaya.solver.deals import FIRSTS

KEPT = CARDS
"""How many cards a seat keeps at most: no two are alike."""

POSITION = record(
    needed="i8",  # the cards still to be played, as a mask
    seat="i1",
    tokens="i1",
    spare="i1",  # the lives that may be lost
    drawn="i1",
    turns_left="i1",
    counts=("i1", SEATS),  # how many cards each seat keeps
    orders=("i1", (SEATS, KEPT)),  # their places in the deck, oldest first
    limits=("i1", (SEATS, KEPT)),  # how many of the cards up to this one can still be played
)

DISCARD, STALL = 100, 101
"""Moves other than plays, which are places in the deck."""


@kernel
def playable_of(needed):
    """The cards that can be played now, as a mask: those needed whose predecessor is not."""
    return needed & ~((needed << 1) & ~FIRSTS)


@kernel
def remove_at(position, seat, index):
    """Removes a card from those that a seat keeps; its limit still holds for the cards before it."""
    orders, limits = position.orders[seat], position.limits[seat]
    if index > 0:
        limits[index - 1] = min(limits[index - 1], limits[index])
    position.counts[seat] -= 1
    for place in range(index, position.counts[seat]):
        orders[place] = orders[place + 1]
        limits[place] = limits[place + 1]


@kernel
def draw_next(deal, position):
    """Gives the mover the next card; the earlier copy of a pair is never needed."""
    seat, order = position.seat, position.drawn
    card, count = deal.deck[order], position.counts[seat]
    position.drawn += 1
    if not contains(position.needed, card):
        return
    for index in range(count):
        if deal.deck[position.orders[seat, index]] == card:
            remove_at(position, seat, index)
            break
    count = position.counts[seat]
    position.orders[seat, count], position.limits[seat, count] = order, deal.hand_size
    position.counts[seat] = count + 1


@kernel
def use_order(deal, position, order):
    """Plays a card of the mover."""
    seat, card = position.seat, deal.deck[order]
    index = 0
    while position.orders[seat, index] != order:
        index += 1
    for later in range(index, position.counts[seat]):
        position.limits[seat, later] -= 1
    remove_at(position, seat, index)
    position.needed &= ~bit(card)
    if contains(deal.lasts, card) and position.tokens < deal.max_tokens:
        position.tokens += 1


@kernel
def throw_one(deal, position):
    """Discards some card of the mover, or misplays it where a discard is not allowed."""
    seat = position.seat
    for index in range(position.counts[seat]):
        position.limits[seat, index] = min(position.limits[seat, index], deal.hand_size - 1)
    if position.tokens < deal.max_tokens:
        position.tokens += 1
    elif not deal.is_relaxed:
        position.spare -= 1


@kernel
def make(deal, position, move):
    """Makes a move, without tidying up."""
    is_last_round = position.drawn == deal.deck_size
    if move == STALL:
        position.tokens -= 1
    elif move == DISCARD:
        throw_one(deal, position)
    else:
        use_order(deal, position, move)
    if is_last_round:
        position.turns_left -= 1
        position.counts[position.seat] = 0
    elif move != STALL:
        draw_next(deal, position)
    position.seat = (position.seat + 1) % deal.players


@kernel
def tighten(deal, position, seat):
    """Makes the limits of a seat as small as they follow from each other; few draws leave few plays."""
    limits, before = position.limits[seat], 0
    after = min(deal.hand_size, deal.deck_size - position.drawn + 1)
    for index in range(position.counts[seat]):
        limits[index] = min(limits[index], before + 1)
        before = limits[index]
    for index in range(position.counts[seat] - 1, -1, -1):
        limits[index] = min(limits[index], after)
        after = limits[index]


@kernel
def drop_played(deal, position, seat):
    """Forgets the cards of a seat that are not needed any more."""
    for index in range(position.counts[seat] - 1, -1, -1):
        if not contains(position.needed, deal.deck[position.orders[seat, index]]):
            remove_at(position, seat, index)


@kernel
def last_copies(deal, position):
    """The needed cards of which there is one copy left, in a hand, as a mask; -1 if a needed card is lost."""
    once, twice, rest = np.int64(0), np.int64(0), deal.left[position.drawn]
    for seat in range(deal.players):
        for index in range(position.counts[seat]):
            card = bit(deal.deck[position.orders[seat, index]])
            twice |= once & card
            once |= card
    return np.int64(-1) if position.needed & ~(once | rest) else once & ~(twice | rest)


@kernel
def drop_excluded(deal, position, seat, forced):
    """Forgets cards where last copies use up a limit; returns how many, or -1 if there are more last copies."""
    kept, end = 0, -1
    for index in range(position.counts[seat]):
        kept += contains(forced, deal.deck[position.orders[seat, index]])
        if kept > position.limits[seat, index]:
            return -1
        if kept == position.limits[seat, index]:
            end = index
    dropped = 0
    for index in range(end, -1, -1):
        if not contains(forced, deal.deck[position.orders[seat, index]]):
            remove_at(position, seat, index)
            dropped += 1
    return dropped


@kernel
def tidy(deal, position):
    """Draws all conclusions about the cards in hands; returns whether they leave the goal in reach."""
    for seat in range(deal.players):
        drop_played(deal, position, seat)
    while True:
        dropped, forced = 0, last_copies(deal, position)
        if forced == -1:
            return False
        for seat in range(deal.players):
            tighten(deal, position, seat)
            found = drop_excluded(deal, position, seat, forced)
            if found < 0:
                return False
            dropped += found
        if dropped == 0:
            return True


@kernel
def copy_position(target, source):
    """Copies a position, and of the cards of each seat only those that it keeps."""
    target.needed, target.seat, target.tokens = source.needed, source.seat, source.tokens
    target.spare, target.drawn, target.turns_left = source.spare, source.drawn, source.turns_left
    copy_items(target.counts, source.counts)
    for seat in range(SEATS):
        for index in range(source.counts[seat]):
            target.orders[seat, index] = source.orders[seat, index]
            target.limits[seat, index] = source.limits[seat, index]
