"""The generations where only numba, numpy, msgspec and torch are installed: ``python -m tamaya.learn --to DIR``."""

import argparse
from pathlib import Path

import msgspec

from tamaya.learn.goodman.generations import FASTER, GoodmanPlan, run_plan


def numbers(text: str) -> list[int]:
    """Whole numbers between commas."""
    return [int(one) for one in text.split(",")]


def main() -> None:
    """Reads the options and runs the plan."""
    plan, how = GoodmanPlan(), FASTER
    parser = argparse.ArgumentParser(prog="python -m tamaya.learn", description=__doc__)
    parser.add_argument("--to", type=Path, required=True)
    parser.add_argument("--iterations", type=numbers, default=plan.iterations)
    parser.add_argument("--games", type=numbers, default=plan.games)
    parser.add_argument("--players", type=numbers, default=plan.players)
    parser.add_argument("--hidden", type=numbers, default=how.hidden)
    parser.add_argument("--matches", type=int, default=plan.matches)
    parser.add_argument("--epochs", type=int, default=how.epochs)
    parser.add_argument("--tries", type=int, default=plan.tries)
    parser.add_argument("--seed", type=int, default=plan.seed)
    parser.add_argument("--threads", type=int)
    given = parser.parse_args()
    try:
        run_given(given)
    except (ValueError, OSError) as error:
        parser.error(str(error))


def run_given(given: argparse.Namespace) -> None:
    """Runs the plan of some options."""
    training = msgspec.structs.replace(FASTER, hidden=tuple(given.hidden), epochs=given.epochs, seed=given.seed)
    wanted = GoodmanPlan(
        tuple(given.iterations),
        tuple(given.games),
        players=tuple(given.players),
        seed=given.seed,
        training=training,
        matches=given.matches,
        tries=given.tries,
    )
    run_plan(wanted, given.to, given.threads, lambda text: print(text, flush=True))


if __name__ == "__main__":
    main()
