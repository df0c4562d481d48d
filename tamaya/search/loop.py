"""The loop of every search: sample a world, descend, expand, roll out, back up."""

import numpy as np

from tamaya.engine import MAX_MOVES, is_legal, is_over, legal_moves, remove_copy
from tamaya.jit import kernel, nanoseconds
from tamaya.knowledge import hand_count, look
from tamaya.moves import FAULT, MOVES, NO_MOVE
from tamaya.search.crew import ask, move_on, recruit
from tamaya.search.flat import compare_moves
from tamaya.search.plan import (
    BY_VALUE,
    DEALS,
    DEVIATES,
    EXPLORATION,
    ITERATIONS,
    MILLISECONDS,
    MODELS,
    NO_OWN_CARDS,
    PROPOSALS,
    PUBLISHED,
    REDEALS,
    TREE_DEPTH,
)
from tamaya.search.sampling import believe_all, choices, finish, is_time_left, lay_out, sample_world
from tamaya.search.tree import (
    MOST_NODES,
    NO_NODE,
    ROOT,
    add_child,
    any_move,
    back_up,
    best_child,
    child_of,
    count_available,
    is_full,
    new_tree,
)
from tamaya.table import TABLE
from tamaya.worlds import pack_hand, redeal, restore

NODES_PER_MS = 2000


@kernel
def ignore_hand(view, world):
    """Counts the mover's own cards as seen, as the published MO-ISMCTS does while it evaluates rules."""
    for slot in range(hand_count(world, world.seat)):
        remove_copy(view.unseen, world.hands[world.seat, slot])


@kernel
def find_child(tree, parent, move):
    """The child of a move, added if it is not there and the tree has room."""
    child = child_of(tree[0], parent, move)
    return add_child(tree, parent, move) if child == NO_NODE and not is_full(tree) else child


@kernel
def chosen_child(tree, parent, moves, exploration, rng):
    """A new child for one of the moves that have none, or the best of those there are."""
    nodes = tree[0]
    untried = moves & ~nodes[parent].tried
    count_available(nodes, parent, moves)
    if untried and not is_full(tree):
        return add_child(tree, parent, any_move(untried, rng))
    return best_child(nodes, parent, moves, exploration, rng)


@kernel
def next_child(tree, parent, table, crew, root, rng):
    """The child to go to, where the seat to move is searched or predicted; none if there is no move."""
    views, worlds, _ = table
    params, world = crew.params, worlds[0]
    is_other = world.seat != root
    if (is_other and params[MODELS]) or params[PUBLISHED] == PROPOSALS:
        if params[PUBLISHED] == PROPOSALS and not legal_moves(world) & ~tree[0][parent].tried:
            return chosen_child(tree, parent, legal_moves(world), params[EXPLORATION], rng)
        move = ask(views, worlds, crew, rng)
        return find_child(tree, parent, move) if is_legal(world, move) else NO_NODE
    if params[PUBLISHED] == NO_OWN_CARDS:
        ignore_hand(views[0], world)
    return chosen_child(tree, parent, choices(views[0], params, rng), params[EXPLORATION], rng)


@kernel
def redeal_other(views, worlds, deck, rng):
    """Deals the seat to move a new hand from its own point of view; without the convention where that allows none."""
    if not redeal(worlds[0], deck, views[0], rng):
        look(views, worlds, worlds[0].seat)
        redeal(worlds[0], deck, views[0], rng)


@kernel
def descend(tree, path, table, crew, rng):
    """Walks down the tree, making its moves in a world, until it has added a node; the depth reached."""
    views, worlds, deck = table
    params, world, root = crew.params, worlds[0], worlds[0].seat
    depth, size = 0, tree[1][0]
    while depth < len(path) - 1 and tree[1][0] == size and not is_over(world):
        seat, hand = world.seat, np.int64(0)
        look(views, worlds, seat)
        believe_all(views[0], crew, crew.memory)
        child = next_child(tree, path[depth], table, crew, root, rng)
        if child == NO_NODE:
            break
        depth += 1
        path[depth] = child
        is_dealt_anew = params[REDEALS] and seat != root
        if is_dealt_anew:
            hand = pack_hand(world, seat)
            redeal_other(views, worlds, deck, rng)
        move = tree[0][child].move
        if crew.watching:
            look(views, worlds, seat)
        move_on(views, worlds, deck, crew, move, rng)
        if is_dealt_anew:
            restore(world, deck, seat, hand, move, rng)
    return depth


@kernel
def grow_tree(tree, table, start, crew, facts, rng):
    """Searches for a budget; fills the tree and the facts."""
    params, root = crew.params, start.worlds[0].seat
    deepest = int(min(start.worlds[0].players * params[TREE_DEPTH], MAX_MOVES))
    path = np.zeros(deepest + 2, np.int64)
    begin = nanoseconds()
    while is_time_left(params, facts.iterations, params[ITERATIONS], begin) and not facts.fault:
        sample_world(table[1], table[2], start, crew, rng)
        depth = descend(tree, path, table, crew, rng)
        back_up(tree[0], path, depth, finish(table, crew, root, facts, rng))
        facts.iterations += 1
        facts.depth = max(facts.depth, depth)
    facts.nanoseconds = nanoseconds() - begin


@kernel
def tree_room(params):
    """How many nodes a search may need."""
    wanted = params[MILLISECONDS] * NODES_PER_MS if params[MILLISECONDS] > 0 else params[ITERATIONS]
    return int(min(wanted + 2, MOST_NODES))


@kernel
def gather(thoughts, nodes):
    """What a tree says of the moves at its root."""
    child = nodes[ROOT].first
    while child != NO_NODE:
        node = nodes[child]
        thoughts[node.move].visits = node.visits
        thoughts[node.move].total = node.total
        thoughts[node.move].squares = node.squares
        child = node.next


@kernel
def final_move(thoughts, params):
    """The move with most visits, or with the best mean if so set; the other one breaks ties."""
    best, highest = NO_MOVE, (-1.0, -1.0)
    for move in range(MOVES):
        thought = thoughts[move]
        if thought.visits > 0:
            mean, visits = thought.total / thought.visits, float(thought.visits)
            key = (mean, visits) if params[BY_VALUE] else (visits, mean)
            if key > highest:
                best, highest = move, key
    return best


@kernel
def think(views, deck, memory, params, rng, thoughts, facts):
    """The move of a search for a view, with what it thought of all moves and what it did.

    The deck is looked at only by a search that sees it. Where rules propose nothing, any legal move is made.
    """
    crew = recruit(views[0], memory, params)
    start = lay_out(views, deck, crew)
    table = (views.copy(), np.empty(1, TABLE), np.empty_like(start.deck))
    fallback = any_move(legal_moves(views[0]), rng)
    move = NO_MOVE
    if params[DEALS]:
        move = compare_moves(thoughts, table, start, crew, facts[0], rng)
    else:
        tree = new_tree(tree_room(params))
        grow_tree(tree, table, start, crew, facts[0], rng)
        gather(thoughts, tree[0])
    if facts[0].fault:
        return FAULT - facts[0].fault
    if params[DEVIATES]:
        return move
    move = final_move(thoughts, params)
    return fallback if move == NO_MOVE else move
