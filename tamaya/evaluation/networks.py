"""Networks as rows of reals, and the kernel that runs them: layers of rectified sums."""

import numpy as np

from tamaya.jit import kernel

LAYERS, FIRST_SIZE = range(2)
"""A network as a row: the number of layers, their sizes from the inputs on, then the biases and weights of each.

Weights stand input by input, so that a loop over the outputs runs on vectors, and an input that is 0 costs nothing.
"""


def pack_network(biases: list[np.ndarray], weights: list[np.ndarray]) -> np.ndarray:
    """A network as a row; of each layer the biases, and the weights [output, input]."""
    sizes = [weights[0].shape[1], *(len(one) for one in biases)]
    blocks = [part for bias, weight in zip(biases, weights, strict=True) for part in (bias, weight.T.ravel())]
    return np.concatenate([[len(biases)], sizes, *blocks]).astype(np.float64)


@kernel
def new_room(network):
    """Room for the sums of two layers."""
    widest = 0
    for layer in range(int(network[LAYERS]) + 1):
        widest = max(widest, int(network[FIRST_SIZE + layer]))
    return np.empty((2, widest))


@kernel
def add_input(sums, network, first, value):
    """Adds an input to the sums of a layer, by its weights from a place of the row on."""
    for index in range(len(sums)):
        sums[index] += value * network[first + index]


@kernel
def rectify(sums):
    """Replaces what is negative by 0."""
    for index in range(len(sums)):
        sums[index] = max(0.0, sums[index])


@kernel
def run_network(network, inputs, room):
    """The outputs of a network, which lie in the room; hidden layers are rectified, the outputs are plain sums."""
    layers, values = int(network[LAYERS]), inputs
    at = FIRST_SIZE + layers + 1
    for layer in range(layers):
        size = int(network[FIRST_SIZE + layer + 1])
        sums = room[layer % 2][:size]
        for index in range(size):
            sums[index] = network[at + index]
        at += size
        for index in range(len(values)):
            if values[index] != 0.0:
                add_input(sums, network, at, values[index])
            at += size
        if layer < layers - 1:
            rectify(sums)
        values = sums
    return values
