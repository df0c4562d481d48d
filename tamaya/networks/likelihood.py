"""Who made a move: Goodman's network that says how likely it was each policy of a pool."""

import math

import numpy as np

from tamaya.engine.jit import kernel
from tamaya.engine.moves import DISCARD, TELL
from tamaya.engine.table import TABLE
from tamaya.networks.dense_layers import new_room, run_network
from tamaya.networks.evalfn import FEATURE_COUNT, SETTINGS, fire_rule, network_of, rule_count
from tamaya.networks.inputs.goodman_features import write_move, write_state
from tamaya.networks.json_weights import Network
from tamaya.policies.rules.rule_syntax import RULE_SETS, encode, parse_rules

RULES = np.array([*[0.0] * SETTINGS, *encode(parse_rules(RULE_SETS["goodman"][1]), 0.0)])
"""The rules that may propose the move, as params of a learned agent."""


def likelihood_params(network: Network) -> np.ndarray:
    """The rules and the network, as kernels read them."""
    return np.concatenate([RULES, network.pack()])


@kernel
def write_inputs(inputs, views, move, params, rng):
    """Writes what the mover knows of its move: which rules propose it, its kind, its features in both readings."""
    view, place = views[0], rule_count(params)
    for index in range(place):
        inputs[index] = fire_rule(view, params, index, rng) == move
    inputs[place], inputs[place + 1] = move < DISCARD, DISCARD <= move < TELL
    state, after = np.empty(FEATURE_COUNT), np.empty(1, TABLE)
    for convention in range(2):
        first = place + 2 + (1 - convention) * FEATURE_COUNT
        write_state(state, view, convention != 0)
        write_move(inputs[first : first + FEATURE_COUNT], state, after, view, move, convention != 0)


@kernel
def write_policy_chances(chances, inputs, params):
    """Writes how likely it is, by what is known of a move, that each policy of the pool made it: a softmax."""
    network = network_of(params)
    sums, total = run_network(network, inputs, new_room(network)), 0.0
    highest = sums.max()
    for index in range(len(sums)):
        chances[index] = math.exp(sums[index] - highest)
        total += chances[index]
    for index in range(len(sums)):
        chances[index] /= total
