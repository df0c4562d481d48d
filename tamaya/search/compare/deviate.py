"""A search on top of a policy: it makes the policy's move unless another one gains clearly more in the same deals."""

import numpy as np

from tamaya.engine.cards import bit, contains
from tamaya.engine.gameplay import is_legal, legal_moves
from tamaya.engine.jit import copy_rows, kernel, nanoseconds, popcount
from tamaya.engine.moves import MOVES, NO_MOVE
from tamaya.policies.roles import keep_by
from tamaya.policies.seats import memory_at, params_of
from tamaya.search.beliefs.resampling import believe
from tamaya.search.compare.batched_rollouts import MOST_AT_ONCE, deals_at_once, is_crowd
from tamaya.search.compare.common_deals import deal_world, try_moves, try_together
from tamaya.search.compare.gains import best_deviation, drop_moves, margins_of, next_round, note_value
from tamaya.search.determinization import THOUGHT, moves_considered, new_scratch
from tamaya.search.plan import ROLLOUT, is_time_left, plan_of
from tamaya.search.rollouts import rollout_move


@kernel
def moves_of_convention(views, rollout, rng):
    """The moves to compare, as a mask: those that keep the policy's convention, if it has one."""
    view, plan = views[0], plan_of(rollout.params)
    keeper = plan.parts[ROLLOUT].keeper
    if not keeper or plan.literal:
        return moves_considered(view, plan, rng)
    seat = rollout.seats[view.seat]
    copy_rows(rollout.memory, rollout.remembered)
    return keep_by(keeper)(view, memory_at(rollout.memory, seat), params_of(seat)) & legal_moves(view)


@kernel
def own_and_others(start, rollout, facts, rng):
    """The policy's move, NO_MOVE if it has none that is legal, and all moves to compare, as a mask."""
    alive = moves_of_convention(start.believed.copy(), rollout, rng)
    copy_rows(rollout.memory, rollout.remembered)
    own = int(rollout_move(start.worlds.copy(), start.worlds, rollout, rng))
    if not is_legal(start.worlds[0], own):
        facts.fault = int(own != NO_MOVE)
        return NO_MOVE, alive
    facts.own = own
    return own, alive | bit(own)


@kernel
def believe_first(start, rollout, begin, rng):
    """Brings the hands kept in mind up to date; returns the share of the budget that is left for comparing moves.

    This is done even where there is nothing to compare: many hands can only be kept if all turns are used.
    """
    plan = plan_of(rollout.params)
    if not plan.hands:
        return 1.0
    believe(start, rollout.beliefs, rollout.params, rng)
    spent = (nanoseconds() - begin) / (plan.ms * 1e6) if plan.ms > 0 else 0.0
    return max(0.0, 1.0 - spent)


@kernel
def note_gains(gains, values, alive, own, rollout, facts):
    """Adds what moves were worth in a deal to the thoughts about them, and to their gains over the policy's own."""
    for move in range(MOVES):
        if contains(alive, move):
            note_value(facts.thoughts, move, values[move])
            note_value(gains, move, rollout.scale * (values[move] - values[own]))


@kernel
def race(gains, alive, own, share, margins, start, rollout, facts, rng):
    """Tries moves in the same deals until a share of the budget is spent or only the policy's own is left.

    Moves that are clearly worse are dropped; returns the others, as a mask.
    """
    plan, begin, deals, together = plan_of(rollout.params), nanoseconds(), 0, is_crowd(rollout)
    dealt, scratch = new_scratch(start), new_scratch(start)
    values, first = np.zeros((MOST_AT_ONCE, MOVES)), facts.iterations
    while not facts.fault and popcount(alive) > 1:
        done = facts.iterations - first
        if not is_time_left(plan, done, share * plan.iterations, begin, share):
            break
        more = 1
        if together:
            left = share * plan.ms * 1e6 - (nanoseconds() - begin) if plan.ms > 0 else share * plan.iterations - done
            pace = (nanoseconds() - begin) / max(deals, 1) if plan.ms > 0 else float(popcount(alive))
            more = min(deals_at_once(left, pace, deals, plan.ms > 0), next_round(deals, plan) - deals)
            try_together(values, alive, more, dealt, start, rollout, facts, rng)
        else:
            deal_world(dealt, start, rollout, rng)
            try_moves(values[0], alive, dealt, scratch, rollout, facts, rng)
        is_round = deals + more == next_round(deals, plan)
        deals += more
        for deal in range(more):
            note_gains(gains, values[deal], alive, own, rollout, facts)
        if is_round:
            alive = drop_moves(gains, alive, own, margins)
    return alive


@kernel
def deviate(start, rollout, facts, rng):
    """Makes the policy's move unless another gains clearly more; fills in the facts and returns the move."""
    plan, begin = plan_of(rollout.params), nanoseconds()
    own, alive = own_and_others(start, rollout, facts, rng)
    if own == NO_MOVE:
        return NO_MOVE
    margins, gains = margins_of(start.believed, own, rollout), np.zeros(MOVES, THOUGHT)
    share = believe_first(start, rollout, begin, rng)
    alive = race(gains, alive, own, share, margins, start, rollout, facts, rng)
    facts.depth = 1
    facts.nanoseconds = nanoseconds() - begin
    return best_deviation(gains, alive, own, plan.confidence, margins, plan)
