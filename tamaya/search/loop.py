"""The loop of every search: sample a world, descend, expand, roll out, back up."""

import numpy as np

from tamaya.engine import is_legal, is_over, legal_moves, remove_copy
from tamaya.jit import kernel, nanoseconds, record
from tamaya.knowledge import hand_count, look
from tamaya.moves import FAULT, MOVES, NO_MOVE
from tamaya.rules.catalogue import HEADER, LINE, fire_line
from tamaya.search.crew import NOBODY, ask, move_on, recruit, roll_out, value_of
from tamaya.search.plan import (
    BY_VALUE,
    CONVENTION,
    DEALS,
    EXPLORATION,
    HAS_RULES,
    ITERATIONS,
    MILLISECONDS,
    MODELS,
    NO_OWN_CARDS,
    PROPOSALS,
    PUBLISHED,
    REDEALS,
    RULES_PART,
    SEES,
    TREE_DEPTH,
    part_at,
)
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
from tamaya.worlds import believe, open_world, pack_hand, redeal, restore

THOUGHT = record(visits="i8", total="f8", squares="f8")
"""What a search thought of a move: how often it was tried, and the sums of values and squares."""

FACTS = record(iterations="i8", depth="i8", nanoseconds="i8", fault="i8")
"""What a search did in a decision; the fault is the seat, the own one being 1, whose policy broke the rules."""

NODES_PER_MS = 2000


@kernel
def rule_moves(view, params, rng):
    """The moves that the rules of the plan propose, as a mask."""
    first = part_at(params, RULES_PART) + 3
    moves = np.int64(0)
    for index in range(int(params[first + 1])):
        move = fire_line(view, params, first + HEADER + index * LINE, rng)
        if move != NO_MOVE:
            moves |= np.int64(1) << np.int64(move)
    return moves & legal_moves(view)


@kernel
def choices(view, params, rng):
    """The moves that a search considers for the seat of a view, as a mask."""
    return rule_moves(view, params, rng) if params[HAS_RULES] else legal_moves(view)


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
    params, world = crew[1], worlds[0]
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
    params, world, root = crew[1], worlds[0], worlds[0].seat
    depth, size = 0, tree[1][0]
    while depth < len(path) - 1 and tree[1][0] == size and not is_over(world):
        seat, hand = world.seat, np.int64(0)
        look(views, worlds, seat)
        if params[CONVENTION]:
            believe(views[0])
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
        move_on(world, deck, move, params, rng)
        if is_dealt_anew:
            restore(world, deck, seat, hand, move, rng)
    return depth


@kernel
def is_time_left(params, done, wanted, start):
    """Whether another round fits into the budget, of time or else of rounds; the first one always does."""
    if done == 0:
        return True
    if params[MILLISECONDS] > 0:
        return nanoseconds() - start < params[MILLISECONDS] * 1e6
    return done < wanted


@kernel
def lay_out(views, deck, params):
    """The world of a view before the hidden cards are dealt, its deck, and the view with and without the convention."""
    worlds, believed = views.copy(), views.copy()
    cards = np.zeros(int(views[0].deck_size), np.int8)
    if params[SEES]:
        cards[:] = deck[: len(cards)]
    else:
        open_world(worlds[0], cards, views[0])
    if params[CONVENTION]:
        believe(believed[0])
    return worlds, cards, believed, views.copy()


@kernel
def sample_world(worlds, deck, start, crew, rng):
    """Deals the hidden cards of the root anew, without the convention where that allows no deal; empties all memory."""
    start_worlds, start_deck, believed, grounded = start
    worlds[0] = start_worlds[0]
    deck[:] = start_deck
    crew[3][:] = 0
    if not crew[1][SEES] and not redeal(worlds[0], deck, believed[0], rng):
        redeal(worlds[0], deck, grounded[0], rng)


@kernel
def finish(table, crew, root, facts, rng):
    """Plays a world to its end by the crew; its value, unless a policy broke the rules, which the facts then tell."""
    views, worlds, deck = table
    breaker = roll_out(views, worlds, deck, crew, rng)
    if breaker != NOBODY:
        facts.fault = 1 + (breaker - root + worlds[0].players) % worlds[0].players
    return value_of(worlds[0], crew)


@kernel
def grow_tree(tree, table, start, crew, facts, rng):
    """Searches for a budget; fills the tree and the facts."""
    params, root = crew[1], start[0][0].seat
    rounds = start[0][0].players * int(params[TREE_DEPTH])
    path = np.zeros(rounds + 2, np.int64)
    begin = nanoseconds()
    while is_time_left(params, facts.iterations, params[ITERATIONS], begin) and not facts.fault:
        sample_world(table[1], table[2], start, crew, rng)
        depth = descend(tree, path, table, crew, rng)
        back_up(tree[0], path, depth, finish(table, crew, root, facts, rng))
        facts.iterations += 1
        facts.depth = max(facts.depth, depth)
    facts.nanoseconds = nanoseconds() - begin


@kernel
def note_deal(thoughts, values, moves, facts):
    """Adds the values of the moves in a deal in which all of them were tried."""
    for move in range(MOVES):
        if (moves >> np.int64(move)) & 1:
            thoughts[move].visits += 1
            thoughts[move].total += values[move]
            thoughts[move].squares += values[move] * values[move]
            facts.iterations += 1


@kernel
def compare_moves(thoughts, table, start, crew, facts, rng):
    """Tries every move in the same sampled deals, each played to its end by the crew."""
    _, worlds, deck = table
    params, root = crew[1], start[0][0].seat
    moves = choices(start[2].copy()[0], params, rng)
    dealt, dealt_deck, values = worlds.copy(), deck.copy(), np.zeros(MOVES)
    begin, deals = nanoseconds(), 0
    while is_time_left(params, deals, params[DEALS], begin) and not facts.fault:
        sample_world(dealt, dealt_deck, start, crew, rng)
        for move in range(MOVES):
            if (moves >> np.int64(move)) & 1 and is_time_left(params, deals, params[DEALS], begin):
                worlds[0] = dealt[0]
                deck[:] = dealt_deck
                crew[3][:] = 0
                move_on(worlds[0], deck, move, params, rng)
                values[move] = finish(table, crew, root, facts, rng)
        if is_time_left(params, deals, params[DEALS], begin):
            note_deal(thoughts, values, moves, facts)
        deals += 1
    facts.depth = 1
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
def think(views, deck, params, rng, thoughts, facts):
    """The move of a search for a view, with what it thought of all moves and what it did.

    The deck is looked at only by a search that sees it. Where rules propose nothing, any legal move is made.
    """
    start, crew = lay_out(views, deck, params), recruit(views[0], params)
    table = (views.copy(), np.empty(1, TABLE), np.empty_like(start[1]))
    fallback = any_move(legal_moves(views[0]), rng)
    if params[DEALS]:
        compare_moves(thoughts, table, start, crew, facts[0], rng)
    else:
        tree = new_tree(tree_room(params))
        grow_tree(tree, table, start, crew, facts[0], rng)
        gather(thoughts, tree[0])
    if facts[0].fault:
        return FAULT - facts[0].fault
    move = final_move(thoughts, params)
    return fallback if move == NO_MOVE else move
