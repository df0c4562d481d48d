"""The commands for learning: collect, train, goodman."""

import time
from pathlib import Path
from typing import Annotated, Any

import typer

from tamaya.cli import console
from tamaya.cli.help import Command, examples
from tamaya.cli.matches import Threads, check_threads, parse_players

app = typer.Typer(
    help="Learn from searches: collect rows, train a network, or run all generations.", rich_markup_mode=None
)

SEARCH = "ris(rules=goodman, convention=yes, iterations=3000)"
Seed = Annotated[int, typer.Option("--seed", "-s", metavar="N", help="The seed of the games and of the training.")]
Players = Annotated[
    str,
    typer.Option("--players", "-p", metavar="N", help="Numbers of players, which games take in turns: 5, 2-5 or 2,4."),
]


def say(text: str) -> None:
    """Says how far it is, on the error stream."""
    console.err.print(text, markup=False, soft_wrap=True)


@app.command(
    cls=Command, epilog=examples("learn collect --to rows --games 100", "learn collect --to moves --teams --games 1000")
)
def collect(
    to: Annotated[
        Path, typer.Option(metavar="DIRECTORY", help="Where the rows are written; started again, it goes on.")
    ],
    agent: Annotated[
        str, typer.Option("--agent", "-a", metavar="AGENT", help="The search whose trees are learned from.")
    ] = SEARCH,
    players: Players = "2-5",
    games: Annotated[int, typer.Option("--games", "-g", metavar="N", help="Games.")] = 100,
    seed: Seed = 1,
    fewest: Annotated[
        int, typer.Option(metavar="N", help="A move below the root gives a row if it has at least this many visits.")
    ] = 50,
    root_only: Annotated[bool, typer.Option("--root-only", help="Only write rows for the moves of the games.")] = False,
    teams: Annotated[
        bool, typer.Option("--teams", help="Play random teams of ally's pool instead, and write who made each move.")
    ] = False,
    threads: Threads = None,
) -> None:
    """Play games of a search, and write rows for the moves in its trees: features, mean value, visits."""
    from tamaya.agents.recipes import POOL
    from tamaya.learn.collecting import Collection
    from tamaya.learn.collecting import collect as collect_rows
    from tamaya.rules.sets import parse_rules

    check_threads(threads)
    check_counts(games=games, fewest=fewest)
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
    console.out.print(f"{to}: {done}", markup=False, soft_wrap=True)


def check_counts(**counts: int) -> None:
    """Raises an error for a number below 1."""
    for name, count in counts.items():
        if count < 1:
            raise ValueError(f"--{name} must be at least 1, not {count}")


@app.command(
    cls=Command, epilog=examples("learn train rows --to mine.json", "learn train rows --to wide.json --hidden 64")
)
def train(
    directory: Annotated[Path, typer.Argument(metavar="DIRECTORY", help="The directory of a collection.")],
    to: Annotated[Path, typer.Option(metavar="FILE", help="The file of weights, such as mine.json.")],
    task: Annotated[str, typer.Option(metavar="TASK", help="evalfn, rule-classifier or likelihood.")] = "evalfn",
    hidden: Annotated[
        str, typer.Option(metavar="N,...", help="The neurons of each hidden layer, such as 30 or 64,32.")
    ] = "30",
    epochs: Annotated[int, typer.Option(metavar="N", help="How often all rows are seen.")] = 20,
    batch: Annotated[int, typer.Option(metavar="N", help="Rows per step.")] = 16,
    rate: Annotated[float, typer.Option(metavar="X", help="The learning rate.")] = 1e-4,
    decay: Annotated[bool, typer.Option("--decay", help="Let the rate fall to 0 by the last step.")] = False,
    l1: Annotated[float, typer.Option(metavar="X", help="The weight of the L1 penalty.")] = 1e-5,
    optimiser: Annotated[
        str, typer.Option(metavar="NAME", help="adam, as the paper says, or nesterov, as its code does.")
    ] = "adam",
    fewest: Annotated[int, typer.Option(metavar="N", help="Leave out moves with fewer visits.")] = 50,
    seed: Seed = 1,
) -> None:
    """Train a network on collected rows; the learning curve is drawn beside its file."""
    from tamaya.evaluation.weights import TASKS
    from tamaya.learn.generations import train_from
    from tamaya.learn.training import Training

    if task not in TASKS:
        raise ValueError(f"--task must be one of {', '.join(TASKS)}, not {task!r}")
    check_counts(epochs=epochs, batch=batch)
    how = Training(tuple(parse_sizes(hidden)), epochs, batch, rate, decay, l1, optimiser, fewest=fewest, seed=seed)
    curve = train_from(directory, task, how, to, say)
    best = f"epoch {curve.best + 1}, held-out loss {curve.held_out[curve.best]:.6f}{curve.accuracy(curve.best)}"
    console.out.print(f"{to}: {best}, of a constant {curve.baseline:.6f}", markup=False, soft_wrap=True)


def parse_sizes(text: str) -> list[int]:
    """Whole numbers between commas."""
    try:
        return [int(one) for one in text.split(",")]
    except ValueError:
        raise ValueError(f"whole numbers as in 64,32 are expected, not {text!r}") from None


@app.command(
    cls=Command, epilog=examples("learn goodman --to learned", "learn goodman --to learned --games 400,400,400")
)
def goodman(
    to: Annotated[Path, typer.Option(metavar="DIRECTORY", help="Where everything is kept; started again, it goes on.")],
    games: Annotated[str, typer.Option(metavar="N,...", help="Games of each generation.")] = "300,300,300",
    iterations: Annotated[
        str, typer.Option(metavar="N,...", help="Iterations per move of each generation.")
    ] = "3000,1000,1000",
    players: Players = "2-5",
    hidden: Annotated[str, typer.Option(metavar="N,...", help="The neurons of each hidden layer.")] = "30",
    epochs: Annotated[int, typer.Option(metavar="N", help="How often all rows are seen.")] = 30,
    tries: Annotated[int, typer.Option(metavar="N", help="Networks to train; the one that plays best is kept.")] = 4,
    matches: Annotated[
        int, typer.Option(metavar="N", help="Games per number of players that measure each generation.")
    ] = 1000,
    seed: Seed = 1,
    threads: Threads = None,
) -> None:
    """Train the generations of Goodman 2019, from random rollouts on: collect, train, measure, three times."""
    import msgspec

    from tamaya.learn.generations import FASTER, Plan, run_plan

    check_threads(threads)
    check_counts(epochs=epochs, tries=tries, matches=matches - 1)
    plan = Plan(
        tuple(parse_sizes(iterations)),
        tuple(parse_sizes(games)),
        players=tuple(parse_players(players)),
        seed=seed,
        training=msgspec.structs.replace(FASTER, hidden=tuple(parse_sizes(hidden)), epochs=epochs, seed=seed),
        matches=matches,
        tries=tries,
    )
    with console.prints_aside():
        run_plan(plan, to, threads, say)
