"""How soon an ally knows its team-mates: python bench/posteriors.py.

With --write docs/learning.md and --plot docs/posteriors.svg it writes the table and the picture of the documentation.
Teams drawn from the pool play, and seat 0 watches with the eyes of each ally. For every other seat, after each of its
moves: the probability of its true policy, and whether that is the highest, a tie counting in part.
"""

import argparse
import math
import pathlib

import numpy as np

from tamaya import Game, Settings, make_agent
from tamaya.arena.seating import Seating, game_seeds, replay
from tamaya.experiments.report.plots import as_svg, new_figure
from tamaya.learn.goodman.likelihood_data import StrangerGames
from tamaya.search.search_agent import SearchAgent

ALLIES = {"asked": "ally", "network": "ally(likelihood=network)", "uniform": "ally(learns=no)"}
STYLES = {"asked": "k-", "network": "k--", "uniform": "k:"}
AFTER, FEWEST_SEATS = (5, 10, 20), 20
MOST_MOVES = 30

Curve = dict[int, list[tuple[float, float]]]
"""By how many moves a seat has made: for each seat, the mass on its true policy, and whether that is the highest."""


def watch(ally: SearchAgent, game: Game, team: np.ndarray, curve: Curve) -> None:
    """Shows a game to an ally at seat 0, and notes what it believes after every move of the others."""
    watcher, view, moved = ally.sit_down(), game.view(0), [0] * game.players
    observe = ally.policy.compiled("observer")
    for tables, mover, *what in view.past:
        observe(tables[0], mover, *what, watcher.memory, ally.params)
        moved[mover] += 1
        if mover:
            chances = np.array(list(ally.beliefs_in(watcher.memory, view)[mover].values()))
            true, likeliest = chances[team[mover]], np.isclose(chances, chances.max())
            curve.setdefault(moved[mover], []).append((true, likeliest[team[mover]] / likeliest.sum()))


def measure(players: int, games: int, seed: int, allies: dict[str, str]) -> dict[str, Curve]:
    """What each ally believes in the same games."""
    agents = {name: make_agent(text) for name, text in allies.items()}
    pool = StrangerGames([str(one) for one in agents["asked"].models])
    curves: dict[str, Curve] = {}
    settings = Settings(players=players)
    for number in game_seeds(seed, 0, games):
        team = pool.team(players, number)
        (outcome,) = Seating([pool.agents[one] for one in team], settings).play(np.array([number]))
        game = replay(settings, outcome)
        for name, agent in agents.items():
            watch(agent, game, team, curves.setdefault(name, {}))
    return curves


def share(values: list[float]) -> str:
    """A mean in percent, with half of its 95 % interval; nothing for a few seats."""
    if len(values) < FEWEST_SEATS:
        return ""
    return f"{np.mean(values):.0%} ± {1.96 * np.std(values) / math.sqrt(len(values)):.0%}"


def as_markdown(found: dict[int, dict[str, Curve]]) -> str:
    """The table for the documentation."""
    heads = [f"{what} after {moves} moves" for moves in AFTER for what in ("mass", "highest")]
    lines = [
        "| players | likelihood | seats | " + " | ".join(heads) + " |",
        "| --- | --- | ---: " + "| ---: " * 6 + "|",
    ]
    for players, curves in found.items():
        for name, curve in curves.items():
            cells = [share([one[which] for one in curve.get(moves, [])]) for moves in AFTER for which in (0, 1)]
            lines.append(f"| {players} | {name} | {len(curve[AFTER[0]]):,} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def as_plot(found: dict[int, dict[str, Curve]]) -> str:
    """The curves as SVG, a panel per number of players, readable in black and white."""
    figure, panel = new_figure(2.6, 8.0)
    panel.remove()
    for place, (players, curves) in enumerate(found.items(), 1):
        panel = figure.add_subplot(1, len(found), place)
        panel.spines[["top", "right"]].set_visible(False)
        panel.tick_params(labelsize=8)
        for name, curve in curves.items():
            moves = [one for one in sorted(curve) if one <= MOST_MOVES and len(curve[one]) >= FEWEST_SEATS]
            masses = [np.mean([true for true, _ in curve[one]]) for one in moves]
            panel.plot(moves, masses, STYLES[name], linewidth=1.2, label=name)
        panel.set_title(f"{players} players", fontsize=8)
        panel.set_ylim(0, 1)
        panel.set_xlabel("moves of the team-mate", fontsize=8)
        if place == 1:
            panel.set_ylabel("probability of its true policy", fontsize=8)
            panel.legend(fontsize=8, frameon=False, loc="lower right", bbox_to_anchor=(1.0, 0.12))
    return as_svg(figure, "the probability of the true policy against the moves of the team-mate")


def main() -> None:
    """Prints the table, and writes it into a page between its two marks, and the plot."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seed", type=int, default=99)
    parser.add_argument("--write", type=pathlib.Path, help="a Markdown page with <!-- posteriors --> twice")
    parser.add_argument("--plot", type=pathlib.Path)
    given = parser.parse_args()
    found = {players: measure(players, given.games, given.seed, ALLIES) for players in (2, 3, 4, 5)}
    table = as_markdown(found)
    print(table)
    if given.write:
        before, _, after = given.write.read_text().split("<!-- posteriors -->")
        given.write.write_text(f"{before}<!-- posteriors -->\n\n{table}\n\n<!-- posteriors -->{after}")
    if given.plot:
        given.plot.write_text(as_plot(found))


if __name__ == "__main__":
    main()
