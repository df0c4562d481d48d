"""The numbers of cards and moves in the Hanabi Learning Environment, which OpenSpiel and JaxMARL share."""

import numpy as np

from tamaya.engine.cards import HINTS
from tamaya.engine.jit import kernel
from tamaya.engine.moves import DISCARD, NO_MOVE, PLAY, TELL
from tamaya.engine.settings import COLOURS, Settings
from tamaya.game.notation import Card, Kind, Move
from tamaya.game.position import Position


def card_of(number: int, settings: Settings) -> Card:
    """The card with HLE's number, colour * ranks + rank."""
    colour, rank = divmod(int(number), settings.ranks)
    return Card(colour, rank + 1)


def card_number(card: Card, settings: Settings) -> int:
    """HLE's number of a card."""
    return card.colour * settings.ranks + card.rank - 1


def move_of(position: Position, number: int) -> Move:
    """The move with HLE's number, for the seat to move."""
    return numbered_move(position.settings, position.mover, number)


def numbered_move(settings: Settings, mover: int, number: int) -> Move:
    """The move with HLE's number, for a seat.

    Discards come first, then plays, then all colour hints, nearest seat first, then all rank hints.
    """
    rest = int(number)
    for make in (Move.discard, Move.play):
        if 0 <= rest < settings.hand_size:
            return make(rest)
        rest -= settings.hand_size
    for tell, values, first in ((Move.tell_colour, settings.suits, 0), (Move.tell_rank, settings.ranks, 1)):
        if 0 <= rest < (settings.players - 1) * values:
            offset, value = divmod(rest, values)
            return tell((mover + 1 + offset) % settings.players, value + first)
        rest -= (settings.players - 1) * values
    raise ValueError(f"{number} is not an HLE move in this game; they run from 0 to {number - rest - 1}")


def move_number(position: Position, move: Move) -> int:
    """HLE's number of a move of the seat to move."""
    return number_of_move(position.settings, position.mover, move)


def number_of_move(settings: Settings, mover: int, move: Move) -> int:
    """HLE's number of a move of a seat."""
    if move.kind is Kind.DISCARD:
        return move.target
    if move.kind is Kind.PLAY:
        return settings.hand_size + move.target
    offset = (move.target - mover) % settings.players - 1
    colours = 2 * settings.hand_size
    if move.kind is Kind.COLOUR:
        return colours + offset * settings.suits + move.value
    return colours + (settings.players - 1) * settings.suits + offset * settings.ranks + move.value - 1


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
