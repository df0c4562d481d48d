"""The best reply to strangers: a search on top of a policy in which each of the others is one of a pool."""

import numpy as np

from tamaya.engine.cards import bit
from tamaya.engine.jit import kernel, nanoseconds
from tamaya.engine.moves import MOVES, NO_MOVE
from tamaya.search.beliefs.strangers import are_outsiders
from tamaya.search.compare.deviate import own_and_others, race
from tamaya.search.compare.gains import best_deviation, margins_of
from tamaya.search.determinization import THOUGHT
from tamaya.search.plan import JUDGE, plan_of


@kernel
def is_lost(rollout):
    """Whether a search that asks the policies of a pool cannot say what the others will do."""
    return not plan_of(rollout.params).parts[JUDGE].length and are_outsiders(rollout.beliefs)


@kernel
def reply_to_strangers(start, rollout, facts, rng):
    """Makes the policy's move unless another gains clearly more; fills in the facts and returns the move."""
    plan, begin = plan_of(rollout.params), nanoseconds()
    own, alive = own_and_others(start, rollout, facts, rng)
    if own == NO_MOVE:
        return NO_MOVE
    if is_lost(rollout):
        alive = bit(own)
    margins, gains = margins_of(start.believed, own, rollout), np.zeros(MOVES, THOUGHT)
    alive = race(gains, alive, own, 1.0, margins, start, rollout, facts, rng)
    facts.depth = 1
    facts.nanoseconds = nanoseconds() - begin
    return best_deviation(gains, alive, own, plan.confidence, margins, plan)
