"""How long the tables of the papers take: python bench/papers.py writes tamaya/experiments/papers/costs.toml.

A few games of each agent are played, searches with a small budget, and scaled up: seconds on one core.
"""

import argparse
import dataclasses
import pathlib

from tamaya.experiments.cells import estimate, unique
from tamaya.experiments.lineups import Cell
from tamaya.experiments.papers.paper_tables import PaperTable, paper_tables
from tamaya.policies.language import Call, parse, split_budget

COSTS = pathlib.Path(__file__).parent.parent / "tamaya" / "experiments" / "papers" / "costs.toml"

SAMPLE_BUDGET = 20.0
"""The budget with which searches are sampled."""


def with_budget(text: str, key: str, budget: float) -> str:
    """An agent with a budget."""
    (call,) = parse(text)
    return str(Call(call.name, call.arguments, (*call.keywords, (key, budget))))


def cheaper(cell: Cell) -> tuple[Cell, float]:
    """A cell whose searches have a small budget, and how many times longer the true ones take."""
    factor, names = 1.0, {}
    for name in (cell.agent, *cell.members):
        rest, key, budget = split_budget(name) if name else (name, "", 0.0)
        if budget > SAMPLE_BUDGET:
            names[name] = with_budget(rest, key, SAMPLE_BUDGET)
            factor = max(factor, budget / SAMPLE_BUDGET)
    members = tuple(names.get(name, name) for name in cell.members)
    return dataclasses.replace(cell, agent=names.get(cell.agent, cell.agent), members=members), factor


def cost(cells: dict[Cell, int], seed: int = 1) -> tuple[int, float]:
    """The games of some cells, and about how many seconds they take on one core, from a few games of each agent."""
    known: dict[tuple[str, int], float] = {}
    total = 0.0
    for cell, games in unique(list(cells.items())):
        small, factor = cheaper(cell)
        kind = (small.agent, cell.settings.players)
        if kind not in known:
            known[kind] = next(estimate({small: games}, seed, seconds=0.01))[2] / games
        total += factor * known[kind] * games
    return sum(cells.values()), total


def cost_of(name: str, table: PaperTable) -> float:
    """How many seconds a table takes on one core."""
    run = table.run_in(pathlib.Path(), name)
    return cost(run.wanted())[1] if run else 0.0


def main() -> None:
    """Measures all tables, or some, and writes the file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="tables, such as bouzy/table-1; all if none is named")
    parser.add_argument("--to", type=pathlib.Path, default=COSTS)
    arguments = parser.parse_args()
    tables = {name: table for name, table in paper_tables().items() if name in arguments.names or not arguments.names}
    lines = [f'"{name}" = {cost_of(name, table):.1f}\n' for name, table in tables.items()]
    arguments.to.write_text("# seconds on one core, written by bench/papers.py\n" + "".join(lines))


if __name__ == "__main__":
    main()
