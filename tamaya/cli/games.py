"""The commands for recorded games: show one, think about one."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tamaya.cli import console

if TYPE_CHECKING:
    from tamaya.game.game import Game


def show(
    file: Annotated[Path, typer.Argument(help="A recorded game, or a file of one game a line.")],
    game: Annotated[int, typer.Option(help="Which game of the file, from 1.")] = 1,
    turn: Annotated[int | None, typer.Option(help="Show the table after so many moves instead.")] = None,
) -> None:
    """Tell a recorded game move by move."""
    from tamaya.game.story import tell_story

    played, names, _ = game_at(file, game, turn)
    for line in tell_story(played, names) if turn is None else [str(played)]:
        console.out.print(line, markup=False, soft_wrap=True)


def game_at(file: Path, game: int, turn: int | None) -> tuple["Game", list[str], str]:
    """A recorded game after so many moves, the names of its players, and the move made next, if any."""
    import itertools

    from tamaya.game.replay import GameFileError, from_record, records

    record = next(itertools.islice(records(file), max(game - 1, 0), None), None)
    if record is None or game < 1:
        count = sum(1 for _ in records(file))
        raise GameFileError(f"{file} holds {count} games; there is no game {game}")
    played = from_record(record)
    names = record.tamaya.agents if record.tamaya else []
    undone = ""
    if turn is not None:
        if not 0 <= turn <= len(played.moves):
            raise GameFileError(f"the game has {len(played.moves)} moves; --turn must be from 0 to that")
        while len(played.moves) > turn:
            undone = str(played.undo())
    return played, names, undone


def think(
    file: Annotated[Path, typer.Argument(help="A recorded game, or a file of one game a line.")],
    turn: Annotated[int, typer.Option(help="Think after so many moves.")],
    agent: Annotated[str, typer.Option(help="Who thinks, such as ris(rules=goodman, ms=100).")],
    game: Annotated[int, typer.Option(help="Which game of the file, from 1.")] = 1,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Show what an agent thinks at a turn of a recorded game."""
    from tamaya.agents.registry import make_agent
    from tamaya.cli.grids import spoken, thought_grid
    from tamaya.policies.agents import blame
    from tamaya.policies.contract import PolicyError

    played, _, made = game_at(file, game, turn)
    if played.is_over:
        raise ValueError(f"the game is over after {turn} moves; there is nothing to think about")
    with console.prints_aside():
        thinker = make_agent(agent)
        try:
            thoughts = thinker.think(played.view())
        except PolicyError:
            raise
        except (Exception, SystemExit) as error:
            raise PolicyError(f"{thinker} raised {blame(error)}, at turn {turn} of the game") from error
    if json:
        console.print_json({"thoughts": thoughts, "made": made})
        return
    console.out.print(f"{played}\n", markup=False, soft_wrap=True)
    if thoughts.candidates:
        console.out.print(thought_grid(thoughts, made, played.wording))
        deepest = "" if thoughts.policy_move else f"deepest node {thoughts.depth}, "
        console.out.print(
            f"\n{thoughts.iterations:,} iterations, {deepest}{thoughts.milliseconds:,.1f} ms; "
            "values in points, ± is the standard error"
        )
    told = f"; in the game: {spoken(made, played.wording)}" if made else ""
    console.out.print(f"{thoughts.agent}: {spoken(thoughts.move, played.wording)}{told}", markup=False)
