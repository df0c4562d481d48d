"""Random numbers: splitmix64, one word of state, the same on every machine."""

import numpy as np

from tamaya.engine.jit import array_of, kernel, wrapping_kernel

GAMMA = np.uint64(0x9E3779B97F4A7C15)
RNG = array_of("u8")
"""The type of a random state in signatures: an array of one word."""

DEAL_STREAM, LOTS_STREAM = -1, 1 << 20
"""The streams of a game's seed: one shuffles its deck, the other starts its agents' random choices."""


@wrapping_kernel
def scramble(word):
    """The finalizer of splitmix64: every bit of the result depends on every bit of the word."""
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@wrapping_kernel
def derive_seed(seed, index):
    """The seed of stream number ``index`` of a seed; feeding the word forward makes it impossible to go back."""
    word = scramble(seed) + GAMMA * np.uint64(index + 2)
    return scramble(word) ^ word


@kernel
def lots_of(seed):
    """The seed of the agents' random choices in the game of a seed.

    It is so far from the seed of the deck that one leads to the other only by trying all seeds.
    """
    for _ in range(4):
        seed = derive_seed(seed, LOTS_STREAM)
    return seed


@wrapping_kernel
def random_word(rng):
    """Sixty-four random bits."""
    rng[0] += GAMMA
    return scramble(rng[0])


@wrapping_kernel
def random_below(rng, limit):
    """A random integer from 0 to limit - 1."""
    return np.int64(((random_word(rng) >> np.uint64(32)) * np.uint64(limit)) >> np.uint64(32))


@kernel
def random_real(rng):
    """A random real in [0, 1)."""
    return np.float64(random_word(rng) >> np.uint64(11)) / 9007199254740992.0


@kernel
def shuffle(rng, cards, size):
    """Shuffles the first ``size`` cards in place."""
    for last in range(size - 1, 0, -1):
        other = random_below(rng, last + 1)
        cards[last], cards[other] = cards[other], cards[last]
