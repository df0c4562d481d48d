"""Observations from Python: what a seat sees, as a row of bytes."""

import numpy as np

from tamaya.game.game import Game
from tamaya.game.position import View
from tamaya.hle.encoding import LAST, forget_move, note_seen, pack, spread, write_words
from tamaya.hle.layout import SEER, check_type, layout_of
from tamaya.jit import kernel


@kernel
def write_bits(row, tables, lasts, layouts, seat):  # type: ignore[no-untyped-def]
    """Writes an observation into bytes: a bit in each, or eight where there are fewer bytes than bits."""
    words = np.empty((layouts[0].length >> 6) + 2, np.int64)
    write_words(words, tables[0], lasts[0], layouts[0], seat)
    if len(row) < layouts[0].length:
        pack(row, words)
    else:
        spread(row, words)


@kernel
def note_last(lasts, before, mover, move, shown):  # type: ignore[no-untyped-def]
    """Notes the last move of a game; before the first one, the mover is -1."""
    if mover < 0:
        forget_move(lasts[0])
    else:
        note_seen(lasts[0], before[0], mover, move, shown)


def last_move(view: View) -> np.ndarray:
    """The last move that a view remembers."""
    lasts = np.zeros(1, LAST)
    if view.past:
        note_last(lasts, *view.past[-1])
    else:
        note_last(lasts, view.tables, -1, -1, 0)
    return lasts


def write(row: np.ndarray, position: Game | View, seat: int | None, observation_type: str) -> np.ndarray:
    """Writes the observation of a seat into a row."""
    view = position.view(seat) if isinstance(position, Game) else position
    if seat not in (None, view.seat):
        raise ValueError(f"this is the view of seat {view.seat}, not of seat {seat}; ask the game for another view")
    if check_type(observation_type) == SEER and position is view:
        raise ValueError("a view does not show its own cards; give the game itself to an observation of type seer")
    write_bits(row, position.tables, last_move(view), layout_of(position.settings, observation_type), view.seat)
    return row


def observation(position: Game | View, seat: int | None = None, observation_type: str = "card_knowledge") -> np.ndarray:
    """HLE's observation of a view, or of a seat of a game, by default the one to move: a byte for each bit."""
    length = layout_of(position.settings, observation_type)[0].length
    return write(np.empty(length, np.uint8), position, seat, observation_type)


def packed_observation(
    position: Game | View, seat: int | None = None, observation_type: str = "card_knowledge"
) -> np.ndarray:
    """The same with eight bits in each byte, as ``numpy.packbits`` packs them."""
    length = layout_of(position.settings, observation_type)[0].length
    return write(np.empty((length + 7) // 8, np.uint8), position, seat, observation_type)
