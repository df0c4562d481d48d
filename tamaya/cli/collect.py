"""``tamaya learn collect``: rows of features and values from the trees of searches."""

from pathlib import Path
from typing import Annotated, Any

import typer

from tamaya.cli.options import Players, Seed, Threads, check_threads, parse_players
from tamaya.cli.printing import console
from tamaya.cli.printing.progress import progress_bar

EXAMPLES = ("learn collect --to rows --games 100", "learn collect --to moves --teams --games 1000")

SEARCH = "ris(rules=goodman, convention=yes, iterations=3000)"


def collect(
    to: Annotated[
        Path, typer.Option(metavar="DIRECTORY", help="Where to write the rows; given again, the command goes on.")
    ],
    agent: Annotated[
        str, typer.Option("--agent", "-a", metavar="AGENT", help="The search whose trees give the rows.")
    ] = SEARCH,
    players: Players = "2-5",
    games: Annotated[int, typer.Option("--games", "-g", metavar="N", help="How many games to play.")] = 100,
    seed: Seed = 1,
    fewest: Annotated[
        int, typer.Option(metavar="N", help="Below the root, write rows for moves with at least this many visits.")
    ] = 50,
    root_only: Annotated[bool, typer.Option("--root-only", help="Write no rows for positions below the root.")] = False,
    teams: Annotated[
        bool, typer.Option("--teams", help="Play random teams of ally's pool instead, and write who made each move.")
    ] = False,
    threads: Threads = None,
) -> None:
    """Play games of a search, and write rows for the moves in its trees: features, mean value, visits."""
    from tamaya.agents.searches import POOL
    from tamaya.learn.goodman.collection import Collection
    from tamaya.learn.goodman.collection import collect as collect_rows
    from tamaya.policies.rules.rule_syntax import parse_rules

    check_threads(threads)
    wanted = Collection(agent, tuple(parse_players(players)), games, seed, fewest, root_only)
    if teams:
        if agent != SEARCH or root_only:
            raise ValueError("--teams plays the policies of a pool; it does not go with --agent or --root-only")
        wanted = Collection("", wanted.players, games, seed, pool=tuple(map(str, parse_rules(POOL))))
    told = 0
    with progress_bar(to.name, games) as progress:

        def tell(now: Any) -> None:
            nonlocal told
            progress(now.games - told)
            told = now.games

        done = collect_rows(wanted, to, threads, tell)
    console.say(f"{to}: {done if done.games else 'all games are there already'}")
