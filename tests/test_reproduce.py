"""The tables of the papers: sound data, honest verdicts."""

import json

import pytest
from conftest import compiled_only, several
from typer.testing import CliRunner

from tamaya import cli
from tamaya.reproduce import Figure, PaperError, cost, judge, matches, paper_table, paper_tables
from tamaya.runs import Run

TABLES = paper_tables()


@pytest.mark.parametrize("name", TABLES)
def test_every_figure_is_measured_by_some_cell_or_says_why_not(name):
    table = TABLES[name]
    cells = table.plan().cells()
    for figure in table.figure:
        reasons = [bool(figure.waits_for), bool(figure.incomparable), bool(figure.where)]
        assert sum(reasons) == 1, figure
        if figure.where:
            assert any(matches(cell, figure.where) for cell in cells), figure
            assert figure.error is not None or figure.games is not None
    assert len({(figure.row, figure.column) for figure in table.figure}) == len(table.figure)


def test_quick_is_a_tenth_of_the_games():
    table = paper_table("walton-rivers/table-2")
    assert sum(table.plan(is_quick=True).cells().values()) * 10 == sum(table.plan().cells().values()) == 67_200


def test_an_unknown_table_is_refused_with_the_nearest():
    with pytest.raises(PaperError, match="did you mean walton-rivers/table-2"):
        paper_table("walton-river/table-2")


def test_a_verdict_weighs_both_errors(tmp_path):
    table = paper_table("walton-rivers/table-3")
    with Run(tmp_path, table.plan(is_quick=True)) as run:
        where = {"agent": "flawed(counting=2017)"}
        assert judge(Figure("a", "b", 1.6, error=0.05, where=where), run).verdict == "not played"
        for cell in list(run.cells):
            if not matches(cell, where):
                del run.cells[cell]
        run.play()
        near = judge(Figure("a", "b", 1.6, error=0.3, where=where), run)
        assert near.verdict == "agrees"
        assert near.games == 160
        assert near.low < 0 < near.high
        far = judge(Figure("a", "b", 9.0, games=1600, where=where), run)
        assert far.verdict.startswith("differs by -7.")
        assert far.high < -5
        assert judge(Figure("a", "b", 1.0, waits_for="search"), run).verdict == "not yet: waits for search"
        assert judge(Figure("a", "b", 1.0, incomparable="so"), run).verdict == "not comparable: so"


def test_the_cost_of_a_table_is_estimated():
    games, seconds = cost(paper_table("walton-rivers/table-3").plan(), cells=several(6, 1))
    assert games == 9600
    assert seconds > 0


@compiled_only
def test_the_rule_based_rows_of_walton_rivers_are_within_their_reach(tmp_path):
    """As many games as in the paper, whose 200 decks leave more than their printed errors to chance."""
    table = paper_table("walton-rivers/table-4")
    with Run(tmp_path, table.plan()) as run:
        run.play()
        measured = [verdict for verdict in (judge(figure, run) for figure in table.figure) if verdict.games]
    assert len(measured) == 24
    differences = [verdict.difference for verdict in measured]
    assert max(map(abs, differences)) < 0.4
    assert abs(sum(differences) / len(differences)) < 0.15


def test_the_commands_list_and_reproduce(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(cli.app, ["reproduce"]).exit_code != 0
    if several(1, 0):
        listed = CliRunner().invoke(cli.app, ["reproduce", "--list", "--json"])
        rows = {row["name"]: row for row in json.loads(listed.stdout)["tables"]}
        assert rows["walton-rivers/table-2"]["waits for"] == "search"
        assert rows["walton-rivers/table-2"]["figures"] == "6 of 11"
        result = CliRunner().invoke(cli.app, ["reproduce", "walton-rivers/table-3", "--quick"])
        assert "IGGI" in result.stdout
        assert (tmp_path / "reproduced" / "walton-rivers" / "table-3" / "games.sqlite").exists()
        again = CliRunner().invoke(cli.app, ["reproduce", "walton-rivers/table-3", "--quick", "--json"])
        assert json.loads(again.stdout)["figures"][1]["games"] == 160
