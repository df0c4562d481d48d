"""What kill -9 does to runs and reports: python bench/kills.py --kills 1000.

A run is started by the command and killed at a random moment, again and again until it is done; so are reports of it.
After every kill the games on disk must be games of an uninterrupted run, each once, and a report that was there must be
whole; when a run is done, its games must be all of them. Anything else is bad.
"""

import argparse
import multiprocessing
import random
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from pathlib import Path

from tamaya.arena.statistics import COLUMNS
from tamaya.experiments.experiment import parse_experiment
from tamaya.experiments.runs import Run
from tamaya.experiments.store import Store

EXPERIMENT = """
seed = 3
games = {games}
players = [2, 3]
keep = "moves"

[[lineup]]
kind = "self-play"
agents = ["internal", "flawed"]

[[lineup]]
kind = "pairing"
agents = ["piers"]
partners = ["outer"]
"""
GAMES = f"SELECT key, number, seed, {', '.join(COLUMNS)}, moves FROM games JOIN cells ON cells.id = cell"


def games_in(directory: Path) -> list[tuple]:
    """Every game of a run; a store that cannot be read, or holds other games than it says, raises."""
    if not (directory / "games.sqlite").exists():
        return []
    with Store(directory / "games.sqlite") as store:
        return list(store.rows(GAMES))


SHARE = 50
"""How many kills one victim takes before the next one."""


class Victim:
    """A run in a folder of its own, with what must come of it."""

    def __init__(self, folder: Path, games: int, seed: int) -> None:
        self.folder = folder
        self.chance = random.Random(seed)
        self.file = folder / "some.toml"
        self.file.write_text(EXPERIMENT.format(games=games))
        with Run(folder / "whole", parse_experiment(tomllib.loads(self.file.read_text()))) as run:
            run.play(workers=1)
            self.expected = set(run.store.rows(GAMES))
        self.directory = folder / "some.run"
        self.counts: Counter[str] = Counter()
        self.seconds = {"run": self.time("run", str(self.file)), "report": self.time("report", str(self.directory))}
        """How long the commands take."""
        shutil.rmtree(self.directory)

    def time(self, *arguments: str) -> float:
        """How long a command takes when it is not killed."""
        start = time.monotonic()
        subprocess.run([sys.executable, "-m", "tamaya", *arguments], check=True, capture_output=True)
        return time.monotonic() - start

    def start(self, *arguments: str) -> bool:
        """Starts a command and kills it at a random moment; returns whether it finished before that."""
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        child = subprocess.Popen([sys.executable, "-m", "tamaya", *arguments], **quiet)
        try:
            code = child.wait(self.chance.uniform(0.2, 1.2) * self.seconds[arguments[0]])
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
            self.counts[f"kills of {arguments[0]}"] += 1
            return False
        self.counts["bad"] += code != 0
        return True

    def once(self) -> None:
        """Kills a run, and a report if the run is done; looks at what is left."""
        is_done = self.start("run", str(self.file), "--threads", "1")
        games = games_in(self.directory)
        known = set(games)
        self.counts["looks at the games"] += 1
        self.counts["bad"] += (
            len(games) != len(known) or not known <= self.expected or (is_done and known < self.expected)
        )
        self.counts["killed while it played"] += not is_done and 0 < len(known) < len(self.expected)
        if is_done:
            self.report()
            shutil.rmtree(self.directory)

    def report(self) -> None:
        """Kills reports of a finished run until one is done."""
        self.counts["runs that were done in the end"] += 1
        is_done, pages = False, set()
        while not is_done:
            is_done = self.start("report", str(self.directory))
            pages |= {path.read_bytes() for path in self.directory.glob("report.md")}
        lines = (self.directory / "games.jsonl").read_bytes().splitlines()
        self.counts["bad"] += len(pages) != 1 or len(lines) != len(self.expected)


def kill_often(kills: int, games: int, seed: int) -> Counter[str]:
    """Kills this many times; returns how often each thing happened."""
    with tempfile.TemporaryDirectory() as folder:
        victim = Victim(Path(folder), games, seed)
        while sum(count for name, count in victim.counts.items() if name.startswith("kills")) < kills:
            victim.once()
        return victim.counts


def kill_some(what: tuple[int, int, int]) -> Counter[str]:
    """A part of the kills, for a pool."""
    return kill_often(*what)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--games", type=int, default=2000, help="games of each of six cells")
    parser.add_argument("--jobs", type=int, default=2, help="victims at a time")
    arguments = parser.parse_args()
    start, counts = time.monotonic(), Counter({"bad": 0})
    shares = [
        (min(SHARE, arguments.kills - first), arguments.games, first) for first in range(0, arguments.kills, SHARE)
    ]
    with multiprocessing.get_context("spawn").Pool(arguments.jobs) as pool:
        for number, found in enumerate(pool.imap_unordered(kill_some, shares), 1):
            counts.update(found)
            done = f"{number} of {len(shares)} parts, {counts['bad']} bad, {time.monotonic() - start:.0f} s"
            print(done, file=sys.stderr, flush=True)
    for name, count in sorted(counts.items()):
        print(f"{count:8,}  {name}")
    print(f"{time.monotonic() - start:8,.0f}  seconds")
    sys.exit(counts["bad"] > 0)


if __name__ == "__main__":
    main()
