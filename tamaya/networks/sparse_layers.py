"""Large networks whose inputs are bits: layers of rectified sums that read the weights of active inputs only."""

import numpy as np

from tamaya.engine.jit import kernel
from tamaya.engine.jit.tiles import LANES

VECTOR = LANES
"""Layers are filled up to a multiple of this by neurons that are always 0, for loops without a remainder."""

AT_ONCE = 4
"""How many inputs are added at a time: the sums are then read and written a quarter as often."""


def filled_size(size: int) -> int:
    """The size of a layer that is filled up."""
    return size + -size % VECTOR


def pack_layer(biases: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """A layer as a row: its biases, then the weights input by input; they are given as [output, input]."""
    room = -len(biases) % VECTOR
    rows = np.vstack([biases, weights.T]).astype(np.float32)
    return np.pad(rows, ((0, 0), (0, room))).ravel()


@kernel
def list_bits(active, words):
    """Writes the numbers of the bits that are set in a row of words; returns how many there are."""
    count = 0
    for place in range(len(active)):
        active[count] = place
        count += (words[place >> 6] >> np.int64(place & 63)) & 1
    return count


@kernel
def list_positive(active, values, sums):
    """Writes the numbers of the neurons whose sums are positive, and these sums; returns how many there are."""
    count = 0
    for index in range(len(sums)):
        active[count], values[count] = index, sums[index]
        count += sums[index] > 0
    return count


@kernel
def row_of(block, size, number):
    """The weights of an input; a slice, so that the index is never negative and loops over it run on vectors."""
    return block[(number + 1) * size : (number + 2) * size]


@kernel
def add_one(sums, block, number, value):
    """Adds what an input contributes to the sums of a layer."""
    weights = row_of(block, len(sums), number)
    for index in range(len(sums)):
        sums[index] += value * weights[index]


@kernel
def add_four(sums, block, numbers, values):
    """Adds what four inputs contribute to the sums of a layer."""
    size = len(sums)
    first, second = row_of(block, size, numbers[0]), row_of(block, size, numbers[1])
    third, fourth = row_of(block, size, numbers[2]), row_of(block, size, numbers[3])
    one, two, three, four = values[0], values[1], values[2], values[3]
    for index in range(size):
        total = one * first[index] + two * second[index] + three * third[index] + four * fourth[index]
        sums[index] += total


@kernel
def fill_sums(sums, block, active, values, count):
    """Writes the sums of a layer for the active inputs; the block holds its biases and then its weights."""
    for index in range(len(sums)):
        sums[index] = block[index]
    rest = count % AT_ONCE
    for place in range(rest):
        add_one(sums, block, active[place], values[place])
    for place in range(rest, count, AT_ONCE):
        add_four(sums, block, active[place : place + AT_ONCE], values[place : place + AT_ONCE])


@kernel
def run_layers(weights, sizes, layers, words):
    """The outputs of a network for inputs that are the bits of some words; the outputs are plain sums.

    ``sizes`` are those of the inputs and of all layers, which are filled up.
    """
    widest = sizes[0]
    for layer in range(layers):
        widest = max(widest, sizes[layer + 1])
    active, values, sums = np.empty(widest, np.int64), np.ones(widest, np.float32), np.empty(widest, np.float32)
    count, at = list_bits(active[: sizes[0]], words), 0
    for layer in range(layers):
        below, size = sizes[layer], sizes[layer + 1]
        end = at + (below + 1) * size
        fill_sums(sums[:size], weights[at:end], active, values, count)
        if layer + 1 < layers:
            count = list_positive(active, values, sums[:size])
        at = end
    return sums[: sizes[layers]]
