"""``tamaya learn goodman``: the generations of Goodman 2019, and one more."""

from pathlib import Path
from typing import Annotated

import typer

from tamaya.cli.options import Players, Seed, Threads, check_range, check_threads, parse_players, parse_sizes
from tamaya.cli.printing import console

EXAMPLES = ("learn goodman --to learned", "learn goodman --to learned --games 400,400,400,2000")


def goodman(
    to: Annotated[
        Path, typer.Option(metavar="DIRECTORY", help="Where to keep everything; given again, the command goes on.")
    ],
    games: Annotated[str, typer.Option(metavar="N,...", help="Games of each generation.")] = "300,300,300,1000",
    iterations: Annotated[
        str, typer.Option(metavar="N,...", help="Iterations per move of each generation; deals from the fourth on.")
    ] = "3000,1000,1000,30",
    players: Players = "2-5",
    hidden: Annotated[
        str, typer.Option(metavar="N,...", help="The neurons of each hidden layer, up to the third generation.")
    ] = "30",
    epochs: Annotated[
        int, typer.Option(metavar="N", help="How many times to go through all rows, up to the third generation.")
    ] = 30,
    tries: Annotated[
        int, typer.Option(metavar="N", help="Networks to train per generation; the one that plays best is kept.")
    ] = 4,
    matches: Annotated[
        int, typer.Option(metavar="N", help="Games per number of players to measure each network.")
    ] = 1000,
    seed: Seed = 1,
    threads: Threads = None,
) -> None:
    """Train the generations of Goodman 2019 and one more: collect games, train networks and measure the best one."""
    import msgspec

    from tamaya.learn.goodman.collection import MOST_GAMES
    from tamaya.learn.goodman.generations import FASTER, GoodmanPlan, run_plan
    from tamaya.learn.goodman.network_training import FEWEST_GAMES, need_torch
    from tamaya.search.search_settings import MOST_ITERATIONS

    check_threads(threads)
    budgets, counts = parse_sizes("iterations", iterations), parse_sizes("games", games)
    check_range("iterations", budgets, 1, MOST_ITERATIONS)
    check_range("games", counts, FEWEST_GAMES, MOST_GAMES)
    check_range("tries", [tries], 1, MOST_GAMES)
    check_range("matches", [matches], 2, MOST_GAMES)
    plan = GoodmanPlan(
        tuple(budgets),
        tuple(counts),
        players=tuple(parse_players(players)),
        seed=seed,
        training=msgspec.structs.replace(FASTER, hidden=tuple(parse_sizes("hidden", hidden)), epochs=epochs, seed=seed),
        matches=matches,
        tries=tries,
    )
    need_torch()
    with console.prints_aside():
        run_plan(plan, to, threads, console.note)
