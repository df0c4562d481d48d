"""``tamaya report``: tables and plots of a run, written into its directory."""

from pathlib import Path
from typing import Annotated

import typer

from tamaya.cli.printing import console

EXAMPLES = ("report experiment.run", "report experiment.run --parquet")


def report(
    directory: Annotated[Path, typer.Argument(metavar="DIRECTORY", help="The directory of a run.")],
    parquet: Annotated[bool, typer.Option("--parquet", help="Write Parquet files too.")] = False,
) -> None:
    """Write a report of a run into its directory: Markdown, a page with plots, CSV and JSON."""
    from tamaya.experiments.export import write_parquet
    from tamaya.experiments.report.run_report import write_report

    for path in write_report(directory) + (write_parquet(directory) if parquet else []):
        console.say(str(path))
    note_missing_plots()


def note_missing_plots() -> None:
    """Says why there are no plots, if there are none."""
    from tamaya.experiments.report import plots

    if not plots.are_available():
        console.note("there are no plots: they need matplotlib, pip install 'tamaya[plot]'")
