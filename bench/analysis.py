"""What the moves of agents cost, by the analysis: python bench/analysis.py --write docs/analysis.md."""

import argparse
import pathlib

import numpy as np

from tamaya import Settings, make_agent
from tamaya.arena.analysis.game_analysis import analyse, make_analyst
from tamaya.arena.seating import Seating, game_seeds, replay

SEARCH = "search(piers, iterations=2000)"
ROWS = [("iggi", ""), ("piers", ""), ("smartbot", ""), ("information", ""), ("piers", SEARCH), (SEARCH, SEARCH)]
"""Who played, and who analyses; empty for the default."""

PLAYERS, SEED = 3, 5


def row_of(name: str, by: str, games: int, iterations: int) -> list[str]:
    """The means of the analyses of some games of self-play, with their standard errors."""
    settings, agent = Settings(players=PLAYERS), make_agent(name)
    analyst = make_analyst(by or None, [name] * PLAYERS, iterations=iterations)
    figures = []
    for outcome in Seating([agent] * PLAYERS, settings).play(game_seeds(SEED, 0, games)):
        game = replay(settings, outcome)
        turns = list(analyse(game, analyst, threads=None))
        cost, mistakes = sum(one.cost for one in turns), sum(one.is_mistake for one in turns)
        figures.append((analyst.points(game), turns[0].expected, cost, mistakes))
    means, errors = np.mean(figures, axis=0), np.std(figures, axis=0, ddof=1) / games**0.5
    shown = [f"{mean:.1f} ± {error:.1f}" for mean, error in zip(means, errors, strict=True)]
    return [f"`{name}`", f"`{analyst.agent}`", *shown]


def measure(rows: list[tuple[str, str]], games: int, iterations: int) -> str:
    """The table in Markdown."""
    heads = ["games of", "analysed by", "score", "expected first", "cost per game", "mistakes per game"]
    lines = [heads, ["---", "---", *["---:"] * 4], *(row_of(*row, games, iterations) for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main() -> None:
    """Prints the table, and writes it into a page between its two marks."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=5)
    parser.add_argument("--iterations", type=int, default=1000)
    parser.add_argument("--write", type=pathlib.Path, help="a Markdown page with <!-- costs --> twice")
    given = parser.parse_args()
    table = measure(ROWS, given.games, given.iterations)
    print(table)
    if given.write:
        before, _, after = given.write.read_text().split("<!-- costs -->")
        given.write.write_text(f"{before}<!-- costs -->\n\n{table}\n\n<!-- costs -->{after}")


if __name__ == "__main__":
    main()
