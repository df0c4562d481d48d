"""Networks as rows of reals, and the kernel that runs them: layers of rectified sums."""

import numpy as np

from tamaya.engine.jit import kernel

LAYERS, FIRST_SIZE = range(2)
"""A network as a row: the number of layers, their sizes from the inputs on, then the biases and weights of each.

The weights of hidden layers stand input by input, so that the loop over the neurons runs on vectors; those of the
outputs stand output by output.
"""

VECTOR = 16
"""Hidden layers are filled up to a multiple of this by neurons that are always 0, for loops without a remainder."""


def pack_network(biases: list[np.ndarray], weights: list[np.ndarray]) -> np.ndarray:
    """A network as a row; of each layer the biases, and the weights [output, input]."""
    sizes, blocks = [weights[0].shape[1]], []
    for bias, weight in zip(biases[:-1], weights[:-1], strict=True):
        room = -len(bias) % VECTOR
        filled = np.pad(weight, ((0, room), (0, sizes[-1] - weight.shape[1])))
        blocks += [np.pad(bias, (0, room)), filled.T.ravel()]
        sizes.append(len(filled))
    last = np.pad(weights[-1], ((0, 0), (0, sizes[-1] - weights[-1].shape[1])))
    return np.concatenate([[len(biases)], sizes, [len(last)], *blocks, biases[-1], last.ravel()]).astype(np.float64)


@kernel
def new_room(network):
    """Room for the sums of two layers."""
    widest = 0
    for layer in range(int(network[LAYERS]) + 1):
        widest = max(widest, int(network[FIRST_SIZE + layer]))
    return np.empty((2, widest))


@kernel
def add_input(sums, block, number, value):
    """Adds what an input contributes to the sums of a hidden layer.

    The row of weights is sliced, so that the index is never negative and the loop runs on vectors.
    """
    weights = block[(number + 1) * len(sums) : (number + 2) * len(sums)]
    for index in range(len(sums)):
        sums[index] += value * weights[index]


@kernel
def fill_layer(sums, block, values):
    """Writes the sums of a hidden layer; the block holds its biases and then its weights, input by input.

    No input is left out, not even a 0: that would keep the loop from running on vectors, and takes four times as long.
    """
    for index in range(len(sums)):
        sums[index] = block[index]
    for number in range(len(values)):
        add_input(sums, block, number, values[number])


@kernel
def rectify(sums):
    """Replaces what is negative by 0."""
    for index in range(len(sums)):
        sums[index] = max(0.0, sums[index])


@kernel
def fill_outputs(sums, block, values):
    """Writes the sums of the outputs; the block holds their biases and then their weights, output by output."""
    size = len(values)
    for output in range(len(sums)):
        total, first = block[output], len(sums) + output * size
        weights = block[first : first + size]
        for index in range(size):
            total += weights[index] * values[index]
        sums[output] = total


@kernel
def input_count(network):
    """How many inputs a network has."""
    return int(network[FIRST_SIZE])


@kernel
def first_block(network):
    """The biases and weights of the first hidden layer."""
    at, size = FIRST_SIZE + int(network[LAYERS]) + 1, int(network[FIRST_SIZE + 1])
    return network[at : at + size * (input_count(network) + 1)]


@kernel
def first_sums(network, inputs):
    """The sums of the first hidden layer, before they are rectified."""
    sums = np.empty(int(network[FIRST_SIZE + 1]))
    fill_layer(sums, first_block(network), inputs)
    return sums


@kernel
def run_further_layers(network, room):
    """The outputs of a network whose first hidden layer is in the room; the outputs are plain sums."""
    layers, size = int(network[LAYERS]), int(network[FIRST_SIZE + 1])
    at, values = FIRST_SIZE + layers + 1 + size * (input_count(network) + 1), room[0][:size]
    rectify(values)
    for layer in range(1, layers):
        above = int(network[FIRST_SIZE + layer + 1])
        sums, end = room[layer % 2][:above], at + above * (size + 1)
        if layer < layers - 1:
            fill_layer(sums, network[at:end], values)
            rectify(sums)
        else:
            fill_outputs(sums, network[at:end], values)
        values, at, size = sums, end, above
    return values


@kernel
def run_network(network, inputs, room):
    """The outputs of a network, which lie in the room."""
    fill_layer(room[0][: int(network[FIRST_SIZE + 1])], first_block(network), inputs[: input_count(network)])
    return run_further_layers(network, room)


@kernel
def run_changed(network, known, before, inputs, room):
    """The outputs for inputs few of which differ from those before, whose sums of the first layer are known."""
    sums, block = room[0][: len(known)], first_block(network)
    for index in range(len(known)):
        sums[index] = known[index]
    for number in range(len(before)):
        if inputs[number] != before[number]:
            add_input(sums, block, number, inputs[number] - before[number])
    return run_further_layers(network, room)
