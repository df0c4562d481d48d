"""The benchmarks still run; what they measure is not looked at."""

import asyncio

import analysis
import environments
import kills
import papers
import posteriors
import pytest
import search
import speed
from conftest import compiled_only

from tamaya.experiments.papers.paper_tables import core_seconds, paper_tables


@compiled_only
def test_the_benchmark_of_games_runs(monkeypatch):
    monkeypatch.setattr(speed, "has_open_spiel", lambda: False)
    rows = speed.measure(speed.Effort(rounds=1, seconds=0.0, games=0.01))
    assert len(rows) == 12
    assert speed.as_markdown(rows).count("\n") == 13


@compiled_only
def test_the_benchmark_of_environments_runs(monkeypatch):
    monkeypatch.setattr(environments, "has_open_spiel", lambda: False)
    rows = environments.measure(environments.Effort(rounds=1, seconds=0.0, games=0.01))
    assert len(rows) == 3


@compiled_only
def test_the_benchmark_of_searches_runs():
    table = search.measure(games=1, rounds=1, iterations=10)
    assert table.count("\n") == 3 + len(search.JAVA)


@compiled_only
def test_the_benchmark_of_the_analysis_runs():
    assert analysis.measure([("piers", "piers")], games=2, iterations=4).count("\n") == 2


def test_the_cost_of_every_table_is_stored():
    assert set(core_seconds()) == set(paper_tables())


@compiled_only
def test_the_cost_of_a_table_can_be_measured_anew(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.argv", ["papers.py", "bouzy/table-2", "--to", str(tmp_path / "costs.toml")])
    papers.main()
    assert '"bouzy/table-2" = ' in (tmp_path / "costs.toml").read_text()


@compiled_only
def test_runs_and_reports_are_killed_and_looked_at():
    counts = kills.kill_often(kills=3, games=200, seed=1)
    assert counts["kills of run"] + counts["kills of report"] >= 3
    assert counts["looks at the games"] >= 1
    assert counts["bad"] == 0


@compiled_only
def test_beliefs_are_followed_move_by_move():
    found = {players: posteriors.measure(players, 4, 1, posteriors.ALLIES) for players in (2, 3)}
    assert {mass for mass, _ in found[3]["uniform"][1]} == {0.1}
    assert len(found[3]["asked"][1]) == 8
    table = posteriors.as_markdown(found)
    assert table.count("\n") == 7
    assert posteriors.as_plot(found).startswith("<svg")


@compiled_only
def test_the_wait_of_a_person_beside_tables_of_bots_is_measured():
    pytest.importorskip("starlette")
    pytest.importorskip("websockets")
    import tables

    waits, heard, _ = asyncio.run(tables.measure(tables=2, moves=2, studies=1))
    assert len(waits) == 2
    assert heard > 0
