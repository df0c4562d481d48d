"""The mixed track played in memory: python bench/mixed.py --games 1000 --threads 16 --json mixed.json.

It plays the cells of ``tamaya reproduce goodman/mixed-track`` where only numba, numpy and msgspec are installed. Every
row plays on the same decks and with the same team-mates; with --others, all of these are one agent, of the pool or not.
"""

import argparse
import math
import pathlib
import time
from collections.abc import Sequence

import msgspec
import numpy as np

from tamaya.arena.batches import play_batches
from tamaya.engine.settings import Settings
from tamaya.experiments.cells import CellSeating
from tamaya.experiments.lineups import Cell, Pairing, RandomTeams
from tamaya.experiments.papers.paper_tables import paper_table

TABLE = "goodman/mixed-track"


class Line(msgspec.Struct):
    """An agent at one number of players: its mean score, and how much the first agent scores more, deck by deck."""

    agent: str
    players: int
    games: int
    mean: float
    error: float
    lead: float
    lead_error: float
    core_seconds: float


def lineup(agents: Sequence[str], others: str) -> RandomTeams | Pairing:
    """The line-up of the table, or the same agents among a team of one other."""
    (raw,) = paper_table(TABLE).experiment["lineup"]
    chosen = list(agents) or raw["agents"]
    return Pairing(agents=chosen, partners=[others]) if others else RandomTeams(agents=chosen, pool=raw["pool"])


def cells(of: RandomTeams | Pairing, players: int) -> list[Cell]:
    """The cells of a line-up at one number of players."""
    kind = str(of.__struct_config__.tag)
    return [
        Cell(kind, agent, partner, tuple(members), tuple(pool), is_turned, Settings(players=players))
        for agent, partner, members, pool, is_turned in of.seatings(players)
    ]


def error_of(values: np.ndarray) -> float:
    """The standard error of a mean."""
    return float(values.std(ddof=1) / math.sqrt(len(values)))


def play(cell: Cell, games: int, seed: int, threads: int | None) -> tuple[np.ndarray, float]:
    """The scores of a cell, and the seconds that they took on one core."""
    batches = list(play_batches(CellSeating(cell), seed, games, threads))
    return np.concatenate([one["score"] for one, _ in batches]).astype(float), sum(seconds for _, seconds in batches)


def measure(of: RandomTeams | Pairing, players: int, games: int, seed: int, threads: int | None) -> list[Line]:
    """All rows at one number of players."""
    lines: list[Line] = []
    first = np.zeros(games)
    for cell in cells(of, players):
        scores, seconds = play(cell, games, seed, threads)
        first = scores if not lines else first
        lead = first - scores
        figures = [float(scores.mean()), error_of(scores), float(lead.mean()), error_of(lead), seconds]
        lines.append(Line(cell.agent, players, games, *figures))
        print(in_words(lines[-1]), flush=True)
    return lines


def in_words(line: Line) -> str:
    """A line as text, with halves of 95 % intervals."""
    mean, lead = f"{line.mean:6.2f} ± {1.96 * line.error:.2f}", f"{line.lead:+6.2f} ± {1.96 * line.lead_error:.2f}"
    return f"{line.players} players  {line.agent:48} {mean}   the first less it {lead}"


def as_markdown(lines: Sequence[Line]) -> str:
    """Two tables: the means, and how much more the first agent scores."""
    counts = sorted({line.players for line in lines})
    heads = f"| | {' | '.join(f'{count} players' for count in counts)} |\n| --- |{' ---: |' * len(counts)}"
    by_place = {(line.agent, line.players): line for line in lines}
    names = list(dict.fromkeys(line.agent for line in lines))
    means, leads = [heads], [heads]
    for name in names:
        row = [by_place[name, count] for count in counts]
        means.append(f"| `{name}` | {' | '.join(f'{one.mean:.2f} ± {1.96 * one.error:.2f}' for one in row)} |")
        leads.append(
            f"| less `{name}` | {' | '.join(f'{one.lead:+.2f} ± {1.96 * one.lead_error:.2f}' for one in row)} |"
        )
    return "\n".join([*means, "", *leads[:1], *leads[2:]])


def main() -> None:
    """Plays the rows and prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "agents", nargs="*", help="the agents, the first of which is compared with all; by default the rows"
    )
    parser.add_argument("--others", default="", help="one agent that all team-mates are, in place of the pool")
    parser.add_argument("--players", default="2345")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int)
    parser.add_argument("--json", type=pathlib.Path)
    given = parser.parse_args()
    of, lines, start = lineup(given.agents, given.others), [], time.perf_counter()
    for players in map(int, given.players):
        lines += measure(of, players, given.games, given.seed, given.threads)
        if given.json:
            made = {"games": given.games, "seed": given.seed, "others": given.others or "the pool", "lines": lines}
            given.json.write_bytes(msgspec.json.format(msgspec.json.encode(made), indent=1))
    print(f"\n{as_markdown(lines)}\n\n{time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
