"""How fast the searches are, beside the figures of the Java code: python bench/search.py.

Iterations per second of processor time from every sixth position of games of Van den Bergh's rules, 4 players, 300
iterations per decision, as the Java code was measured.
"""

import argparse
import pathlib
import statistics
import time

from tamaya import Game, View, make_agent
from tamaya.search.search_agent import facts_in

JAVA = {
    "mo({})": 11250,
    "mo(rollout=vdb, {})": 2640,
    "ris({})": 13100,
    "ris(rollout=vdb, {})": 2720,
    "mo(rules=goodman, {})": 5830,
    "mo(rules=goodman, rollout=vdb, {})": 2110,
    "ris(rules=goodman, {})": 4290,
    "ris(rules=goodman, convention=yes, {})": 3750,
    "ris(rules=goodman, rollout=vdb, {})": 1850,
    "ris(rules=goodman, convention=yes, rollout=vdb, {})": 1690,
    "ris-nr(3, {})": 2830,
}
"""Iterations per second of processor time of the Java code, on an idle machine of the same kind."""


def positions(games: int = 5) -> list[View]:
    """Every sixth view of some games."""
    views = []
    for seed in range(games):
        game, seats = Game(players=4, seed=seed), [make_agent("vdb").sit_down() for _ in range(4)]
        while not game.is_over:
            if game.turn % 6 == 0:
                views.append(game.view())
            game.push(seats[game.seat].act(game.view()))
    return views


def rate(text: str, views: list[View], rounds: int) -> tuple[float, float]:
    """Iterations per second of processor time, the median of rounds, and the mean depth."""
    agent, rates, depths = make_agent(text), [], []
    agent.sit_down().answer(views[0])
    for _ in range(rounds):
        players, start = [agent.sit_down() for _ in views], time.process_time()
        for player, view in zip(players, views, strict=True):
            player.answer(view)
        seconds, facts = time.process_time() - start, [facts_in(player.memory) for player in players]
        rates.append(sum(int(one.iterations) for one in facts) / seconds)
        depths = [int(one.depth) for one in facts]
    return statistics.median(rates), statistics.mean(depths)


def overruns(views: list[View], budget: int) -> list[float]:
    """By how many milliseconds decisions overrun a budget of time."""
    agent = make_agent(f"ris(rules=goodman, convention=yes, rollout=vdb, ms={budget})")
    agent.sit_down().answer(views[0])
    return sorted(agent.think(view).milliseconds - budget for view in views)


def measure(games: int = 5, rounds: int = 5, iterations: int = 300) -> str:
    """The table, as the documentation shows it."""
    views = positions(games)
    lines = ["| search | iterations/s | Java | ratio | depth |", "| --- | ---: | ---: | ---: | ---: |"]
    for text, java in JAVA.items():
        speed, depth = rate(text.format(f"iterations={iterations}"), views, rounds)
        name = text.replace(", {}", "").replace("({})", "")
        lines.append(f"| `{name}` | {speed:,.0f} | {java:,} | {speed / java:.0f} x | {depth:.1f} |")
    late = overruns(views, 40)
    worst, median = late[-1], statistics.median(late)
    overrun = (
        f"Of {len(late)} decisions with `ms=40`, the median overran by {median:.2f} ms, the worst by {worst:.2f} ms."
    )
    return "\n".join([*lines, "", overrun])


def main() -> None:
    """Prints the table, and writes it into a page between its two marks."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", type=pathlib.Path, help="a Markdown page with <!-- search --> twice")
    arguments = parser.parse_args()
    table = measure()
    print(table)
    if arguments.write:
        before, _, after = arguments.write.read_text().split("<!-- search -->")
        arguments.write.write_text(f"{before}<!-- search -->\n\n{table}\n\n<!-- search -->{after}")


if __name__ == "__main__":
    main()
