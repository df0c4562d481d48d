"""The commands for learning: collect, train, goodman."""

from pathlib import Path
from typing import Annotated, Any

import typer

from tamaya.cli import console
from tamaya.cli.matches import parse_players

app = typer.Typer(help="Learn from searches.", no_args_is_help=True, rich_markup_mode=None)

SEARCH = "ris(rules=goodman, convention=yes, iterations=3000)"
Seed = Annotated[int, typer.Option(help="The seed of the games, and of what training draws.")]
Threads = Annotated[int | None, typer.Option(min=1, help="Threads. [default: all cores]")]
Players = Annotated[str, typer.Option(help="Numbers of players, which the games take in turns: 5, 2-5 or 2,4.")]


def say(text: str) -> None:
    """Tells how far it is, on the error stream."""
    console.err.print(text, markup=False, soft_wrap=True)


@app.command()
def collect(
    to: Annotated[Path, typer.Option(help="The directory of the rows; one that was begun is gone on with.")],
    agent: Annotated[str, typer.Option(help="The search whose trees are learned from.")] = SEARCH,
    players: Players = "2-5",
    games: Annotated[int, typer.Option(min=1, help="Games.")] = 100,
    seed: Seed = 1,
    fewest: Annotated[int, typer.Option(min=1, help="Visits of a move below the root that gives a row.")] = 50,
    root_only: Annotated[bool, typer.Option("--root-only", help="Only the moves of positions that were met.")] = False,
    threads: Threads = None,
) -> None:
    """Play games of a search, and write rows for the moves in its trees: features, mean value, visits."""
    from tamaya.learn.collecting import Collection
    from tamaya.learn.collecting import collect as collect_rows

    wanted = Collection(agent, tuple(parse_players(players)), games, seed, fewest, root_only)
    with console.progress_bar(to.name, games) as progress:
        told = [0]

        def tell(now: Any) -> None:
            progress(now.games - told[0])
            told[0] = now.games

        done = collect_rows(wanted, to, threads, tell)
    console.out.print(f"{to}: {done}", markup=False, soft_wrap=True)


@app.command()
def train(
    directory: Annotated[Path, typer.Argument(help="The directory of a collection.")],
    to: Annotated[Path, typer.Option(help="The file of weights, such as mine.json.")],
    task: Annotated[str, typer.Option(help="evalfn or rule-classifier.")] = "evalfn",
    hidden: Annotated[str, typer.Option(help="The neurons of each hidden layer, as in 30 or 64,32.")] = "30",
    epochs: Annotated[int, typer.Option(min=1, help="How often all rows are seen.")] = 20,
    batch: Annotated[int, typer.Option(min=1, help="Rows per step.")] = 16,
    rate: Annotated[float, typer.Option(help="The learning rate.")] = 1e-4,
    decay: Annotated[bool, typer.Option("--decay", help="Let the rate fall to 0 until the last step.")] = False,
    l1: Annotated[float, typer.Option(help="The weight of the L1 penalty.")] = 1e-5,
    optimiser: Annotated[str, typer.Option(help="adam, as the paper says, or nesterov, as its code does.")] = "adam",
    fewest: Annotated[int, typer.Option(help="Leave out moves that were visited less often.")] = 50,
    seed: Seed = 1,
) -> None:
    """Train a network on collected rows; the learning curve is drawn beside its file."""
    from tamaya.evaluation.weights import TASKS
    from tamaya.learn.generations import train_from
    from tamaya.learn.training import Training

    if task not in TASKS:
        raise ValueError(f"--task is one of {', '.join(TASKS)}, not {task!r}")
    how = Training(tuple(parse_sizes(hidden)), epochs, batch, rate, decay, l1, optimiser, fewest=fewest, seed=seed)
    curve = train_from(directory, task, how, to, say)
    best = f"epoch {curve.best + 1}, held-out loss {curve.held_out[curve.best]:.6f}"
    console.out.print(f"{to}: {best}, of a constant {curve.baseline:.6f}", markup=False, soft_wrap=True)


def parse_sizes(text: str) -> list[int]:
    """Whole numbers between commas."""
    try:
        return [int(one) for one in text.split(",")]
    except ValueError:
        raise ValueError(f"whole numbers as in 64,32 are expected, not {text!r}") from None


@app.command()
def goodman(
    to: Annotated[Path, typer.Option(help="The directory; one that was begun is gone on with.")],
    games: Annotated[str, typer.Option(help="Games of each generation.")] = "300,300,300",
    iterations: Annotated[str, typer.Option(help="Iterations per move of each generation.")] = "3000,1000,1000",
    players: Players = "2-5",
    hidden: Annotated[str, typer.Option(help="The neurons of each hidden layer.")] = "30",
    epochs: Annotated[int, typer.Option(min=1, help="How often all rows are seen.")] = 30,
    tries: Annotated[int, typer.Option(min=1, help="Networks trained, of which the best player is kept.")] = 4,
    matches: Annotated[int, typer.Option(min=2, help="Games that measure each generation, by players.")] = 1000,
    seed: Seed = 1,
    threads: Threads = None,
) -> None:
    """Train the generations of Goodman 2019, from random rollouts on: collect, train, measure, three times."""
    import msgspec

    from tamaya.learn.generations import FASTER, Plan, run_plan

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
