"""The tree: nodes are moves, and the children of a node are a linked list."""

import numpy as np

from tamaya.engine.cards import bit, nth_bit
from tamaya.engine.jit import kernel, popcount, record
from tamaya.engine.randomness import random_below

NODE = record(
    total="f8",  # the sums of the values of the rollouts below, and of their squares
    squares="f8",
    tried="i8",  # moves that have a child, as a mask
    visits="i4",
    available="i4",  # visits to the parent in which the move could be made
    first="i4",  # first child and next sibling, NO_NODE if there is none
    next="i4",
    move="i4",
)

ROOT = 0
NO_NODE = -1
MOST_NODES = 1 << 20
"""A tree with this many nodes, 48 MB, does not grow any further."""


@kernel
def new_tree(most):
    """A tree with only a root and room for ``most`` nodes: an array of nodes, and how many there are."""
    tree = np.empty(most, NODE), np.zeros(1, np.int64)
    add_child(tree, NO_NODE, NO_NODE)
    return tree


@kernel
def is_full(tree):
    """Whether the tree cannot grow any further."""
    return tree[1][0] == len(tree[0])


@kernel
def add_child(tree, parent, move):
    """Adds a child for a move to a node."""
    nodes, count = tree
    child = count[0]
    count[0] += 1
    node = nodes[child]
    node.total, node.squares, node.tried = 0.0, 0.0, 0
    node.visits, node.available = 0, 1
    node.first, node.next, node.move = NO_NODE, NO_NODE, move
    if parent != NO_NODE:
        node.next = nodes[parent].first
        nodes[parent].first = child
        nodes[parent].tried |= bit(move)
    return child


@kernel
def child_of(nodes, parent, move):
    """The child of a move, if there is one."""
    child = nodes[parent].first
    while child != NO_NODE and nodes[child].move != move:
        child = nodes[child].next
    return child


@kernel
def any_move(moves, rng):
    """A random move of a mask."""
    return nth_bit(moves, random_below(rng, popcount(moves)))


@kernel
def back_up(nodes, path, depth, value):
    """Adds a value to the nodes of a path."""
    for step in range(depth + 1):
        node = nodes[path[step]]
        node.visits += 1
        node.total += value
        node.squares += value * value
