"""Plots of a run, readable in black and white; they need the extra ``plot``."""

import io
from collections.abc import Sequence
from typing import Any

from tamaya.experiment import Cell
from tamaya.statistics import Summary

Result = tuple[Cell, Summary]
GREY = "0.75"


def new_figure(columns: int, width: float, height: float) -> tuple[Any, list[Any]]:
    """A figure with panels side by side, without a screen."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ValueError("plots need matplotlib: pip install 'tamaya[plot]'") from error
    figure = Figure(figsize=(width * columns, height), layout="constrained")
    panels = figure.subplots(1, columns, squeeze=False)[0]
    return figure, list(panels)


def as_svg(figure: Any) -> str:
    """A figure as SVG that can stand in a page."""
    import matplotlib

    buffer = io.StringIO()
    with matplotlib.rc_context({"svg.hashsalt": "tamaya", "svg.fonttype": "none"}):
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    text = buffer.getvalue()
    return text[text.index("<svg") :]


def by_players(results: Sequence[Result]) -> dict[int, list[Result]]:
    """Results by number of players."""
    groups: dict[int, list[Result]] = {}
    for cell, summary in results:
        groups.setdefault(cell.settings.players, []).append((cell, summary))
    return groups


def short(name: str) -> str:
    """A name that fits beside a plot."""
    name = name.replace("(counting=2017)", "").replace(", counting=2017)", ")")
    return name if len(name) <= 28 else name[:27] + "…"


def bars(results: Sequence[Result]) -> str:
    """Mean scores with their 95 % intervals, a panel a number of players."""
    groups = by_players(results)
    longest = max(map(len, groups.values()))
    figure, panels = new_figure(len(groups), 3.6, 1.0 + 0.28 * longest)
    for panel, (players, rows) in zip(panels, groups.items(), strict=True):
        names = [short(summary.agent) for _, summary in rows]
        means = [summary.mean for _, summary in rows]
        margins = [max(0.0, summary.high - summary.mean) for _, summary in rows]
        places = range(len(rows))
        panel.barh(places, means, xerr=margins, color=GREY, edgecolor="black", height=0.7, error_kw={"capsize": 3})
        panel.set_yticks(places, names, fontsize=8)
        panel.invert_yaxis()
        panel.set_xlim(0, rows[0][0].settings.max_score)
        panel.set_title(f"{players} players", fontsize=10)
        panel.set_xlabel("mean score, 95 % interval", fontsize=8)
    return as_svg(figure)


def heatmap(results: Sequence[Result]) -> str:
    """Mean scores of agents with partners, a panel a number of players."""
    groups = by_players(results)
    figure, panels = new_figure(len(groups), 4.6, 4.2)
    for panel, (_, rows) in zip(panels, groups.items(), strict=True):
        draw_heatmap(panel, rows)
    return as_svg(figure)


def draw_heatmap(panel: Any, rows: Sequence[Result]) -> None:
    """One panel: rows are agents, columns partners, with the numbers in the fields."""
    agents = list(dict.fromkeys(cell.agent for cell, _ in rows))
    partners = list(dict.fromkeys(cell.partner for cell, _ in rows))
    if any(cell.kind == "every-pair" for cell, _ in rows):
        agents = partners = list(dict.fromkeys([*agents, *partners]))
    settings = rows[0][0].settings
    grid = [[float("nan")] * len(partners) for _ in agents]
    for cell, summary in rows:
        grid[agents.index(cell.agent)][partners.index(cell.partner)] = summary.mean
        if cell.kind == "every-pair":
            grid[partners.index(cell.partner)][agents.index(cell.agent)] = summary.mean
    panel.imshow(grid, cmap="cividis", vmin=0, vmax=settings.max_score, aspect="auto")
    for row, line in enumerate(grid):
        for column, mean in enumerate(line):
            if mean == mean:
                colour = "black" if mean > 0.55 * settings.max_score else "white"
                panel.text(column, row, f"{mean:.1f}", ha="center", va="center", color=colour, fontsize=8)
    panel.set_xticks(range(len(partners)), [short(name) for name in partners], rotation=45, ha="right", fontsize=8)
    panel.set_yticks(range(len(agents)), [short(name) for name in agents], fontsize=8)
    panel.set_title(f"{settings.players} players: agent (row) with partner (column)", fontsize=9)


def histograms(results: Sequence[Result]) -> str:
    """How often each score was reached, a panel a number of players, an outline an agent."""
    groups = by_players(results)
    figure, panels = new_figure(len(groups), 3.6, 2.6)
    styles = ("-", "--", ":", "-.")
    for panel, (players, rows) in zip(panels, groups.items(), strict=True):
        for index, (cell, summary) in enumerate(rows):
            shares = [count / summary.games for count in summary.histogram]
            edges = [score - 0.5 for score in range(len(shares) + 1)]
            style = {"linestyle": styles[index % 4], "color": str(0.6 * (index // 4 % 2)), "linewidth": 1.2}
            panel.stairs(shares, edges, label=short(cell.agent), **style)
        panel.set_title(f"{players} players", fontsize=10)
        panel.set_xlabel("score", fontsize=8)
        panel.set_ylabel("share of the games", fontsize=8)
        panel.legend(fontsize=7)
    return as_svg(figure)
