"""Observations from Python: what a seat sees, as a row of bytes."""

import numpy as np

from tamaya.engine.jit import kernel
from tamaya.game.game import Game
from tamaya.game.hle.encoding import LAST, forget_move, note_last_move, note_seen, write_observation
from tamaya.game.hle.layout import SEER, check_type, layout_of, observation_length
from tamaya.game.view import View


@kernel
def write_bits(row, tables, lasts, layouts, seat):  # type: ignore[no-untyped-def]
    """Writes an observation into bytes."""
    words = np.empty((layouts[0].length >> 6) + 2, np.int64)
    write_observation(row, words, tables[0], lasts[0], layouts[0], seat)


@kernel
def note_none(lasts):  # type: ignore[no-untyped-def]
    """Notes that no move was made yet."""
    forget_move(lasts[0])


@kernel
def note_last(lasts, before, move):  # type: ignore[no-untyped-def]
    """Notes the last move of a game."""
    note_last_move(lasts[0], before[0], move)


@kernel
def note_last_seen(lasts, before, mover, move, shown):  # type: ignore[no-untyped-def]
    """Notes the last move that a seat has seen."""
    note_seen(lasts[0], before[0], mover, move, shown)


def last_move(position: Game | View) -> np.ndarray:
    """The last move of a game, or the last one that a view remembers."""
    lasts = np.zeros(1, LAST)
    if isinstance(position, View) and position.past:
        note_last_seen(lasts, *position.past[-1])
    elif isinstance(position, Game) and position.last:
        note_last(lasts, *position.last)
    else:
        note_none(lasts)
    return lasts


def observer_of(position: Game | View, seat: int | None, observation_type: str) -> int:
    """The seat that observes, if it can."""
    if seat is not None and seat not in range(position.players):
        raise ValueError(f"there is no seat {seat} at a table of {position.players}")
    if isinstance(position, Game):
        return position.seat if seat is None else seat
    if seat not in (None, position.seat):
        raise ValueError(f"this is the view of seat {position.seat}, not of seat {seat}; ask the game for another view")
    if check_type(observation_type) == SEER:
        raise ValueError("a view does not show its own cards; give the game itself to an observation of type seer")
    return position.seat


def write_row(row: np.ndarray, position: Game | View, seat: int | None, observation_type: str) -> np.ndarray:
    """Writes the observation of a seat into a row."""
    observer, layouts = observer_of(position, seat, observation_type), layout_of(position.settings, observation_type)
    write_bits(row, position.tables, last_move(position), layouts, observer)
    return row


def observation(position: Game | View, seat: int | None = None, observation_type: str = "card_knowledge") -> np.ndarray:
    """HLE's observation of a view, or of a seat of a game, by default the one to move: a byte for each bit."""
    length = observation_length(position.settings, observation_type)
    return write_row(np.empty(length, np.uint8), position, seat, observation_type)


def packed_observation(
    position: Game | View, seat: int | None = None, observation_type: str = "card_knowledge"
) -> np.ndarray:
    """The same with eight bits in each byte, as ``numpy.packbits`` packs them."""
    length = observation_length(position.settings, observation_type)
    return write_row(np.empty((length + 7) // 8, np.uint8), position, seat, observation_type)
