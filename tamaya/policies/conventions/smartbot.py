"""SmartBot of O'Dwyer: saves what the next seat would throw away, plays, hints, gambles at the end."""

import numpy as np

from tamaya.engine.cards import NO_CARD, bit, contains, lowest_bit, rank_hint
from tamaya.engine.gameplay import hints_of_hand, legal_moves, may_discard, shown_by, touched_cards
from tamaya.engine.jit import copy_items, kernel, popcount
from tamaya.engine.knowledge import critical_cards, deck_left, next_seat
from tamaya.engine.moves import DISCARD, NO_MOVE, TELL, discard, play, tell
from tamaya.engine.settings import RANKS
from tamaya.policies.contract import policy
from tamaya.policies.conventions.hint_classes import possible_ranks
from tamaya.policies.conventions.own_hand import MEMORY, hand_of, look_around, own_moves
from tamaya.policies.conventions.public_knowledge import is_single, public_of
from tamaya.policies.conventions.smartbot_conventions import focus, is_warning, next_discard, observe_smartbot

GAMBLING = np.array([0, 1, 1, 3])
"""How many cards may be left in the deck for the likeliest card to be played, with 1, 2 and 3 lives."""


@kernel
def weigh_hint(public, view, seat, hint):
    """What a hint would do: the slots it touches, whether it gets a card played, and the identities it excludes."""
    touched, total, cards = 0, 0, touched_cards(view, hint)
    for slot in range(public.counts[seat]):
        is_touched = contains(cards, view.hands[seat, slot])
        touched |= int(is_touched) << slot
        total += popcount(public.possible[seat, slot] & (~cards if is_touched else cards))
    newest, identified = focus(public, view, seat, hint, touched)
    is_true = newest != NO_CARD and contains(view.playable, view.hands[seat, newest])
    return touched, identified > 0 or is_true, total


@kernel
def best_hint_to(public, view, seat, most):
    """The hint to a seat that gets a card played and excludes most identities, above ``most``; and how many."""
    best, hints, due = NO_MOVE, hints_of_hand(view, seat), next_discard(public, view, seat)
    while hints:
        hint = lowest_bit(hints)
        hints &= hints - 1
        touched, is_helpful, words = weigh_hint(public, view, seat, hint)
        if is_helpful and words > most and not is_warning(public, view, view.seat, seat, due, hint, touched):
            best, most = tell(view, seat, hint), words
    return best, most


@kernel
def best_hint_to_any(public, view):
    """The best hint to anybody."""
    best, most = NO_MOVE, 0
    for offset in range(1, view.players):
        hint, words = best_hint_to(public, view, next_seat(view, offset), most)
        if hint != NO_MOVE:
            best, most = hint, words
    return best


@kernel
def save_next(public, view):
    """A hint to the next seat if it is about to discard a valuable card: a hint to play, or else the warning."""
    seat = next_seat(view, 1)
    slot = next_discard(public, view, seat)
    if view.hint_tokens == 0 or slot == NO_CARD or not contains(critical_cards(view), view.hands[seat, slot]):
        return NO_MOVE
    hint, _ = best_hint_to(public, view, seat, 0)
    return hint if hint != NO_MOVE else tell(view, seat, rank_hint(int(view.hands[seat, slot])))


@kernel
def finesse(public, view):
    """The discard of a known playable card whose twin is the newest card of exactly one other seat."""
    for slot in range(view.hand_size):
        cards = public.possible[view.seat, slot]
        if is_single(cards) and cards & view.playable & ~critical_cards(view) and may_discard(view):
            holders = 0
            for offset in range(1, view.players):
                seat = next_seat(view, offset)
                count = public.counts[seat]
                holders += count > 0 and bit(view.hands[seat, max(0, count - 1)]) == cards
            if holders == 1:
                return discard(slot)
    return NO_MOVE


@kernel
def lowest_play(public, view, hand):
    """Which of its own playable cards a seat plays first: one not publicly playable, then by rank, open ranks first."""
    best_slot, best = NO_CARD, 0
    for slot in range(view.hand_size):
        cards = hand.possible[slot]
        if cards & ~view.playable or not cards:
            continue
        ranks = possible_ranks(view, cards)
        value = RANKS - lowest_bit(ranks) if is_single(ranks) else RANKS + 2
        if public.possible[view.seat, slot] & ~view.playable:
            value += 100
        if value > best:
            best_slot, best = slot, value
    return best_slot


@kernel
def gamble(view, hand):
    """Which of its own cards is most likely playable, if the deck is nearly empty."""
    best_slot, best, size = NO_CARD, 0, 1
    if deck_left(view) > GAMBLING[min(view.lives, 3)]:
        return NO_CARD
    for slot in range(view.hand_size - 1, -1, -1):
        playable, count = popcount(hand.possible[slot] & view.playable), popcount(hand.possible[slot])
        if playable * size > best * count:
            best_slot, best, size = slot, playable, count
    return best_slot


@kernel
def useless_slot(public, view, hand):
    """One of its own cards that is surely useless, preferably one that the others do not know to be."""
    best_slot, best, size = NO_CARD, 0, 1
    for slot in range(view.hand_size):
        if hand.possible[slot] & ~view.useless:
            continue
        cards = public.possible[view.seat, slot]
        useless, count = popcount(cards & view.useless), popcount(cards)
        if best_slot == NO_CARD or useless * size < best * count:
            best_slot, best, size = slot, useless, count
    return best_slot


@kernel
def discard_something(public, view, hand):
    """Discards a useless card, else the next discard, else the highest card."""
    slot = useless_slot(public, view, hand)
    if slot == NO_CARD:
        slot = next_discard(public, view, view.seat)
    if slot == NO_CARD:
        highest = -1
        for other in range(view.hand_size):
            ranks = possible_ranks(view, public.possible[view.seat, other])
            rank = lowest_bit(ranks) if is_single(ranks) else 0
            if rank > highest:
                slot, highest = other, rank
    return discard(slot)


@kernel
def choose_as_smartbot(public, view, hand):
    """The decision."""
    if deck_left(view) == 0:
        slot = lowest_play(public, view, hand)
        slot = gamble(view, hand) if slot == NO_CARD else slot
        if slot != NO_CARD:
            return play(slot)
    move = save_next(public, view)
    if move == NO_MOVE:
        move = finesse(public, view)
    if move == NO_MOVE:
        slot = lowest_play(public, view, hand)
        move = play(slot) if slot != NO_CARD else NO_MOVE
    if move == NO_MOVE and view.hint_tokens > 0:
        move = best_hint_to_any(public, view)
    if move == NO_MOVE:
        slot = gamble(view, hand)
        move = play(slot) if slot != NO_CARD else NO_MOVE
    if move != NO_MOVE:
        return move
    if not may_discard(view):
        seat = next_seat(view, view.players - 1)
        return tell(view, seat, rank_hint(int(view.hands[seat, 0])))
    return discard_something(public, view, hand)


@kernel
def is_truthful(public, view):
    """Whether every card that the seat of a view sees is among those its holder believes possible."""
    for offset in range(1, view.players):
        seat = next_seat(view, offset)
        for slot in range(public.counts[seat]):
            if contains(public.excluded[seat, slot], view.hands[seat, slot]):
                return False
    return True


@kernel
def keep_smartbot(view, memory, params):
    """The moves after which nobody believes anything wrong, except plays that cannot succeed."""
    public, hand, kept = public_of(memory), hand_of(memory), np.int64(0)
    look_around(public, hand, view, True)
    moves = own_moves(view, hand.possible) | (legal_moves(view) >> TELL << TELL)
    after, twin = memory.copy(), finesse(public, view)
    while moves:
        move = lowest_bit(moves)
        moves &= moves - 1
        shown = shown_by(view, move)
        if move < TELL:
            known = public.possible[view.seat, move % DISCARD]
            shown = lowest_bit(hand.possible[move % DISCARD])
            if move >= DISCARD and is_single(known) and known & view.playable and move != twin:
                continue
        copy_items(after, memory)
        observe_smartbot(view, view.seat, move, shown, after, params)
        if is_truthful(public_of(after), view):
            kept |= bit(move)
    return kept


@policy(memory=MEMORY, observe=observe_smartbot, keeps=keep_smartbot, shares=True)
def smartbot(view, memory, params, rng):
    """Plays by the conventions of good human players: hints to play, warnings, and discards that point at twins."""
    public, hand = public_of(memory), hand_of(memory)
    look_around(public, hand, view, True)
    return choose_as_smartbot(public, view, hand)
