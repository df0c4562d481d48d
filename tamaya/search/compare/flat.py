"""Flat search: all moves are tried in as many deals, as in Bouzy 2017."""

import numpy as np

from tamaya.engine.cards import contains
from tamaya.engine.gameplay import legal_moves
from tamaya.engine.jit import kernel, nanoseconds
from tamaya.engine.moves import MOVES
from tamaya.search.compare.common_deals import deal_world, try_moves
from tamaya.search.compare.gains import note_value
from tamaya.search.determinization import begin, facts_in_memory, moves_considered, new_scratch
from tamaya.search.final_move import conclude
from tamaya.search.plan import is_time_left, plan_of
from tamaya.search.tree.nodes import any_move


@kernel
def compare_all(view, memory, params, rng):
    """Tries all moves in the same deals until the budget is spent: the answer, and the policies and the start of these.

    Rules, if there are any, say which moves these are.
    """
    rollout, start = begin(view, memory, params)
    facts, fallback = facts_in_memory(memory), any_move(legal_moves(view), rng)
    plan, began = plan_of(params), nanoseconds()
    dealt, scratch = new_scratch(start), new_scratch(start)
    moves = moves_considered(start.believed.copy()[0], plan, rng)
    values, deals = np.zeros(MOVES), 0
    while not facts.fault and is_time_left(plan, deals, plan.deals, began):
        deal_world(dealt, start, rollout, rng)
        try_moves(values, moves, dealt, scratch, rollout, facts, rng)
        for move in range(MOVES):
            if contains(moves, move):
                note_value(facts.thoughts, move, values[move])
        deals += 1
    facts.depth = 1
    facts.nanoseconds = nanoseconds() - began
    return conclude(memory, facts, plan.by_value, fallback), rollout, start
