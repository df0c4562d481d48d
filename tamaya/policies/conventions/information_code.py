"""The code of the information player: what its hints and discards tell.

A hint tells a number, whatever else it says. A discard while there are hint tokens tells that nobody needed a hint;
and if several cards are publicly useless, the choice among them tells a number too. Plays tell nothing.
"""

from typing import Any

import numpy as np

from tamaya.engine.card_counts import count_copies
from tamaya.engine.cards import HINTS, contains, nth_bit
from tamaya.engine.gameplay import hints_of_hand, touched_cards
from tamaya.engine.jit import copy_items, copy_rows, kernel, popcount
from tamaya.engine.knowledge import next_seat
from tamaya.engine.moves import DISCARD, NO_MOVE, TELL, discard, hint_of, target_from, tell
from tamaya.policies.conventions.hats import hear, hint_capacity, own_message, read_hint, target_of_message
from tamaya.policies.conventions.hint_classes import NO_CLASS, class_of_hint, index_slot
from tamaya.policies.conventions.public_knowledge import (
    count_all,
    exclude,
    forget_slot,
    holds_one_of,
    is_single,
    knows_one_of,
    projected,
    public_of,
    public_trash,
    refresh,
)

SETTINGS: dict[str, Any] = {
    "closure": 1.0,  # public knowledge counts located copies, private knowledge the seat's own identified cards
    "projection": 1.0,  # questions are about the board as it will be when the seat moves
    "needs": 1.0,  # and so is whether somebody needs a hint
    "patience": 1.0,  # hints instead of discarding above a number of tokens, which depends on the players
    "values": 1.0,  # the cost of a discard takes last copies into account
    "tuning": 1.0,  # its constants, the risk of plays, and the first card asked about, by number of players
    "order": 1.0,  # first plays what lets another seat play
    "gamble": 1.0,  # plays the likeliest card in the last round if nobody needs a hint
    "packing": 1.0,  # more classes of hints by disjoint sets, for three or more players
    "hint_first": 1.0,  # hints before a sure play if the next seat would have to wait
}
(CLOSURE, PROJECTION, NEEDS, PATIENCE, VALUES, TUNING, ORDER, GAMBLE, PACKING, HINT_FIRST) = range(len(SETTINGS))

CENTRE = np.array([0.65, 0.65, 0.7, 0.75])
"""The odds of the card that is asked about first, by number of players from 2 on."""


@kernel
def centre_of(view, params):
    """The odds of the card that is asked about first."""
    return CENTRE[view.players - 2] if params[TUNING] else 0.7


@kernel
def packs(view, params):
    """Whether hints are packed into more classes; with a single receiver that leaves too little choice of words."""
    return params[PACKING] != 0 and view.players > 2


@kernel
def needs_hint(public, view, mover, seat, params):
    """Whether a seat, seen from another, holds a playable card but publicly knows of none."""
    playable = playable_at(public, view, mover, seat, params)
    return holds_one_of(view, seat, playable) and not knows_one_of(public, seat, playable)


@kernel
def playable_at(public, view, mover, seat, params):
    """The cards that count as playable in deciding whether a seat needs a hint."""
    return projected(public, view, mover, seat) if params[NEEDS] else view.playable & ~view.useless


@kernel
def somebody_needs_hint(public, view, params):
    """Whether one of the others needs a hint."""
    for offset in range(1, view.players):
        if needs_hint(public, view, view.seat, next_seat(view, offset), params):
            return True
    return False


@kernel
def conclude_nobody_needs_hint(public, view, mover, params):
    """Concludes from a discard that nobody needed a hint; returns whether the observer's view allows that."""
    for offset in range(1, view.players):
        seat = (mover + offset) % view.players
        if seat != view.seat and needs_hint(public, view, mover, seat, params):
            return False
    for offset in range(1, view.players):
        seat = (mover + offset) % view.players
        playable = playable_at(public, view, mover, seat, params)
        is_silent = not knows_one_of(public, seat, playable)
        for slot in range(view.hand_size):
            cards = public.possible[seat, slot]
            public.learnt[seat, slot] = cards & ~playable if is_silent and cards & ~playable else cards
    for offset in range(1, view.players):
        seat = (mover + offset) % view.players
        for slot in range(view.hand_size):
            public.possible[seat, slot] = public.learnt[seat, slot]
        exclude(public, view, seat)
    count_all(public, view, params[CLOSURE])
    return True


@kernel
def hear_discard(public, view, mover, slot, params):
    """Learns what a discard tells."""
    trash = public_trash(public.possible[mover], view, public.counts[mover])
    if view.hint_tokens > 0 and not conclude_nobody_needs_hint(public, view, mover, params):
        return
    if contains(trash, slot) and popcount(trash) > 1:
        message = popcount(trash & ((1 << slot) - 1))
        public.message_stamp = 0
        hear(public, view, mover, popcount(trash), message, params[PROJECTION], centre_of(view, params))


@kernel
def observe_information(view, mover, move, shown, memory, params):
    """Keeps the public knowledge."""
    public = public_of(memory)
    refresh(public, view, params[CLOSURE])
    if move >= TELL:
        target = target_from(view, mover, move)
        message = read_hint(public, view, mover, target, hint_of(move), shown, packs(view, params))
        if message != NO_CLASS:
            capacity = hint_capacity(public, view, mover, packs(view, params))
            hear(public, view, mover, capacity, message, params[PROJECTION], centre_of(view, params))
        return 0
    if move >= DISCARD:
        hear_discard(public, view, mover, move - DISCARD, params)
    forget_slot(public, view, mover, move % DISCARD)
    return 0


@kernel
def telling_power(public, view, seat, hint):
    """How much a hint says by itself: the product, over open cards, of how far it narrows each."""
    power = 1.0
    for slot in range(public.counts[seat]):
        cards = public.learnt[seat, slot]
        if is_single(cards) or not cards & ~view.useless:
            continue
        touched = touched_cards(view, hint)
        left = cards & touched if contains(touched, view.hands[seat, slot]) else cards & ~touched
        power *= count_copies(public.copies, cards) / max(1, count_copies(public.copies, left))
        if is_single(left) or not left & ~view.useless:
            power *= 2
    return power


@kernel
def code_hint(public, view, params):
    """The hint that says most by itself in the class that the code demands; NO_MOVE if there is none."""
    capacity = hint_capacity(public, view, view.seat, packs(view, params))
    message = own_message(public, view, capacity, params[PROJECTION], centre_of(view, params))
    seat, wanted = target_of_message(public, view, message, packs(view, params))
    index = int(view.hands[seat, index_slot(public, view, seat)])
    best_hint, best = NO_MOVE, -1.0
    hints = hints_of_hand(view, seat)
    for hint in range(HINTS):
        touches_index = int(contains(touched_cards(view, hint), index))
        if contains(hints, hint) and class_of_hint(public, seat, hint, touches_index) == wanted:
            power = telling_power(public, view, seat, hint)
            if power > best:
                best_hint, best = hint, power
    return tell(view, seat, best_hint) if best_hint != NO_MOVE else NO_MOVE


@kernel
def coded_discard(public, view, trash, params):
    """The discard of the one of several publicly useless cards whose number is the message.

    The message is about public knowledge after the conclusion that nobody needed a hint, which is then undone.
    """
    possible, excluded, copies = public.possible.copy(), public.excluded.copy(), public.copies.copy()
    if view.hint_tokens > 0:
        conclude_nobody_needs_hint(public, view, view.seat, params)
    public.message_stamp = 0
    message = own_message(public, view, popcount(trash), params[PROJECTION], centre_of(view, params))
    public.message_stamp = 0
    copy_rows(public.possible, possible)
    copy_rows(public.excluded, excluded)
    copy_items(public.copies, copies)
    return discard(nth_bit(trash, message))
