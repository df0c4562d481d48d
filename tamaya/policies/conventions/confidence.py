"""The confidence player of Bouzy: cards that a hint touches can be played or discarded on the board as it is.

A player who is told of cards plays them, unless it can conclude that they are useless. So a hint touches only playable
cards, each of them once, and useless ones that their holder can tell from playable ones.
"""

import numpy as np

from tamaya.engine.cards import NO_CARD, bit, contains, lowest_bit
from tamaya.engine.gameplay import hints_of_hand, legal_moves, may_discard, touched_cards
from tamaya.engine.jit import kernel
from tamaya.engine.knowledge import critical_cards, next_seat
from tamaya.engine.moves import DISCARD, NO_MOVE, TELL, discard, hint_of, play, target_from, target_of, tell
from tamaya.engine.settings import RANKS
from tamaya.policies.contract import policy
from tamaya.policies.conventions.hint_codes import is_stall
from tamaya.policies.conventions.own_hand import MEMORY, hand_of, look_around, own_moves
from tamaya.policies.conventions.public_knowledge import CERTAIN, forget_slot, odds, public_of, refresh

PROMISE = 1 << 62
"""The bit among a card's exclusions that marks it as told of."""


@kernel
def is_promised(public, seat, slot):
    """Whether a card has been told of with confidence."""
    return public.excluded[seat, slot] & PROMISE != 0


@kernel
def is_confident(view, possible, is_promised):
    """Whether a card, given as what it can be, is played: surely playable, or promised and not surely useless."""
    others = view.useless if is_promised else 0
    return possible & view.playable != 0 and not possible & ~(view.playable | others)


@kernel
def observe_confidence(view, mover, move, shown, memory, params):
    """Excludes everything from touched cards except what can be played or discarded now."""
    public = public_of(memory)
    refresh(public, view, True)
    if move < TELL:
        forget_slot(public, view, mover, move % DISCARD)
        return 0
    seat, hint = target_from(view, mover, move), hint_of(move)
    if is_stall(view, mover, seat, hint, shown):
        return 0
    allowed = view.playable | view.useless
    for slot in range(public.counts[seat]):
        if contains(shown, slot) and public.possible[seat, slot] & touched_cards(view, hint) & allowed:
            public.excluded[seat, slot] |= PROMISE | (view.all_cards & ~allowed)
    return 0


@kernel
def cards_to_come(public, view):
    """The cards that some seat will play with confidence, as far as the seat of a view can see, as a mask."""
    cards = np.int64(0)
    for seat in range(view.players):
        for slot in range(public.counts[seat]):
            possible = public.possible[seat, slot]
            if is_confident(view, possible, is_promised(public, seat, slot)):
                cards |= possible & view.playable if seat == view.seat else bit(view.hands[seat, slot])
    return cards


@kernel
def worth_of_hint(public, view, seat, hint, announced):
    """What a hint is worth: 10 for each play it brings, 1 for each useless card it shows; below 0 if it misleads."""
    touched, seen, worth = touched_cards(view, hint), announced, 0
    if is_stall(view, view.seat, seat, hint, int(contains(touched, view.hands[seat, 0]))):
        return 0
    allowed = view.playable | view.useless
    for slot in range(public.counts[seat]):
        card = int(view.hands[seat, slot])
        before, is_touched, promised = (
            public.possible[seat, slot],
            contains(touched, card),
            is_promised(public, seat, slot),
        )
        after, was_known = before & ~touched, is_confident(view, before, promised)
        if is_touched:
            after = before & touched & allowed
            if not after:
                continue
            if not contains(allowed, card):
                return -1
        if is_confident(view, after, promised or is_touched):
            if not contains(view.playable, card) or (contains(seen, card) and not was_known):
                return -1
            worth += 0 if was_known else 10
            seen |= bit(card)
        elif not after & ~view.useless and before & ~view.useless:
            worth += 1
    return worth


@kernel
def best_hint(public, view):
    """The hint that is worth most and misleads nobody, and its worth; ties go to the nearest seat."""
    best, most, announced = NO_MOVE, -1, cards_to_come(public, view)
    for offset in range(1, view.players):
        seat = next_seat(view, offset)
        hints = view.hints if view.empty_hints else hints_of_hand(view, seat)
        while hints:
            hint = lowest_bit(hints)
            hints &= hints - 1
            worth = worth_of_hint(public, view, seat, hint, announced)
            if worth > most:
                best, most = tell(view, seat, hint), worth
    return best, most


@kernel
def confident_play(public, view, hand):
    """Which of its own cards a seat plays: certain ones first, then by the rank of the lowest card they can be."""
    best_slot, best = NO_CARD, 1 << 10
    for slot in range(view.hand_size):
        cards = hand.possible[slot]
        if is_confident(view, cards, is_promised(public, view.seat, slot)):
            rank = lowest_bit(cards & view.playable) % RANKS + (RANKS if cards & ~view.playable else 0)
            if rank < best:
                best_slot, best = slot, rank
    return best_slot


@kernel
def safest_discard(view, hand):
    """Which of its own cards is least likely to be the last copy of a needed card; ties go to the oldest."""
    best_slot, best = 0, CERTAIN + 1
    for slot in range(view.hand_size):
        chance = odds(hand.copies, hand.possible[slot], critical_cards(view))
        if chance < best:
            best_slot, best = slot, chance
    return best_slot


@kernel
def keep_confidence(view, memory, params):
    """The moves that mislead nobody, except plays that cannot succeed."""
    public, hand = public_of(memory), hand_of(memory)
    look_around(public, hand, view, True)
    moves, announced = own_moves(view, hand.possible), cards_to_come(public, view)
    hints = legal_moves(view) >> TELL << TELL
    while hints:
        move = lowest_bit(hints)
        hints &= hints - 1
        if worth_of_hint(public, view, target_of(view, move), hint_of(move), announced) >= 0:
            moves |= bit(move)
    return moves


@policy(memory=MEMORY, observe=observe_confidence, keeps=keep_confidence, shares=True)
def confidence(view, memory, params, rng):
    """Plays what it was told of unless it knows better; tells of cards that can be played or discarded now."""
    public, hand = public_of(memory), hand_of(memory)
    look_around(public, hand, view, True)
    slot = confident_play(public, view, hand)
    if slot != NO_CARD:
        return play(slot)
    hint, worth = best_hint(public, view) if view.hint_tokens > 0 else (NO_MOVE, -1)
    if worth >= 10:
        return hint
    if may_discard(view):
        for slot in range(view.hand_size):
            if not hand.possible[slot] & ~view.useless:
                return discard(slot)
    if worth > 0:
        return hint
    if may_discard(view):
        return discard(safest_discard(view, hand))
    return hint if hint != NO_MOVE else TELL + lowest_bit(legal_moves(view) >> TELL)
