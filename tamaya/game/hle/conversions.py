"""Settings and knowledge strings of the Hanabi Learning Environment."""

from collections.abc import Mapping
from typing import Any

from tamaya.engine.cards import COLOUR_LETTERS
from tamaya.engine.settings import Settings
from tamaya.game.game import Game
from tamaya.game.hle.move_numbers import move_number
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
