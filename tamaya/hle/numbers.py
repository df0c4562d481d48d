"""HLE's numbers of moves as kernels: discards, plays, all colour hints, nearest seat first, then all rank hints."""

import numpy as np

from tamaya.core.cards import HINTS
from tamaya.core.moves import DISCARD, NO_MOVE, PLAY, TELL
from tamaya.core.sizes import COLOURS
from tamaya.jit import kernel


@kernel
def move_numbered(table, number):
    """The move with HLE's number, NO_MOVE if there is none."""
    hand, others = int(table.hand_size), int(table.players) - 1
    if number < 0:
        return NO_MOVE
    if number < 2 * hand:
        return DISCARD + number if number < hand else PLAY + number - hand
    rest, suits, ranks = number - 2 * hand, int(table.suits), int(table.ranks)
    if rest < others * suits:
        return TELL + rest // suits * HINTS + rest % suits
    rest -= others * suits
    return TELL + rest // ranks * HINTS + COLOURS + rest % ranks if rest < others * ranks else NO_MOVE


@kernel
def write_flags(flags, start, count, bits):
    """Writes bits into as many bytes from a place on; returns the place behind them."""
    for place in range(count):
        flags[start + place] = (bits >> np.int64(place)) & 1
    return start + count


@kernel
def write_legal(flags, table, moves):
    """Writes, for each move by HLE's number, whether it is one of a mask."""
    hand, others, suits, ranks = table.hand_size, table.players - 1, table.suits, table.ranks
    place = write_flags(flags, 0, hand, moves >> np.int64(DISCARD))
    place = write_flags(flags, place, hand, moves >> np.int64(PLAY))
    for offset in range(others):
        place = write_flags(flags, place, suits, moves >> np.int64(TELL + offset * HINTS))
    for offset in range(others):
        place = write_flags(flags, place, ranks, moves >> np.int64(TELL + offset * HINTS + COLOURS))
