"""Selection: the child with the highest upper confidence bound (UCB) among the moves that are available."""

import math

from tamaya.engine.cards import contains
from tamaya.engine.jit import kernel
from tamaya.engine.randomness import random_below
from tamaya.search.tree.nodes import NO_NODE


@kernel
def count_available(nodes, parent, moves):
    """Notes which of the children of a node could be chosen."""
    child = nodes[parent].first
    while child != NO_NODE:
        nodes[child].available += contains(moves, nodes[child].move)
        child = nodes[child].next


@kernel
def best_child(nodes, parent, moves, exploration, rng):
    """The child with the highest upper confidence bound among the moves that can be made; ties are broken at random."""
    best, highest, ties = NO_NODE, -1.0, 1
    child = nodes[parent].first
    while child != NO_NODE:
        node = nodes[child]
        if contains(moves, node.move):
            bound = node.total / node.visits + exploration * math.sqrt(math.log(node.available) / node.visits)
            if bound > highest:
                best, highest, ties = child, bound, 1
            elif bound == highest:
                ties += 1
                if random_below(rng, ties) == 0:
                    best = child
        child = node.next
    return best
