"""Results for other tools: CSV, and Parquet with one row per game (extra ``data``)."""

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tamaya.arena.statistics import Summary
from tamaya.engine.files import replacing
from tamaya.experiments.cells import unique
from tamaya.experiments.report.plots import CellSummary
from tamaya.experiments.results import Results, endings_in_words
from tamaya.experiments.runs import Run


def flat_cells(results: Sequence[CellSummary]) -> list[dict[str, Any]]:
    """One row per cell, for other tools."""
    plain = [name for name in Summary.__struct_fields__ if name not in ("agent", "histogram", "difference")]
    return [
        {
            "kind": cell.kind,
            "agent": cell.agent,
            "partner": cell.partner,
            **{name: getattr(one, name) for name in plain},
        }
        for cell, one in unique(results)
    ]


def as_csv(rows: list[dict[str, Any]]) -> str:
    """Rows as lines of text."""
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return buffer.getvalue()


def write_parquet(directory: Path) -> list[Path]:
    """Writes cells.parquet and games.parquet, with one row per cell and per game; returns the files written."""
    try:
        import polars
        from polars.io.plugins import register_io_source
    except ImportError as error:
        raise ValueError("Parquet needs polars: pip install 'tamaya[data]'") from error
    results = Results(directory)
    with Run(directory, is_read_only=True) as run:
        cells = polars.DataFrame(flat_cells(list(run.summaries())))

    def frames(*_: Any) -> Iterator[polars.DataFrame]:
        """All games, some thousands at a time, so that no run is too large."""
        for batch in results.batches():
            shared = [polars.lit(value).alias(name) for name, value in batch.items() if np.isscalar(value)]
            columns = {name: value for name, value in batch.items() if not np.isscalar(value)}
            yield polars.DataFrame(columns | {"ending": endings_in_words(batch["ending"])}).select(
                *shared, polars.all()
            )

    schema = next(frames()).schema
    with replacing(directory / "cells.parquet") as file:
        cells.write_parquet(file)
    with replacing(directory / "games.parquet") as file:
        register_io_source(frames, schema=schema).sink_parquet(file)
    return [directory / "cells.parquet", directory / "games.parquet"]
