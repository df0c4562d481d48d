"""Learned agents that do not search: the best of the moves that rules propose, or the rule that fits best."""

import math
from collections.abc import Sequence

import numpy as np

from tamaya.engine.cards import bit, contains
from tamaya.engine.gameplay import legal_moves
from tamaya.engine.jit import kernel
from tamaya.engine.knowledge import look
from tamaya.engine.moves import MOVES, NO_MOVE
from tamaya.engine.table import TABLE
from tamaya.engine.worlds import trust_playable_now
from tamaya.networks.dense_layers import first_sums, input_count, new_room, run_changed, run_network
from tamaya.networks.inputs.goodman_features import FEATURES, FIRST_OF_MOVE, STATE_FEATURES, write_state
from tamaya.networks.inputs.sight_features import write_move_seen, write_state_seen
from tamaya.networks.json_weights import weights_of
from tamaya.policies.contract import policy
from tamaya.policies.rules.catalogue import FIRST_LINE, LINE_LENGTH, LINES, fire, line_at
from tamaya.policies.rules.mixed import LegalRandom
from tamaya.policies.rules.rule_syntax import RULE_SETS, encode, parse_rules

GENERATION, CONVENTION, SETTINGS = range(3)
"""The params of a learned agent: its settings, the list of its rules, its network."""

FEATURE_COUNT, STATE_COUNT = len(FEATURES), len(STATE_FEATURES)


def load_evalfn(settings: Sequence[float], file: str) -> np.ndarray:
    """The rules, with those of the convention or without, and the network of an evaluation function."""
    rules = encode(parse_rules(RULE_SETS["goodman"][settings[CONVENTION] != 0]), 0.0)
    return np.concatenate([rules, weights_of("evalfn", settings[GENERATION], file).pack()])


def load_classifier(settings: Sequence[float], file: str) -> np.ndarray:
    """The rules and the network of a classifier, which knows no convention."""
    rules = encode(parse_rules(RULE_SETS["goodman"][0]), 0.0)
    return np.concatenate([[0.0], rules, weights_of("rule-classifier", settings[GENERATION], file).pack()])


@kernel
def rule_count(params):
    """How many rules an agent has."""
    return int(params[SETTINGS + LINES])


@kernel
def network_of(params):
    """The network of an agent."""
    return params[SETTINGS + FIRST_LINE + rule_count(params) * LINE_LENGTH :]


@kernel
def fire_rule(view, params, index, rng):
    """The move that a rule of an agent proposes, or NO_MOVE."""
    line = line_at(params, SETTINGS + FIRST_LINE + index * LINE_LENGTH)
    return fire(int(line.rule), view, line.first, line.second, line.third, rng)


@kernel
def proposed_moves(view, params, rng):
    """The legal moves that the rules of an agent propose, as a mask; all legal ones where they propose none."""
    moves, legal = np.int64(0), legal_moves(view)
    for index in range(rule_count(params)):
        move = fire_rule(view, params, index, rng)
        if move != NO_MOVE:
            moves |= bit(move)
    return moves & legal if moves & legal else legal


@kernel
def appraise(view, moves, values, params):
    """Writes what each move of a mask is worth, from 0 to 1: the points on the table and those to come."""
    network, convention = network_of(params), params[CONVENTION] != 0
    state, features, after = np.empty(input_count(network)), np.empty(input_count(network)), np.empty(1, TABLE)
    room, share = new_room(network), view.score / (view.suits * view.ranks)
    write_state_seen(state, view, convention)
    sums = first_sums(network, state)
    for move in range(MOVES):
        if contains(moves, move):
            write_move_seen(features, state, after, view, move, convention)
            values[move] = share + max(0.0, math.tanh(run_changed(network, sums, state, features, room)[0]))
    return 0


@kernel
def best_proposed_move(values, moves):
    """The move of a mask with the highest value."""
    best = NO_MOVE
    for move in range(MOVES):
        if contains(moves, move) and (best == NO_MOVE or values[move] > values[best]):
            best = move
    return best


@kernel
def choose_best(view, values, params, rng):
    """The move that an evaluation function prefers; fills in what it thinks of the moves considered."""
    if params[CONVENTION] != 0:
        trust_playable_now(view)
    moves = proposed_moves(view, params, rng)
    appraise(view, moves, values, params)
    return best_proposed_move(values, moves)


@kernel
def highest_value(views, params, rng):
    """What the preferred move is worth; takes an array, because a record does not keep its memory from reuse."""
    values = np.zeros(MOVES)
    return values[choose_best(views[0], values, params, rng)]


@kernel
def evaluate(world, params):
    """What a position is worth to the seat to move, which does not look at its own hand."""
    worlds, views = np.empty(1, TABLE), np.empty(1, TABLE)
    worlds[0] = world
    look(views, worlds, world.seat)
    return highest_value(views, params, np.zeros(1, np.uint64))


@policy(evaluates=evaluate, appraises=appraise, weights=load_evalfn, generation=4, convention=True)
def evalfn(view, memory, params, rng):
    """Values the moves that rules propose by a network that learned from searches, and makes the best one."""
    return choose_best(view, np.zeros(MOVES), params, rng)


@kernel
def write_state_only(features, view):
    """Writes the features that do not depend on the move, without gaps and conventions."""
    every = np.empty(FEATURE_COUNT)
    write_state(every, view, False)
    for index in range(STATE_COUNT):
        features[index] = every[index if index < FIRST_OF_MOVE else index + FEATURE_COUNT - STATE_COUNT]


@policy(weights=load_classifier, generation=1)
def rule_classifier(view, memory, params, rng):
    """Follows the rule that a network, which learned from searches, expects in such a state."""
    features, network, legal = np.empty(STATE_COUNT), network_of(params), legal_moves(view)
    write_state_only(features, view)
    outputs = run_network(network, features, new_room(network))
    best, highest = NO_MOVE, -np.inf
    for index in range(rule_count(params)):
        move = fire_rule(view, params, index, rng)
        if move != NO_MOVE and contains(legal, move) and outputs[index] > highest:
            best, highest = move, outputs[index]
    return LegalRandom(view, rng) if best == NO_MOVE else best
