"""A seat's own hand: what it knows of its cards from all that it sees, and which one it plays first.

The seat to move always holds a full hand.
"""

from typing import Any, NamedTuple

import numpy as np

from tamaya.engine.card_counts import NOTHING, count_copies, counted, used_up
from tamaya.engine.cards import bit, lowest_bit
from tamaya.engine.gameplay import may_discard
from tamaya.engine.jit import copy_items, kernel, record, record_reader
from tamaya.engine.knowledge import cards_of_others, deck_left, seats_holding
from tamaya.engine.moves import discard, play
from tamaya.engine.settings import RANKS, SLOTS
from tamaya.policies.conventions.public_knowledge import PUBLIC_WORDS, is_single, refresh

HAND = record(
    possible=("i8", SLOTS),  # what the seat's own cards can be
    copies=("i8", 3),  # cards with more than 0, 1, 2 copies that the seat has not seen
    elsewhere="i8",  # the cards in the other hands
)
"""What only the seat itself knows; it is recomputed for every decision."""

MEMORY = PUBLIC_WORDS + HAND.itemsize // 8
"""The words of public knowledge, plus room for a hand."""

read_hand = record_reader(HAND)


class Taste(NamedTuple):
    """What makes a sure play better or worse.

    Better: another seat, or the same hand, holds the next card, or the card is the last of its colour. Worse: other
    seats hold the card too.
    """

    wanted: Any
    own_next: Any
    last: Any
    shared: Any


@kernel
def hand_of(memory):
    """The room for a hand in the memory of a policy."""
    return read_hand(memory, PUBLIC_WORDS)


@kernel
def count_own(view, possible, own, planes, closure):
    """Fills in what a seat's own cards can be, given all that it sees, and the copies it has not seen."""
    copy_items(planes, view.unseen)
    for slot in range(view.hand_size):
        cards = possible[slot] & view.unseen[0]
        own[slot] = cards if cards else view.knowledge[view.seat, slot] & view.unseen[0]
    while closure:
        located = NOTHING
        for slot in range(view.hand_size):
            if is_single(own[slot]):
                located = counted(located, own[slot])
        gone = used_up(planes, located)
        is_new = False
        for slot in range(view.hand_size):
            cards = own[slot]
            if not is_single(cards) and cards & gone and cards & ~gone:
                own[slot] = cards & ~gone
                is_new = is_new or is_single(own[slot])
        if not is_new:
            break


@kernel
def look_around(public, hand, view, closure):
    """Brings the public knowledge up to date and fills in what only the seat itself knows, for a decision."""
    refresh(public, view, closure)
    count_own(view, public.possible[view.seat], hand.possible, hand.copies, closure)
    hand.elsewhere = cards_of_others(view)


@kernel
def play_value(view, hand, card, taste):
    """What playing a card, given as a mask, first is worth: more if it is low, held by few others, and to the taste."""
    number = lowest_bit(card)
    value = 10.0 - (number % RANKS + 1)
    if number % RANKS == view.ranks - 1:
        value += taste.last
    else:
        value += taste.wanted * (hand.elsewhere & (card << 1) != 0)
        for slot in range(view.hand_size):
            if hand.possible[slot] == card << 1:
                value += taste.own_next
                break
    if deck_left(view) > 0 and hand.elsewhere & card:
        value /= 1.0 + taste.shared * seats_holding(view, number)
    return value


@kernel
def sure_play(view, hand, taste):
    """The slot of the sure play that is worth most; -1 if there is none."""
    best_slot, best = -1, -1.0
    for slot in range(view.hand_size):
        cards = hand.possible[slot]
        if cards & ~view.playable or not cards:
            continue
        total, copies = 0.0, 0
        while cards:
            card = cards & -cards
            count = count_copies(hand.copies, card)
            total += count * play_value(view, hand, card, taste)
            copies += count
            cards ^= card
        if total / max(1, copies) > best:
            best_slot, best = slot, total / max(1, copies)
    return best_slot


@kernel
def likeliest_play(view, hand, others):
    """The slot most likely to be playable, among cards that are surely playable or of a mask; and its odds."""
    best_slot, best = -1, 0.0
    for slot in range(view.hand_size):
        cards = hand.possible[slot]
        if not cards & ~(view.playable | others):
            chance = count_copies(hand.copies, cards & view.playable) / max(1, count_copies(hand.copies, cards))
            if chance > best:
                best_slot, best = slot, chance
    return best_slot, best


@kernel
def own_moves(view, possible):
    """The plays that may succeed, given what the seat's own cards can be, and the legal discards, as a mask."""
    moves = np.int64(0)
    for slot in range(view.hand_size):
        if possible[slot] & view.playable:
            moves |= bit(play(slot))
        if may_discard(view):
            moves |= bit(discard(slot))
    return moves
