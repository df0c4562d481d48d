"""Searches as policies, so that they can play at tables, and in other searches, like every agent."""

from tamaya.engine.gameplay import legal_moves
from tamaya.engine.jit import kernel
from tamaya.policies.contract import policy
from tamaya.policies.roles import keep_by, observe_by
from tamaya.policies.seats import params_of
from tamaya.search.beliefs.hand_pool import watch
from tamaya.search.beliefs.hint_inference import infer_hand
from tamaya.search.beliefs.strangers import learn_from
from tamaya.search.compare.best_reply import reply_to_strangers
from tamaya.search.compare.confirm import deviate_if_confirmed
from tamaya.search.compare.deviate import deviate
from tamaya.search.compare.flat import compare_all
from tamaya.search.determinization import begin, facts_in_memory
from tamaya.search.final_move import report_move
from tamaya.search.plan import FIRST_MODEL, ROLLOUT, memory_of, plan_of
from tamaya.search.tree.nodes import any_move
from tamaya.search.tree.tree_search import search_tree


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


@policy(observe=observe_for_parts, keeps=keep_for_rollout)
def tree_search(view, memory, params, rng):
    """Grows a tree according to its plan, which holds its rules, its policies and its budget."""
    return search_tree(view, memory, params, rng)[0]


@policy(observe=observe_for_parts, keeps=keep_for_rollout)
def flat_search(view, memory, params, rng):
    """Compares all moves in the same deals, according to its plan."""
    return compare_all(view, memory, params, rng)[0]


@policy(observe=observe_for_parts, keeps=keep_for_rollout)
def deviating_search(view, memory, params, rng):
    """Makes its policy's move unless another gains clearly more in the same deals."""
    rollout, start = begin(view, memory, params)
    any_move(legal_moves(view), rng)  # every search draws one, so that all meet the same deals
    facts = facts_in_memory(memory)
    return report_move(memory, facts, deviate(start, rollout, facts, rng))


@policy(observe=observe_for_parts, keeps=keep_for_rollout)
def confirming_search(view, memory, params, rng):
    """Makes its policy's move unless another gains clearly more, and does so again in fresh deals."""
    rollout, start = begin(view, memory, params)
    any_move(legal_moves(view), rng)
    facts = facts_in_memory(memory)
    return report_move(memory, facts, deviate_if_confirmed(start, rollout, facts, rng))


@policy(observe=observe_for_parts, keeps=keep_for_rollout)
def ally_search(view, memory, params, rng):
    """Makes its policy's move unless another is clearly the better reply to strangers."""
    rollout, start = begin(view, memory, params)
    any_move(legal_moves(view), rng)
    facts = facts_in_memory(memory)
    return report_move(memory, facts, reply_to_strangers(start, rollout, facts, rng))
