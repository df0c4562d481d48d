"""What the games of a run say: averages, differences, summaries and records."""

import math
from collections.abc import Iterable, Iterator

from tamaya.arena.seating import record_of
from tamaya.arena.statistics import Difference, Summary, Tally, compared, difference, mean_and_error, summarise
from tamaya.engine.text import plain
from tamaya.experiments.lineups import Cell
from tamaya.experiments.store import Store
from tamaya.game.hanab_live import Record
from tamaya.policies.language import parse


class Reading:
    """A store of games, with the cells that are read."""

    store: Store
    cells: dict[Cell, tuple[int, int]]
    """The number of every cell in the store, and how many games it has."""

    def average(
        self, cells: Iterable[Cell], measure: str = "score", is_by_deck: bool = True, decks: int | None = None
    ) -> tuple[int, float, float]:
        """The games, mean and standard error of a measure over some cells, as far as all of them were played.

        The error is that of averages by deck, because the cells share decks, or, if asked, that of independent games.
        ``decks`` limits this to the first decks.
        """
        chosen = [self.cells[cell] for cell in cells]
        limit = min((self.store.reached(*cell) for cell in chosen), default=0)
        limit = limit if decks is None else min(limit, decks)
        numbers = sorted({number for number, _ in chosen})
        count, total, squares = self.store.moments(numbers, limit, measure, is_by_deck)
        return (limit * len(numbers), *mean_and_error(count, total, squares)) if count else (0, math.nan, math.nan)

    def gain(self, cells: Iterable[Cell], others: Iterable[Cell], to: str) -> Difference | None:
        """How much more some cells score than others on the same decks, as far as all of them were played."""
        sides = [[self.cells[cell] for cell in side] for side in (cells, others)]
        limit = min((self.store.reached(*cell) for side in sides for cell in side), default=0)
        one, two = ([number for number, _ in side] for side in sides)
        count, total, squares = self.store.gains(one, two, limit)
        return difference(to, count, total, squares) if count else None

    def records(self) -> Iterator[Record]:
        """The games that were kept, cell by cell, as files of games hold them; no agent is made."""
        for cell, (number, games) in self.cells.items():
            for outcomes in self.store.moves(number, games):
                names: list[list[str]] = [[]] * len(outcomes)
                for team, part in cell.teams(outcomes["seed"].copy()).items():
                    spelled = [str(parse(name)[0]) for name in team]
                    for game in part.tolist():
                        names[game] = spelled
                for outcome, team_names in zip(outcomes, names, strict=True):
                    yield record_of(cell.settings, team_names, outcome)

    def tally(self, cells: Iterable[Cell]) -> Tally:
        """The games of some cells, counted."""
        tally = Tally()
        for cell in cells:
            for outcomes in self.store.outcomes(*self.cells[cell]):
                tally.add(outcomes)
        return tally

    def summaries(self) -> Iterator[tuple[Cell, Summary]]:
        """What the games of each cell say, with the difference to the first cell of that number of players."""
        references: dict[int, tuple[int, int, str]] = {}
        for cell, (number, games) in self.cells.items():
            tally = self.tally([cell])
            if not tally.games:
                continue
            name, players = cell.name, cell.settings.players
            summary = summarise(
                plain(name), players, cell.settings.max_score, tally, *self.store.seconds(number, games)
            )
            other, limit, title = references.setdefault(players, (number, games, name))
            if other != number:
                pairs = self.store.pairs(number, other, min(games, limit))
                summary = compared(summary, title, ((pair[:, 0], pair[:, 1]) for pair in pairs))
            yield cell, summary
