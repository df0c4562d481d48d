"""Rankings: agents that met the same partners at the same tables, by their mean over all of these."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec

from tamaya.arena.statistics import Difference, mean_interval, with_interval
from tamaya.engine.text import plain
from tamaya.experiments.lineups import Cell
from tamaya.experiments.report import plots
from tamaya.experiments.report.pages import ReportSection
from tamaya.experiments.runs import Run

WAYS = {
    "self-play": "in self-play",
    "every-pair": "over all pairs",
    "pairing": "over all partners",
    "random-teams": "in random teams",
    "seats": "of the teams",
}
"""The kinds of line-ups, as a ranking calls them."""

TOGETHER = ("all numbers of players together", "all numbers of players and rules together")
"""The title of a plot of means over tables that differ in the number of players, and over others."""

UNRANKED = "Agents without a rank have not yet met every partner at every table."


PARTIAL = (
    "Cells differ in how many games were played: the means of an agent are over the decks that all of its cells have "
    "played, and differences to the first are over the decks that the cells of both have played."
)


class Average(msgspec.Struct, frozen=True):
    """A mean score over some cells on the same decks, with its 95 % interval."""

    games: int
    mean: float
    """Not a number if there are no games."""
    low: float
    high: float

    @property
    def text(self) -> str:
        """The mean with its interval; nothing if there are no games."""
        return with_interval(self.mean, self.low, self.high) if self.games else ""


class Standing(msgspec.Struct, frozen=True):
    """An agent in a ranking."""

    name: str
    is_ranked: bool
    """Whether all of its cells were begun, and it met whom the others met."""
    games: int
    """The games behind its mean: those on the decks that all of its cells have played."""
    mean: float
    """The mean score over all of its cells; not a number if there are no games."""
    low: float
    """The lower end of the 95 % interval of the mean."""
    high: float
    """The upper end of the 95 % interval of the mean."""
    by_table: dict[str, Average]
    """Its means by number of players and rules, such as ``by_table["2 players"].mean``, on the decks of its mean."""
    gain: Difference | None = None
    """The difference to the first."""

    @property
    def text(self) -> str:
        """The mean with its interval; nothing if there are no games."""
        return Average(self.games, self.mean, self.low, self.high).text

    @property
    def tables(self) -> list[str]:
        """Its means by number of players and rules, as texts."""
        return [one.text for one in self.by_table.values()]


@dataclass
class Ranking:
    """The agents of a kind of line-ups, the best first."""

    way: str
    tables: list[str]
    standings: list[Standing]
    is_partial: bool = False
    """Whether some cells have more games than others."""

    @property
    def note(self) -> str:
        """What a reader must know about unequal games; nothing if there is nothing to know."""
        unranked = "" if all(one.is_ranked for one in self.standings) else UNRANKED
        return " ".join(filter(None, (unranked, PARTIAL if self.is_partial else "")))

    @property
    def summary(self) -> str:
        """The first two in a sentence, which says if the difference may be chance."""
        first, second = self.standings[:2]
        mean, gain = with_interval(first.mean, first.low, first.high), second.gain
        text = f"{self.way.capitalize()}, {without_backticks(first.name)} is first with {mean}"
        if not second.is_ranked or gain is None or math.isnan(gain.low):
            return f"{text}."
        text += f"; {without_backticks(second.name)} is {-gain.mean:z.3f} ± {gain.high - gain.mean:.3f} behind"
        return f"{text}, which may be chance." if gain.low <= 0 <= gain.high else f"{text}."


def without_backticks(name: str) -> str:
    """A name as part of a text in which backticks mark code."""
    return plain(name).replace("`", "'")


def cells_by_agent(run: Run, kind: str, table: str = "") -> dict[str, list[Cell]]:
    """The cells of a kind of line-ups by agent, perhaps only those of one table; a pair is there under both names."""
    groups: dict[str, dict[Cell, None]] = {}
    for cell in run.cells:
        if cell.kind == kind and table in ("", cell.table):
            for name in (cell.agent, cell.partner) if kind == "every-pair" else (cell.agent,):
                groups.setdefault(name, {})[cell] = None
    return {name: list(cells) for name, cells in groups.items()}


def tests_of(name: str, cells: Sequence[Cell]) -> set[tuple]:
    """The tables at which an agent sits and whom it meets there."""
    if cells[0].kind in ("self-play", "seats"):
        return {(cell.settings,) for cell in cells}
    return {(cell.settings, cell.pool, cell.partner if cell.agent == name else cell.agent) for cell in cells}


def average(run: Run, cells: Sequence[Cell], decks: int | None = None) -> Average:
    """The scores of some cells, as far as all of them were played, or on the first decks."""
    games, mean, error = run.average(cells, decks=decks)
    best = sum(cell.settings.max_score for cell in cells) / max(1, len(cells))
    low, high = mean_interval(mean, error, games // max(1, len(cells)), best) if games else (math.nan, math.nan)
    return Average(games, mean, low, high)


def ranking_of(run: Run, kind: str, table: str = "") -> Ranking:
    """The ranking of a kind of line-ups, perhaps only at one table."""
    groups = cells_by_agent(run, kind, table)
    tests = {name: tests_of(name, cells) for name, cells in groups.items()}
    every = set().union(*tests.values())
    tables = list(dict.fromkeys(cell.table for cells in groups.values() for cell in cells))
    reached = {cell: run.store.reached(*run.cells[cell]) for cells in groups.values() for cell in cells}
    standings = []
    for name, cells in groups.items():
        by_table: dict[str, list[Cell]] = {table: [] for table in tables}
        for cell in cells:
            by_table[cell.table].append(cell)
        decks = min(reached[cell] for cell in cells)
        whole = average(run, cells)
        parts = {table: average(run, some, decks or None) for table, some in by_table.items()}
        is_ranked = whole.games > 0 and tests[name] == every
        standings.append(Standing(name, is_ranked, whole.games, whole.mean, whole.low, whole.high, parts))
    standings.sort(key=lambda one: (not one.is_ranked, -one.mean if one.games else math.inf))
    first = groups[standings[0].name] if standings else []
    for index, one in enumerate(standings[1:], 1):
        if one.is_ranked:
            gain = run.gain(groups[one.name], first, standings[0].name)
            standings[index] = msgspec.structs.replace(one, gain=gain)
    way = f"{WAYS[kind]} with {table}" if table else WAYS[kind]
    return Ranking(way, tables, standings, len(set(reached.values())) > 1)


def is_contest(ranking: Ranking) -> bool:
    """Whether a ranking has at least two agents to compare."""
    return sum(one.is_ranked for one in ranking.standings) > 1


def rankings(run: Run) -> Iterator[Ranking]:
    """The rankings of a run: one per kind of its line-ups, or one per table if no two agents sat at all tables."""
    for kind in WAYS:
        whole = ranking_of(run, kind)
        parts = [] if is_contest(whole) else [ranking_of(run, kind, table) for table in whole.tables]
        apart = any(map(is_contest, parts)) and len(parts) > 1
        yield from (ranking for ranking in (parts if apart else [whole]) if any(one.games for one in ranking.standings))


def contests(run: Run) -> list[Ranking]:
    """The rankings with at least two agents to compare."""
    return [ranking for ranking in rankings(run) if is_contest(ranking)]


def ranking_section(ranking: Ranking) -> ReportSection:
    """A ranking as a section of a report."""
    rows, drawn = [], []
    for rank, one in enumerate(ranking.standings, 1):
        gain = one.gain.text if one.gain else ""
        rows.append([one.name, str(rank) if one.is_ranked else "", f"{one.games:,}", one.text, gain, *one.tables])
        drawn += [(one.name, one.mean, one.low, one.high)] if one.is_ranked else []
    heads = ("agent", "rank", "games", "mean", "to the first", *ranking.tables)
    title = f"Ranking {ranking.way}"
    place = ranking.tables[0] if len(ranking.tables) == 1 else TOGETHER[any("," in table for table in ranking.tables)]
    pictures = [plots.dots(place, drawn, "mean score")] if plots.are_available() else []
    return ReportSection(title, heads, rows, pictures, ranking.note)
