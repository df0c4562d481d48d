"""The commands for recorded games: list them, show one, think about one."""

import itertools
import shlex
import sys
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from tamaya.cli import console
from tamaya.cli.matches import Json, agent_names
from tamaya.engine.text import count_of, duration, plain

if TYPE_CHECKING:
    from tamaya.game.game import Game
    from tamaya.game.hanab_live import Record
    from tamaya.policies.agent import Agent, Thoughts

MOST_LISTED = 100
"""How many games of a file are listed."""

THINKER = "mo(rules=goodman, rollout=vdb, ms=1000)"
"""Who thinks about a game whose players are unknown."""

GameFile = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="Recorded games, of hanab.live or JaxMARL: a file, a folder of runs, or a share link of hanab.live.",
    ),
]


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


def print_story(played: "Game", agents: Sequence[str] = ()) -> None:
    """Tells a game move by move."""
    from tamaya.game.story import tell_story
    from tamaya.play.terminal.colours import coloured

    for line in tell_story(played, agents):
        wrapped = textwrap.fill(line, console.out.width, subsequent_indent="     ")
        console.out.print(coloured(wrapped, played.wording), soft_wrap=True)


def link_of(played: "Game") -> str:
    """The share link of a game; empty if hanab.live does not know its rules."""
    from tamaya.game.replay import link_if_any

    return link_if_any(played)


def print_link(played: "Game", title: str = "on hanab.live") -> None:
    """Prints the share link of a game, if there is one."""
    address = link_of(played)
    if address:
        console.out.print(f"\n{title}: {address}", markup=False, soft_wrap=True)


def list_games(file: str, json: bool) -> None:
    """Prints a line for each game of a file."""
    from tamaya.cli.grids import listing
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
    console.out.print(listing([{key: str(value) for key, value in row.items()} for row in rows]))
    more = f"{count_of(count - MOST_LISTED, 'more game')}; " if count > MOST_LISTED else ""
    command = f"tamaya show {shlex.quote(file)} --game N"
    console.out.print(f"\n{more}`{command}` shows one of them move by move", markup=False, soft_wrap=True)


def game_at(file: str, game: int, turn: int | None) -> tuple["Game", "Record", str]:
    """A recorded game after this many moves, its record, and the move made next, if any."""
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


def think(
    file: GameFile,
    game: Annotated[int, typer.Option("--game", "-g", metavar="N", help="Which game of the file, from 1.")] = 1,
    turn: Annotated[
        int | None,
        typer.Option("--turn", "-t", metavar="N", help="Think after this many moves. [default: half of them]"),
    ] = None,
    agent: Annotated[
        str | None,
        typer.Option(
            "--agent",
            "-a",
            metavar="AGENT",
            help=f"Who thinks. [default: the agent that played, with a search on top; or else {THINKER}]",
            autocompletion=agent_names,
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Show what an agent thinks at a turn of a recorded game."""
    from tamaya.agents.reasons import reasons
    from tamaya.agents.registry import make_agent
    from tamaya.game.notation import Move
    from tamaya.policies.agent import WrongAnswer, blame
    from tamaya.policies.contract import PolicyError

    played, record, made = game_at(file, game, turn)
    if turn is None and played.is_over:
        played, record, made = game_at(file, game, len(played.moves) // 2)
    if played.is_over:
        raise ValueError(f"the game is over after {turn} moves; there is nothing to think about")
    with console.prints_aside():
        agents = record.tamaya.agents if record.tamaya else []
        thinker = make_agent(agent) if agent else default_thinker(agents[played.seat] if agents else "")
        thinker.check_table(played.settings)
        try:
            view = played.view()
            thoughts = thinker.think(view)
            why = reasons(thinker, view, view.encode(Move.parse(thoughts.move)), thoughts)
        except WrongAnswer as error:
            raise PolicyError(f"{thinker} {error}, at turn {played.turn} of the game") from error
        except PolicyError:
            raise
        except (Exception, SystemExit) as error:
            raise PolicyError(f"{thinker} raised {blame(error)}, at turn {played.turn} of the game") from error
    if json:
        console.print_json({"thoughts": thoughts, "made": made, "reasons": why})
    else:
        print_thoughts(played, thoughts, made, why)


def default_thinker(name: str) -> "Agent":
    """Who thinks about a move of an agent: a search for itself, others with a search on top, if that can be done.

    A file does not start programs, so bots do not think unless they are asked by name.
    """
    from tamaya.agents.registry import make_agent
    from tamaya.agents.searches import SEARCHES
    from tamaya.policies.language import AgentError, parse

    (call, *_) = parse(name or THINKER)
    if not name or any(one.name == "pipe" for one in call.within()):
        return make_agent(THINKER)
    if call.name in SEARCHES:
        return make_agent(name)
    try:
        return make_agent(f"search({name}, ms=500)")
    except AgentError:
        return make_agent(name)


def print_thoughts(played: "Game", thoughts: "Thoughts", made: str, why: list[str]) -> None:
    """The table, the moves that were considered, the one that was chosen, and why."""
    from tamaya.cli.grids import spoken, thought_lines
    from tamaya.play.terminal.colours import coloured

    wording = played.wording
    console.out.print(coloured(f"{played}\n", wording), soft_wrap=True)
    if thoughts.candidates:
        console.print_lines(thought_lines(thoughts, made, wording, console.out.width))
        deepest = "" if thoughts.policy_move else f"deepest node {thoughts.depth}, "
        console.out.print(
            f"\n{thoughts.iterations:,} iterations, {deepest}{duration(thoughts.milliseconds / 1000)}; "
            "values in points, ± is the standard error"
        )
    if thoughts.foreseen:
        outcome = "" if thoughts.candidates else ", too seldom to search for a reply"
        console.out.print(f"the last moves of the others were foreseen with {thoughts.foreseen:.0%}{outcome}")
    told = f"; in the game: {spoken(made, wording)}" if made else ""
    console.out.print(coloured(f"{thoughts.agent}: {spoken(thoughts.move, wording)}{told}", wording), soft_wrap=True)
    for line in why:
        console.out.print(coloured(line, wording), soft_wrap=True)
