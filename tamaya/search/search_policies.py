"""Searches as policies, so that they can play at tables, and in other searches, like every agent."""

import numpy as np

from tamaya.engine.gameplay import legal_moves
from tamaya.engine.jit import kernel
from tamaya.engine.moves import FAULT, MOVES, NO_MOVE
from tamaya.engine.table import TABLE
from tamaya.policies.contract import keep_by, observe_by, policy, report_search, seen_deck
from tamaya.policies.seats import params_of
from tamaya.search.beliefs.hand_pool import watch
from tamaya.search.beliefs.hint_inference import infer_hand
from tamaya.search.beliefs.strangers import learn_from
from tamaya.search.compare.flat import compare_moves
from tamaya.search.determinization import facts_of, forget_facts, lay_out
from tamaya.search.plan import FIRST_MODEL, ROLLOUT, memory_of, plan_of
from tamaya.search.rollouts import new_rollout
from tamaya.search.tree.nodes import any_move
from tamaya.search.tree.tree_search import grow_tree


@kernel
def observe_for_parts(view, mover, move, shown, memory, params):
    """Shows a move to the parts of a search that observe, and lets the search itself learn from it."""
    plan = plan_of(params)
    if plan.pool:
        if plan.learns and not plan.knows and mover != view.seat:
            learn_from(view, mover, move, shown, memory, params)
        return 0
    if plan.hands:
        watch(view, mover, move, shown, memory, params)
    if plan.infers:
        infer_hand(view, mover, move, shown, memory, params)
    for index in range(ROLLOUT, FIRST_MODEL + plan.models):
        part = plan.parts[index]
        if part.observer:
            observe_by(part.observer)(view, mover, move, shown, memory_of(part, memory), params_of(part))
    return 0


@kernel
def keep_for_rollout(view, memory, params):
    """The moves that keep the convention of a search's rollout policy; all if it has none."""
    part = plan_of(params).parts[ROLLOUT]
    return keep_by(part.keeper)(view, memory_of(part, memory), params_of(part)) if part.keeper else legal_moves(view)


@kernel
def begin(view, memory, params):
    """The policies of a search, and the start of every iteration."""
    views = np.empty(1, TABLE)
    views[0] = view
    forget_facts(memory)
    rollout = new_rollout(view, memory, params)
    return rollout, lay_out(views, seen_deck(memory), rollout)


@kernel
def final_move(thoughts, by_value):
    """The move with the most visits, or with the best mean if ``by_value``; the other criterion breaks ties."""
    best, highest = NO_MOVE, (-1.0, -1.0)
    for move in range(MOVES):
        thought = thoughts[move]
        if thought.visits > 0:
            mean, visits = thought.total / thought.visits, float(thought.visits)
            key = (mean, visits) if by_value else (visits, mean)
            if key > highest:
                best, highest = move, key
    return best


@kernel
def conclude(view, memory, facts, by_value, fallback):
    """The answer of a search: its final move, or who broke the rules; if nothing was tried, the fallback."""
    report_search(memory, facts.iterations, facts.depth)
    if facts.fault:
        return FAULT - facts.fault
    move = final_move(facts.thoughts, by_value)
    return fallback if move == NO_MOVE else move


@policy(observe=observe_for_parts, keeps=keep_for_rollout)
def tree_search(view, memory, params, rng):
    """Grows a tree according to its plan, which holds its rules, its policies and its budget."""
    rollout, start = begin(view, memory, params)
    facts, fallback = facts_of(memory), any_move(legal_moves(view), rng)
    grow_tree(start, rollout, facts, rng)
    return conclude(view, memory, facts, plan_of(params).by_value, fallback)


@policy(observe=observe_for_parts, keeps=keep_for_rollout)
def flat_search(view, memory, params, rng):
    """Compares moves in the same deals, according to its plan."""
    rollout, start = begin(view, memory, params)
    facts, fallback = facts_of(memory), any_move(legal_moves(view), rng)
    move = compare_moves(start, rollout, facts, rng)
    answer = conclude(view, memory, facts, plan_of(params).by_value, fallback)
    return move if plan_of(params).deviates and not facts.fault else answer
