"""How a pool of hands is kept rich: hands dealt anew, copies of likely ones, and changes of their cards.

Changes follow the rule of Metropolis and Hastings, so that hands stay as likely as they are.
"""

import math

import numpy as np

from tamaya.engine.card_counts import remove_copy
from tamaya.engine.cards import contains
from tamaya.engine.jit import kernel, nanoseconds
from tamaya.engine.knowledge import hand_count
from tamaya.engine.randomness import random_below, random_real
from tamaya.engine.worlds import redeal
from tamaya.search.beliefs.hand_pool import (
    AT_ONCE,
    DEALING,
    HAND,
    KEEPING,
    RECENT,
    TINY,
    WIDTH,
    bring_up,
    copy_hand,
    draw_card,
    drop_hand,
    fit_again,
    hands_of,
    highest_weight,
    was_held,
    weed_out,
    weigh_by,
)
from tamaya.search.plan import is_time_left, plan_of
from tamaya.search.search_settings import MOST_HANDS

LEAST_AT_ONCE = 6
"""Hands that are dealt anew together where time is short."""

ENOUGH = 0.5
"""The share of the wanted hands that a pool should have, and that its weights should be worth."""


@kernel
def deal_hands(hands, view, worlds, deck, rng):
    """Deals hands; whether there are any."""
    for one in range(len(hands)):
        if not redeal(worlds[0], deck, view, rng):
            return False
        for slot in range(hand_count(view, view.seat)):
            hands[one].cards[slot] = worlds[0].hands[view.seat, slot]
        hands[one].weight = 0.0
        fit_again(hands[one], view, rng)
    return True


@kernel
def judge_hands(hands, least, view, memory, params):
    """Weighs hands by all moves that matter, the latest first; returns the numbers of those that stay likely enough."""
    count, number, chosen = len(hands), hands_of(memory, params).past - 1, np.arange(len(hands))
    while count > 0 and was_held(number, 0, view, memory, params):  # slot 0 is the oldest
        weigh_by(hands, chosen[:count], number, view, memory, params)
        kept = 0
        for one in range(count):
            hand = hands[chosen[one]]
            hand.weight += hand.likelihoods[number % RECENT]
            chosen[kept] = chosen[one]
            kept += hand.weight >= least
        count, number = kept, number - 1
    return chosen[:count]


@kernel
def highest_likelihood(view, memory, params):
    """How likely the moves that matter were with the likeliest hand, as a logarithm; -inf if there are no hands."""
    pool, highest = hands_of(memory, params), -np.inf
    oldest = int(pool.past)
    while was_held(oldest - 1, 0, view, memory, params):
        oldest -= 1
    for number in range(pool.count):
        total = 0.0
        for move in range(oldest, pool.past):
            total += pool.hands[number].likelihoods[move % RECENT]
        highest = max(highest, total)
    return highest


@kernel
def deal_fresh(start, memory, params, begin, rng):
    """Adds hands that are dealt anew to the pool; with little time, fewer."""
    plan, view, pool = plan_of(params), start.grounded[0], hands_of(memory, params)
    worlds, deck, fresh, done = start.worlds.copy(), start.deck.copy(), np.empty(AT_ONCE, HAND), 0
    first, highest = int(pool.count), highest_likelihood(view, memory, params)
    wanted = int(plan.fresh if pool.count else max(plan.fresh, plan.hands))
    at_once = int(min(AT_ONCE, max(LEAST_AT_ONCE, plan.ms))) if plan.ms > 0 else AT_ONCE
    while done < wanted and is_time_left(plan, done, wanted, begin, KEEPING + DEALING):
        hands = fresh[: min(at_once, wanted - done)]
        if deal_hands(hands, view, worlds, deck, rng):
            chosen = judge_hands(hands, highest - WIDTH, view, memory, params)
            for one in range(len(chosen)):
                if pool.count < MOST_HANDS:
                    highest = max(highest, hands[chosen[one]].weight)
                    copy_hand(pool.hands[pool.count], hands[chosen[one]])
                    pool.count += 1
        done += len(hands)
    balance(pool, first)
    weed_out(pool)


@kernel
def total_and_worth(pool, first, end):
    """What some hands weigh, in units of the likeliest of all, and how many hands of one weight they are worth."""
    highest, total, squares = highest_weight(pool), 0.0, 0.0
    for number in range(first, end):
        weight = math.exp(pool.hands[number].weight - highest)
        total, squares = total + weight, squares + weight * weight
    return total, total * total / (squares + TINY)


@kernel
def balance(pool, first):
    """Gives the hands from a number on, which were weighed by other moves, the share that they are worth.

    The hands before them and these are two samples of what the hand may be. Each counts by how many hands of one weight
    it is worth.
    """
    if first == 0 or first == pool.count:
        return
    total, worth = total_and_worth(pool, 0, first)
    new_total, new_worth = total_and_worth(pool, first, pool.count)
    shift = math.log(total + TINY) - math.log(new_total + TINY) + math.log((new_worth + TINY) / (worth + TINY))
    for number in range(first, pool.count):
        pool.hands[number].weight += shift


@kernel
def copies_by_weight(pool, most, total, rng):
    """How many copies of each hand there are to be, so that there are so many hands in all."""
    copies, mark, sum_so_far = np.zeros(pool.count, np.int64), random_real(rng), 0.0
    highest = highest_weight(pool)
    for number in range(pool.count):
        sum_so_far += math.exp(pool.hands[number].weight - highest) * most / total
        while mark < sum_so_far:
            copies[number], mark = copies[number] + 1, mark + 1.0
    return copies


@kernel
def place_copies(pool, copies):
    """Puts copies of hands in the place of those of which there are to be none, and behind the last one."""
    free, count = 0, len(copies)
    for number in range(count):
        while copies[number] > 1:
            while free < count and copies[free] > 0:
                free += 1
            if free == MOST_HANDS:
                break
            copy_hand(pool.hands[free], pool.hands[number])
            copies[number], free = copies[number] - 1, free + 1
            pool.count = max(pool.count, free)
    for number in range(count - 1, -1, -1):
        if copies[number] == 0 and number >= free:
            drop_hand(pool, number)


@kernel
def resample(pool, most, rng):
    """Puts copies of likely hands in the place of unlikely ones, so that all weigh the same, once few weigh most."""
    total, worth = total_and_worth(pool, 0, pool.count)
    if pool.count == 0 or (pool.count <= most and worth > ENOUGH * most):
        return
    weight = highest_weight(pool) + math.log(total / most)
    place_copies(pool, copies_by_weight(pool, most, total, rng))
    for number in range(pool.count):
        pool.hands[number].weight = weight


@kernel
def exchange(hand, slot, view, rng):
    """Draws another card for a slot of a hand, by its chance to be dealt beside the other cards; whether it differs."""
    planes, before = np.empty(3, np.int64), int(hand.cards[slot])
    for plane in range(3):
        planes[plane] = view.unseen[plane]
    for other in range(hand_count(view, view.seat)):
        if other != slot:
            remove_copy(planes, int(hand.cards[other]))
    hand.cards[slot] = draw_card(planes, view.knowledge[view.seat, slot] & planes[0], rng)
    return hand.cards[slot] != before


@kernel
def swap(hand, one, other, view):
    """Swaps two cards of a hand; whether that is a different hand, which it may be."""
    first, second, knowledge = int(hand.cards[one]), int(hand.cards[other]), view.knowledge[view.seat]
    hand.cards[one], hand.cards[other] = second, first
    return first != second and contains(knowledge[one], second) and contains(knowledge[other], first)


@kernel
def change(hand, view, rng):
    """Exchanges a card of a hand, or swaps two; returns the oldest slot that differs, -1 if there is no other hand."""
    count = hand_count(view, view.seat)
    one, other = random_below(rng, count), random_below(rng, count)
    if random_below(rng, 2):
        return min(one, other) if swap(hand, one, other, view) else -1
    return one if exchange(hand, one, view, rng) else -1


@kernel
def vary(view, memory, params, begin, rng):
    """Changes hands where that makes the others' moves no less likely, or else by how likely it leaves them.

    A try is over as soon as the moves judged so far, the latest first, decide it.
    """
    plan, pool, hands, done = plan_of(params), hands_of(memory, params), np.empty(AT_ONCE, HAND), 0
    places, slots, chosen = np.empty(AT_ONCE, np.int64), np.empty(AT_ONCE, np.int64), np.empty(AT_ONCE, np.int64)
    while pool.count > 0 and is_time_left(plan, done, 2 * plan.fresh, begin, KEEPING + DEALING):
        first, count = random_below(rng, int(pool.count)), 0
        for one in range(min(AT_ONCE, pool.count)):
            places[count], chosen[count] = (first + one) % pool.count, count
            copy_hand(hands[count], pool.hands[places[count]])
            slots[count] = change(hands[count], view, rng)
            count += slots[count] >= 0
        try_hands(hands[:count], chosen, places, slots, view, memory, params, rng)
        done += AT_ONCE


@kernel
def try_hands(hands, chosen, places, slots, view, memory, params, rng):
    """Puts changed hands in their places in the pool, by the moves made since the oldest changed card was drawn."""
    pool, count = hands_of(memory, params), len(hands)
    bars, owed, number = np.empty(count), np.zeros(count), int(pool.past) - 1
    for one in range(count):
        bars[one] = math.log(random_real(rng) + TINY)  # a hand must be so much more likely than the one before
        older = number
        while was_held(older, slots[one], view, memory, params):
            owed[one] += pool.hands[places[one]].likelihoods[older % RECENT]
            older -= 1
    while count > 0:
        running = 0
        for one in range(count):
            trial = chosen[one]
            if was_held(number, slots[trial], view, memory, params):
                chosen[running] = trial
                running += 1
            elif bars[trial] < 0.0:
                fit_again(hands[trial], view, rng)
                copy_hand(pool.hands[places[trial]], hands[trial])
        if running == 0:
            break
        weigh_by(hands, chosen[:running], number, view, memory, params)
        count = 0
        for one in range(running):
            trial = chosen[one]
            before = pool.hands[places[trial]].likelihoods[number % RECENT]
            bars[trial] -= hands[trial].likelihoods[number % RECENT] - before
            owed[trial] -= before
            chosen[count] = trial
            count += bars[trial] < -owed[trial]  # if all moves before this one were certain
        number -= 1


@kernel
def believe(start, memory, params, rng):
    """Brings the pool of hands up to date, and renews it as time allows."""
    plan, view, begin, pool = plan_of(params), start.grounded[0], nanoseconds(), hands_of(memory, params)
    bring_up(view, memory, params, begin, rng)
    if pool.count < ENOUGH * plan.hands:
        deal_fresh(start, memory, params, begin, rng)
    resample(pool, plan.hands, rng)
    vary(view, memory, params, begin, rng)
