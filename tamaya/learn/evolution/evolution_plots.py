"""Pictures of an evolution: the learning curve and the grid of niches; they need the extra ``plot``."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tamaya.experiments.report.plots import as_svg, new_figure
from tamaya.learn.evolution.evolution_run import Plan, Record


def curve_picture(plan: Plan, history: Sequence[Record]) -> str:
    """The best and the mean fitness over the generations as SVG, readable in black and white."""
    figure, panel = new_figure(3.6, 6.0)
    generations = range(1, len(history) + 1)
    panel.plot(generations, [one.best for one in history], "k-", label="best")
    panel.plot(generations, [one.mean for one in history], "k--", label="mean of all niches" if plan.niches else "mean")
    panel.set_xlabel("generation")
    panel.set_ylabel("mean score")
    title = f"fitness in {plan.games:,} games per genome"
    panel.set_title(title, fontsize=10)
    panel.legend()
    return as_svg(figure, title)


def niche_picture(plan: Plan, found: Sequence[Any]) -> str:
    """The fitness of all niches as a heat map in SVG."""
    figure, panel = new_figure(4.6, 5.6)
    grid = np.full((plan.niches, plan.niches), np.nan)
    for one in found:
        grid[one.row, one.column] = one.mean
    edges = np.linspace(0, 1, plan.niches + 1)
    mesh = panel.pcolormesh(edges, edges, grid, cmap="YlGnBu", edgecolors="none")
    figure.colorbar(mesh, ax=panel, label="mean score")
    panel.set_xlabel("communicativeness: share of hints while there are tokens")
    panel.set_ylabel("risk aversion: chance of success when playing")
    title = "the elites of all niches"
    panel.set_title(title, fontsize=10)
    return as_svg(figure, title)


def niche_lines(plan: Plan, found: Sequence[Any]) -> list[str]:
    """The grid of niches as lines of text: the mean scores, the most cautious first."""
    means = {(one.row, one.column): one.mean for one in found}
    bounds = [f"{place / plan.niches:.2f}" for place in range(plan.niches)]
    lines = ["rows: caution from; columns: hints from", " " * 6 + " ".join(f"{bound:>4}" for bound in bounds)]
    for row in reversed(range(plan.niches)):
        cells = (f"{means[row, column]:4.1f}" if (row, column) in means else "   ·" for column in range(plan.niches))
        lines.append(f"{bounds[row]:>4}  {' '.join(cells)}")
    return lines
