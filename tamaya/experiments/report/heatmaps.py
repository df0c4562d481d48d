"""Heat maps: mean scores of agents with partners, as tables whose fields are coloured on one scale."""

import html
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tamaya.engine.text import plain
from tamaya.experiments.lineups import Cell
from tamaya.experiments.report.html_markup import html_row, html_table

Grid = Mapping[tuple[str, str], float]
"""Means by row and column; what was not played is not a number."""

PAIRS = "Mean score of agents (rows) with partners (columns)"

MOST_NAMES = 40
"""How many rows and columns are shown; more cannot be read."""

FEW_NAMES = 8
"""With more columns than this the names above them stand upright."""

COLOURS = ("#ffffcc", "#a1dab4", "#41b6c4", "#2c7fb8", "#253494")
"""The colours of the scale from low to high, which the colour-blind can tell apart (YlGnBu of ColorBrewer)."""

EQUAL_CONTRAST = 0.179
"""The luminance on which black and white text are equally easy to read; either has a contrast of 4.58 there."""

FENCE = 1.5
"""Means this many interquartile ranges beyond the quartiles are outliers (Tukey), off the scale."""


@dataclass(frozen=True)
class Scale:
    """The scores from the first to the last colour, in equal steps; outliers have the colours of the ends."""

    low: float
    high: float

    def colour(self, mean: float) -> tuple[int, ...]:
        """The red, green and blue of a mean."""
        low, high = (self.low, self.high) if self.low < self.high else (self.low - 1, self.low + 1)
        parts = np.array([[int(colour[place : place + 2], 16) for place in (1, 3, 5)] for colour in COLOURS])
        places = np.linspace(low, high, len(COLOURS))
        return tuple(round(float(np.interp(mean, places, part))) for part in parts.T)

    def mark(self, mean: float) -> str:
        """What marks a mean that is off the scale."""
        return " ▼" if mean < self.low else " ▲" if mean > self.high else ""


@dataclass(frozen=True)
class Heatmap:
    """A panel: the means of some rows and columns."""

    title: str
    means: Grid
    rows: list[str]
    columns: list[str]
    scale: Scale | None
    """None if nothing was played."""

    def line(self, row: str) -> list[float]:
        """The means of a row."""
        return [self.means.get((row, column), math.nan) for column in self.columns]

    @property
    def shown(self) -> list[float]:
        """All means that are shown."""
        return [mean for row in self.rows for mean in self.line(row)]


def scale_of(means: Iterable[float]) -> Scale | None:
    """The scale of some means, from the lowest to the highest that is not an outlier."""
    played = np.array([mean for mean in means if not math.isnan(mean)])
    if not len(played):
        return None
    first, third = np.quantile(played, (0.25, 0.75))
    reach = FENCE * (third - first) or math.inf
    usual = played[(played >= first - reach) & (played <= third + reach)]
    return Scale(float(usual.min()), float(usual.max()))


def ordered(grids: Iterable[Grid], side: int) -> list[str]:
    """The rows or columns of all panels, the highest on average first."""
    totals: dict[str, list[float]] = {}
    for grid in grids:
        for pair, mean in grid.items():
            total = totals.setdefault(pair[side], [0.0, 0])
            if not math.isnan(mean):
                total[0] += mean
                total[1] += 1
    averages = {name: total / count if count else -math.inf for name, (total, count) in totals.items()}
    return sorted(averages, key=lambda name: -averages[name])


def panels(grids: Mapping[str, Grid], is_sorted: bool = True) -> list[Heatmap]:
    """Grids by their titles as heat maps with the same order of rows and columns, and on one scale."""
    orders = [ordered(grids.values(), side) for side in (0, 1)]
    chosen = []
    for title, grid in grids.items():
        named, sizes = [], []
        for side, order in enumerate(orders):
            there = list(dict.fromkeys(pair[side] for pair in grid))
            known = set(there)
            has_all = not is_sorted and len(there) <= MOST_NAMES
            named.append(there if has_all else [name for name in order if name in known][:MOST_NAMES])
            sizes.append(len(there))
        if [*map(len, named)] != sizes:
            words = [f"{len(names)} of {size:,}" for names, size in zip(named, sizes, strict=True)]
            title += f", the highest {words[0]} agents with {words[1]} partners"
        chosen.append(Heatmap(title, grid, named[0], named[1], None))
    scale = scale_of(mean for one in chosen for mean in one.shown)
    return [Heatmap(one.title, one.means, one.rows, one.columns, scale) for one in chosen]


def pair_maps(means: Mapping[Cell, float], names: Mapping[str, str] | None = None) -> list[Heatmap]:
    """Heat maps of the means of pairings, one per number of players, with other names for agents if there are any."""
    paired = {cell: mean for cell, mean in means.items() if cell.kind in ("pairing", "every-pair")}
    has_both, known = len({cell.kind for cell in paired}) > 1, names or {}
    grids: dict[str, dict[tuple[str, str], float]] = {}
    for cell, mean in paired.items():
        grid = grids.setdefault(f"{cell.table}, {cell.kind}" if has_both else cell.table, {})
        agent, partner = known.get(cell.agent, cell.agent), known.get(cell.partner, cell.partner)
        grid[agent, partner] = mean
        if cell.kind == "every-pair":
            grid[partner, agent] = mean
    return panels({title: grid for title, grid in grids.items() if len({partner for _, partner in grid}) > 1})


def matrix(heatmap: Heatmap) -> list[list[str]]:
    """The rows of a table with the means."""
    return [
        [row, *("not played" if math.isnan(mean) else f"{mean:.2f}" for mean in heatmap.line(row))]
        for row in heatmap.rows
    ]


def luminance(colour: Sequence[int]) -> float:
    """How bright a colour is, as WCAG defines it."""
    shares = (part / 255 for part in colour)
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def field_of(heatmap: Heatmap, row: str, column: str, mean: float) -> str:
    """A field of a page, which says in words what it is."""
    words = html.escape(plain(f"{row} with {column}: "))
    if math.isnan(mean) or heatmap.scale is None:
        return f'<td class="gap" title="{words}not played"></td>'
    colour, digits = heatmap.scale.colour(mean), 1 if len(heatmap.columns) > FEW_NAMES else 2
    kind = ' class="dark"' if luminance(colour) < EQUAL_CONTRAST else ""
    text = f"{mean:.{digits}f}{heatmap.scale.mark(mean)}"
    return f'<td{kind} style="background: #{bytes(colour).hex()}" title="{words}{mean:.3f}">{text}</td>'


def heatmap_html(heatmap: Heatmap) -> str:
    """A panel of a page."""
    rows = []
    for row in heatmap.rows:
        fields = zip(heatmap.columns, heatmap.line(row), strict=True)
        rows.append(html_row(row, (field_of(heatmap, row, column, mean) for column, mean in fields)))
    kind = "map upright" if len(heatmap.columns) > FEW_NAMES else "map"
    return (
        f"<figure><figcaption>{html.escape(plain(heatmap.title))}</figcaption>\n"
        f"{html_table(heatmap.title, ('', *heatmap.columns), rows, kind)}</figure>\n"
    )


def bar_of(heatmaps: Sequence[Heatmap]) -> str:
    """The colour bar of some panels, with what it means; panels that were made together have one scale."""
    shown, scale = [mean for one in heatmaps for mean in one.shown], heatmaps[0].scale
    parts = []
    if scale is not None:
        numbers = "".join(f"<span>{value:.1f}</span>" for value in np.linspace(scale.low, scale.high, len(COLOURS)))
        marks = {scale.mark(mean) for mean in shown}
        several = "one linear scale for all panels, whose rows and columns have the same order"
        words = [f"Mean score, on {several if len(heatmaps) > 1 else 'a linear scale'}"]
        sides = {" ▼": "below", " ▲": "above"}
        words += [f"{mark.strip()} is {side} the scale" for mark, side in sides.items() if mark in marks]
        colours = f"background: linear-gradient(to right, {', '.join(COLOURS)})"
        parts += [f'<i style="{colours}"></i><div>{numbers}</div>', f"<p>{'; '.join(words)}.</p>"]
    if any(map(math.isnan, shown)):
        parts.append('<p><span class="gap"></span> hatched: not played</p>')
    return f'<div class="bar">{"".join(parts)}</div>\n'
