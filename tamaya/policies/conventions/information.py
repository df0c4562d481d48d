"""The information player: tells everybody everything at once, by hats over what the public knowledge leaves open.

Its code is that of hanabi.rs, the strongest published one; ``information(faithful)`` plays just like it. Each
improvement is a setting.
"""

import numpy as np

from tamaya.engine.card_counts import count_copies
from tamaya.engine.cards import bit, contains, lowest_bit
from tamaya.engine.gameplay import legal_moves, may_discard
from tamaya.engine.jit import kernel, popcount
from tamaya.engine.knowledge import deck_left, has_time, next_seat
from tamaya.engine.moves import NO_MOVE, TELL, discard, play
from tamaya.engine.settings import RANKS
from tamaya.policies.contract import policy
from tamaya.policies.conventions.information_code import (
    CLOSURE,
    GAMBLE,
    HINT_FIRST,
    ORDER,
    PATIENCE,
    SETTINGS,
    TUNING,
    VALUES,
    code_hint,
    coded_discard,
    observe_information,
    somebody_needs_hint,
)
from tamaya.policies.conventions.own_hand import MEMORY, Taste, hand_of, likeliest_play, look_around, sure_play
from tamaya.policies.conventions.public_knowledge import (
    after_playing,
    holds_one_of,
    is_single,
    knows_one_of,
    public_of,
    public_trash,
)

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


@kernel
def taste_of(view, params):
    """The taste that decides what is played first."""
    place = view.players - 2
    if not params[ORDER]:
        return Taste(0.0, 0.0, 0.0, 1.0)
    shared = SHARED_DIVISOR[place] if params[TUNING] else 1.0
    return Taste(NEXT_BONUS[place], OWN_NEXT_BONUS[place], FIVE_BONUS[place], shared)


@kernel
def waits_for_hint(public, view, cards):
    """Whether, after a play, the next seat will have nothing to do unless it is told of a card it can play."""
    playable, seat = view.playable & ~view.useless, next_seat(view, 1)
    if is_single(cards):
        playable = after_playing(playable, cards, view.useless)
    if knows_one_of(public, seat, playable) or not holds_one_of(view, seat, playable):
        return False
    if public_trash(public.possible[seat], view, public.counts[seat]):
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
def wants_to_hint(public, view, has_trash, params):
    """Whether to hint rather than discard."""
    if view.hint_tokens == 0 or not may_discard(view):
        return view.hint_tokens > 0
    if somebody_needs_hint(public, view, params):
        return True
    if has_time(view) and has_trash:
        return False
    return others_can_play(view) or view.hint_tokens > (TOKENS_KEPT[view.players - 2] if params[PATIENCE] else 4)


@kernel
def cost_of_losing(view, hand, card, params):
    """What it costs to discard a card, given as a mask."""
    place = view.players - 2 if params[TUNING] else 3  # before tuning, the costs were those for five players
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
            count = count_copies(hand.copies, card)
            total += count * (
                cost_of_losing(view, hand, card, params) if params[VALUES] else published_cost(view, hand, card)
            )
            copies += count
            cards ^= card
        if total / max(1, copies) < best:
            best_slot, best = slot, total / max(1, copies)
    return best_slot


@kernel
def choose(public, view, hand, params):
    """The decision: sure plays, good risks, then hints and discards."""
    slot = sure_play(view, hand, taste_of(view, params))
    if slot >= 0:
        may_hint = params[HINT_FIRST] and view.hint_tokens > 0 and deck_left(view) > 0
        if may_hint and waits_for_hint(public, view, hand.possible[slot]):
            return code_hint(public, view, params)
        return play(slot)
    if view.lives > 1 and has_time(view):
        slot, chance = likeliest_play(view, hand, view.useless)
        if chance > (RISK[view.players - 2] if params[TUNING] else 0.75):
            return play(slot)
    own_trash = public_trash(hand.possible, view, view.hand_size)
    is_hint = wants_to_hint(public, view, own_trash != 0, params)
    is_last_round = deck_left(view) == 0 and params[GAMBLE] and view.lives > 1
    if is_last_round and not (is_hint and somebody_needs_hint(public, view, params)):
        slot, chance = likeliest_play(view, hand, view.all_cards)
        if chance > 0:
            return play(slot)
    if is_hint:
        return code_hint(public, view, params)
    trash = public_trash(public.possible[view.seat], view, view.hand_size)
    if popcount(trash) > 1:
        return coded_discard(public, view, trash, params)
    return discard(lowest_bit(own_trash) if own_trash else cheapest_discard(view, hand, params))


@kernel
def keep_information(view, memory, params):
    """The moves that keep all public knowledge true, except plays that cannot succeed."""
    public, hand = public_of(memory), hand_of(memory)
    look_around(public, hand, view, params[CLOSURE])
    moves, count = np.int64(0), view.hand_size
    for slot in range(count):
        if hand.possible[slot] & view.playable:
            moves |= bit(play(slot))
    if view.hint_tokens > 0:
        hint = code_hint(public, view, params)
        moves |= bit(hint) if hint != NO_MOVE else np.int64(0)
    if may_discard(view) and (view.hint_tokens == 0 or not somebody_needs_hint(public, view, params)):
        trash = public_trash(public.possible[view.seat], view, count)
        if popcount(trash) > 1:
            moves |= bit(coded_discard(public, view, trash, params))
        for slot in range(count):
            if popcount(trash) < 2 or not contains(trash, slot):
                moves |= bit(discard(slot))
    return moves


@policy(memory=MEMORY, observe=observe_information, keeps=keep_information, shares=True, **SETTINGS)
def information(view, memory, params, rng):
    """Plays what is sure, tells everybody everything by hats, and discards what costs least."""
    public, hand = public_of(memory), hand_of(memory)
    look_around(public, hand, view, params[CLOSURE])
    move = choose(public, view, hand, params)
    if move != NO_MOVE:
        return move
    return TELL + lowest_bit(legal_moves(view) >> TELL) if view.hint_tokens > 0 else discard(0)
