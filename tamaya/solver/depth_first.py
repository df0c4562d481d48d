"""The search: depth first, the likeliest moves first, and never twice through the same position."""

from typing import NamedTuple

import numpy as np

from tamaya.engine.gameplay import MAX_MOVES
from tamaya.engine.jit import kernel
from tamaya.engine.settings import CARDS
from tamaya.solver.bounds import Bounds, is_possible
from tamaya.solver.deals import MOST_CARDS
from tamaya.solver.move_ordering import MOST_CHOICES, list_moves
from tamaya.solver.positions import POSITION, copy_position, make, tidy
from tamaya.solver.transpositions import is_remembered, remember_lost

WON, LOST, UNDECIDED = 1, 0, -1


class Stack(NamedTuple):
    """A search that can be interrupted: the positions on the way from the first to the current one."""

    positions: np.ndarray
    moves: np.ndarray
    """[depth]: the moves of each position, the likeliest first."""
    listed: np.ndarray
    """[depth]: how many moves there are."""
    tried: np.ndarray
    """[depth]: how many of them are tried. The last one of these leads to the next position."""
    depth: np.ndarray
    seen: np.ndarray
    """How many positions were looked at."""
    noise: np.ndarray
    """How much of the values of moves is chance."""
    rng: np.ndarray
    values: np.ndarray
    bounds: Bounds


def new_stack(seed: int) -> Stack:
    """Room for a search."""
    depths = MAX_MOVES + 2
    return Stack(
        positions=np.zeros(depths, POSITION),
        moves=np.zeros((depths, MOST_CHOICES), np.int8),
        listed=np.zeros(depths, np.int64),
        tried=np.zeros(depths, np.int64),
        depth=np.zeros(1, np.int64),
        seen=np.zeros(1, np.int64),
        noise=np.zeros(1),
        rng=np.array([seed], np.uint64),
        values=np.zeros(MOST_CHOICES),
        bounds=Bounds(np.zeros(CARDS, np.int64), np.zeros(CARDS, np.int64), np.zeros(MOST_CARDS + 1, np.int64)),
    )


@kernel
def enter_position(deal, stack, memory, depth):
    """Looks at a position of the stack: won, lost, or undecided, and then lists its moves."""
    position = stack.positions[depth]
    stack.seen[0] += 1
    stack.depth[0] = depth
    if position.needed == 0:
        return WON
    if not tidy(deal, position) or is_remembered(deal, position, memory):
        return LOST
    if not is_possible(deal, position, stack.bounds):
        return LOST
    stack.listed[depth], stack.tried[depth] = list_moves(deal, position, stack, stack.moves[depth]), 0
    return UNDECIDED


@kernel
def begin_search(deals, stack, memory):
    """Starts a search from the first position of the stack."""
    return enter_position(deals[0], stack, memory, 0)


@kernel
def explore(deals, stack, memory, budget):
    """Goes on with a search until it has seen some more positions, and returns what is known then.

    The moves that win are the last ones tried at each depth.
    """
    deal, end = deals[0], stack.seen[0] + budget
    depth = int(stack.depth[0])
    while stack.seen[0] < end:
        if stack.tried[depth] == stack.listed[depth]:
            remember_lost(deal, stack.positions[depth], memory)
            if depth == 0:
                return LOST
            depth -= 1
            continue
        copy_position(stack.positions[depth + 1], stack.positions[depth])
        make(deal, stack.positions[depth + 1], int(stack.moves[depth, stack.tried[depth]]))
        stack.tried[depth] += 1
        outcome = enter_position(deal, stack, memory, depth + 1)
        if outcome == WON:
            return WON
        if outcome == UNDECIDED:
            depth += 1
    stack.depth[0] = depth
    return UNDECIDED
