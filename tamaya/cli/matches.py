"""The command for matches."""

import contextlib
import re
from pathlib import Path
from typing import Annotated, Any

import typer

from tamaya.cli import console
from tamaya.cli.rules import takes_rules
from tamaya.engine.settings import SEATS, Settings


def agent_names(incomplete: str) -> list[str]:
    """The agents whose names begin with what follows the last plus sign, for completion in a shell."""
    from tamaya.agents.names import POLICIES
    from tamaya.agents.plugins import declared
    from tamaya.agents.recipes import RECIPES
    from tamaya.agents.searches import SEARCHES

    team, plus, start = incomplete.rpartition("+")
    names = (*RECIPES, *SEARCHES, *POLICIES, *declared())
    return [team + plus + name for name in names if name.startswith(start)]


AgentTexts = Annotated[
    list[str],
    typer.Argument(metavar="AGENT...", help="Agents, or teams such as piers+iggi+vdb.", autocompletion=agent_names),
]
Threads = Annotated[int | None, typer.Option("--threads", "-t", metavar="N", help="Threads. [default: all cores]")]
Json = Annotated[bool, typer.Option("--json", "-j", help="Print one JSON object instead of tables.")]


def parse_players(text: str) -> list[int]:
    """The numbers of players of ``3``, ``2-5`` or ``2,4``."""
    counts: list[int] = []
    for part in text.split(","):
        found = re.fullmatch(r"\s*([0-9]+)(?:-([0-9]+))?\s*", part)
        if found is None:
            raise ValueError(f"--players must be written like 3, 2-5 or 2,4, not {text!r}")
        low, high = int(found[1]), int(found[2] or found[1])
        if not 2 <= low <= high <= SEATS:
            raise ValueError(f"--players must be from 2 to {SEATS}, not {part.strip()}")
        counts += range(low, high + 1)
    return list(dict.fromkeys(counts))


def check_threads(threads: int | None) -> None:
    """Refuses a number of threads that makes no sense."""
    if threads is None:
        return
    from tamaya.arena.batches import MOST_THREADS

    if not 1 <= threads <= MOST_THREADS:
        raise ValueError(f"--threads must be from 1 to {MOST_THREADS:,}, not {threads:,}")


@takes_rules
def match(
    agents: AgentTexts,
    players: Annotated[
        str | None,
        typer.Option(
            "--players", "-p", metavar="N", help="Numbers of players: 3, 2-5 or 2,4. [default: 2-5, where agents can]"
        ),
    ] = None,
    games: Annotated[
        int, typer.Option("--games", "-g", metavar="N", help="Games per agent and number of players.")
    ] = 10_000,
    seed: Annotated[int, typer.Option("--seed", "-s", metavar="N", help="The seed of decks and agents.")] = 1,
    threads: Threads = None,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the games to a new file, one per line, in hanab.live's format."),
    ] = None,
    json: Json = False,
    *,
    rules: dict[str, Any],
) -> None:
    """Play games: each agent with itself, or mixed teams, all on the same decks."""
    from tamaya.agents.names import check_team

    sizes = {check_team(text) for text in agents}  # a misspelt name is reported before anything heavy is loaded

    from tamaya.arena.matches import EVERY_TABLE, Match, entries
    from tamaya.arena.seating import prepare_records
    from tamaya.game.game import check_seed

    check_threads(threads)
    if players is None:
        counts = sorted(sizes - {1}) or list(EVERY_TABLE)
    else:
        counts = parse_players(players)
    settings = [Settings(players=count, **rules) for count in counts]
    with console.prints_aside():
        contest = Match(entries(agents, settings, players is not None), games, check_seed(seed), threads)
    if save is not None and save.exists():
        raise ValueError(f"{save} already exists; choose another name, or remove it")
    with contextlib.ExitStack() as stack:
        if save is not None:
            contest.save = stack.enter_context(save.open("wb"))
            prepare_records(settings[0])  # before the clock starts
        try:
            with console.progress_bar("playing", games * len(contest.lines), contest.seconds_left) as progress:
                contest.run(progress)
        finally:
            console.print_results(contest.done, seed, json, rules)
    if save is not None and not json and contest.done:
        from tamaya.cli.games import print_link
        from tamaya.game.replay import load

        print_link(load(save), f"the first game of {save} on hanab.live")
