"""Conversions to and from the Hanabi Learning Environment: settings, cards, move numbers, knowledge strings."""

from collections.abc import Mapping
from typing import Any

from tamaya.core.cards import COLOUR_LETTERS
from tamaya.core.settings import Settings
from tamaya.game.game import Game
from tamaya.game.notation import Card, Kind, Move
from tamaya.game.position import Position


def settings_of(params: Mapping[str, Any]) -> Settings:
    """The settings of an HLE game, from its parameters; parameters that change no rule are ignored."""
    if params.get("random_start_player"):
        raise ValueError("random_start_player is not supported; seat 0 always starts")
    return Settings(
        players=int(params["players"]),
        hand_size=int(params.get("hand_size", 0)),
        colours=int(params.get("colors", 5)),
        ranks=int(params.get("ranks", 5)),
        hint_tokens=int(params.get("max_information_tokens", 8)),
        lives=int(params.get("max_life_tokens", 3)),
    )


def card_of(number: int, settings: Settings) -> Card:
    """The card with HLE's number, colour * ranks + rank."""
    colour, rank = divmod(int(number), settings.ranks)
    return Card(colour, rank + 1)


def card_number(card: Card, settings: Settings) -> int:
    """HLE's number of a card."""
    return card.colour * settings.ranks + card.rank - 1


def move_of(position: Position, number: int) -> Move:
    """The move with HLE's number, for the seat to move.

    Discards come first, then plays, then all colour hints, nearest seat first, then all rank hints.
    """
    settings, rest = position.settings, int(number)
    for make in (Move.discard, Move.play):
        if 0 <= rest < settings.hand_size:
            return make(rest)
        rest -= settings.hand_size
    for tell, values, first in ((Move.tell_colour, settings.suits, 0), (Move.tell_rank, settings.ranks, 1)):
        if 0 <= rest < (settings.players - 1) * values:
            offset, value = divmod(rest, values)
            return tell((position.mover + 1 + offset) % settings.players, value + first)
        rest -= (settings.players - 1) * values
    raise ValueError(f"{number} is not an HLE move in this game; they run from 0 to {number - rest - 1}")


def move_number(position: Position, move: Move) -> int:
    """HLE's number of a move of the seat to move."""
    settings = position.settings
    if move.kind is Kind.DISCARD:
        return move.target
    if move.kind is Kind.PLAY:
        return settings.hand_size + move.target
    offset = (move.target - position.mover) % settings.players - 1
    colours = 2 * settings.hand_size
    if move.kind is Kind.COLOUR:
        return colours + offset * settings.suits + move.value
    return colours + (settings.players - 1) * settings.suits + offset * settings.ranks + move.value - 1


def legal_numbers(game: Game) -> list[int]:
    """HLE's numbers of the legal moves, sorted."""
    return sorted(move_number(game, move) for move in game.legal_moves)


def knowledge_of(position: Position) -> list[list[str]]:
    """What each seat was told of its cards, in HLE's notation, such as ``RX|R12345``."""
    return [
        [
            f"{'X' if colour is None else COLOUR_LETTERS[colour]}{'X' if rank is None else rank}|"
            + "".join(COLOUR_LETTERS[colour] for colour in sorted({card.colour for card in cards}))
            + "".join(str(rank) for rank in sorted({card.rank for card in cards}))
            for (colour, rank), cards in zip(hints, possible, strict=True)
        ]
        for hints, possible in zip(position.hinted, position.possible, strict=True)
    ]
