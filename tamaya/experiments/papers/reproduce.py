"""The tables of the papers, played again."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

from tamaya.experiments.papers.paper_tables import paper_table
from tamaya.experiments.papers.verdicts import JudgedFigure, verdicts_on
from tamaya.experiments.runs import Progress, Run


@contextlib.contextmanager
def unwatched(run: Run) -> Iterator[Progress]:
    """Lets a run play, and shows nothing."""
    yield lambda games: None


def play_table(
    name: str,
    folder: Path,
    seconds: float | None = None,
    threads: int | None = None,
    watch: Callable[[Run], contextlib.AbstractContextManager[Progress]] = unwatched,
) -> list[JudgedFigure]:
    """Plays what is missing of a table, such as ``walton-rivers/table-2``, and returns the verdicts on its figures.

    The games are kept in a folder of runs; called again, it goes on. With ``seconds``, games are begun for that long.
    ``watch`` makes the context in which the open run plays; what it yields is told how many games were played.
    """
    table = paper_table(name)
    run = table.run_in(folder, name)
    if run is None:
        return verdicts_on(table, None)
    with run as open_run:
        with watch(open_run) as progress:
            if seconds is None:
                open_run.play(progress, threads)
            else:
                open_run.play_for(seconds, progress, threads)
        return verdicts_on(table, open_run)
