"""The commands that learn from searches: collect, train, goodman."""

import os
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from tamaya.cli import console
from tamaya.cli.help import Command, examples
from tamaya.cli.matches import Threads, check_threads, parse_players
from tamaya.engine.text import in_words

app = typer.Typer(
    help="Learn from searches, or in self-play: collect rows, train a network, run all generations, or practise.",
    rich_markup_mode=None,
)

SEARCH = "ris(rules=goodman, convention=yes, iterations=3000)"
Seed = Annotated[int, typer.Option("--seed", "-s", metavar="N", help="The seed.")]
Players = Annotated[
    str,
    typer.Option("--players", "-p", metavar="N", help="Numbers of players, such as 5, 2-5 or 2,4; games take turns."),
]


def say(text: str) -> None:
    """Prints how far the work is, on the error stream."""
    console.err.print(text, markup=False, soft_wrap=True)


@app.command(
    cls=Command, epilog=examples("learn collect --to rows --games 100", "learn collect --to moves --teams --games 1000")
)
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
    from tamaya.learn.goodman.collecting import Collection
    from tamaya.learn.goodman.collecting import collect as collect_rows
    from tamaya.policies.rules.rule_lists import parse_rules

    check_threads(threads)
    wanted = Collection(agent, tuple(parse_players(players)), games, seed, fewest, root_only)
    if teams:
        if agent != SEARCH or root_only:
            raise ValueError("--teams plays the policies of a pool; it does not go with --agent or --root-only")
        wanted = Collection("", wanted.players, games, seed, pool=tuple(map(str, parse_rules(POOL))))
    start, told = time.monotonic(), [0]
    with console.progress_bar(
        to.name, games, lambda: (time.monotonic() - start) * (games - told[0]) / max(1, told[0])
    ) as progress:

        def tell(now: Any) -> None:
            new, told[0] = now.games - told[0], now.games
            progress(new)

        done = collect_rows(wanted, to, threads, tell)
    console.out.print(f"{to}: {done if done.games else 'all games are there already'}", markup=False, soft_wrap=True)


def check_range(option: str, counts: list[int], low: int, high: int) -> None:
    """Raises an error for a number of an option that is too small or too large."""
    for count in counts:
        if not low <= count <= high:
            raise ValueError(f"--{option} must be from {low:,} to {high:,}, not {count:,}")


def check_new(path: Path) -> None:
    """Refuses a file that is there already, or that cannot be written, before anything is done for it."""
    if path.exists():
        raise ValueError(f"{path} already exists; choose another name")
    if not path.parent.is_dir():
        raise ValueError(f"{path.parent} is not a directory")
    if not os.access(path.parent, os.W_OK):
        raise ValueError(f"{path.parent} cannot be written to")


@app.command(
    cls=Command, epilog=examples("learn train rows --to mine.json", "learn train rows --to wide.json --hidden 64")
)
def train(
    directory: Annotated[Path, typer.Argument(metavar="DIRECTORY", help="The directory of a collection.")],
    to: Annotated[Path, typer.Option(metavar="FILE", help="The new file of weights, such as mine.json.")],
    task: Annotated[str, typer.Option(metavar="TASK", help="evalfn, rule-classifier or likelihood.")] = "evalfn",
    hidden: Annotated[
        str, typer.Option(metavar="N,...", help="The neurons of each hidden layer, such as 30 or 64,32.")
    ] = "30",
    inputs: Annotated[
        str, typer.Option(metavar="NAME", help="The 38 features of goodman, or those and more, sight.")
    ] = "",
    epochs: Annotated[int, typer.Option(metavar="N", help="How many times to go through all rows.")] = 20,
    batch: Annotated[int, typer.Option(metavar="N", help="Rows per step.")] = 16,
    rate: Annotated[float, typer.Option(metavar="X", help="The learning rate.")] = 1e-4,
    decay: Annotated[bool, typer.Option("--decay", help="Let the rate fall to 0 by the last step.")] = False,
    l1: Annotated[float, typer.Option(metavar="X", help="The weight of the L1 penalty.")] = 1e-5,
    optimiser: Annotated[
        str, typer.Option(metavar="NAME", help="adam, as the paper says, or nesterov, as its code does.")
    ] = "adam",
    advantage: Annotated[
        float, typer.Option(metavar="X", help="The weight of differences between the moves of one position.")
    ] = 0.0,
    fewest: Annotated[int, typer.Option(metavar="N", help="Leave out moves with fewer visits.")] = 50,
    seed: Seed = 1,
) -> None:
    """Train a network on collected rows, and draw its learning curve beside its file."""
    from tamaya.learn.goodman.collecting import read_collection
    from tamaya.learn.goodman.generations import train_from
    from tamaya.learn.goodman.training import Training, inputs_of, need_torch
    from tamaya.networks.json_weights import TASKS

    if task not in TASKS:
        raise ValueError(f"--task must be one of {', '.join(TASKS)}, not {task!r}")
    sizes = tuple(parse_sizes("hidden", hidden))
    how = Training(
        sizes, inputs, epochs, batch, rate, decay, l1, optimiser, advantage=advantage, fewest=fewest, seed=seed
    )
    inputs_of(task, how)
    read_collection(directory)
    check_new(to)
    need_torch()
    curve = train_from(directory, task, how, to, say)
    best = f"epoch {curve.best + 1}, held-out loss {curve.held_out[curve.best]:.6f}{curve.accuracy(curve.best)}"
    console.out.print(f"{to}: {best}, of a constant {curve.baseline:.6f}", markup=False, soft_wrap=True)


def parse_sizes(option: str, text: str) -> list[int]:
    """The whole numbers of an option, between commas."""
    try:
        return [int(one) for one in text.split(",")]
    except ValueError:
        raise ValueError(f"--{option} must be written like 64 or 64,32, not {text!r}") from None


@app.command(
    cls=Command, epilog=examples("learn goodman --to learned", "learn goodman --to learned --games 400,400,400,2000")
)
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

    from tamaya.learn.goodman.collecting import MOST_GAMES
    from tamaya.learn.goodman.generations import FASTER, Plan, run_plan
    from tamaya.learn.goodman.training import FEWEST_GAMES, need_torch
    from tamaya.search.search_settings import MOST_ITERATIONS

    check_threads(threads)
    budgets, counts = parse_sizes("iterations", iterations), parse_sizes("games", games)
    check_range("iterations", budgets, 1, MOST_ITERATIONS)
    check_range("games", counts, FEWEST_GAMES, MOST_GAMES)
    check_range("tries", [tries], 1, MOST_GAMES)
    check_range("matches", [matches], 2, MOST_GAMES)
    plan = Plan(
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
        try:
            run_plan(plan, to, threads, say)
        except msgspec.DecodeError as error:
            raise ValueError(f"{to} was begun by a plan that cannot be read: {in_words(error)}") from error
