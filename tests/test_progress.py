"""How far it is: the time left, the bar, and which games come first."""

import io
import itertools
import re

import pytest
from rich.console import Console

from tamaya.arena.forecast import Forecast, guess_seconds
from tamaya.cli.printing.progress import progress_bar
from tamaya.experiments.experiment import parse_experiment
from tamaya.experiments.runs import ENOUGH, Run


def test_time_left_is_right_when_games_differ_in_cost():
    forecast = Forecast({"quick": 1000, "slow": 10}, {"quick": 1e-4, "slow": 1e-4})
    forecast.add("quick", 100, 0.01)
    assert forecast.core_seconds_left() == pytest.approx(910 * 1e-4)
    forecast.add("slow", 1, 5.0)
    assert forecast.core_seconds_left() == pytest.approx(900 * 1e-4 + 9 * 5.0)
    forecast.add("slow", 9, 45.0)
    assert forecast.core_seconds_left() == pytest.approx(900 * 1e-4)


def test_games_that_nobody_has_played_are_guessed_by_their_budget_and_the_speed_of_the_others():
    assert guess_seconds(["mo(ms=40)"]) == pytest.approx(10 * guess_seconds(["mo(ms=4)"]))
    assert guess_seconds(["piers"]) < guess_seconds(["flat(piers, deals=1)"])
    forecast = Forecast({"one": 10, "other": 10}, {"one": 1.0, "other": 3.0})
    forecast.add("one", 10, 20.0)
    assert forecast.core_seconds_left() == pytest.approx(10 * 6.0)


def test_the_bar_shows_time_and_the_time_left(monkeypatch):
    screen = io.StringIO()
    terminal = Console(file=screen, force_terminal=True, width=100, color_system=None)
    monkeypatch.setattr("tamaya.cli.printing.console.err", terminal)
    with progress_bar("a run", 30, lambda: 200.0) as progress:
        progress(10)
    assert "10 of 30 games" in screen.getvalue()
    assert "3 min 20 s left" in screen.getvalue()


def test_the_bar_fits_a_narrow_terminal_with_its_speed_and_the_time_left(monkeypatch):
    screen = io.StringIO()
    terminal = Console(file=screen, force_terminal=True, width=80, color_system=None)
    monkeypatch.setattr("tamaya.cli.printing.console.err", terminal)
    with progress_bar("a run", 80_000_000, lambda: 756.0) as progress:
        progress(12_345_678, "generation 500 of 500, best 20.11")
    last = re.findall(r"generation[^\r\n\x1b]*", screen.getvalue())[-1]
    assert re.search(r"best 20.11 .* [\d,]+ games/s 12 min 36 s left", last)


SEARCHES = {
    "games": 30,
    "players": [2],
    "lineup": [{"kind": "self-play", "agents": [f"flat(piers, deals={deals})" for deals in (1, 2, 3)]}],
}


def test_a_run_plays_some_games_of_every_cell_first(tmp_path):
    with Run(tmp_path, parse_experiment(SEARCHES)) as run:
        for _ in itertools.islice(run.played(next(iter(run.cells)), 1, most=2), 2):
            pass
        counts = [run.store.reached(*cell) for cell in run.cells.values()]
        assert counts == [2, 0, 0]
        with pytest.raises(KeyboardInterrupt):
            run.play(stop_after(3), 2)
        assert all(run.store.reached(*cell) for cell in list(run.cells.values())[:2])


def stop_after(calls):
    """A progress that interrupts."""
    left = iter(range(calls))

    def progress(games):
        if next(left, None) is None:
            raise KeyboardInterrupt

    return progress


def test_a_quick_run_plays_enough_games_of_few_cells_rather_than_few_of_all(tmp_path, monkeypatch):
    clock = itertools.count()
    with Run(tmp_path, parse_experiment(SEARCHES)) as run:
        monkeypatch.setattr("time.perf_counter", lambda: next(clock) * 1e-3)
        run.play_for(0.03, threads=1)
        counts = [run.store.reached(*cell) for cell in run.cells.values()]
    assert counts[0] >= ENOUGH
    assert counts[2] == 0


def test_the_bar_never_runs_backwards(monkeypatch):
    screen, left = io.StringIO(), iter([1.0, 100.0, 0.0])
    monkeypatch.setattr(
        "tamaya.cli.printing.console.err", Console(file=screen, force_terminal=True, width=80, color_system=None)
    )
    with progress_bar("a run", 0, lambda: next(left)) as progress:
        for _ in range(3):
            progress(1)
    assert "3 games" in screen.getvalue()
    assert max(map(len, re.sub(r"\x1b\[[0-9?;]*[a-zA-Z]", "", screen.getvalue()).splitlines())) <= 80
