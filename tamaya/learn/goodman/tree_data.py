"""Rows of training data from the trees of a search: the features of moves, and what the search found them worth."""

from typing import Any, NamedTuple

import numpy as np

from tamaya.engine.cards import contains
from tamaya.engine.gameplay import apply, deal_seeded, is_legal, is_over
from tamaya.engine.jit import copy_items, kernel, record
from tamaya.engine.knowledge import look
from tamaya.engine.moves import MOVES, NO_MOVE
from tamaya.engine.randomness import derive_seed, lots_of
from tamaya.engine.table import TABLE
from tamaya.networks.evalfn import fire_rule, rule_count, write_state_only
from tamaya.networks.inputs.goodman_features import STATE_FEATURES
from tamaya.networks.inputs.sight_features import SIGHT_FEATURES, write_move_seen, write_state_seen
from tamaya.search.compare.flat import compare_all
from tamaya.search.determinization import facts_in_memory, moves_considered, sample_world
from tamaya.search.plan import plan_of
from tamaya.search.tree.nodes import NO_NODE, ROOT, new_tree
from tamaya.search.tree.tree_search import look_and_trust, search_tree, step

ROW = record(
    features=("f4", len(SIGHT_FEATURES)),
    value="f4",  # the mean of the node, as a share of all points
    score="f4",  # the points on the table before the move, likewise
    visits="i4",
    game="i4",
    turn="i2",  # of the game at the root
    depth="i1",  # moves between the root and the position, 0 at the root
    players="i1",
)
"""A move in a position that a search explored."""

CHOICE = record(features=("f4", len(STATE_FEATURES)), rules="i4", game="i4")
"""A position that was met, and the rules that propose the move that the search made there, as a mask."""

DEEPEST = 12
"""As published, positions further from the root give no rows."""


class Walk(NamedTuple):
    """A way down a tree: for each depth a world, what the seat to move there knows, and the child to look at next."""

    worlds: Any
    decks: Any
    views: Any
    states: Any
    moves: Any
    """Those that the search considers there, as a mask."""
    children: Any


@kernel
def new_walk(start):
    """A way that has not begun."""
    room = DEEPEST + 1
    return Walk(
        np.empty(room, TABLE),
        np.empty((room, len(start.deck)), np.int8),
        np.empty(room, TABLE),
        np.empty((room, len(SIGHT_FEATURES))),
        np.zeros(room, np.int64),
        np.full(room, NO_NODE),
    )


@kernel
def arrive(walk, depth, node, rollout, rng):
    """Begins with the moves of a node, whose view is known."""
    plan = plan_of(rollout.params)
    write_state_seen(walk.states[depth], walk.views[depth], plan.convention != 0)
    walk.moves[depth] = moves_considered(walk.views[depth], plan, rng)
    walk.children[depth] = node.first


@kernel
def go_on(walk, depth, move, rollout, rng):
    """Makes a move in the world of a depth, which gives the world of the next one; whether the game goes on there.

    In a search that deals the hands of other players anew, that is done here too.
    """
    worlds, views = walk.worlds[depth + 1 : depth + 2], walk.views[depth + 1 : depth + 2]
    deck = walk.decks[depth + 1]
    worlds[0] = walk.worlds[depth]
    copy_items(deck, walk.decks[depth])
    views[0] = walk.views[depth]
    step(views, worlds, deck, rollout, depth > 0 and plan_of(rollout.params).redeals > 0, move, rng)
    if is_over(worlds[0]):
        return False
    look_and_trust(views, worlds, rollout)
    return True


@kernel
def write_training_row(row, walk, depth, node, rollout):
    """Writes what a search found out about a move."""
    view, features, after = walk.views[depth], np.empty(len(SIGHT_FEATURES)), np.empty(1, TABLE)
    write_move_seen(features, walk.states[depth], after, view, node.move, plan_of(rollout.params).convention != 0)
    copy_items(row.features, features)
    row.value, row.visits = node.total / node.visits, node.visits
    row.score = view.score / (view.suits * view.ranks)
    row.turn, row.depth, row.players = walk.views[0].turn, depth, view.players


@kernel
def gather_rows(rows, tree, start, rollout, fewest, deepest, rng):
    """Walks through a tree and writes a row for every move that was visited often enough; the number of rows.

    At the root every move gives a row. Below it, positions are those of one sampled world for each move of the root,
    and moves that are not considered there give none.
    """
    nodes, walk, depth, count = tree[0], new_walk(start), 0, 0
    walk.views[0] = start.believed[0]
    arrive(walk, 0, nodes[ROOT], rollout, rng)
    while depth >= 0 and count < len(rows):
        child = walk.children[depth]
        if child == NO_NODE:
            depth -= 1
            continue
        node = nodes[child]
        walk.children[depth] = node.next
        is_considered = depth == 0 or contains(walk.moves[depth], node.move)
        if not is_considered or (depth > 0 and node.visits < fewest):
            continue
        write_training_row(rows[count], walk, depth, node, rollout)
        count += 1
        if depth == deepest or node.visits < fewest:
            continue
        if depth == 0:
            sample_world(walk.worlds, walk.decks[0], start, rollout, rng)
        if go_on(walk, depth, node.move, rollout, rng):
            depth += 1
            arrive(walk, depth, node, rollout, rng)
    return count


@kernel
def gather_thoughts(rows, facts, start, rollout, rng):
    """Writes a row for every move that was compared in the same deals; the number of rows."""
    tree, walk, count = new_tree(2), new_walk(start), 0
    node = tree[0][ROOT]
    walk.views[0] = start.believed[0]
    arrive(walk, 0, node, rollout, rng)
    for move in range(MOVES):
        thought = facts.thoughts[move]
        if thought.visits > 0:
            node.move, node.visits, node.total = move, thought.visits, thought.total
            write_training_row(rows[count], walk, 0, node, rollout)
            count += 1
    return count


@kernel
def note_choice(choice, view, move, rules, rng):
    """Writes down which rules propose a move."""
    features, mask = np.empty(len(STATE_FEATURES)), 0
    write_state_only(features, view)
    copy_items(choice.features, features)
    for index in range(rule_count(rules)):
        mask |= int(fire_rule(view, rules, index, rng) == move) << index
    choice.rules = mask


class Desk(NamedTuple):
    """What a search needs to play and to write down what it found."""

    params: Any
    memory: Any
    fewest: Any
    """Visits of a move below the root that gives a row."""
    deepest: Any
    rules: Any
    """The rules of a classifier, as params."""
    rows: Any
    choices: Any


@kernel
def decide_and_gather(views, desk, rng):
    """Searches for a move as the agent does, and writes rows from its tree; the move, and the number of rows."""
    if plan_of(desk.params).deals > 0:
        move, rollout, start = compare_all(views[0], desk.memory, desk.params, rng)
        if move <= NO_MOVE:
            return move, 0
        note_choice(desk.choices[0], views[0], move, desk.rules, rng)
        return move, gather_thoughts(desk.rows, facts_in_memory(desk.memory), start, rollout, rng)
    move, tree, rollout, start = search_tree(views[0], desk.memory, desk.params, rng)
    if move <= NO_MOVE:
        return move, 0
    note_choice(desk.choices[0], views[0], move, desk.rules, rng)
    return move, gather_rows(desk.rows, tree, start, rollout, desk.fewest, desk.deepest, rng)


@kernel
def take_turn(tables, deck, seed, desk):
    """Makes the move of a game that a match of its seed would make too; the number of rows, or -1 if there is none."""
    views, rng = np.empty(1, TABLE), np.empty(1, np.uint64)
    if tables[0].drawn == 0:
        deal_seeded(tables[0], deck, seed)
    look(views, tables, tables[0].seat)
    rng[0] = derive_seed(lots_of(seed), tables[0].turn)
    move, count = decide_and_gather(views, desk, rng)
    if not is_legal(tables[0], move):
        return -1
    apply(tables[0], deck, move)
    return count
