"""Random numbers, for policies."""

from tamaya.core.randomness import random_below, random_real, random_word, shuffle

__all__ = ["random_below", "random_real", "random_word", "shuffle"]
