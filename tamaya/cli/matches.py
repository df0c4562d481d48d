"""The command for matches."""

import contextlib
import re
from pathlib import Path
from typing import Annotated, Any, get_args

import typer

from tamaya.cli import console
from tamaya.core.settings import Multicolour, Settings
from tamaya.core.sizes import SEATS

AgentTexts = Annotated[list[str], typer.Argument(metavar="AGENT...", help="Agents, or teams such as piers+iggi+vdb.")]


def parse_players(text: str) -> list[int]:
    """The numbers of players of ``3``, ``2-5`` or ``2,4``."""
    counts: list[int] = []
    for part in text.split(","):
        found = re.fullmatch(r"\s*([0-9]+)(?:-([0-9]+))?\s*", part)
        if found is None:
            raise ValueError(f"--players reads as in 3, 2-5 or 2,4, not {text!r}")
        low, high = int(found[1]), int(found[2] or found[1])
        if not 2 <= low <= high <= SEATS:
            raise ValueError(f"--players must be from 2 to {SEATS}, not {part.strip()}")
        counts += range(low, high + 1)
    return counts


def match(
    agents: AgentTexts,
    players: Annotated[str | None, typer.Option(help="Numbers of players: 3, 2-5 or 2,4. [default: 2-5]")] = None,
    games: Annotated[int, typer.Option(help="Games for each agent and number of players.")] = 10_000,
    seed: Annotated[int, typer.Option(help="The seed of the decks and of the agents.")] = 1,
    threads: Annotated[int | None, typer.Option(help="Threads. [default: all cores]")] = None,
    save: Annotated[
        Path | None, typer.Option(help="A file for the games, one a line, as hanab.live writes them.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    hand_size: Annotated[
        int | None, typer.Option(min=2, max=6, help="Cards in a hand. [default: 5, or 4 with 4 and 5 players]")
    ] = None,
    colours: Annotated[int, typer.Option(help="Colours, 1 to 6.")] = 5,
    ranks: Annotated[int, typer.Option(help="Ranks, 1 to 5.")] = 5,
    hint_tokens: Annotated[int, typer.Option(help="Hint tokens.")] = 8,
    lives: Annotated[int, typer.Option(help="Lives.")] = 3,
    multicolour: Annotated[str, typer.Option(help=f"An extra suit: {', '.join(get_args(Multicolour))}.")] = "none",
    discard_at_limit: Annotated[
        bool, typer.Option("--discard-at-limit", help="Allow discards while all hint tokens are there.")
    ] = False,
    empty_hints: Annotated[bool, typer.Option("--empty-hints", help="Allow hints that touch no card.")] = False,
) -> None:
    """Play games: each agent with itself, or mixed teams, all on the same decks."""
    from tamaya.agents.recipes import check_team

    sizes = {check_team(text) for text in agents}  # a misspelt name is told before anything heavy is loaded

    from tamaya.arena.matches import Match, entries
    from tamaya.game.game import check_seed

    if threads is not None and threads < 1:
        raise ValueError("--threads must be at least 1")
    if players is None:
        counts = sorted(sizes - {1}) or [2, 3, 4, 5]
    else:
        counts = parse_players(players)
    options: dict[str, Any] = {
        "colours": colours,
        "ranks": ranks,
        "hint_tokens": hint_tokens,
        "lives": lives,
        "multicolour": multicolour,
        "discard_at_limit": discard_at_limit,
        "empty_hints": empty_hints,
    }
    if hand_size is not None:
        options["hand_size"] = hand_size
    settings = [Settings(players=count, **options) for count in counts]
    with console.prints_aside():
        contest = Match(entries(agents, settings), games, check_seed(seed), threads)
    if save is not None and save.exists():
        raise ValueError(f"{save} is there already; choose another name, or remove it")
    with contextlib.ExitStack() as stack:
        if save is not None:
            contest.save = stack.enter_context(save.open("wb"))
        try:
            with console.progress_bar("playing", games * len(contest.lines)) as progress:
                contest.run(progress)
        finally:
            console.print_results(contest.done, seed, json, options)
