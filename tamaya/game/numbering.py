"""The numbers of cards and moves in the Hanabi Learning Environment, which OpenSpiel and JaxMARL share."""

from tamaya.core.settings import Settings
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
