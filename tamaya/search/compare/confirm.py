"""A search on top of a policy that confirms: half of its budget finds a better move, fresh deals confirm its gain."""

import numpy as np

from tamaya.engine.cards import bit
from tamaya.engine.jit import kernel, nanoseconds
from tamaya.engine.moves import MOVES, NO_MOVE
from tamaya.search.compare.deviate import believe_first, own_and_others, race
from tamaya.search.compare.gains import best_deviation, margins_of
from tamaya.search.determinization import THOUGHT
from tamaya.search.plan import plan_of

PROMISING = 0.8
"""How many standard errors better a move must be for fresh deals to be spent on confirming it."""


@kernel
def deviate_if_confirmed(start, rollout, facts, rng):
    """Makes the policy's move unless another gains clearly more twice; fills in the facts and returns the move."""
    plan, begin = plan_of(rollout.params), nanoseconds()
    own, alive = own_and_others(start, rollout, facts, rng)
    if own == NO_MOVE:
        return NO_MOVE
    margins, gains = margins_of(start.believed, own, rollout), np.zeros(MOVES, THOUGHT)
    half = 0.5 * believe_first(start, rollout, begin, rng)
    alive = race(gains, alive, own, half, margins, start, rollout, facts, rng)
    best = best_deviation(gains, alive, own, PROMISING, margins, plan)
    if best != own:
        gains = np.zeros(MOVES, THOUGHT)
        alive = race(gains, bit(own) | bit(best), own, half, margins, start, rollout, facts, rng)
        best = best_deviation(gains, alive, own, plan.confidence, margins, plan)
    facts.depth = 1
    facts.nanoseconds = nanoseconds() - begin
    return best
