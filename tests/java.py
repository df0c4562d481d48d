"""The decks of the original Java framework: java.util.Random and Collections.shuffle, from their specification."""

import functools

from tamaya import Card

MASK = (1 << 48) - 1


class JavaRandom:
    """The linear congruential generator that the documentation of java.util.Random prescribes."""

    def __init__(self, seed):
        self.state = (seed ^ 0x5DEECE66D) & MASK

    def next_bits(self, bits):
        self.state = (self.state * 0x5DEECE66D + 0xB) & MASK
        return self.state >> (48 - bits)

    def next_int(self, limit):
        if limit & (limit - 1) == 0:
            return limit * self.next_bits(31) >> 31
        while True:
            bits = self.next_bits(31)
            value = bits % limit
            if bits - value + limit - 1 < 1 << 31:
                return value


@functools.cache
def java_deck(seed):
    """The deck of a seed, top card first."""
    cards = [
        Card(colour, rank) for colour in range(5) for rank in range(1, 6) for _ in range((3, 2, 2, 2, 1)[rank - 1])
    ]
    chance = JavaRandom(seed)
    for size in range(len(cards), 1, -1):
        other = chance.next_int(size)
        cards[size - 1], cards[other] = cards[other], cards[size - 1]
    return cards
