"""The information player: everything at once to everybody, by hats over what the public tables leave open.

The code is that of hanabi.rs, the strongest published one; ``faithful`` in brackets is its play. Each improvement is a
setting. Plays tell nothing. A hint tells a number, whatever it says besides. A discard while there are tokens tells
that nobody needed a hint; and which of several publicly useless cards it is tells a number too.
"""

from typing import Any

import numpy as np

from tamaya.cards import HINTS, RANKS, contains, lowest_bit, nth_bit
from tamaya.conventions.classes import NO_CLASS, class_of_hint, index_slot
from tamaya.conventions.hands import MEMORY, Taste, copies_of, hand_of, likeliest_play, look_at_hand, sure_play
from tamaya.conventions.hats import hear, hint_capacity, own_message, read_hint, target_of_message
from tamaya.conventions.tables import (
    after_playing,
    count_all,
    exclude,
    forget_slot,
    holds_one_of,
    is_single,
    knows_one_of,
    projected,
    public_trash,
    refresh,
    tables_of,
    weight,
)
from tamaya.engine import hints_of_hand, legal_moves, touched_cards
from tamaya.jit import kernel, popcount
from tamaya.knowledge import deck_left, next_seat
from tamaya.moves import DISCARD, NO_MOVE, TELL, discard, hint_of, play, target_from, tell
from tamaya.policies import policy
from tamaya.rules.discarding import may_discard
from tamaya.seers import has_time

SETTINGS: dict[str, Any] = {
    "closure": 1.0,  # located copies count in public tables, own identified cards in private ones
    "projection": 1.0,  # questions are about the board as it will be when the seat moves
    "needs": 1.0,  # and so is whether somebody needs a hint
    "patience": 1.0,  # hints instead of discards while there are more than some tokens, by number of players
    "values": 1.0,  # the cost of a discard weighs last copies
    "tuning": 1.0,  # its constants, and the risk of plays, by number of players
    "order": 1.0,  # plays first what lets another seat play
    "gamble": 1.0,  # in the last round plays the likeliest card if nobody needs a hint
    "packing": 1.0,  # more classes of hints by disjoint sets, for three players and more
    "hint_first": 1.0,  # hints before a sure play if the next seat would have to wait
}
(CLOSURE, PROJECTION, NEEDS, PATIENCE, VALUES, TUNING, ORDER, GAMBLE, PACKING, HINT_FIRST) = range(len(SETTINGS))

# By number of players, from 2 on.
TOKENS_KEPT = np.array([3, 1, 3, 6])
RISK = np.array([0.7, 0.7, 0.65, 0.7])
SEEN_COST = np.array([1.0, 1.0, 1.5, 1.5])
LAST_COST_BY_RANK = np.array([6.0, 6.0, 2.0, 2.0])
OTHER_COST = np.array([2.0, 2.0, 3.0, 3.0])
NEXT_BONUS = np.array([3.0, 3.0, 2.0, 3.0])
OWN_NEXT_BONUS = np.array([0.0, 0.0, 0.0, -1.0])
FIVE_BONUS = np.array([2.0, 2.0, 0.0, -1.0])
SHARED_DIVISOR = np.array([1.0, 1.0, 0.5, 1.0])
CENTRE = np.array([0.65, 0.65, 0.7, 0.75])


@kernel
def centre_of(view, params):
    """The odds of the card that is asked of first."""
    return CENTRE[view.players - 2] if params[ORDER] else 0.7


@kernel
def packs(view, params):
    """Whether hints are packed into more classes; with one receiver that leaves too little choice of words."""
    return params[PACKING] != 0 and view.players > 2


@kernel
def taste_of(view, params):
    """What is played first."""
    place = view.players - 2
    if not params[ORDER]:
        return Taste(0.0, 0.0, 0.0, 1.0)
    shared = SHARED_DIVISOR[place] if params[TUNING] else 1.0
    return Taste(NEXT_BONUS[place], OWN_NEXT_BONUS[place], FIVE_BONUS[place], shared)


@kernel
def needs_hint(tables, view, mover, seat, params):
    """Whether a seat, seen from another, holds a playable card and publicly knows none."""
    playable = playable_at(tables, view, mover, seat, params)
    return holds_one_of(view, seat, playable) and not knows_one_of(tables, view, seat, playable)


@kernel
def playable_at(tables, view, mover, seat, params):
    """The cards that count as playable when it is asked whether a seat needs a hint."""
    return projected(tables, view, mover, seat) if params[NEEDS] else view.playable & ~view.useless


@kernel
def somebody_needs_hint(tables, view, params):
    """Whether one of the others needs a hint."""
    for offset in range(1, view.players):
        if needs_hint(tables, view, view.seat, next_seat(view, offset), params):
            return True
    return False


@kernel
def believe_nobody_needs_hint(tables, view, mover, params):
    """Concludes from a discard that nobody needed a hint; whether that can be, by what the observer sees."""
    for offset in range(1, view.players):
        seat = (mover + offset) % view.players
        if seat != view.seat and needs_hint(tables, view, mover, seat, params):
            return False
    for offset in range(1, view.players):
        seat = (mover + offset) % view.players
        playable = playable_at(tables, view, mover, seat, params)
        is_silent = not knows_one_of(tables, view, seat, playable)
        for slot in range(view.hand_size):
            cards = tables.possible[seat, slot]
            tables.learnt[seat, slot] = cards & ~playable if is_silent and cards & ~playable else cards
    for offset in range(1, view.players):
        seat = (mover + offset) % view.players
        for slot in range(view.hand_size):
            tables.possible[seat, slot] = tables.learnt[seat, slot]
        exclude(tables, view, seat)
    count_all(tables, view, params[CLOSURE])
    return True


@kernel
def hear_discard(tables, view, mover, slot, params):
    """Learns what a discard tells."""
    trash = public_trash(tables.possible[mover], view, tables.counts[mover])
    if view.hint_tokens > 0 and not believe_nobody_needs_hint(tables, view, mover, params):
        return
    if (trash >> slot) & 1 and popcount(trash) > 1:
        message = popcount(trash & ((1 << slot) - 1))
        tables.message_stamp = 0
        hear(tables, view, mover, popcount(trash), message, params[PROJECTION], centre_of(view, params))


@kernel
def observe_information(view, mover, move, shown, memory, params):
    """Keeps the public tables."""
    tables = tables_of(memory)
    refresh(tables, view, params[CLOSURE])
    if move >= TELL:
        target = target_from(view, mover, move)
        message = read_hint(tables, view, mover, target, hint_of(move), shown, packs(view, params))
        if message != NO_CLASS:
            capacity = hint_capacity(tables, view, mover, packs(view, params))
            hear(tables, view, mover, capacity, message, params[PROJECTION], centre_of(view, params))
        return 0
    if move >= DISCARD:
        hear_discard(tables, view, mover, move - DISCARD, params)
    forget_slot(tables, view, mover, move % DISCARD)
    return 0


@kernel
def telling_power(tables, view, seat, hint):
    """How much a hint says by itself: the product over open cards of how far it narrows them."""
    power = 1.0
    for slot in range(tables.counts[seat]):
        cards = tables.learnt[seat, slot]
        if is_single(cards) or not cards & ~view.useless:
            continue
        touched = touched_cards(view, hint)
        left = cards & touched if contains(touched, view.hands[seat, slot]) else cards & ~touched
        power *= weight(tables.copies, cards) / max(1, weight(tables.copies, left))
        if is_single(left) or not left & ~view.useless:
            power *= 2
    return power


@kernel
def code_hint(tables, view, params):
    """The hint that the code demands, of those of its class the one that says most by itself; none if there is none."""
    capacity = hint_capacity(tables, view, view.seat, packs(view, params))
    message = own_message(tables, view, capacity, params[PROJECTION], centre_of(view, params))
    seat, wanted = target_of_message(tables, view, message, packs(view, params))
    index = int(view.hands[seat, index_slot(tables, view, seat)])
    best_hint, best = NO_MOVE, -1.0
    hints = hints_of_hand(view, seat)
    for hint in range(HINTS):
        touches_index = int(contains(touched_cards(view, hint), index))
        if (hints >> hint) & 1 and class_of_hint(tables, seat, hint, touches_index) == wanted:
            power = telling_power(tables, view, seat, hint)
            if power > best:
                best_hint, best = hint, power
    return tell(view, seat, best_hint) if best_hint != NO_MOVE else NO_MOVE


@kernel
def waits_for_hint(tables, view, cards, params):
    """Whether the next seat will have nothing to do, after a play, unless it is told of a card it can play."""
    playable, seat = view.playable & ~view.useless, next_seat(view, 1)
    if is_single(cards):
        playable = after_playing(playable, cards, view.useless)
    if knows_one_of(tables, view, seat, playable) or not holds_one_of(view, seat, playable):
        return False
    if public_trash(tables.possible[seat], view, tables.counts[seat]):
        return False
    return view.hint_tokens == 1 or not has_time(view)


@kernel
def others_can_play(view):
    """Whether another seat holds a playable card."""
    for offset in range(1, view.players):
        if holds_one_of(view, next_seat(view, offset), view.playable):
            return True
    return False


@kernel
def wants_to_hint(tables, view, has_trash, params):
    """Whether to hint rather than to discard."""
    if view.hint_tokens == 0 or not may_discard(view):
        return view.hint_tokens > 0
    if somebody_needs_hint(tables, view, params):
        return True
    if has_time(view) and has_trash:
        return False
    return others_can_play(view) or view.hint_tokens > (TOKENS_KEPT[view.players - 2] if params[PATIENCE] else 4)


@kernel
def cost_of_losing(view, hand, card, params):
    """What it costs to discard a card, given as a mask."""
    place = view.players - 2 if params[TUNING] else 3
    missing = view.ranks - 1 - lowest_bit(card) % RANKS
    if card & view.useless:
        return 0.0
    if hand.elsewhere & card:
        return SEEN_COST[place] if params[TUNING] else 1.0
    if view.unrevealed[1] & card:
        return OTHER_COST[place] + 0.3 * missing
    return 10.0 + LAST_COST_BY_RANK[place] * missing


@kernel
def published_cost(view, hand, card):
    """The cost by the published formula: it favours seen and dispensable cards, and high ones."""
    is_dispensable = (card & view.useless) | (card & view.unrevealed[1])
    favour = 20.0 * (hand.elsewhere & card != 0) + 10.0 * (is_dispensable != 0) + lowest_bit(card) % RANKS + 1
    return 31.0 - favour


@kernel
def cheapest_discard(view, hand, params):
    """The slot whose card costs least, on average."""
    best_slot, best = 0, 1e9
    for slot in range(view.hand_size):
        cards, total, copies = hand.possible[slot], 0.0, 0
        while cards:
            card = cards & -cards
            count = copies_of(hand.copies, card)
            total += count * (
                cost_of_losing(view, hand, card, params) if params[VALUES] else published_cost(view, hand, card)
            )
            copies += count
            cards ^= card
        if total / max(1, copies) < best:
            best_slot, best = slot, total / max(1, copies)
    return best_slot


@kernel
def coded_discard(tables, view, trash, params):
    """Of several publicly useless cards, the one whose number is the message.

    The message is about the tables after the conclusion that nobody needed a hint; they are put back.
    """
    possible, excluded, copies = tables.possible.copy(), tables.excluded.copy(), tables.copies.copy()
    if view.hint_tokens > 0:
        believe_nobody_needs_hint(tables, view, view.seat, params)
    tables.message_stamp = 0
    message = own_message(tables, view, popcount(trash), params[PROJECTION], centre_of(view, params))
    tables.message_stamp = 0
    tables.possible[:] = possible
    tables.excluded[:] = excluded
    tables.copies[:] = copies
    return discard(nth_bit(trash, message))


@kernel
def choose(tables, view, hand, params):
    """The decision: sure plays, good risks, then hints and discards."""
    slot = sure_play(view, hand, taste_of(view, params))
    if slot >= 0:
        may_hint = params[HINT_FIRST] and view.hint_tokens > 0 and deck_left(view) > 0
        if may_hint and waits_for_hint(tables, view, hand.possible[slot], params):
            return code_hint(tables, view, params)
        return play(slot)
    if view.lives > 1 and has_time(view):
        slot, chance = likeliest_play(view, hand, view.useless)
        if chance > (RISK[view.players - 2] if params[TUNING] else 0.75):
            return play(slot)
    own_trash = public_trash(hand.possible, view, view.hand_size)
    is_hint = wants_to_hint(tables, view, own_trash != 0, params)
    is_last_round = deck_left(view) == 0 and params[GAMBLE] and view.lives > 1
    if is_last_round and not (is_hint and somebody_needs_hint(tables, view, params)):
        slot, chance = likeliest_play(view, hand, view.all_cards)
        if chance > 0:
            return play(slot)
    if is_hint:
        return code_hint(tables, view, params)
    trash = public_trash(tables.possible[view.seat], view, view.hand_size)
    if popcount(trash) > 1:
        return coded_discard(tables, view, trash, params)
    return discard(lowest_bit(own_trash) if own_trash else cheapest_discard(view, hand, params))


@kernel
def keep_information(view, memory, params):
    """The moves that keep all public tables true, but for plays that cannot succeed."""
    tables, hand = tables_of(memory), hand_of(memory)
    refresh(tables, view, params[CLOSURE])
    look_at_hand(tables, view, hand, params[CLOSURE])
    moves, count = np.int64(0), view.hand_size
    for slot in range(count):
        if hand.possible[slot] & view.playable:
            moves |= np.int64(1) << play(slot)
    if view.hint_tokens > 0:
        hint = code_hint(tables, view, params)
        moves |= np.int64(1) << np.int64(hint) if hint != NO_MOVE else np.int64(0)
    if may_discard(view) and (view.hint_tokens == 0 or not somebody_needs_hint(tables, view, params)):
        trash = public_trash(tables.possible[view.seat], view, count)
        if popcount(trash) > 1:
            moves |= np.int64(1) << np.int64(coded_discard(tables, view, trash, params))
        for slot in range(count):
            if popcount(trash) < 2 or not (trash >> slot) & 1:
                moves |= np.int64(1) << np.int64(discard(slot))
    return moves


@policy(memory=MEMORY, observe=observe_information, keeps=keep_information, shares=True, **SETTINGS)
def information(view, memory, params, rng):
    """Plays what is sure, tells everybody everything by hats, and discards what costs least."""
    tables, hand = tables_of(memory), hand_of(memory)
    refresh(tables, view, params[CLOSURE])
    look_at_hand(tables, view, hand, params[CLOSURE])
    move = choose(tables, view, hand, params)
    if move != NO_MOVE:
        return move
    return TELL + lowest_bit(legal_moves(view) >> TELL) if view.hint_tokens > 0 else discard(0)
