"""How fast tamaya is, beside OpenSpiel in the same run: python bench/speed.py (needs the extra `bench`).

The machine may be noisy, so each figure is the median of rounds that alternate between the contestants,
and what counts is their ratio.
"""

import argparse
import importlib.util
import pathlib
import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tamaya import Game, Settings, make_agent
from tamaya.arena.batches import play_batches
from tamaya.arena.seating import Seating, game_seeds
from tamaya.engine.jit import kernel
from tamaya.engine.table import TABLE
from tamaya.policies.contract import policy
from tamaya.rules import DiscardOldestFirst, PlaySafeCard, TellAnyoneAboutUsefulCard, TellRandomly


@policy
def fifteen_lines(view, memory, params, rng):
    """A user's policy."""
    move = PlaySafeCard(view)
    if move < 0:
        move = TellAnyoneAboutUsefulCard(view)
    if move < 0:
        move = DiscardOldestFirst(view)
    return move if move >= 0 else TellRandomly(view, rng)


@dataclass(frozen=True)
class Effort:
    """How long to measure: the rounds, their seconds, the share of the usual games played in one go, and the clock."""

    rounds: int = 5
    seconds: float = 0.5
    games: float = 1.0
    clock: Callable[[], float] = time.perf_counter

    def count(self, games: int) -> int:
        """The share of some games that the effort allows, at least one."""
        return max(1, int(self.games * games))

    def rate(self, work: Callable[[], int]) -> float:
        """Units of work per second."""
        done, start = 0, self.clock()
        while (elapsed := self.clock() - start) < self.seconds or not done:
            done += work()
        return done / elapsed if elapsed else 0.0

    def alternate(self, *contestants: Callable[[], int]) -> list[float]:
        """The median rates of some contestants, run in turns."""
        rounds = [[self.rate(work) for work in contestants] for _ in range(self.rounds)]
        return [statistics.median(column) for column in zip(*rounds, strict=True)]


def loop_of(name: str, players: int, games: int, column: str) -> Callable[[], int]:
    """One call of the compiled loop on one core: games, or their moves."""
    seating = Seating([make_agent(name)] * players, Settings(players=players))
    seeds = game_seeds(1, 0, games)
    seating.play(seeds[:1])
    return lambda: int(seating.play(seeds)[column].sum()) if column == "length" else len(seating.play(seeds))


def open_spiel_moves(players: int, observes: bool = False) -> Callable[[], int]:
    """Ten random games of OpenSpiel, driven from Python, with a shuffled deck in place of its chance outcomes."""
    import pyspiel

    game = pyspiel.load_game(f"hanabi(players={players})")
    cards = [
        5 * colour + rank for colour in range(5) for rank, copies in enumerate((3, 2, 2, 2, 1)) for _ in range(copies)
    ]

    def work() -> int:
        moves = 0
        for _ in range(10):
            state = game.new_initial_state()
            deck = random.sample(cards, len(cards))
            while not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(deck.pop())
                else:
                    if observes:
                        state.observation_tensor(state.current_player())
                    state.apply_action(random.choice(state.legal_actions()))
                    moves += 1
        return moves

    return work


@kernel
def copy_games(games, copies):
    """Copies games around in an array."""
    for copy in range(copies):
        games[copy & 15] = games[(copy + 7) & 15]
    return copies


def threaded(threads: int, games: int) -> Callable[[], int]:
    """Games of vdb at four players with some threads."""
    seating = Seating([make_agent("vdb")] * 4, Settings(players=4))
    seating.prepare()
    return lambda: sum(len(batch) for batch, _ in play_batches(seating, 1, games, threads))


CONVENTIONS = [
    ("information", 3, "hanabi.rs", 128),
    ("information", 4, "hanabi.rs", 97),
    ("information", 5, "hanabi.rs", 81),
    ("smartbot", 2, "the original in C++", 2048),
    ("cox-recommendation", 5, "HanSim", 21143),
]


def rollouts(iterations: int) -> Callable[[], int]:
    """The rollouts of decisions in the middle of games."""
    agent, views = make_agent(f"search(information, iterations={iterations})"), []
    for seed in range(8):
        game, seats = Game(3, seed), [make_agent("information").sit_down() for _ in range(3)]
        while len(game.moves) < 26:
            game.push(seats[game.seat].act(game.view()))
        views.append(game.view())
    agent.think(views[0])
    return lambda: sum(agent.think(view).iterations for view in views)


def has_open_spiel() -> bool:
    """Whether the extra is installed."""
    return importlib.util.find_spec("pyspiel") is not None


def measure(effort: Effort) -> list[tuple[str, str, str, str]]:
    """The rows of the table."""
    rows = []
    for players in (2, 5) if has_open_spiel() else ():
        contestants = (loop_of("legal-random", players, effort.count(5000), "length"), open_spiel_moves(players))
        ours, theirs = effort.alternate(*contestants)
        label = f"random play, {players} players, moves per second per core"
        rows.append((label, f"{ours:,.0f}", f"OpenSpiel from Python {theirs:,.0f}", f"{ours / theirs:.1f} x"))
    for name, java in (("vdb", 696), ("piers", 1818), ("iggi", 2642)):
        (speed,) = effort.alternate(loop_of(name, 4, effort.count(2000), "games"))
        label = f"{name}, 4 players, games per second per core"
        rows.append((label, f"{speed:,.0f}", f"Java framework {java:,} (reported)", f"{speed / java:.0f} x"))
    for name, players, peer, reported in CONVENTIONS:
        (speed,) = effort.alternate(loop_of(name, players, effort.count(1000), "games"))
        label = f"{name}, {players} players, games per second per core"
        rows.append((label, f"{speed:,.0f}", f"{peer} {reported:,} (reported)", f"{speed / reported:.0f} x"))
    (speed,) = effort.alternate(rollouts(effort.count(1000)))
    rows.append(("rollouts per second of search(information) from the middle of games of 3", f"{speed:,.0f}", "", ""))
    (speed,) = effort.alternate(loop_of("speed:fifteen_lines", 4, effort.count(2000), "games"))
    rows.append(("a user's policy of 15 lines, 4 players, games per second per core", f"{speed:,.0f}", "", ""))
    games = np.zeros(16, TABLE)
    copy_games(games, 1)
    (speed,) = effort.alternate(lambda: copy_games(games, 1_000_000))
    rows.append(("copying a game inside a kernel, ns", f"{1e9 / speed:.1f}", "target 100", ""))
    one, two = effort.alternate(threaded(1, effort.count(40_000)), threaded(2, effort.count(40_000)))
    label = "vdb, 4 players, two threads, games per second"
    rows.append((label, f"{two:,.0f}", f"one thread {one:,.0f}", f"{two / one:.2f} x"))
    return rows


def as_markdown(rows: list[tuple[str, str, str, str]]) -> str:
    """The table, as the documentation shows it."""
    lines = ["| what | tamaya | beside it | ratio |", "| --- | ---: | ---: | ---: |"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])


def main() -> None:
    """Prints the table, and writes it into a page between its two marks."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", type=pathlib.Path, help="a Markdown page with <!-- speed --> twice")
    arguments = parser.parse_args()
    table = as_markdown(measure(Effort()))
    print(table)
    if arguments.write:
        before, _, after = arguments.write.read_text().split("<!-- speed -->")
        arguments.write.write_text(f"{before}<!-- speed -->\n\n{table}\n\n<!-- speed -->{after}")


if __name__ == "__main__":
    main()
