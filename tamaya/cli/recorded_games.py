"""What the commands for recorded games share: the file as an argument, and one of its games."""

import itertools
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from tamaya.engine.text import count_of

if TYPE_CHECKING:
    from tamaya.game.game import Game
    from tamaya.game.hanab_live import Record

GameFile = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="Recorded games, of hanab.live or JaxMARL: a file, a folder of runs, or a share link of hanab.live.",
    ),
]


def game_at(file: str, game: int, turn: int | None) -> tuple["Game", "Record", str]:
    """Returns a recorded game after this many moves, its record, and the move made next, if any."""
    from tamaya.game.hanab_live import GameFileError
    from tamaya.game.replay import game_in, records

    record = next(itertools.islice(records(file), min(game - 1, sys.maxsize), None), None) if game > 0 else None
    if record is None:
        count = sum(1 for _ in records(file))
        raise GameFileError(f"{file} holds {count_of(count, 'game')}; there is no game {game}")
    played = game_in(file, game, record)
    undone = ""
    if turn is not None:
        if not 0 <= turn <= len(played.moves):
            raise GameFileError(f"the game has {len(played.moves)} moves; --turn must be from 0 to that number")
        while len(played.moves) > turn:
            undone = str(played.undo())
    return played, record, undone
