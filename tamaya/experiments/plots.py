"""Plots of a run, readable in black and white; they need the extra ``plot``."""

import importlib.util
import io
from collections.abc import Mapping, Sequence
from typing import Any

from tamaya.arena.statistics import Summary
from tamaya.core.text import plain
from tamaya.experiments.lineups import Cell

Result = tuple[Cell, Summary]
GREY = "0.75"
PUBLISHED = ", published"
MOST_BARS, MOST_NAMES = 100, 60
"""How many bars are drawn in a panel, and how many names and numbers at the fields of a heat map."""


def are_available() -> bool:
    """Whether the extra is installed."""
    return importlib.util.find_spec("matplotlib") is not None


def new_figure(count: int, width: float, height: float) -> tuple[Any, list[Any]]:
    """A figure with panels side by side, at most four in a line, without a screen."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ValueError("plots need matplotlib: pip install 'tamaya[plot]'") from error
    columns = min(count, 4)
    lines = -(-count // columns)
    figure = Figure(figsize=(width * columns, height * lines), layout="constrained")
    panels = figure.subplots(lines, columns, squeeze=False).flatten().tolist()
    for panel in panels[count:]:
        panel.set_axis_off()
    return figure, panels[:count]


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


def short(name: str, limit: int = 28) -> str:
    """A name that fits beside a plot."""
    name = plain(name).replace("(counting=2017)", "").replace(", counting=2017)", ")")
    return name if len(name) <= limit else name[: limit - 1] + "…"


Bar = tuple[str, float, float]
"""Name, mean, and half of its 95 % interval; a mean that is not a number leaves a gap."""


def bars(groups: Mapping[str, Sequence[Bar]], label: str, markers: Mapping[str, Sequence[float]] | None = None) -> str:
    """Means with their 95 % intervals, a panel a group, and, if there are any, published ones as diamonds."""
    if not markers:
        groups = {name: rows for title, given in groups.items() for name, rows in [highest(title, given)]}
    longest = max(map(len, groups.values()))
    figure, panels = new_figure(len(groups), 3.6, 1.0 + 0.28 * longest)
    for panel, (title, rows) in zip(panels, groups.items(), strict=True):
        names, means, margins = zip(*rows, strict=True)
        places = range(len(rows))
        style = {"color": GREY, "edgecolor": "black", "height": 0.7, "error_kw": {"capsize": 3}}
        panel.barh(places, means, xerr=margins, label="measured", **style)
        if markers:
            panel.plot(markers[title], places, "D", color="white", markeredgecolor="black", label="published")
        panel.set_yticks(places, [short(name) for name in names], fontsize=8)
        panel.invert_yaxis()
        panel.set_xlim(left=0)
        panel.set_title(title, fontsize=10)
        panel.set_xlabel(f"{label}, 95 % interval", fontsize=8)
    if markers:
        panels[0].legend(fontsize=7)
    return as_svg(figure)


def highest(title: str, rows: Sequence[Bar]) -> tuple[str, Sequence[Bar]]:
    """A group of bars, or the highest of them where there are too many to be seen, and its title."""
    if len(rows) <= MOST_BARS:
        return title, rows
    best = sorted(range(len(rows)), key=lambda index: -rows[index][1])[:MOST_BARS]
    return f"{title}, the highest {MOST_BARS} of {len(rows):,}", [rows[index] for index in sorted(best)]


def mean_bars(results: Sequence[Result]) -> str:
    """Mean scores, a panel a number of players."""
    groups = {
        f"{players} players": [(one.agent, one.mean, max(0.0, one.high - one.mean)) for _, one in rows]
        for players, rows in by_players(results).items()
    }
    return bars(groups, "mean score")


def lines(curves: Mapping[str, Sequence[tuple[float, float, float]]], label: str, budget: str) -> str:
    """Means with their 95 % intervals against a budget, a curve a name; published ones are hollow and unconnected."""
    figure, (panel,) = new_figure(1, 6.4, 4.0)
    markers = "os^vDP*X"
    names = list(dict.fromkeys(name.removesuffix(PUBLISHED) for name in curves))
    for name, points in curves.items():
        budgets, means, margins = zip(*sorted(points), strict=True)
        index, is_published = names.index(name.removesuffix(PUBLISHED)), name.endswith(PUBLISHED)
        shade = str(0.55 * (index % 2))
        face = "white" if is_published else shade
        style = {"marker": markers[index % 8], "color": shade, "markerfacecolor": face, "linewidth": 1, "capsize": 3}
        panel.errorbar(
            budgets, means, yerr=margins, linestyle=":" if is_published else "-", label=short(name, 60), **style
        )
    panel.set_xscale("log")
    panel.set_xlabel(budget, fontsize=8)
    panel.set_ylabel(f"{label}, 95 % interval", fontsize=8)
    figure.legend(loc="outside right upper", fontsize=7)
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
    panel.set_title(f"{settings.players} players: agent (row) with partner (column)", fontsize=9)
    if max(len(agents), len(partners)) > MOST_NAMES:
        panel.set_xlabel(f"{len(partners):,} partners", fontsize=8)
        panel.set_ylabel(f"{len(agents):,} agents", fontsize=8)
        return
    for row, line in enumerate(grid):
        for column, mean in enumerate(line):
            if mean == mean:
                colour = "black" if mean > 0.55 * settings.max_score else "white"
                panel.text(column, row, f"{mean:.1f}", ha="center", va="center", color=colour, fontsize=8)
    panel.set_xticks(range(len(partners)), [short(name) for name in partners], rotation=45, ha="right", fontsize=8)
    panel.set_yticks(range(len(agents)), [short(name) for name in agents], fontsize=8)


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
