"""Networks as rows of reals, and the kernel that runs them: layers of rectified sums."""

import numpy as np

from tamaya.jit import kernel

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
def fill_layer(sums, block, values):
    """Writes the rectified sums of a hidden layer; the block holds its biases and then its weights, input by input.

    Rows of weights are sliced, so that the inner index is never negative, and no input is left out, not even a 0:
    either would keep the loop from running on vectors, and takes four times as long.
    """
    size = len(sums)
    for index in range(size):
        sums[index] = block[index]
    for number in range(len(values)):
        value, weights = values[number], block[(number + 1) * size : (number + 2) * size]
        for index in range(size):
            sums[index] += value * weights[index]
    for index in range(size):
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
def run_network(network, inputs, room):
    """The outputs of a network, which lie in the room; hidden layers are rectified, the outputs are plain sums."""
    layers, size = int(network[LAYERS]), int(network[FIRST_SIZE])
    at, values = FIRST_SIZE + layers + 1, inputs[:size]
    for layer in range(layers):
        above = int(network[FIRST_SIZE + layer + 1])
        sums, end = room[layer % 2][:above], at + above * (size + 1)
        if layer < layers - 1:
            fill_layer(sums, network[at:end], values)
        else:
            fill_outputs(sums, network[at:end], values)
        values, at, size = sums, end, above
    return values
