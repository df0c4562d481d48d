"""Towers: networks whose layers are normalised, rectified and added to the layer below; their inputs are bytes.

The weights are a block for each layer: biases, weights input by input, scales, shifts; the last layer is plain sums.
"""

import math

import numpy as np

from tamaya.engine.jit import LANES, ROWS, copy_items, fill_tile, kernel
from tamaya.networks.inputs.policy_inputs import WHOLE
from tamaya.networks.npz_weights import Arrays
from tamaya.networks.sparse_layers import fill_sums, list_positive, pack_layer

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
def sum_lanes(values, middle, power):
    """The sum of values, less their middle, or of the squares, in lanes that are added at the end: on vectors."""
    lanes = np.zeros(LANES, np.float32)
    for first in range(0, len(values), LANES):
        part = values[first : first + LANES]
        for lane in range(LANES):
            gap = part[lane] - middle
            lanes[lane] += gap * gap if power == 2 else gap
    total = np.float32(0.0)
    for lane in range(LANES):
        total += lanes[lane]
    return total


@kernel
def normalise(sums, norms):
    """Brings sums to a mean of 0 and a deviation of 1, then scales and shifts them, and rectifies the result."""
    size = len(sums)
    middle = sum_lanes(sums, np.float32(0.0), 1) / np.float32(size)
    factor = np.float32(1.0 / math.sqrt(sum_lanes(sums, middle, 2) / np.float32(size) + EPSILON))
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


@kernel
def mix_rows(mixed, places, rows, first, below):
    """Writes the inputs that are not 0 in all of some rows, ROWS values at a time; returns how many there are."""
    count = 0
    for place in range(below):
        is_active = False
        for row in range(ROWS):
            value = rows[first + row, place]
            mixed[ROWS * count + row] = value
            is_active = is_active or value != 0
        places[count] = place
        count += is_active
    return count


@kernel
def fill_tower_layer(sums, rows, below, weights, size):
    """Writes the sums of a layer for many rows."""
    groups = len(rows) // ROWS
    mixed, places = np.empty((groups, ROWS * (below + 1)), np.float32), np.empty((groups, below + 1), np.int64)
    counts = np.empty(groups, np.int64)
    for group in range(groups):
        counts[group] = mix_rows(mixed[group], places[group], rows, group * ROWS, below)
    for column in range(0, size, LANES):
        for group in range(groups):
            fill_tile(sums[group], mixed[group], places[group], counts[group], weights, size, column)


@kernel
def run_towers(outputs, weights, sizes, layers, inputs):
    """Writes the outputs of a tower for many rows of bytes."""
    count, widest = len(inputs), sizes[0]
    for layer in range(layers):
        widest = max(widest, sizes[layer + 1])
    groups = (count + ROWS - 1) // ROWS
    stream, sums = np.zeros((groups * ROWS, widest), np.float32), np.empty((groups, ROWS * widest), np.float32)
    for row in range(count):
        for place in range(sizes[0]):
            stream[row, place] = inputs[row, place]
    at = 0
    for layer in range(layers):
        below, size = sizes[layer], sizes[layer + 1]
        end = at + (below + 1) * size
        fill_tower_layer(sums, stream, below, weights[at:end], size)
        at = end + 2 * size
        is_added = layer > 0 and below == size
        for row in range(count):
            found = sums[row // ROWS, row % ROWS * size : (row % ROWS + 1) * size]
            if layer + 1 == layers:
                copy_items(outputs[row], found)
                continue
            normalise(found, weights[end : end + 2 * size])
            for index in range(size):
                stream[row, index] = stream[row, index] + found[index] if is_added else found[index]
