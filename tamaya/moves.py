"""Moves as numbers, for policies."""

from tamaya.engine.moves import (
    ASK,
    DISCARD,
    FAULT,
    MOVES,
    NO_MOVE,
    PLAY,
    TELL,
    discard,
    hint_of,
    play,
    target_from,
    target_of,
    tell,
    tell_colour,
    tell_rank,
)

__all__ = [
    "ASK",
    "DISCARD",
    "FAULT",
    "MOVES",
    "NO_MOVE",
    "PLAY",
    "TELL",
    "discard",
    "hint_of",
    "play",
    "target_from",
    "target_of",
    "tell",
    "tell_colour",
    "tell_rank",
]
