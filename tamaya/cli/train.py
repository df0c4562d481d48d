"""``tamaya learn train``: a network, trained on collected rows."""

import os
from pathlib import Path
from typing import Annotated

import typer

from tamaya.cli.options import Seed, parse_sizes
from tamaya.cli.printing import console

EXAMPLES = ("learn train rows --to mine.json", "learn train rows --to wide.json --hidden 64")


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
    from tamaya.learn.goodman.collection import read_collection
    from tamaya.learn.goodman.generations import train_from
    from tamaya.learn.goodman.network_training import Training, inputs_of, need_torch
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
    curve = train_from(directory, task, how, to, console.note)
    best = f"epoch {curve.best + 1}, held-out loss {curve.held_out[curve.best]:.6f}{curve.accuracy(curve.best)}"
    console.say(f"{to}: {best}, of a constant {curve.baseline:.6f}")


def check_new(path: Path) -> None:
    """Refuses a file that is there already, or that cannot be written, before anything is done for it."""
    if path.exists():
        raise ValueError(f"{path} already exists; choose another name")
    if not path.parent.is_dir():
        raise ValueError(f"{path.parent} is not a directory")
    if not os.access(path.parent, os.W_OK):
        raise ValueError(f"{path.parent} cannot be written to")
