"""Trees without rollouts: all moves of a position are added at once, each with its appraised value."""

import numpy as np

from tamaya.engine.cards import contains
from tamaya.engine.gameplay import is_over, legal_moves
from tamaya.engine.jit import kernel, popcount
from tamaya.engine.knowledge import look
from tamaya.engine.moves import MOVES
from tamaya.policies.roles import appraise_by
from tamaya.policies.seats import params_of
from tamaya.search.determinization import moves_considered, trust_conventions
from tamaya.search.plan import LEAF, plan_of
from tamaya.search.rollouts import value_of
from tamaya.search.tree.nodes import add_child
from tamaya.search.tree.selection import best_child, count_available


@kernel
def moves_to_expand(view, plan, rng):
    """The moves that a search considers; all legal ones where its rules propose none."""
    moves = moves_considered(view, plan, rng)
    return moves if moves else legal_moves(view)


@kernel
def appraised(view, moves, plan):
    """What each move of a mask is worth."""
    values, leaf = np.zeros(MOVES), plan.parts[LEAF]
    appraise_by(leaf.appraiser)(view, moves, values, params_of(leaf))
    return values


@kernel
def expanded_child(tree, parent, view, rollout, rng):
    """The best child among the moves that can be made; those without a child first get one, as if visited once."""
    nodes, plan = tree[0], plan_of(rollout.params)
    moves = moves_to_expand(view, plan, rng)
    untried = moves & ~nodes[parent].tried
    count_available(nodes, parent, moves)
    if untried and tree[1][0] + popcount(untried) <= len(nodes):
        values = appraised(view, untried, plan)
        for move in range(MOVES):
            if contains(untried, move):
                node = nodes[add_child(tree, parent, move)]
                node.visits, node.total, node.squares = 1, values[move], values[move] * values[move]
    return best_child(nodes, parent, moves, plan.exploration, rng)


@kernel
def value_at_leaf(tree, leaf, is_new, scratch, rollout, rng):
    """What to back up: the score of a game that is over, the value of a new node, or that of its best move."""
    views, worlds, _ = scratch
    if is_over(worlds[0]):
        return value_of(worlds[0], rollout)
    if is_new and tree[0][leaf].visits > 0:
        return tree[0][leaf].total
    look(views, worlds, worlds[0].seat)
    trust_conventions(views[0], rollout, rollout.memory)
    plan = plan_of(rollout.params)
    return appraised(views[0], moves_to_expand(views[0], plan, rng), plan).max()
