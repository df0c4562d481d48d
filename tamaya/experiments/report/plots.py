"""Plots of a run, each a small picture in the colours of its page; they need the extra ``plot``."""

import importlib.util
import io
import textwrap
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from tamaya.arena.analysis.game_analysis import TurnAnalysis
from tamaya.arena.statistics import Summary
from tamaya.engine.text import plain
from tamaya.experiments.lineups import Cell
from tamaya.game.game import Game
from tamaya.solver.hindsight import Reach

CellSummary = tuple[Cell, Summary]
Dot = tuple[str, float, float, float]
"""A name, its mean, and both ends of the 95 % interval; what is not a number is not drawn."""

PUBLISHED = ", published"
MOST_DOTS = 100
"""How many dots are drawn in one picture."""

MOST_TICKS = 8
"""How many budgets are labelled on an axis; with more, powers of ten are labelled."""

COLOURS = ("#0072b2", "#d55e00", "#2a8f5a", "#b0559c", "#8a6d00", "#5b6ee1", "#c0392b", "#6e7781")
MARKERS = "os^vDPX"
"""Colours that stand out on light and dark pages, and as many markers less one, so that many pairs are different."""

WIDTH = 3.7
"""The inches of a picture that a phone shows in full."""

LEAST_SCALE = 0.8
"""A picture shrinks no further than this; on a narrower screen it is scrolled, so that its text stays readable."""


def are_available() -> bool:
    """Whether the extra is installed."""
    return importlib.util.find_spec("matplotlib") is not None


def new_figure(height: float, width: float = WIDTH) -> tuple[Any, Any]:
    """A figure with one panel, which needs no screen."""
    try:
        from matplotlib.figure import Figure
        from matplotlib.layout_engine import ConstrainedLayoutEngine
    except ImportError as error:
        raise ValueError("plots need matplotlib: pip install 'tamaya[plot]'") from error
    layout = ConstrainedLayoutEngine(w_pad=0.12)  # the letters of a browser may be wider than those here
    figure = Figure(figsize=(width, height), layout=layout)
    panel = figure.subplots()
    panel.tick_params(labelsize=8)
    panel.spines[["top", "right"]].set_visible(False)
    return figure, panel


def as_svg(figure: Any, title: str) -> str:
    """A figure as SVG for a page, with the page's text colour in place of black."""
    import matplotlib

    buffer = io.StringIO()
    with matplotlib.rc_context({"svg.hashsalt": "tamaya", "svg.fonttype": "none"}):
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None}, transparent=True)
    text = buffer.getvalue().replace("#000000", "currentColor")
    least = LEAST_SCALE * 96 * figure.get_figwidth()
    head = f'<svg role="img" aria-label="{escape(plain(title))}" style="min-width: {least:.0f}px"'
    return head + text[text.index("<svg") + len("<svg") :]


def brief_name(name: str, limit: int = 26, lines: int = 1) -> str:
    """A name that fits beside a plot, in a few lines if need be."""
    parts = textwrap.wrap(plain(name), limit, break_on_hyphens=False) or [""]
    text = "\n".join(parts[:lines]) + ("…" if len(parts) > lines else "")
    return text.replace("$", r"\$")  # a $ begins a formula


def by_table(results: Sequence[CellSummary]) -> dict[str, list[CellSummary]]:
    """Results by number of players, and by rules where these are not the official ones."""
    groups: dict[str, list[CellSummary]] = {}
    for cell, summary in results:
        groups.setdefault(cell.table, []).append((cell, summary))
    return groups


def highest(title: str, rows: Sequence[Dot]) -> tuple[str, list[Dot]]:
    """Dots in descending order, only the highest where there are too many to be seen, and their title."""
    best = sorted(rows, key=lambda row: -row[1])[:MOST_DOTS]
    return (title if len(best) == len(rows) else f"{title}, the highest {MOST_DOTS} of {len(rows):,}"), best


def dots(title: str, rows: Sequence[Dot], label: str, published: Sequence[float] = ()) -> str:
    """Means with their 95 % intervals on an axis that spans them; published ones are diamonds, in the given order."""
    if not published:
        title, rows = highest(title, rows)
    names = [brief_name(name, lines=3) for name, _, _, _ in rows]
    sizes = [1.4 + 0.8 * name.count("\n") for name in names]
    places = [sum(sizes[:index]) + size / 2 for index, size in enumerate(sizes)]
    figure, panel = new_figure(0.8 + 0.15 * sum(sizes) + 0.2 * bool(published))
    _, means, lows, highs = zip(*rows, strict=True)
    panel.hlines(places, lows, highs, color="black", linewidth=1.2)
    panel.plot(means, places, "o", color="black", markersize=4, label="measured")
    if published:
        panel.plot(published, places, "D", color="none", markeredgecolor="black", markersize=6, label="published")
        figure.legend(loc="outside lower center", fontsize=8, frameon=False, ncols=2)
    panel.set_yticks(places, names)
    panel.set_ylim(sum(sizes), 0)
    panel.margins(x=0.08)
    panel.grid(axis="x", color="#808080", alpha=0.35, linewidth=0.6)
    panel.set_title(title, fontsize=10)
    panel.set_xlabel(f"{label}, 95 % interval", fontsize=8)
    return as_svg(figure, f"{title}: {label}")


def lines(curves: Mapping[str, Sequence[tuple[float, float, float]]], label: str, budget: str) -> str:
    """Means with their 95 % intervals against a budget, a curve per name; published ones are hollow and dotted."""
    names = list(dict.fromkeys(name.removesuffix(PUBLISHED) for name in curves))
    figure, panel = new_figure(3.4 + 0.18 * len(names), 4.6)
    for name, points in curves.items():
        budgets, means, margins = zip(*sorted(points), strict=True)
        index, is_published = names.index(name.removesuffix(PUBLISHED)), name.endswith(PUBLISHED)
        colour, marker = COLOURS[index % len(COLOURS)], MARKERS[index % len(MARKERS)]
        style = {"marker": marker, "color": colour, "linewidth": 1, "markersize": 5}
        if is_published:
            panel.plot(budgets, means, ":", markerfacecolor="none", **style)
        else:
            panel.errorbar(budgets, means, yerr=margins, capsize=3, label=brief_name(name, 60), **style)
    if len(curves) > len(names):
        panel.plot([], [], "o:", color="black", markerfacecolor="none", linewidth=1, label="published: hollow, dotted")
    named = sorted({place for points in curves.values() for place, _, _ in points})
    panel.set_xscale("log")
    if len(named) <= MOST_TICKS:
        panel.set_xticks(named, [f"{place:,g}" for place in named])
        panel.minorticks_off()
    panel.set_xlabel(budget, fontsize=8)
    panel.set_ylabel(f"{label}, 95 % interval", fontsize=8)
    figure.legend(loc="outside lower center", fontsize=8, frameon=False)
    return as_svg(figure, f"{label} against {budget}")


def histogram(title: str, rows: Sequence[CellSummary]) -> str:
    """How often each score was reached, an outline per agent."""
    figure, panel = new_figure(2.2 + 0.18 * len(rows))
    styles = ("-", "--", ":", "-.")
    for index, (cell, summary) in enumerate(rows):
        shares = [count / summary.games for count in summary.histogram]
        edges = [score - 0.5 for score in range(len(shares) + 1)]
        style = {"linestyle": styles[index % 4], "color": COLOURS[index % len(COLOURS)], "linewidth": 1.4}
        panel.stairs(shares, edges, label=brief_name(cell.agent, 40), **style)
    panel.set_title(title, fontsize=10)
    panel.set_xlabel("score", fontsize=8)
    panel.set_ylabel("share of the games", fontsize=8)
    figure.legend(loc="outside lower center", fontsize=8, frameon=False)
    return as_svg(figure, f"{title}: share of the games with each score")


def game_curve(game: Game, turns: Sequence[TurnAnalysis], final: int | None = None, reach: Sequence[Reach] = ()) -> Any:
    """A figure of matplotlib; it needs the extra ``plot``."""
    figure, panel = new_figure(3.6, 7.0)
    places, scores = [one.turn for one in turns], [one.expected for one in turns]
    errors = [one.expected_error for one in turns]
    if final is not None:
        places, scores, errors = [*places, len(game.moves)], [*scores, final], [*errors, 0.0]
    if reach:
        tops = [reach[place].bound for place in places]
        panel.step(places, tops, where="post", color=COLOURS[7], linewidth=1, label="highest, all cards face up")
    low, high = ([one + sign * error for one, error in zip(scores, errors, strict=True)] for sign in (-1, 1))
    panel.fill_between(places, low, high, color=COLOURS[0], alpha=0.25, linewidth=0)
    panel.plot(places, scores, color=COLOURS[0], linewidth=1.4, label="expected")
    wrong = [one for one in turns if one.is_mistake]
    if wrong:
        at = [[one.turn for one in wrong], [one.expected for one in wrong]]
        panel.plot(*at, "x", color=COLOURS[1], markersize=7, markeredgewidth=1.8, label="mistake")
    panel.set_xlabel("moves made", fontsize=8)
    panel.set_ylabel("score", fontsize=8)
    panel.grid(axis="y", color="#808080", alpha=0.35, linewidth=0.6)
    figure.legend(loc="outside lower center", fontsize=8, frameon=False, ncols=3)
    return figure
