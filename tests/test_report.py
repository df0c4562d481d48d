"""Reports: what they say, and that they need nothing else."""

import csv
import errno
import json
import math
import os
import re
import shutil

import pytest
from conftest import several
from typer.testing import CliRunner

from tamaya.arena.statistics import mean_interval, student_95, wilson, with_interval
from tamaya.cli import app as cli
from tamaya.engine import files
from tamaya.experiments import store
from tamaya.experiments.experiment import parse_experiment
from tamaya.experiments.report import plots, run_report
from tamaya.experiments.report.run_report import write_report
from tamaya.experiments.runs import Run
from tamaya.experiments.workspace import WorkspaceError

EXPERIMENT = {
    "title": "Agents & partners",
    "games": several(40, 3),
    "players": [2, 3],
    "lineup": [
        {"kind": "self-play", "agents": ["piers", "flawed"]},
        {"kind": "every-pair", "agents": ["piers", "flawed", "iggi"]},
    ],
}


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report") / "demo.run"
    with Run(folder, parse_experiment(EXPERIMENT)) as run:
        run.play()
    write_report(folder)
    return folder


def test_a_cell_of_two_lineups_is_played_and_told_once(directory):
    with Run(directory, is_read_only=True) as run:
        assert len(run.cells) == 2 * (2 + 6)
        (games,) = run.store.connection.execute("SELECT count(*) FROM games").fetchone()
    assert games == 2 * 6 * EXPERIMENT["games"]
    _, text = (directory / "report.md").read_text().split("## Cells")
    text, _, _ = text.partition("## ")
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert len(rows) == 2 + 2 * 6


def test_agents_are_summed_up_over_their_partners(directory):
    text = (directory / "report.md").read_text()
    assert "## By agent, over all pairings" in text
    with Run(directory, is_read_only=True) as run:
        cells = [cell for cell in run.cells if cell.kind == "every-pair" and "iggi" in (cell.agent, cell.partner)]
        tally, at_two = run.tally(cells), run.tally([cell for cell in cells if cell.settings.players == 2])
    assert tally.games == 6 * EXPERIMENT["games"]
    row = next(line for line in text.splitlines() if line.startswith(f"| iggi | {tally.games} |")).split(" | ")
    assert row[2].startswith(f"{at_two.scores @ range(128) / at_two.games:.3f} ±")
    assert row[4].startswith(f"{tally.scores @ range(128) / tally.games:.3f} ±")
    assert float(row[7].split()[0]) == pytest.approx(tally.average("length"), abs=0.00051)


def test_the_page_needs_no_other_file(directory):
    page = (directory / "report.html").read_text()
    rankings, cells, scores, measures = 2, 2, 2, 5
    assert page.count("<svg") == rankings + cells + scores + measures
    assert "<h1>Agents &amp; partners</h1>" in page
    addresses = set(re.findall(r'(?:src|href)="([^"]*)"', page))
    assert all(address.startswith(("#", "data:")) for address in addresses)
    assert "url(http" not in page


def test_tables_for_other_tools_hold_every_cell(directory):
    with (directory / "cells.csv").open() as file:
        rows = list(csv.DictReader(file))
    cells = json.loads((directory / "cells.json").read_text())
    assert len(rows) == len(cells) == 12
    assert float(rows[0]["mean"]) == pytest.approx(cells[0]["mean"])
    assert sum(cells[0]["histogram"]) == EXPERIMENT["games"]


def test_parquet_holds_every_game(directory):
    polars = pytest.importorskip("polars")
    assert CliRunner().invoke(cli.app, ["report", str(directory), "--parquet"]).exit_code == 0
    games, cells = (polars.read_parquet(directory / f"{name}.parquet") for name in ("games", "cells"))
    assert len(games) == 12 * EXPERIMENT["games"]
    assert set(games["ending"]) <= {"perfect", "struck out", "deck empty", "no move"}
    means = games.group_by("agent", "partner", "players").agg(polars.col("score").mean())
    both = means.join(cells, on=["agent", "partner", "players"])
    assert len(both) == 12
    assert both["score"].to_list() == pytest.approx(both["mean"].to_list())


def test_games_are_read_some_at_a_time(directory, monkeypatch):
    """However many there are: neither a report nor Parquet holds more of them in memory."""
    monkeypatch.setattr(store, "CHUNK", 7)
    with Run(directory, is_read_only=True) as run:
        number, games = next(iter(run.cells.values()))
        parts = [len(columns["score"]) for columns in run.store.columns(number, games)]
    assert sum(parts) == games
    assert max(parts) <= 7


def test_a_report_without_plots_says_so_and_has_all_else(tmp_path, directory, monkeypatch):
    shutil.copytree(directory, tmp_path / "some.run")
    monkeypatch.setattr(plots, "are_available", lambda: False)
    told = CliRunner().invoke(cli.app, ["report", str(tmp_path / "some.run")])
    assert told.exit_code == 0
    assert "there are no plots: they need matplotlib" in told.stderr
    page = (tmp_path / "some.run" / "report.html").read_text()
    assert "<svg" not in page
    assert "Cells" in page
    assert '<table class="map">' in page


def test_searches_report_their_work_and_are_drawn_against_their_budget(tmp_path, own_module):
    agents = [f"own_agents:searching(iterations={count})" for count in (10, 100)]
    lineups = [{"kind": "self-play", "agents": [*agents, "own_agents:counting"]}]
    with Run(tmp_path, parse_experiment({"games": several(20, 2), "players": [2], "lineup": lineups})) as run:
        run.play()
        small, large, silent = (summary for _, summary in run.summaries())
    assert (small.iterations, small.depth) == (10, 3)
    assert (large.iterations, large.depth) == (100, 3)
    assert silent.iterations is None
    assert small.milliseconds > 0
    write_report(tmp_path)
    page = (tmp_path / "report.html").read_text()
    assert "Score against iterations" in page
    assert "iterations" in (tmp_path / "report.md").read_text()


def test_a_report_can_be_written_while_the_run_goes_on(directory):
    with Run(directory):
        assert CliRunner().invoke(cli.app, ["report", str(directory)]).exit_code == 0


def test_a_partial_run_of_every_pair_can_be_reported(tmp_path):
    lineups = [{"kind": "every-pair", "agents": ["piers", "iggi", "flawed"]}]
    lineups.append({"kind": "pairing", "agents": ["piers"], "partners": ["outer"]})
    experiment = parse_experiment({"games": 2, "players": [2], "lineup": lineups, "keep": "moves"})
    with Run(tmp_path, experiment) as run:
        for cell in list(run.cells)[3:]:
            del run.cells[cell]
        run.play()
    names = [path.name for path in write_report(tmp_path)]
    assert "8 of 14 games are missing; `tamaya run" in (tmp_path / "report.md").read_text()
    assert "games.jsonl" in names
    assert len((tmp_path / "games.jsonl").read_text().splitlines()) == 3 * 2


def test_a_full_disk_leaves_the_old_report_and_says_which_file(directory, monkeypatch):
    before = {path.name: path.read_bytes() for path in write_report(directory)}

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def begin(path):
        with files.replacing(path) as file:
            file.write(b"# Half of a rep")
            full()

    monkeypatch.setattr(run_report, "as_csv", full)
    with pytest.raises(OSError, match="No space left"):
        write_report(directory)
    monkeypatch.undo()
    with pytest.raises(OSError, match=r"report.md"):
        begin(directory / "report.md")
    assert {name: (directory / name).read_bytes() for name in before} == before
    assert not list(directory.glob("*.new"))


def test_two_reports_at_a_time_do_not_disturb_each_other(tmp_path):
    path = tmp_path / "report.md"
    with files.replacing(path) as file:
        file.write(b"whole")
        with pytest.raises(ValueError, match="another process is writing"), files.replacing(path):
            pass
    assert path.read_text() == "whole"
    (tmp_path / "report.md.new").write_text("what a killed process left, which is longer")
    with files.replacing(path) as file:
        file.write(b"new")
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [("report.md", "new")]


def test_plots_of_very_many_agents_show_the_highest():
    rows = [(f"agent{index}", float(index % 777), 0.0, 777.0) for index in range(10_000)]
    title, best = plots.highest("2 players", rows)
    assert title == "2 players, the highest 100 of 10,000"
    assert len(best) == plots.MOST_DOTS
    assert min(mean for _, mean, _, _ in best) >= 768
    assert best == sorted(best, key=lambda row: -row[1])
    assert plots.highest("2 players", best) == ("2 players", best)
    assert plots.dots("2 players", rows, "mean").count("agent") == plots.MOST_DOTS


def test_a_run_without_games_has_no_report(tmp_path):
    with pytest.raises(WorkspaceError, match="is not a run"):
        write_report(tmp_path)
    with Run(tmp_path, parse_experiment(EXPERIMENT)):
        pass
    with pytest.raises(ValueError, match="has no games yet"):
        write_report(tmp_path)


@pytest.mark.parametrize(
    ("count", "wanted"), [(2, 12.706), (3, 4.303), (7, 2.447), (8, 2.365), (9, 2.306), (31, 2.042), (10**6, 1.960)]
)
def test_intervals_of_few_games_are_those_of_student(count, wanted):
    assert student_95(count) == pytest.approx(wanted, abs=2e-3)


@pytest.mark.parametrize(
    ("mean", "error", "count", "text"),
    [
        (17.5, 1.0, 2, "17.500 (4.79 to 25.00)"),
        (12.5, 0.9, 2, "12.500 ± 11.436"),
        (17.5, 0.1, 10_000, "17.500 ± 0.196"),
        (25.0, 0.0, 6, "25.000 (15.17 to 25.00)"),
        (25.0, 0.0, 10_000, "25.000 (24.99 to 25.00)"),
        (20.0, 0.0, 3, "20.000 (7.37 to 23.16)"),
        (17.0, math.nan, 1, "17.000"),
    ],
)
def test_intervals_are_honest_about_scores_that_are_all_alike(mean, error, count, text):
    assert with_interval(mean, *mean_interval(mean, error, count, 25)) == text


@pytest.mark.parametrize(
    ("count", "games", "low", "high"), [(0, 100, 0.0, 0.037), (50, 100, 0.404, 0.596), (9, 9, 0.701, 1.0)]
)
def test_wilson_intervals_are_the_known_ones(count, games, low, high):
    found = wilson(count, games)
    assert math.isclose(found[0], low, abs_tol=5e-4)
    assert math.isclose(found[1], high, abs_tol=5e-4)
