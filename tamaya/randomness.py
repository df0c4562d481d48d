"""Random numbers, for policies."""

from tamaya.engine.randomness import random_below, random_real, random_word, shuffle

__all__ = ["random_below", "random_real", "random_word", "shuffle"]
