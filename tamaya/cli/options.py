"""Options that several commands have, and how their values are read."""

import re
from typing import Annotated

import typer

from tamaya.engine.settings import SEATS

LONGEST_DELAY = 10
"""The seconds that a bot can be made to wait before it moves."""


def agent_names(incomplete: str) -> list[str]:
    """Returns the agents whose names begin with what follows the last plus sign, for completion in a shell."""
    from tamaya.agents.names import POLICIES
    from tamaya.agents.plugins import declared
    from tamaya.agents.rule_based_agents import RECIPES
    from tamaya.agents.searches import SEARCHES

    team, plus, start = incomplete.rpartition("+")
    names = (*RECIPES, *SEARCHES, *POLICIES, *declared())
    return [team + plus + name for name in names if name.startswith(start)]


Threads = Annotated[int | None, typer.Option("--threads", "-t", metavar="N", help="Threads. [default: all cores]")]
Json = Annotated[bool, typer.Option("--json", "-j", help="Print one JSON object instead of tables.")]
Seed = Annotated[int, typer.Option("--seed", "-s", metavar="N", help="The seed.")]
Players = Annotated[
    str,
    typer.Option("--players", "-p", metavar="N", help="Numbers of players, such as 5, 2-5 or 2,4; games take turns."),
]


def parse_players(text: str) -> list[int]:
    """Returns the numbers of players of ``3``, ``2-5`` or ``2,4``."""
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


def parse_sizes(option: str, text: str) -> list[int]:
    """Returns the whole numbers of an option, between commas."""
    try:
        return [int(one) for one in text.split(",")]
    except ValueError:
        raise ValueError(f"--{option} must be written like 64 or 64,32, not {text!r}") from None


def check_range(option: str, counts: list[int], low: int, high: int) -> None:
    """Raises an error for a number of an option that is too small or too large."""
    for count in counts:
        if not low <= count <= high:
            raise ValueError(f"--{option} must be from {low:,} to {high:,}, not {count:,}")
