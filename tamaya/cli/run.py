"""``tamaya run``: an experiment, which goes on where it was stopped."""

import contextlib
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from tamaya.cli.options import Json, Threads, check_threads
from tamaya.cli.printing import console
from tamaya.cli.printing.match_results import print_results
from tamaya.cli.printing.progress import progress_bar
from tamaya.cli.printing.tables import figure_lines
from tamaya.engine.text import count_of, duration

if TYPE_CHECKING:
    from tamaya.experiments.report.rankings import Ranking

EXAMPLES = ("run experiment.toml --dry-run", "run experiment.toml", "run experiment.run")


def run(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="An experiment as a TOML file, or the directory of a run to resume.")
    ],
    to: Annotated[
        Path | None,
        typer.Option(metavar="DIRECTORY", help="Where the run is kept. [default: the file's name with .run]"),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", "-n", help="Only list the cells and games, and estimate the time.")
    ] = False,
    threads: Threads = None,
    cluster: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Play on the Dask cluster of this scheduler.")
    ] = None,
    details: Annotated[bool, typer.Option("--details", "-d", help="Print all figures of every cell.")] = False,
    json: Json = False,
) -> None:
    """Run an experiment; started again, it plays only what is missing."""
    from tamaya.arena.batches import cores
    from tamaya.experiments.cells import estimate
    from tamaya.experiments.experiment import ExperimentError, check_agents, read_experiment
    from tamaya.experiments.runs import Run
    from tamaya.experiments.schema import WriteError

    check_threads(threads)
    if file.is_dir() and to is not None:
        raise ValueError(f"{file} is already a run; --to goes with a TOML file")
    experiment = None if file.is_dir() else read_experiment(file, with_agents=False)
    directory = file if experiment is None else to or file.with_suffix(".run")
    chosen = Run(directory, experiment)
    note_modules(chosen.experiment)
    with console.prints_aside():
        try:
            check_agents(chosen.experiment)
        except ExperimentError as error:
            raise ExperimentError(f"{file}: {error}") from error
        left = chosen.left() if dry_run else {}
        rows = list(estimate(left, chosen.experiment.seed)) if left else []
    if dry_run:
        if rows or json:
            print_estimate(rows, threads or cores(), json)
        else:
            console.say(f"{directory} is complete: there is nothing to play")
        return
    with contextlib.ExitStack() as stack:
        workers: Any = threads
        if cluster is not None:
            from tamaya.experiments.cluster import Cluster

            workers = stack.enter_context(Cluster(cluster))
        again = f"`tamaya run {shlex.quote(str(directory))}` continues"
        try:
            open_run = stack.enter_context(chosen)
        except WriteError as error:
            raise WriteError(f"{error}; {again}") from error
        before = open_run.missing()
        try:
            with progress_bar(directory.name, before, open_run.seconds_left) as progress:
                open_run.play(progress, workers)
        except BaseException:
            if open_run.store.path.exists() and open_run.missing() < before:
                print_run(open_run, json, details)
            raise
        print_run(open_run, json, details)


def print_run(played: Any, json: bool, details: bool) -> None:
    """Prints the ranking of a run, or all its figures, and where they are kept."""
    from tamaya.experiments.cells import unique
    from tamaya.experiments.report.rankings import rankings

    ranked = [] if json or details else list(rankings(played))
    for ranking in ranked:
        if len(ranked) > 1:
            console.out.print(ranking.way.capitalize(), style="bold")
        console.print_lines(ranking_lines(ranking, console.out.width))
    if not ranked:
        results = [summary for _, summary in unique(list(played.summaries()))]
        print_results(results, played.experiment.seed, json, played.experiment.rules)
    programs = played.store.programs()
    if len(programs) > 1:
        console.note(f"the games were played by different versions of tamaya: {', '.join(programs)}")
    unasked = played.unasked()
    if unasked:
        words = f"the run also holds {count_of(unasked, 'game')} that the experiment does not ask for; they are kept"
        console.note(words)
    place, missing = shlex.quote(str(played.directory)), played.missing()
    words = f"{count_of(len(played.cells), 'cell')} in {place}; `tamaya report {place}` writes tables and plots"
    if missing:
        words = f"{count_of(missing, 'game')} of {place} left to play; `tamaya run {place}` continues"
    console.note(words)


def note_modules(experiment: Any) -> None:
    """Says in advance which modules are imported and commands are run for a run, which may come from anywhere."""
    from tamaya.agents.user_agents import find_module
    from tamaya.experiments.experiment import commands_of, modules_of

    for module in modules_of(experiment):
        place = find_module(module)
        words = f"importing {module}" + (f" from {place}" if place else "") + ", which agents of this run need"
        console.note(words)
    for command in commands_of(experiment):
        console.note(f"running {command}, which bots of this run need")


def print_estimate(rows: list[Any], threads: int, json: bool) -> None:
    """Prints the cells of an experiment, with the time they will take."""
    if json:
        cells = [
            {"agent": cell.agent, "partner": cell.partner, **cell.sizes, "games": games, "seconds": seconds / threads}
            for cell, games, seconds in rows
        ]
        console.print_json({"threads": threads, "cells": cells})
        return
    lines = [
        {
            "agent": cell.agent if cell.partner in ("", cell.agent) else f"{cell.agent} with {cell.partner}",
            "players": str(cell.settings.players),
            "games": f"{games:,}",
            "time": duration(seconds / threads),
        }
        for cell, games, seconds in rows
    ]
    console.print_lines(figure_lines(lines, console.out.width))
    games, seconds = sum(games for _, games, _ in rows), sum(seconds for _, _, seconds in rows) / threads
    counts = f"{count_of(len(rows), 'cell')}, {count_of(games, 'game')}"
    console.out.print(f"\n{counts}, about {duration(seconds)} on {count_of(threads, 'thread')}")


MOST_RANKS = 30
"""How many agents a ranking in a terminal shows."""


def ranking_lines(ranking: "Ranking", width: int) -> Iterator[Text]:
    """Lists the agents of a kind of line-ups, the best first, up to a limit."""
    rows = []
    for number, one in enumerate(ranking.standings[:MOST_RANKS], 1):
        row = {
            "agent": f"{number if one.is_ranked else '-'} {one.name}",
            "games": f"{one.games:,}",
            "mean ± 95 %": one.text,
            "to the first": one.gain.text if one.gain else "",
        }
        if len(ranking.tables) > 1:
            row |= {
                table.replace(" players", "p"): f"{part.mean:.2f}" if part.games else ""
                for table, part in one.by_table.items()
            }
        rows.append(row)
    yield from figure_lines(rows, width)
    if len(ranking.standings) > MOST_RANKS:
        yield Text(f"... and {len(ranking.standings) - MOST_RANKS:,} more")
    if ranking.note:
        yield Text(f"\n{ranking.note}")
