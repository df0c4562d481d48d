"""Heat maps: mean scores of agents with partners, as a table whose fields are coloured."""

import html
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from tamaya.core.text import plain
from tamaya.experiments.lineups import Cell
from tamaya.experiments.tables import row_of, table_of

PAIRS = "Mean score of agents (rows) with partners (columns)"

MOST_NAMES = 40
"""How many rows and columns are shown; more cannot be read."""

FEW_NAMES = 8
"""With more columns than this the names above them stand upright."""

DARK = 0.65
"""From this share of the scale on, white text is easier to read than black."""

STEPS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Where numbers stand at a colour bar: equally many fields lie between neighbours, so that an outlier hides nothing."""


@dataclass
class Heatmap:
    """Means by row and column; what was not played is not a number."""

    title: str
    means: dict[tuple[str, str], float]
    is_sorted: bool = True
    """Whether the highest rows and columns come first, instead of the order in which they are given."""
    scale: list[float] = field(default_factory=list)
    """The numbers at the colour bar, if they are not those of the means that are shown."""

    def __post_init__(self) -> None:
        rows, columns = (list(dict.fromkeys(pair[side] for pair in self.means)) for side in (0, 1))
        self.rows, self.columns = self._first(rows, 0), self._first(columns, 1)
        if (len(self.rows), len(self.columns)) != (len(rows), len(columns)):
            size = f"{len(self.rows)} of {len(rows):,} agents with {len(self.columns)} of {len(columns):,} partners"
            self.title += f", the highest {size}"
        shown = [mean for row in self.rows for mean in self.line(row)]
        self.scale = self.scale or scale_of(shown)
        self.has_gaps = any(map(math.isnan, shown))

    def _first(self, names: list[str], side: int) -> list[str]:
        """The names of a side in the order in which they are shown, as many as can be read."""
        totals = {name: [0.0, 0] for name in names}
        for pair, mean in self.means.items():
            if not math.isnan(mean):
                totals[pair[side]][0] += mean
                totals[pair[side]][1] += 1
        averages = {name: total / count if count else -math.inf for name, (total, count) in totals.items()}
        by_average = sorted(names, key=lambda name: -averages[name])
        return by_average[:MOST_NAMES] if self.is_sorted or len(names) > MOST_NAMES else names

    def line(self, row: str) -> list[float]:
        """The means of a row."""
        return [self.means.get((row, column), math.nan) for column in self.columns]

    def share(self, mean: float) -> float:
        """Where a mean lies on the scale, which spans what was played."""
        return float(np.interp(mean, self.scale, STEPS)) if self.scale[0] < self.scale[-1] else 0.5


def scale_of(means: Iterable[float]) -> list[float]:
    """The numbers at a colour bar; none if nothing was played."""
    played = [mean for mean in means if not math.isnan(mean)]
    return [float(value) for value in np.quantile(played, STEPS)] if played else []


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
    return [Heatmap(title, grid) for title, grid in grids.items() if len({partner for _, partner in grid}) > 1]


def matrix(heatmap: Heatmap) -> list[list[str]]:
    """The rows of a table with the means."""
    return [
        [row, *("not played" if math.isnan(mean) else f"{mean:.2f}" for mean in heatmap.line(row))]
        for row in heatmap.rows
    ]


def field_of(heatmap: Heatmap, row: str, column: str, mean: float) -> str:
    """A field of a page, which says in words what it is."""
    words = html.escape(plain(f"{row} with {column}: "))
    if math.isnan(mean):
        return f'<td class="gap" title="{words}not played"></td>'
    share, digits = heatmap.share(mean), 1 if len(heatmap.columns) > FEW_NAMES else 2
    kind = ' class="dark"' if share >= DARK else ""
    return f'<td{kind} style="--share: {share:.0%}" title="{words}{mean:.3f}">{mean:.{digits}f}</td>'


def as_html(heatmap: Heatmap) -> str:
    """A table of a page with its colour bar."""
    rows = []
    for row in heatmap.rows:
        fields = zip(heatmap.columns, heatmap.line(row), strict=True)
        rows.append(row_of(row, (field_of(heatmap, row, column, mean) for column, mean in fields)))
    kind = "map upright" if len(heatmap.columns) > FEW_NAMES else "map"
    numbers = "".join(f"<span>{value:.1f}</span>" for value in heatmap.scale)
    scale = f'<div class="bar"><i></i><div>{numbers}</div></div>' if heatmap.scale else ""
    note = '<p class="note"><span class="gap"></span> hatched: not played</p>' if heatmap.has_gaps else ""
    return (
        f"<figure><figcaption>{html.escape(plain(heatmap.title))}</figcaption>\n"
        f"{table_of(heatmap.title, ('', *heatmap.columns), rows, kind)}"
        f"{scale}{note}</figure>\n"
    )
