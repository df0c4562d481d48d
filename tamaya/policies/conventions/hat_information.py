"""The information players of Cox et al. and of Bouzy: a hint tells all others about their likeliest playable card."""

import numpy as np

from tamaya.engine.cards import NO_CARD, bit, contains, lowest_bit
from tamaya.engine.gameplay import may_discard
from tamaya.engine.jit import kernel, popcount
from tamaya.engine.knowledge import critical_cards, spare_discards
from tamaya.engine.moves import DISCARD, TELL, discard, hint_of, play, target_from
from tamaya.engine.settings import CARDS, RANKS
from tamaya.policies.contract import policy
from tamaya.policies.conventions.hint_codes import count_words, number_told, read_word, spell
from tamaya.policies.conventions.own_hand import MEMORY, Taste, hand_of, look_around, own_moves, sure_play
from tamaya.policies.conventions.public_knowledge import (
    exclude,
    forget_slot,
    is_single,
    odds,
    public_of,
    public_trash,
    refresh,
)

FREE = 0
"""The setting: whether hints that touch nothing may be given."""


@kernel
def target_slot(public, view, seat):
    """The card of a seat that is most likely to be playable, among those not publicly identified."""
    best_slot, best = NO_CARD, -1
    for slot in range(public.counts[seat]):
        cards = public.possible[seat, slot]
        if not is_single(cards):
            chance = odds(public.copies, cards, view.playable)
            if chance > best:
                best_slot, best = slot, chance
    return best_slot


@kernel
def class_of_card(view, cards, card, words):
    """The class of a card among those of a mask: one class of all useless cards, then singles, then larger classes.

    There are as many singles, in order of rank, as leave room for the others in classes with as many cards as there
    are words; where even that is too little room, the classes are larger.
    """
    has_dead, alive = int(cards & view.useless != 0), cards & ~view.useless
    if contains(view.useless, card):
        return 0
    elements = popcount(alive) + has_dead
    singles = words
    while singles > 0 and singles + words * (words - singles) < elements:
        singles -= 1
    size = max(words, -(-elements // words)) if singles == 0 else words
    place = has_dead + popcount(alive & rank_before(card))
    return place if place < singles else singles + (place - singles) // size


@kernel
def rank_before(card):
    """The cards that come before a card in the order of ranks, then of colours, as a mask."""
    before = np.int64(0)
    for other in range(CARDS):
        if other % RANKS < card % RANKS or (other % RANKS == card % RANKS and other < card):
            before |= bit(other)
    return before


@kernel
def number_of(public, view, seat, words):
    """The number of a seat whose hand can be seen: the class of its target card."""
    slot = target_slot(public, view, seat)
    if slot == NO_CARD:
        return 0
    return class_of_card(view, public.possible[seat, slot], int(view.hands[seat, slot]), words)


@kernel
def learn_class(public, view, seat, number, words):
    """Works out what a number tells a seat about its target card."""
    for slot in range(view.hand_size):
        public.learnt[seat, slot] = public.possible[seat, slot]
    slot = target_slot(public, view, seat)
    if slot == NO_CARD:
        return
    left, cards = np.int64(0), public.possible[seat, slot]
    for card in range(CARDS):
        if contains(cards, card) and class_of_card(view, cards, card, words) == number:
            left |= bit(card)
    if left:
        public.learnt[seat, slot] = left


@kernel
def sum_of_numbers(public, view, mover, words):
    """The sum of the numbers of all seats but the mover that the seat of a view can see."""
    total = 0
    for offset in range(1, view.players):
        seat = (mover + offset) % view.players
        if seat != view.seat:
            total += number_of(public, view, seat, words)
    return total


@kernel
def observe_targets(view, mover, move, shown, memory, params):
    """Keeps the public knowledge."""
    is_free = params[FREE] != 0
    public = public_of(memory)
    refresh(public, view, True)
    if move < TELL:
        forget_slot(public, view, mover, move % DISCARD)
        return 0
    words = count_words(view, is_free)
    target = target_from(view, mover, move)
    word = read_word(view, mover, target, hint_of(move), is_free)
    rest = (word - sum_of_numbers(public, view, mover, words)) % words
    for offset in range(1, view.players):
        seat = (mover + offset) % view.players
        seen = number_of(public, view, seat, words) if seat != view.seat else 0
        learn_class(public, view, seat, number_told(view, mover, seat, seen, rest, words), words)
    for offset in range(1, view.players):
        exclude(public, view, (mover + offset) % view.players)
    return 0


@kernel
def first_within(hand, count, cards):
    """The first card of the seat's own hand that is surely one of a mask."""
    for slot in range(count):
        if hand.possible[slot] and not hand.possible[slot] & ~cards:
            return slot
    return NO_CARD


@kernel
def first_touching(hand, count, cards):
    """The first card of the seat's own hand that can be one of a mask."""
    for slot in range(count):
        if hand.possible[slot] & cards:
            return slot
    return NO_CARD


@kernel
def cheapest(view, hand, count):
    """The card to discard: useless, else seen in another hand, else surely or possibly not a last copy, else first."""
    spare = view.all_cards & ~critical_cards(view)
    for cards in (view.useless, hand.elsewhere | view.useless, spare):
        slot = first_within(hand, count, cards)
        if slot != NO_CARD:
            return slot
    return max(0, first_touching(hand, count, spare))


@kernel
def choose_for_hats(public, view, hand, is_free):
    """Plays what is certain; discards what is publicly useless early; hints while it can; discards what is cheap."""
    slot = sure_play(view, hand, Taste(0.0, 0.0, 0.0, 1.0))
    if slot != NO_CARD:
        return play(slot)
    count = view.hand_size
    trash = public_trash(public.possible[view.seat], view, count)
    if trash and may_discard(view) and view.discards.sum() < spare_discards(view):
        return discard(lowest_bit(trash))
    if view.hint_tokens > 0:
        words = count_words(view, is_free)
        return spell(view, sum_of_numbers(public, view, view.seat, words) % words, is_free)
    return discard(cheapest(view, hand, count))


@kernel
def keep_targets(view, memory, params):
    """The moves that tell nobody anything wrong, except plays that cannot succeed."""
    public, hand = public_of(memory), hand_of(memory)
    look_around(public, hand, view, True)
    moves, is_free = own_moves(view, hand.possible), params[FREE] != 0
    if view.hint_tokens > 0:
        words = count_words(view, is_free)
        hint = spell(view, sum_of_numbers(public, view, view.seat, words) % words, is_free)
        moves |= bit(hint)
    return moves


@policy(memory=MEMORY, observe=observe_targets, keeps=keep_targets, shares=True, free=1.0)
def hat_information(view, memory, params, rng):
    """Tells everybody about their likeliest playable card by hats; with ``free``, hints may touch nothing."""
    public, hand = public_of(memory), hand_of(memory)
    look_around(public, hand, view, True)
    return choose_for_hats(public, view, hand, params[FREE] != 0)
