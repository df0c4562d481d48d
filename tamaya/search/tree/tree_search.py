"""Tree search: sample a world, descend, expand, roll out, back up."""

import numpy as np

from tamaya.engine.card_counts import remove_copy
from tamaya.engine.gameplay import MAX_MOVES, is_legal, is_over, legal_moves
from tamaya.engine.jit import kernel, nanoseconds
from tamaya.engine.knowledge import hand_count, look
from tamaya.engine.moves import MOVES
from tamaya.engine.worlds import pack_hand, redeal, restore
from tamaya.search.beliefs.hint_inference import deal_inferred, likely_plays
from tamaya.search.beliefs.strangers import seat_strangers
from tamaya.search.determinization import (
    begin,
    facts_in_memory,
    finish,
    moves_considered,
    new_scratch,
    sample_world,
    trust_conventions,
)
from tamaya.search.final_move import conclude
from tamaya.search.plan import NO_OWN_CARDS, PROPOSALS, is_time_left, plan_of
from tamaya.search.rollouts import move_on, rollout_move
from tamaya.search.tree.expansion import expanded_child, value_at_leaf
from tamaya.search.tree.nodes import (
    MOST_NODES,
    NO_NODE,
    ROOT,
    add_child,
    any_move,
    back_up,
    child_of,
    is_full,
    new_tree,
)
from tamaya.search.tree.selection import best_child, count_available

NODES_PER_MS = 2000


@kernel
def ignore_hand(view, world):
    """Counts the mover's own cards as seen, as the published MO-ISMCTS does while it evaluates rules."""
    for slot in range(hand_count(world, world.seat)):
        remove_copy(view.unseen, world.hands[world.seat, slot])


@kernel
def find_child(tree, parent, move):
    """The child for a move, added if there is none and the tree has room."""
    child = child_of(tree[0], parent, move)
    return add_child(tree, parent, move) if child == NO_NODE and not is_full(tree) else child


@kernel
def chosen_child(tree, parent, moves, exploration, rng):
    """A new child for a random move that has none, or else the best child there is."""
    nodes = tree[0]
    untried = moves & ~nodes[parent].tried
    count_available(nodes, parent, moves)
    if untried and not is_full(tree):
        return add_child(tree, parent, any_move(untried, rng))
    return best_child(nodes, parent, moves, exploration, rng)


@kernel
def next_child(tree, parent, scratch, rollout, root, more, rng):
    """The child to go to, whether the seat to move is searched or predicted; NO_NODE if there is no move."""
    views, worlds, _ = scratch
    plan, world = plan_of(rollout.params), worlds[0]
    is_predicted = world.seat != root and plan.models > 0
    if is_predicted or plan.flaw == PROPOSALS:
        if plan.flaw == PROPOSALS and not legal_moves(world) & ~tree[0][parent].tried:
            return chosen_child(tree, parent, legal_moves(world), plan.exploration, rng)
        move = int(rollout_move(views, worlds, rollout, rng))
        return find_child(tree, parent, move) if is_legal(world, move) else NO_NODE
    if plan.expands:
        return expanded_child(tree, parent, views[0], rollout, rng)
    if plan.flaw == NO_OWN_CARDS:
        ignore_hand(views[0], world)
    moves = moves_considered(views[0], plan, rng) | more
    return chosen_child(tree, parent, moves, plan.exploration, rng)


@kernel
def redeal_other(views, worlds, deck, rng):
    """Deals the seat to move a new hand from its own point of view, ignoring the convention where that allows none."""
    if not redeal(worlds[0], deck, views[0], rng):
        look(views, worlds, worlds[0].seat)
        redeal(worlds[0], deck, views[0], rng)


@kernel
def step(views, worlds, deck, rollout, is_dealt_anew, move, rng):
    """Makes a move of a tree in a world; the view is the mover's.

    A hand that is dealt anew from the mover's own point of view is given back after the move.
    """
    world, seat, hand = worlds[0], worlds[0].seat, np.int64(0)
    if is_dealt_anew:
        hand = pack_hand(world, seat)
        redeal_other(views, worlds, deck, rng)
    if rollout.is_watched:
        look(views, worlds, seat)
    move_on(views, worlds, deck, rollout, move, rng)
    if is_dealt_anew:
        restore(world, deck, seat, hand, move, rng)


@kernel
def look_and_trust(views, worlds, rollout):
    """Makes the view of the seat to move, with what the conventions of the search say about its own cards."""
    look(views, worlds, worlds[0].seat)
    trust_conventions(views[0], rollout, rollout.memory)


@kernel
def descend(tree, path, scratch, rollout, likely, rng):
    """Walks down the tree, making its moves in a world, to a node that it has just added; returns its depth.

    At the root, likely plays are considered beside the moves that the rules propose. ``look_and_trust`` and ``step``
    are written out here: passing the tuple on at every move costs a twentieth.
    """
    views, worlds, deck = scratch
    world, root = worlds[0], worlds[0].seat
    depth, size, is_at_leaf = 0, tree[1][0], False
    while depth < len(path) - 1 and not is_at_leaf and not is_over(world):
        seat, hand = world.seat, np.int64(0)
        look(views, worlds, seat)
        trust_conventions(views[0], rollout, rollout.memory)
        more = likely if depth == 0 else np.int64(0)
        child = next_child(tree, path[depth], scratch, rollout, root, more, rng)
        if child == NO_NODE:
            break
        depth += 1
        path[depth] = child
        is_at_leaf = child >= size and (seat == root or not plan_of(rollout.params).pool)
        is_dealt_anew = plan_of(rollout.params).redeals > 0 and seat != root
        if is_dealt_anew:
            hand = pack_hand(world, seat)
            redeal_other(views, worlds, deck, rng)
        move = tree[0][child].move
        if rollout.is_watched:
            look(views, worlds, seat)
        move_on(views, worlds, deck, rollout, move, rng)
        if is_dealt_anew:
            restore(world, deck, seat, hand, move, rng)
    return depth


@kernel
def grow_tree(start, rollout, facts, rng):
    """Searches until the budget is spent, fills in the facts, and returns the tree."""
    plan, root, began = plan_of(rollout.params), start.worlds[0].seat, nanoseconds()
    tree, scratch = new_tree(tree_room(plan)), new_scratch(start)
    deepest = int(min(start.worlds[0].players * plan.tree_depth, MAX_MOVES))
    path = np.zeros(deepest + 2, np.int64)
    is_inferring = plan.infers > 0 and plan.sight == 0
    likely = likely_plays(scratch, start, rollout, rng) if is_inferring else np.int64(0)
    while is_time_left(plan, facts.iterations, plan.iterations, began) and not facts.fault:
        sample_world(scratch.worlds, scratch.deck, start, rollout, rng)
        if is_inferring:
            deal_inferred(scratch, start, rollout, rng)
        size = tree[1][0]
        if plan.pool:
            seat_strangers(rollout, rollout.beliefs, root, start.worlds[0].players, rng)
        depth = descend(tree, path, scratch, rollout, likely, rng)
        if plan.expands:
            value = value_at_leaf(tree, path[depth], path[depth] >= size, scratch, rollout, rng)
        else:
            value = finish(scratch, rollout, root, facts, rng)
        back_up(tree[0], path, depth, value)
        facts.iterations += 1
        facts.depth = max(facts.depth, depth)
    facts.nanoseconds = nanoseconds() - began
    gather(facts.thoughts, tree[0])
    return tree


@kernel
def search_tree(view, memory, params, rng):
    """Grows a tree until the budget is spent: the answer, the tree, and the policies and the start of it."""
    rollout, start = begin(view, memory, params)
    facts, fallback = facts_in_memory(memory), any_move(legal_moves(view), rng)
    tree = grow_tree(start, rollout, facts, rng)
    return conclude(memory, facts, plan_of(params).by_value, fallback), tree, rollout, start


@kernel
def tree_room(plan):
    """How many nodes a search may need."""
    wanted = plan.ms * NODES_PER_MS if plan.ms > 0 else plan.iterations * (MOVES if plan.expands else 1)
    return int(min(wanted + MOVES + 1, MOST_NODES))


@kernel
def gather(thoughts, nodes):
    """Writes down what a tree says about the moves at its root."""
    child = nodes[ROOT].first
    while child != NO_NODE:
        node = nodes[child]
        thoughts[node.move].visits = node.visits
        thoughts[node.move].total = node.total
        thoughts[node.move].squares = node.squares
        child = node.next
