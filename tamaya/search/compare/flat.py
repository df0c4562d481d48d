"""Searches without a tree: moves are compared in the same sampled deals, each played to its end by the policy."""

import math

import numpy as np

from tamaya.engine.gameplay import apply, is_legal, legal_moves
from tamaya.engine.jit import copy_items, copy_rows, kernel, nanoseconds, popcount
from tamaya.engine.knowledge import look
from tamaya.engine.moves import MOVES, NO_MOVE
from tamaya.policies.contract import keep_by, predict_by
from tamaya.policies.seats import memory_at, params_of
from tamaya.search.beliefs.hand_pool import TINY
from tamaya.search.beliefs.resampling import believe
from tamaya.search.beliefs.strangers import are_outsiders, seat_strangers
from tamaya.search.compare.batched_rollouts import (
    MOST_AT_ONCE,
    deals_at_once,
    enter,
    is_crowd,
    new_crowd,
    play_on,
    write_values,
)
from tamaya.search.determinization import THOUGHT, finish, moves_considered, new_scratch, sample_world
from tamaya.search.plan import JUDGE, ROLLOUT, is_time_left, plan_of
from tamaya.search.rollouts import NOBODY, move_on, rollout_move

ROUND = 16
"""A search that deviates drops moves after each round of this many deals; without a prior, it prefers none before."""

EARLY_ROUNDS = (4, 8)
"""With a prior, which comes with many moves to compare, moves are dropped after so many deals too."""

SURPRISE = 30.0
"""The square of the logarithm of how much less likely a move is than the policy's own, where its margin is doubled."""

FEWEST = 4
"""The deals that are enough where a prior keeps lucky moves from winning."""

PROMISING = 0.8
"""How many standard errors better a move must be for fresh deals to be spent on confirming it."""

HOPELESS, BEATEN = 2.0, 2.5
"""A move is dropped if it is this many standard errors below the policy's own move, or below the best one."""


@kernel
def in_mask(moves, move):
    """Whether a move is in a mask."""
    return (moves >> np.int64(move)) & 1 != 0


@kernel
def moves_to_compare(views, rollout, rng):
    """The moves to compare, as a mask; for a search that deviates, those that keep its policy's convention."""
    view, plan = views[0], plan_of(rollout.params)
    keeper = plan.parts[ROLLOUT].keeper
    if not plan.deviates or not keeper or plan.literal:
        return moves_considered(view, plan, rng)
    seat = rollout.seats[view.seat]
    copy_rows(rollout.memory, rollout.remembered)
    return keep_by(keeper)(view, memory_at(rollout.memory, seat), params_of(seat)) & legal_moves(view)


@kernel
def note(thoughts, move, value):
    """Adds a value to the thoughts about a move."""
    thoughts[move].visits += 1
    thoughts[move].total += value
    thoughts[move].squares += value * value


@kernel
def gain_and_error(gains, move):
    """The mean gain of a move over the policy's own, and its standard error, which is always above 0."""
    count = gains[move].visits
    mean = gains[move].total / count
    variance = max(0.0, gains[move].squares / count - mean * mean)
    return mean, math.sqrt(variance / count + 0.25 / (count * count))


@kernel
def drop_moves(gains, alive, own, margins):
    """The policy's own move and those that may still turn out better, as a mask."""
    lead, kept = 0.0, np.int64(1) << np.int64(own)
    for move in range(MOVES):
        if in_mask(alive, move) and move != own:
            lead = max(lead, gain_and_error(gains, move)[0] - margins[move])
    for move in range(MOVES):
        if in_mask(alive, move) and move != own:
            mean, error = gain_and_error(gains, move)
            gain = mean - margins[move]
            if gain + HOPELESS * error >= 0.0 and gain + BEATEN * error >= lead:
                kept |= np.int64(1) << np.int64(move)
    return kept


@kernel
def best_deviation(gains, alive, own, confidence, margins, plan):
    """The move that gains most over the policy's own, beyond its margin, if it gains enough, else the policy's own.

    With a prior, the gain that counts is the one to expect, given how much moves differ as a rule and how sure it is.
    """
    best, most, variance = own, 0.0, plan.prior * plan.prior
    for move in range(MOVES):
        if in_mask(alive, move) and move != own and gains[move].visits >= (FEWEST if plan.prior else ROUND):
            mean, error = gain_and_error(gains, move)
            if plan.prior:
                mean *= variance / (variance + error * error)
            if mean - margins[move] > most and (plan.prior or mean > confidence * error):
                best, most = move, mean - margins[move]
    return best


@kernel
def try_moves(values, moves, dealt, scratch, rollout, facts, rng):
    """Makes each of some moves in one deal and plays on, with the same deck and the same random numbers for each."""
    views, worlds, deck = scratch
    root, lots, is_literal = dealt.worlds[0].seat, rng[0], plan_of(rollout.params).literal
    for move in range(MOVES):
        if in_mask(moves, move):
            worlds[0] = dealt.worlds[0]
            copy_items(deck, dealt.deck)
            copy_rows(rollout.memory, rollout.remembered)
            rng[0] = lots
            if is_literal:
                apply(worlds[0], deck, move)
            else:
                look(views, worlds, root)
                move_on(views, worlds, deck, rollout, move, rng)
            values[move] = finish(scratch, rollout, root, facts, rng)
            facts.iterations += 1


@kernel
def deal_world(dealt, start, rollout, rng):
    """Deals what the root cannot see, for all moves that are compared; among strangers, it also draws who they are."""
    sample_world(dealt.worlds, dealt.deck, start, rollout, rng)
    if plan_of(rollout.params).pool:
        seat_strangers(rollout, rollout.beliefs, start.worlds[0].seat, start.worlds[0].players, rng)


@kernel
def try_together(values, moves, deals, dealt, start, rollout, facts, rng):
    """Makes each of some moves in some deals and plays on in all of them side by side."""
    part = plan_of(rollout.params).parts[ROLLOUT]
    crowd, number = new_crowd(deals * popcount(moves), len(start.deck), part.words), 0
    for _ in range(deals):
        deal_world(dealt, start, rollout, rng)
        for move in range(MOVES):
            if in_mask(moves, move):
                enter(crowd, number, dealt, move, rollout)
                number += 1
    breaker, root, players = play_on(crowd, rollout, rng), start.worlds[0].seat, start.worlds[0].players
    if breaker != NOBODY:
        facts.fault = 1 + (breaker - root + players) % players
    facts.iterations += number
    write_values(values, crowd, moves)


@kernel
def next_round(deals, plan):
    """How many deals there will be when moves are dropped next."""
    for early in EARLY_ROUNDS:
        if plan.prior and deals < early:
            return early
    return deals - deals % ROUND + ROUND


@kernel
def play_deals(gains, alive, own, share, margins, scratch, start, rollout, facts, rng):
    """Tries moves in the same deals until the budget, or a share of it, is spent, or only the policy's own is left."""
    plan, begin, deals, together = plan_of(rollout.params), nanoseconds(), 0, is_crowd(rollout)
    dealt, values, first = new_scratch(start), np.zeros((MOST_AT_ONCE, MOVES)), facts.iterations
    while not facts.fault and (own == NO_MOVE or popcount(alive) > 1):
        wanted, done = (plan.deals, deals) if own == NO_MOVE else (plan.iterations, facts.iterations - first)
        if not is_time_left(plan, done, share * wanted, begin, share):
            break
        more = 1
        if together and own != NO_MOVE:
            left = share * plan.ms * 1e6 - (nanoseconds() - begin) if plan.ms > 0 else share * wanted - done
            pace = (nanoseconds() - begin) / max(deals, 1) if plan.ms > 0 else float(popcount(alive))
            more = min(deals_at_once(left, pace, deals, plan.ms > 0), next_round(deals, plan) - deals)
            try_together(values, alive, more, dealt, start, rollout, facts, rng)
        else:
            deal_world(dealt, start, rollout, rng)
            try_moves(values[0], alive, dealt, scratch, rollout, facts, rng)
        is_round = deals + more == next_round(deals, plan)
        deals += more
        for deal in range(more):
            note_all(gains, values[deal], alive, own, rollout, facts)
        if own != NO_MOVE and is_round:
            alive = drop_moves(gains, alive, own, margins)
    return alive


@kernel
def note_all(gains, values, moves, own, rollout, facts):
    """Adds what moves were worth in a deal to the thoughts about them, and to their gains over the policy's own."""
    for move in range(MOVES):
        if in_mask(moves, move):
            note(facts.thoughts, move, values[move])
            if own != NO_MOVE:
                note(gains, move, rollout.scale * (values[move] - values[own]))


@kernel
def margins_of(views, own, rollout):
    """By how many points each move must be better than the policy's own.

    On a policy that says how likely its moves are, a move must gain the more, the less likely it is: to a team-mate who
    reads moves by that policy, it says something wrong.
    """
    plan, margins = plan_of(rollout.params), np.zeros(MOVES)
    for move in range(MOVES):
        margins[move] = plan.margin
    part, chances = plan.parts[ROLLOUT], np.empty(MOVES)
    if part.predictor and own != NO_MOVE and not plan.literal:
        predict_by(part.predictor)(views, rollout.remembered[0][: part.words].copy(), chances, params_of(part))
        for move in range(MOVES):
            surprise = max(0.0, math.log(max(chances[own], TINY) / max(chances[move], TINY)))
            margins[move] *= 1.0 + surprise * surprise / SURPRISE
    return margins


@kernel
def is_lost(rollout):
    """Whether a search that asks the policies of a pool cannot say what the others will do."""
    plan = plan_of(rollout.params)
    return plan.pool and not plan.parts[JUDGE].length and are_outsiders(rollout.beliefs)


@kernel
def compare_moves(start, rollout, facts, rng):
    """Tries moves in the same sampled deals; returns the best one, or the policy's own if none is clearly better."""
    plan, begin, own = plan_of(rollout.params), nanoseconds(), NO_MOVE
    scratch, gains = new_scratch(start), np.zeros(MOVES, THOUGHT)
    alive = moves_to_compare(start.believed.copy(), rollout, rng)
    if plan.deviates:
        copy_rows(rollout.memory, rollout.remembered)
        own = int(rollout_move(scratch.views, start.worlds, rollout, rng))
        if not is_legal(start.worlds[0], own):
            facts.fault = int(own != NO_MOVE)
            return NO_MOVE
        if is_lost(rollout):
            alive = np.int64(0)
        alive |= np.int64(1) << np.int64(own)
        facts.own = own
    margins = margins_of(start.believed, own, rollout)
    if plan.hands:  # even where there is nothing to compare: many hands can only be kept if all turns are used
        believe(start, rollout.beliefs, rollout.params, rng)
    spent = (nanoseconds() - begin) / (plan.ms * 1e6) if plan.hands and plan.ms > 0 else 0.0
    whole = max(0.0, 1.0 - spent)
    share = 0.5 * whole if plan.deviates and plan.confirm else whole
    alive = play_deals(gains, alive, own, share, margins, scratch, start, rollout, facts, rng)
    best = own
    if own != NO_MOVE:
        best = best_deviation(gains, alive, own, PROMISING if plan.confirm else plan.confidence, margins, plan)
    if best != own and plan.confirm:
        gains = np.zeros(MOVES, THOUGHT)
        alive = (np.int64(1) << np.int64(own)) | (np.int64(1) << np.int64(best))
        alive = play_deals(gains, alive, own, whole - share, margins, scratch, start, rollout, facts, rng)
        best = best_deviation(gains, alive, own, plan.confidence, margins, plan)
    facts.depth = 1
    facts.nanoseconds = nanoseconds() - begin
    return best
