"""Beliefs about one's own hand: hands that it may be, each weighted by how likely the others' moves were with it.

A search on a policy that says how likely its moves are remembers every position in which another player moved. It
keeps a pool of hands from turn to turn, a particle filter: those that fit what has been seen since are weighed by the
moves made since, likely ones take the place of unlikely ones, and some of their cards are changed by the rule of
Metropolis and Hastings, so that they stay different.
"""

import math

import numpy as np

from tamaya.engine.card_counts import count_copies, remove_copy
from tamaya.engine.cards import bit, contains, lowest_bit
from tamaya.engine.gameplay import MAX_MOVES, legal_moves
from tamaya.engine.jit import copy_items, kernel, popcount, record, record_reader
from tamaya.engine.knowledge import hand_count, look
from tamaya.engine.moves import MOVES, TELL
from tamaya.engine.randomness import random_below
from tamaya.engine.settings import SLOTS
from tamaya.engine.table import TABLE
from tamaya.policies.contract import DECK_WORDS
from tamaya.policies.roles import predict_by
from tamaya.policies.seats import params_of
from tamaya.search.plan import ROLLOUT, is_time_left, memory_of, plan_of
from tamaya.search.search_settings import MOST_HANDS

AT_ONCE = 48
"""How many hands are weighed together."""

RECENT = 64
"""The moves of others by which a hand is weighed at most."""

HAND = record(
    weight="f8",  # how likely the hand is, as a logarithm: by the others' moves, and by the ways to deal it since
    chances="f8",  # the logarithm of the number of ways to deal it, when it was weighed last
    likelihoods=("f4", RECENT),  # those of the others' latest moves, as logarithms, by the number of the move
    cards=("i1", 8),  # by slot, UNKNOWN if drawn since
)
HANDS = record(
    past="i8",  # how many moves of others are remembered
    judged="i8",  # by how many of them the hands have been weighed
    count="i8",
    revealed=("i1", DECK_WORDS + 4),  # the player's own past cards, by their place in the deck
    hands=(HAND, MOST_HANDS),
)
PAST = record(
    tables=(TABLE, 1),  # what the player saw before a move; what the policy kept then follows
    mover="i8",
    move="i8",
)
HANDS_WORDS, PAST_WORDS = HANDS.itemsize // 8, PAST.itemsize // 8
hands_at, past_at = record_reader(HANDS), record_reader(PAST)

UNKNOWN = -2
WIDTH = 7.0
"""A hand is given up if the others' moves are so much less likely with it, as a logarithm, than with the likeliest."""

SHARPNESS = 8.0
"""The power to which chances are raised: a policy in play makes its likeliest move."""

KEEPING, DEALING = 0.3, 0.15
"""The shares of the time for a decision in which hands are brought up to date, and renewed."""

TINY = 1e-300
"""Keeps logarithms finite."""

DEVIATING, DOUBT = 0.15, 0.01
"""The chance that a player that searches makes any of the likely moves, and that it makes any move at all."""

LIKELY = math.exp(-5)
"""How likely a move must be for that, compared with the likeliest one."""


def words_for(policy_words: int) -> int:
    """The words that a pool of hands needs, for a policy that needs some itself."""
    return HANDS_WORDS + MAX_MOVES * (PAST_WORDS + policy_words)


@kernel
def hands_of(memory, params):
    """The pool of hands of a search."""
    return hands_at(memory, plan_of(params).first_hand)


@kernel
def place_of_past(plan, number):
    """Where a remembered move begins."""
    return plan.first_hand + HANDS_WORDS + number * (PAST_WORDS + plan.parts[ROLLOUT].words)


@kernel
def remember(view, mover, move, memory, params):
    """Remembers the position in which another player moves, as it is before the move, for the policy's likelihoods."""
    plan, pool = plan_of(params), hands_of(memory, params)
    part = plan.parts[ROLLOUT]
    place = place_of_past(plan, pool.past)
    past = past_at(memory, place)
    past.tables[0] = view
    past.mover, past.move = mover, move
    if part.observer:  # others keep nothing
        copy_items(memory[place + PAST_WORDS : place + PAST_WORDS + part.words], memory_of(part, memory))
    pool.past += 1


@kernel
def drop_hand(pool, number):
    """Takes a hand out of the pool; the last one takes its place."""
    pool.count -= 1
    copy_hand(pool.hands[number], pool.hands[pool.count])


@kernel
def copy_hand(target, source):
    """Copies a hand."""
    target.weight, target.chances = source.weight, source.chances
    for slot in range(SLOTS):
        target.cards[slot] = source.cards[slot]
    for number in range(RECENT):
        target.likelihoods[number] = source.likelihoods[number]


@kernel
def lose_card(view, slot, card, memory, params):
    """Notes which card the player has played or discarded; hands without it there are given up."""
    pool = hands_of(memory, params)
    pool.revealed[view.orders[view.seat, slot]] = card
    for number in range(pool.count - 1, -1, -1):
        cards = pool.hands[number].cards
        if cards[slot] != card and cards[slot] != UNKNOWN:
            drop_hand(pool, number)
            continue
        for place in range(slot, view.hand_size - 1):
            cards[place] = cards[place + 1]
        cards[view.hand_size - 1] = UNKNOWN


@kernel
def watch(view, mover, move, shown, memory, params):
    """Takes note of a move before it is made."""
    if mover != view.seat:
        remember(view, mover, move, memory, params)
    elif move < TELL:
        lose_card(view, move % SLOTS, shown, memory, params)


@kernel
def draw_card(planes, possible, rng):
    """A card of a mask, by how many copies of each there are in some planes."""
    card, left = 0, random_below(rng, count_copies(planes, possible))
    while left >= 0:
        card = lowest_bit(possible)
        left -= count_copies(planes, bit(card))
        possible &= possible - 1
    return card


@kernel
def take_known(hand, planes, view):
    """Takes the known cards of a hand out of some planes; the logarithm of the ways to deal them, -inf if none."""
    ways = 0.0
    for slot in range(hand_count(view, view.seat)):
        card = int(hand.cards[slot])
        if card != UNKNOWN:
            if not contains(view.knowledge[view.seat, slot] & planes[0], card):
                return -np.inf
            ways += math.log(count_copies(planes, bit(card)))
            remove_copy(planes, card)
    return ways


@kernel
def fit_hand(hand, view, rng):
    """Draws the unknown cards of a hand and weighs it by how its chance to be dealt has changed; whether it still fits.

    A card that is drawn counts by all cards that it could have been.
    """
    planes = np.empty(3, np.int64)
    for plane in range(3):
        planes[plane] = view.unseen[plane]
    ways = take_known(hand, planes, view)
    if ways == -np.inf:
        return False
    gain = ways - hand.chances
    for slot in range(hand_count(view, view.seat)):
        if hand.cards[slot] == UNKNOWN:
            possible = view.knowledge[view.seat, slot] & planes[0]
            total = count_copies(planes, possible)
            if total == 0:
                return False
            card = draw_card(planes, possible, rng)
            hand.cards[slot] = card
            gain += math.log(total)
            ways += math.log(count_copies(planes, bit(card)))
            remove_copy(planes, card)
    hand.weight += gain
    hand.chances = ways
    return True


@kernel
def fit_again(hand, view, rng):
    """Notes the number of ways to deal a hand, without weighing it by that."""
    weight = hand.weight
    fit_hand(hand, view, rng)
    hand.weight = weight


@kernel
def imagine(views, worlds, hand, past, pool, view):
    """What another player saw when it moved, if a hand is that of the player."""
    worlds[0] = past.tables[0]
    world, seat = worlds[0], view.seat
    for slot in range(hand_count(world, seat)):
        order = world.orders[seat, slot]
        world.hands[seat, slot] = pool.revealed[order]
        for now in range(hand_count(view, seat)):
            if view.orders[seat, now] == order:
                world.hands[seat, slot] = hand.cards[now]
    look(views, worlds, past.mover)


@kernel
def chance_of(move, chances, legal):
    """How likely a player that searches on a policy makes a move, given how likely the policy makes each."""
    highest, total, likely = 0.0, 0.0, 0
    for other in range(MOVES):
        highest = max(highest, chances[other])
    for other in range(MOVES):
        total += (chances[other] / highest) ** SHARPNESS
        likely += chances[other] > LIKELY * highest
    chance = (1.0 - DEVIATING - DOUBT) * (chances[move] / highest) ** SHARPNESS / total + DOUBT / legal
    return chance + DEVIATING / likely if chances[move] > LIKELY * highest else chance


@kernel
def weigh_by(hands, chosen, number, view, memory, params):
    """Notes with the chosen ones of some hands how likely another player's move was with each."""
    plan, pool, worlds = plan_of(params), hands_of(memory, params), np.empty(1, TABLE)
    part, place = plan.parts[ROLLOUT], place_of_past(plan, number)
    past, kept = past_at(memory, place), memory[place + PAST_WORDS : place + PAST_WORDS + part.words]
    views, chances = np.empty(len(chosen), TABLE), np.empty(MOVES * len(chosen))
    copies = np.empty(part.words * len(chosen), np.int64)
    for one in range(len(chosen)):
        imagine(views[one : one + 1], worlds, hands[chosen[one]], past, pool, view)
        copy_items(copies[one * part.words : (one + 1) * part.words], kept)
    predict_by(part.predictor)(views, copies, chances, params_of(part))
    for one in range(len(chosen)):
        found = chances[one * MOVES : (one + 1) * MOVES]
        chance = chance_of(past.move, found, popcount(legal_moves(views[one])))
        hands[chosen[one]].likelihoods[number % RECENT] = math.log(chance)


@kernel
def was_held(number, slot, view, memory, params):
    """Whether a card of the hand was there when another player made a move, one of the latest."""
    plan, pool = plan_of(params), hands_of(memory, params)
    if number < max(0, pool.past - RECENT):
        return False
    world, seat = past_at(memory, place_of_past(plan, number)).tables[0], view.seat
    for then in range(hand_count(world, seat)):
        if view.orders[seat, slot] == world.orders[seat, then]:
            return True
    return False


@kernel
def highest_weight(pool):
    """The weight of the likeliest hand."""
    highest = -np.inf
    for number in range(pool.count):
        highest = max(highest, pool.hands[number].weight)
    return highest


@kernel
def weed_out(pool):
    """Gives up hands that are far less likely than the likeliest."""
    least = highest_weight(pool) - WIDTH
    for number in range(pool.count - 1, -1, -1):
        if pool.hands[number].weight < least:
            drop_hand(pool, number)


@kernel
def bring_up(view, memory, params, begin, rng):
    """Brings the pool up to date; hands for which there is no time are given up, whichever they are."""
    plan, pool = plan_of(params), hands_of(memory, params)
    for number in range(pool.count - 1, -1, -1):
        if not fit_hand(pool.hands[number], view, rng):
            drop_hand(pool, number)
    first, wanted = 0, int(pool.count)
    while first < wanted and is_time_left(plan, first, wanted, begin, KEEPING):
        end = min(first + AT_ONCE, wanted)
        for number in range(pool.judged, pool.past):
            weigh_by(pool.hands, np.arange(first, end), number, view, memory, params)
            for one in range(first, end):
                pool.hands[one].weight += pool.hands[one].likelihoods[number % RECENT]
        first = end
    pool.count, pool.judged = first, pool.past
    weed_out(pool)
