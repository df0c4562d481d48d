"""The commands for experiments: run, report, reproduce."""

import contextlib
import shlex
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from tamaya.cli import console
from tamaya.cli.grids import listing
from tamaya.cli.matches import Json, Threads, check_threads
from tamaya.engine.text import count_of, duration

RUNS = Path("reproduced")
"""Where the runs of the papers' tables are kept by default."""


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
    from tamaya.experiments.cell_seating import estimate
    from tamaya.experiments.experiment import ExperimentError, check_agents, read_experiment
    from tamaya.experiments.runs import Run
    from tamaya.experiments.store_schema import WriteError

    check_threads(threads)
    if file.is_dir() and to is not None:
        raise ValueError(f"{file} is already a run; --to goes with a TOML file")
    experiment = None if file.is_dir() else read_experiment(file, with_agents=False)
    directory = file if experiment is None else to or file.with_suffix(".run")
    chosen = Run(directory, experiment)
    say_modules(chosen.experiment)
    with console.prints_aside():
        try:
            check_agents(chosen.experiment)
        except ExperimentError as error:
            raise ExperimentError(f"{file}: {error}") from error
        left = chosen.left() if dry_run else {}
        rows = list(estimate(left, chosen.experiment.seed)) if left else []
    if dry_run:
        if rows or json:
            console.print_estimate(rows, threads or cores(), json)
        else:
            console.out.print(f"{directory} is complete: there is nothing to play", markup=False, soft_wrap=True)
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
            with console.progress_bar(directory.name, before, open_run.seconds_left) as progress:
                open_run.play(progress, workers)
        except BaseException:
            if open_run.store.path.exists() and open_run.missing() < before:
                print_run(open_run, json, details)
            raise
        print_run(open_run, json, details)


def print_run(played: Any, json: bool, details: bool) -> None:
    """The ranking of a run, or all its figures, and where they are kept."""
    from tamaya.cli.grids import ranking_lines
    from tamaya.experiments.cell_seating import unique
    from tamaya.experiments.report.rankings import rankings

    ranked = [] if json or details else list(rankings(played))
    for ranking in ranked:
        if len(ranked) > 1:
            console.out.print(ranking.way.capitalize(), style="bold")
        console.print_lines(ranking_lines(ranking, console.out.width))
    if not ranked:
        results = [summary for _, summary in unique(list(played.summaries()))]
        console.print_results(results, played.experiment.seed, json, played.experiment.rules)
    programs = played.store.programs()
    if len(programs) > 1:
        console.err.print(f"the games were played by different versions of tamaya: {', '.join(programs)}", markup=False)
    unasked = played.unasked()
    if unasked:
        words = f"the run also holds {count_of(unasked, 'game')} that the experiment does not ask for; they are kept"
        console.err.print(words, markup=False, soft_wrap=True)
    place, missing = shlex.quote(str(played.directory)), played.missing()
    words = f"{count_of(len(played.cells), 'cell')} in {place}; `tamaya report {place}` writes tables and plots"
    if missing:
        words = f"{count_of(missing, 'game')} of {place} left to play; `tamaya run {place}` continues"
    console.err.print(words, markup=False, soft_wrap=True)


def say_modules(experiment: Any) -> None:
    """Says in advance which modules are imported and commands are run for a run, which may come from anywhere."""
    from tamaya.agents.user_agents import find_module
    from tamaya.experiments.experiment import commands_of, modules_of

    for module in modules_of(experiment):
        place = find_module(module)
        words = f"importing {module}" + (f" from {place}" if place else "") + ", which agents of this run need"
        console.err.print(words, markup=False, soft_wrap=True)
    for command in commands_of(experiment):
        console.err.print(f"running {command}, which bots of this run need", markup=False, soft_wrap=True)


def report(
    directory: Annotated[Path, typer.Argument(metavar="DIRECTORY", help="The directory of a run.")],
    parquet: Annotated[bool, typer.Option("--parquet", help="Write Parquet files too.")] = False,
) -> None:
    """Write a report of a run into its directory: Markdown, a page with plots, CSV and JSON."""
    from tamaya.experiments.export import write_parquet
    from tamaya.experiments.report.report import write_report

    for path in write_report(directory) + (write_parquet(directory) if parquet else []):
        console.out.print(str(path), markup=False, soft_wrap=True)
    say_plots()


def say_plots() -> None:
    """Says why there are no plots, if there are none."""
    from tamaya.experiments.report import plots

    if not plots.are_available():
        console.err.print("there are no plots: they need matplotlib, pip install 'tamaya[plot]'", markup=False)


def table_names(incomplete: str) -> list[str]:
    """The tables whose names begin like this, for completion in a shell."""
    from tamaya.experiments.papers.paper_tables import data_files

    return [name for name, _ in data_files() if name.startswith(incomplete)]


def reproduce(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="TABLE", help="A table of a paper, such as walton-rivers/table-2.", autocompletion=table_names
        ),
    ] = None,
    show_list: Annotated[bool, typer.Option("--list", "-l", help="List the tables.")] = False,
    quick: Annotated[bool, typer.Option("--quick", "-q", help="Play for about a minute only.")] = False,
    to: Annotated[
        Path | None, typer.Option(metavar="DIRECTORY", help="The folder of the runs. [default: reproduced]")
    ] = None,
    threads: Threads = None,
    json: Json = False,
) -> None:
    """Play a table of a paper again, and print published and measured figures side by side."""
    from tamaya.experiments.papers.paper_tables import paper_table, paper_tables
    from tamaya.experiments.papers.reproduce import paper_rows

    check_threads(threads)
    if name is not None and show_list:
        raise ValueError("--list shows all tables and takes no name")
    if name is None:
        if not show_list:
            raise ValueError("name a table, or use --list to see them")
        print_tables(paper_rows(paper_tables()), json)
        return
    play_table(name, paper_table(name), to or RUNS, quick, threads, json)


def print_tables(rows: list[dict[str, Any]], json: bool) -> None:
    """The tables of the papers."""
    from tamaya.arena.batches import cores

    if json:
        console.print_json({"tables": rows})
        return
    lines = [
        {
            "name": row["name"],
            "title": row["title"],
            "figures": row["figures"].replace(" of ", "/"),
            "time": duration(row["seconds"]) if row["games"] else "-",
        }
        for row in rows
    ]
    console.out.print(listing(lines, "title", console.out.width))
    console.out.print(f"\n{len(rows)} tables; the times are for {count_of(cores(), 'core')}.")


def play_table(name: str, table: Any, folder: Path, quick: bool, threads: int | None, json: bool) -> None:
    """Plays what is missing of a table, and prints the verdicts, even when it is stopped."""
    from tamaya.experiments.papers.comparison import write_comparison
    from tamaya.experiments.papers.reproduce import QUICK_SECONDS, verdicts_on

    run = table.run_in(folder, name)
    if run is None:
        print_verdicts(name, table, verdicts_on(table, None), json)
        return
    with run as open_run:
        try:
            left = seconds_until(QUICK_SECONDS) if quick else open_run.seconds_left
            with console.progress_bar(name, 0 if quick else open_run.missing(), left) as progress:
                if quick:
                    open_run.play_for(QUICK_SECONDS, progress, threads)
                else:
                    open_run.play(progress, threads)
        finally:
            verdicts = verdicts_on(table, open_run)
            print_verdicts(name, table, verdicts, json)
            missing = open_run.missing()
            if missing:
                command = f"tamaya reproduce {name}" + (f" --to {shlex.quote(str(folder))}" if folder != RUNS else "")
                console.err.print(f"{missing:,} games are left; `{command}` continues", markup=False, soft_wrap=True)
    for path in write_comparison(name, table, verdicts, folder / name):
        console.err.print(f"wrote {path}", markup=False, soft_wrap=True)
    say_plots()


def seconds_until(seconds: float) -> Callable[[], float]:
    """A clock that says how much is left of a time that starts now."""
    end = time.monotonic() + seconds
    return lambda: max(0.0, end - time.monotonic())


def print_verdicts(name: str, table: Any, verdicts: list[Any], json: bool) -> None:
    """Published beside measured."""
    from tamaya.cli.grids import reason_lines, verdict_grid
    from tamaya.experiments.papers.comparison import summary

    if json:
        console.print_json({"name": name, "paper": table.paper, "title": table.title, "figures": verdicts})
        return
    console.out.print(f"{table.paper}, {table.title} (published: {table.published_games})\n", markup=False)
    console.out.print(f"{summary(verdicts)}\n")
    console.out.print(verdict_grid(verdicts))
    for line in reason_lines(verdicts):
        console.out.print(f"\n{line}", markup=False)
    console.out.print("\n±: half of the 95 % interval, for differences from the errors of both sides")
    if table.note:
        console.out.print(table.note, markup=False)
