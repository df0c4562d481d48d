"""The tables of the papers: sound data, honest verdicts."""

import json

import msgspec
import numpy as np
import papers
import pytest
from conftest import compiled_only, several
from typer.testing import CliRunner

from tamaya.cli import app as cli
from tamaya.experiments.experiment import parse_experiment
from tamaya.experiments.papers.comparison import differences
from tamaya.experiments.papers.paper_tables import Column, Figure, PaperError, Row, matches, paper_table, paper_tables
from tamaya.experiments.papers.verdicts import FigureVerdict, judge_figure, verdicts_on
from tamaya.experiments.runs import Run
from tamaya.experiments.store import MEASURES

TABLES = paper_tables()


@pytest.mark.parametrize("name", TABLES)
def test_every_figure_is_measured_by_some_cell_or_says_why_not(name):
    table = TABLES[name]
    plan = table.plan()
    cells = plan.cells() if plan else {}
    figures = list(table.figures())
    assert figures
    for figure in figures:
        assert figure.column.measure in MEASURES
        assert not (figure.waits_for and figure.row.incomparable), figure
        if not figure.waits_for and not figure.row.incomparable:
            assert any(matches(cell, figure.where) for cell in cells), figure
            assert figure.published is None or figure.error is not None or figure.row.games is not None
    assert len({(figure.row.name, figure.column.name) for figure in figures}) == len(figures)


def test_every_table_and_figure_of_the_papers_is_there():
    tables = {
        "walton-rivers": ["table-1", "table-2", "table-3", "table-4"],
        "goodman": ["table-1", "table-3", "table-4", "table-6", "mixed-track"],
        "bouzy": ["table-1", "table-2", "table-3", "table-4"],
        "monis": [f"figure-{number}" for number in range(2, 11)],
    }
    assert set(TABLES) == {f"{paper}/{name}" for paper, names in tables.items() for name in names}


PAIRS = parse_experiment(
    {
        "games": 40,
        "lineup": [{"kind": "pairing", "agents": ["piers", "flawed"], "partners": ["flawed"], "players": [2, 3]}],
    }
)


def test_a_quick_reproduction_stops_in_time_and_the_full_one_goes_on(tmp_path):
    games = iter(range(10**9))
    with Run(tmp_path, PAIRS) as run:
        run.play_for(0.0, lambda count: next(games))
        assert next(games) == 0
        run.play_for(1e9)
        assert run.missing() == 0
        played = {cell: run.tally([cell]).scores.tolist() for cell in run.cells}
    with Run(tmp_path / "full", PAIRS) as run:
        run.play()
        assert played == {cell: run.tally([cell]).scores.tolist() for cell in run.cells}


def test_tables_share_the_games_of_an_experiment_and_play_only_what_they_need(tmp_path):
    whole = paper_table("walton-rivers/table-2").run_in(tmp_path, "walton-rivers/table-2")
    part = paper_table("walton-rivers/table-3").run_in(tmp_path, "walton-rivers/table-3")
    assert whole.directory == part.directory
    assert {cell.partner for cell in part.wanted()} == {"flawed(counting=2017)"}
    assert len(whole.wanted()) == 7 * len(part.wanted()) == 4 * 7 * 11
    known = [cell for cell in part.wanted() if cell.agent.startswith("predictor")]
    assert {cell.members[0] for cell in known} == {"predictor(flawed(counting=2017), iterations=3000)"}


def test_an_unknown_table_is_refused_with_the_nearest():
    with pytest.raises(PaperError, match="did you mean walton-rivers/table-2"):
        paper_table("walton-river/table-2")


def test_a_verdict_weighs_both_errors(tmp_path):
    where = {"agent": "flawed"}

    def figure(published, error=None, **row):
        return Figure(Row("a", [published or 0.0], **row), Column("b"), published, error, where)

    with Run(tmp_path, PAIRS) as run:
        assert judge_figure(figure(1.6, 0.05), run).verdict is FigureVerdict.NOT_PLAYED
        for cell in list(run.cells):
            if not matches(cell, where):
                del run.cells[cell]
        run.play()
        near = judge_figure(figure(1.6, 0.3), run)
        assert near.verdict is FigureVerdict.AGREES
        assert near.games == 80
        assert near.low < 0 < near.high
        far = judge_figure(figure(9.0, games=1600, because="so"), run)
        assert far.verdict is FigureVerdict.DIFFERS
        assert far.sentence.startswith("differs by -7.")
        assert far.sentence.endswith(": so")
        assert far.reason == "so"
        assert judge_figure(figure(None), run).verdict is FigureVerdict.UNPUBLISHED
        alike = Figure(Row("a", [1.0]), Column("all alike", measure="games with 30 points"), 1.0, 0.0, where)
        assert judge_figure(alike, run).verdict is FigureVerdict.AGREES
        assert far.high < -5
        waiting = judge_figure(figure(1.0, waits_for="search"), run)
        assert waiting.verdict is FigureVerdict.NOT_YET
        assert waiting.sentence == "not yet: waits for search"
        assert judge_figure(figure(1.0, incomparable="so"), run).sentence == "not comparable: so"


def test_the_cost_of_a_table_is_estimated():
    raw = {"games": 10, "players": [2], "lineup": [{"kind": "self-play", "agents": ["flawed", "mo(iterations=2000)"]}]}
    cells = parse_experiment(raw).cells()
    games, seconds = papers.cost(cells)
    assert games == 20
    (quick, _), (slow, factor) = (papers.cheaper(cell) for cell in cells)
    assert quick.members == ("flawed", "flawed")
    assert (slow.members[0], factor) == ("mo(iterations=20)", 100)
    assert seconds > 0


@compiled_only
def test_the_rule_based_rows_of_walton_rivers_are_within_their_reach(tmp_path):
    """As many games as in the paper, whose 200 decks leave more than their printed errors to chance."""
    table = paper_table("walton-rivers/table-4")
    with table.run_in(tmp_path, "walton-rivers/table-4") as run:
        run.cells = {cell: games for cell, games in run.cells.items() if "iterations" not in cell.agent}
        run.play()
        measured = [verdict for verdict in verdicts_on(table, run) if verdict.games]
    assert len(measured) == 24
    differences = [verdict.difference for verdict in measured]
    assert max(map(abs, differences)) < 0.4
    assert abs(sum(differences) / len(differences)) < 0.15


@compiled_only
def test_a_table_can_compare_one_row_with_all_others_on_the_same_decks(tmp_path):
    table = paper_table("goodman/mixed-track")
    quick = [row for row in table.row if row.name in ("piers", "iggi", "flawed")]
    table = msgspec.structs.replace(table, row=quick, less="piers")
    with table.run_in(tmp_path, "goodman/mixed-track") as run:
        run.cells = {cell: (number, 40) for cell, (number, _) in run.cells.items()}
        run.play()
        cells = {(cell.agent, cell.settings.players): number for cell, (number, _) in run.cells.items()}
        scores = [
            np.concatenate([one["score"] for one in run.store.columns(cells[name, 3], 40)])
            for name in ("piers", "iggi")
        ]
    section = differences("goodman/mixed-track", table, tmp_path)
    assert [row[0] for row in section.rows] == ["iggi", "flawed"]
    assert section.rows[0][2].startswith(f"{(scores[0].astype(float) - scores[1]).mean():+.3f} ±")


def test_the_commands_list_and_reproduce(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(cli.app, ["reproduce"]).exit_code != 0
    if several(1, 0):
        listed = CliRunner().invoke(cli.app, ["reproduce", "--list", "--json"])
        rows = {row["name"]: row for row in json.loads(listed.stdout)["tables"]}
        assert rows["bouzy/table-4"]["figures"] == "48 of 48"
        assert rows["bouzy/table-2"]["figures"] == "7 of 7"
        assert rows["walton-rivers/table-1"]["games"] == 30_000
        result = CliRunner().invoke(cli.app, ["reproduce", "walton-rivers/table-1", "--quick"])
        assert "Internal" in result.stdout
        folder = tmp_path / "reproduced" / "walton-rivers" / "table-1"
        assert (folder / "comparison.html").read_text().count("<svg") == 1
        assert "| Internal | score | 10.12 |" in (folder / "comparison.md").read_text()
        again = CliRunner().invoke(cli.app, ["reproduce", "walton-rivers/table-1", "--quick", "--json"])
        assert json.loads(again.stdout)["figures"][0]["games"] == 10_000


def test_a_table_that_is_stopped_prints_what_was_played_and_how_to_go_on(tmp_path, monkeypatch):
    def stopped(run, progress, workers):
        raise KeyboardInterrupt

    monkeypatch.setattr(Run, "play", stopped)
    result = CliRunner().invoke(cli.app, ["reproduce", "walton-rivers/table-1", "--to", str(tmp_path)])
    assert result.exit_code == 130
    assert result.stdout.count("… not played ") == 3
    assert f"30,000 games are left; `tamaya reproduce walton-rivers/table-1 --to {tmp_path}` continues" in result.stderr
    assert not list(tmp_path.rglob("comparison.*"))
