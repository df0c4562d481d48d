"""Towers: networks whose layers are normalised, rectified and added to the layer below; their inputs are bytes.

The weights are a block for each layer: biases, weights input by input, scales, shifts; the last layer is plain sums.
"""

import math

import numpy as np

from tamaya.evaluation.archives import Arrays
from tamaya.evaluation.insight import WHOLE
from tamaya.evaluation.sparse import fill_sums, list_positive, pack_layer
from tamaya.jit import kernel

EPSILON = 1e-5
"""Keeps sums that are all the same from being blown up."""


def pack_tower(layers: Arrays, norms: Arrays) -> np.ndarray:
    """A tower as a row of 32-bit numbers; the bytes of the inputs become shares in its first layer."""
    blocks = []
    for number, (biases, weights) in enumerate(layers):
        blocks.append(pack_layer(biases, weights / WHOLE if number == 0 else weights))
        blocks += [np.concatenate(norms[number])] if number < len(norms) else []
    return np.concatenate(blocks).astype(np.float32)


@kernel
def list_bytes(active, values, row):
    """Writes the numbers of the inputs that are not 0, and these; returns how many there are."""
    count = 0
    for place in range(len(row)):
        active[count], values[count] = place, row[place]
        count += row[place] != 0
    return count


@kernel
def normalise(sums, norms):
    """Brings sums to a mean of 0 and a deviation of 1, then scales and shifts them, and rectifies the result."""
    size, total, squares = len(sums), 0.0, 0.0
    for index in range(size):
        total += sums[index]
    mean = total / size
    for index in range(size):
        squares += (sums[index] - mean) ** 2
    factor, middle = np.float32(1.0 / math.sqrt(squares / size + EPSILON)), np.float32(mean)
    scales, shifts = norms[:size], norms[size:]
    for index in range(size):
        sums[index] = max(np.float32(0.0), (sums[index] - middle) * factor * scales[index] + shifts[index])


@kernel
def run_tower(weights, sizes, layers, row):
    """The outputs of a tower for a row of bytes; ``sizes`` are those of the inputs and of all layers."""
    widest, hidden = sizes[0], layers - 1
    for layer in range(layers):
        widest = max(widest, sizes[layer + 1])
    active, values = np.empty(widest + 1, np.int64), np.empty(widest + 1, np.float32)
    sums, stream = np.empty(widest, np.float32), np.zeros(widest, np.float32)
    count, at = list_bytes(active, values, row), 0
    for layer in range(hidden):
        below, size = sizes[layer], sizes[layer + 1]
        end = at + (below + 1) * size
        fill_sums(sums[:size], weights[at:end], active, values, count)
        normalise(sums[:size], weights[end : end + 2 * size])
        is_added = layer > 0 and below == size
        for index in range(size):
            stream[index] = stream[index] + sums[index] if is_added else sums[index]
        count, at = list_positive(active, values, stream[:size]), end + 2 * size
    fill_sums(sums[: sizes[layers]], weights[at:], active, values, count)
    return sums[: sizes[layers]]
