"""``tamaya show``: the games of a file as a list, or one of them move by move."""

import itertools
import shlex
from typing import Annotated

import typer

from tamaya.cli.options import Json
from tamaya.cli.printing import console
from tamaya.cli.printing.games import link_of, print_link, print_story
from tamaya.cli.printing.tables import text_table
from tamaya.cli.recorded_games import GameFile, game_at
from tamaya.engine.text import count_of, plain

EXAMPLES = ("show games.jsonl", "show games.jsonl --game 3", "show games.jsonl --game 3 --turn 10")


MOST_LISTED = 100
"""How many games of a file are listed."""


def show(
    file: GameFile,
    game: Annotated[
        int | None,
        typer.Option("--game", "-g", metavar="N", help="Which game of the file, from 1. [default: list them]"),
    ] = None,
    turn: Annotated[
        int | None, typer.Option("--turn", "-t", metavar="N", help="Show the table after this many moves instead.")
    ] = None,
    json: Json = False,
) -> None:
    """List the games of a file, or show one of them move by move."""
    from tamaya.game.replay import records
    from tamaya.play.terminal.colours import coloured

    if json and (game is not None or turn is not None):
        raise ValueError("--json lists the games of a file; it does not go with --game or --turn")
    if json or (game is None and turn is None and len(list(itertools.islice(records(file), 2))) == 2):
        list_games(file, json)
        return
    played, record, _ = game_at(file, 1 if game is None else game, turn)
    if turn is None:
        print_story(played, record.tamaya.agents if record.tamaya else [])
        print_link(played)
    else:
        console.out.print(coloured(str(played), played.wording), soft_wrap=True)


def list_games(file: str, json: bool) -> None:
    """Prints a line for each game of a file."""
    from tamaya.game.replay import game_in, records
    from tamaya.game.story import in_short

    rows, count = [], 0
    for count, record in enumerate(records(file), 1):
        if count <= MOST_LISTED or json:
            played = game_in(file, count, record)
            names = record.tamaya.agents if record.tamaya else record.players
            link = {"link": link_of(played)} if json else {}
            rows.append(
                {
                    "game": count,
                    "players": played.players,
                    "names": names if json else plain(names[0] if len(set(names)) == 1 else "+".join(names)),
                    "score": played.score if json else f"{played.score} of {played.max_score}",
                    "moves": len(played.moves),
                    "ending": in_short(played),
                    **link,
                }
            )
    if json:
        console.print_json({"games": rows})
        return
    console.out.print(text_table([{key: str(value) for key, value in row.items()} for row in rows]))
    more = f"{count_of(count - MOST_LISTED, 'more game')}; " if count > MOST_LISTED else ""
    command = f"tamaya show {shlex.quote(file)} --game N"
    console.say(f"\n{more}`{command}` shows one of them move by move")
