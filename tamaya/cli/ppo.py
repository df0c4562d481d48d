"""``tamaya learn ppo``: a policy, trained in self-play."""

import time
from pathlib import Path
from typing import Annotated, Any

import typer

from tamaya.cli.game_options import takes_rules
from tamaya.cli.options import Seed, check_threads, parse_sizes
from tamaya.cli.printing import console
from tamaya.cli.printing.progress import progress_bar
from tamaya.engine.text import count_of

EXAMPLES = ("learn ppo --to small --players 2 --colours 2", "learn ppo --to full --device cuda --minutes 30")


@takes_rules
def ppo(
    to: Annotated[
        Path, typer.Option(metavar="DIRECTORY", help="Where to keep everything; given again, the command goes on.")
    ],
    players: Annotated[int, typer.Option("--players", "-p", metavar="N", help="Players, 2 to 5.")] = 2,
    device: Annotated[str, typer.Option(metavar="NAME", help="What learns: cpu or cuda.")] = "cpu",
    start: Annotated[
        str, typer.Option(metavar="FILE", help="A network to improve, or duet. [default: begin from scratch]")
    ] = "",
    moves: Annotated[
        float | None, typer.Option(metavar="N", help="Moves of all games. [default: 1e7, or 1.3e10 on a GPU]")
    ] = None,
    hidden: Annotated[
        str | None,
        typer.Option(
            metavar="N,...",
            help="Neurons of each layer; --start can get more. [default: 128,128; 512,512,512 on a GPU; as in --start]",
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option("--games", "-g", metavar="N", help="Games at a time. [default: 512, or 16384 on a GPU]"),
    ] = None,
    epochs: Annotated[
        int | None,
        typer.Option(metavar="N", help="How often each move is learned from. [default: 4, or 1 on a GPU]"),
    ] = None,
    rate: Annotated[
        float | None,
        typer.Option(metavar="R", help="The rate of learning. [default: 0.001; 0.0005 on a GPU; 0.0003 with --start]"),
    ] = None,
    entropy: Annotated[
        float | None,
        typer.Option(metavar="R", help="The weight of entropy. [default: 0.03; 0.05 on a GPU; 0.002 with --start]"),
    ] = None,
    minutes: Annotated[
        float | None, typer.Option(metavar="N", help="Stop after this time, to go on later. [default: at the end]")
    ] = None,
    threads: Annotated[
        int,
        typer.Option("--threads", "-t", metavar="N", help="Threads on a processor; the weights depend on it."),
    ] = 1,
    seed: Seed = 1,
    *,
    rules: dict[str, Any],
) -> None:
    """Train a policy in self-play: it plays as network(DIRECTORY/network.npz)."""
    import math

    from tamaya.engine.jit import ending_like_ctrl_c
    from tamaya.engine.settings import Settings
    from tamaya.learn.goodman.network_training import need_torch
    from tamaya.learn.ppo.hyperparameters import IMPROVING, MOST_MOVES, SMALLER, course_with

    check_threads(threads)
    if minutes is not None and not minutes > 0:
        raise ValueError(f"--minutes must be above 0, not {minutes:g}")
    if moves is not None and not 1 <= moves <= MOST_MOVES:
        raise ValueError(f"--moves must be from 1 to {MOST_MOVES:,}, not {moves:g}")
    need_torch()
    from tamaya.learn.ppo.checkpoints import (
        CHECKPOINT,
        NETWORK,
        begin_training,
        check_device,
        hidden_to_improve,
        practise,
    )

    check_device(device)
    given = {
        "moves": None if moves is None else int(moves),
        "hidden": None if hidden is None else tuple(parse_sizes("hidden", hidden)),
        "games": games,
        "epochs": epochs,
        "rate": rate,
        "entropy": entropy,
    }
    chosen = {name: value for name, value in given.items() if value is not None}
    if start and hidden is None:
        chosen["hidden"] = hidden_to_improve(start, to)
    usual = (SMALLER if device == "cpu" else {}) | (IMPROVING if start else {})
    course = course_with(
        {**usual, **chosen, "settings": Settings(players=players, **rules), "start": start, "seed": seed}
    )
    with console.prints_aside():
        trainer = begin_training(course, to, device, threads)
    begun, first = time.monotonic(), trainer.iteration
    if trainer.threads != threads and device == "cpu":
        console.note(f"going on with {count_of(trainer.threads, 'thread')}, as it was begun: the weights depend on it")

    def seconds_left() -> float:
        rest, done, spent = course.iterations - trainer.iteration, trainer.iteration - first, time.monotonic() - begun
        return min(spent * rest / max(1, done), math.inf if minutes is None else 60 * minutes - spent)

    try:
        left = course.moves - first * course.moves_at_a_time
        with ending_like_ctrl_c(), progress_bar(to.name, left, seconds_left, "move") as trainer.tell:
            for point in practise(trainer, to, math.inf if minutes is None else 60 * minutes):
                console.note(str(point))
    except KeyboardInterrupt:
        kept = (to / CHECKPOINT).exists()
        console.note(f"stopped; the same command goes on from {to / CHECKPOINT if kept else 'the beginning'}")
        raise
    reached = trainer.curve[-1] if trainer.curve else f"{trainer.iteration * course.moves_at_a_time:,} moves"
    done = "trained" if trainer.iteration >= course.iterations else "the same command goes on"
    console.say(f"{to / NETWORK}: {reached}; {done}")
