"""Flat search: all moves are tried in as many deals, as in Bouzy 2017."""

import numpy as np

from tamaya.engine.cards import contains
from tamaya.engine.jit import kernel, nanoseconds
from tamaya.engine.moves import MOVES
from tamaya.search.compare.common_deals import deal_world, try_moves
from tamaya.search.compare.gains import note
from tamaya.search.determinization import moves_considered, new_scratch
from tamaya.search.plan import is_time_left, plan_of


@kernel
def compare_all(start, rollout, facts, rng):
    """Tries all moves considered in the same deals until the budget is spent, and fills in the facts."""
    plan, begin = plan_of(rollout.params), nanoseconds()
    dealt, scratch = new_scratch(start), new_scratch(start)
    moves = moves_considered(start.believed.copy()[0], plan, rng)
    values, deals = np.zeros(MOVES), 0
    while not facts.fault and is_time_left(plan, deals, plan.deals, begin):
        deal_world(dealt, start, rollout, rng)
        try_moves(values, moves, dealt, scratch, rollout, facts, rng)
        for move in range(MOVES):
            if contains(moves, move):
                note(facts.thoughts, move, values[move])
        deals += 1
    facts.depth = 1
    facts.nanoseconds = nanoseconds() - begin
