"""Runs: every game is played once, whatever happens in between."""

import importlib
import shutil
import subprocess
import sys

import numpy as np
import pytest
from conftest import compiled_only
from experiments import SMALL, all_games, finish, small
from typer.testing import CliRunner

from tamaya import Settings, make_agent
from tamaya.arena.seating import Seating, game_seeds
from tamaya.arena.statistics import Tally, summarise
from tamaya.cli import app as cli
from tamaya.experiments.cells import CellSeating
from tamaya.experiments.experiment import read_experiment
from tamaya.experiments.lineups import Cell
from tamaya.experiments.report.run_report import write_report
from tamaya.experiments.runs import Run
from tamaya.experiments.workspace import WorkspaceError
from tamaya.game.replay import from_record


def test_a_run_started_again_plays_only_what_is_missing(tmp_path):
    whole = finish(tmp_path / "whole", small())
    part = tmp_path / "part"
    finish(part, small(games=5))
    played = []
    with Run(part, small()) as run:
        assert run.missing() == 6 * 15
        run.play(played.append)
        assert all_games(run.store) == whole
        assert run.missing() == 0
    assert sum(played) == 6 * 15
    with Run(part) as run:
        assert run.experiment == small()
        run.play(lambda games: pytest.fail("nothing was missing"))


@compiled_only
def test_the_games_do_not_depend_on_threads(tmp_path):
    experiment = small(games=300)
    assert finish(tmp_path / "one", experiment, 1) == finish(tmp_path / "many", experiment, 4)


def test_agents_can_be_added_to_a_run(tmp_path):
    before = finish(tmp_path, small(games=4))
    more = small(games=4, lineup=[{"kind": "self-play", "agents": ["internal", "flawed", "iggi"]}])
    with Run(tmp_path, more) as run:
        assert run.missing() == 2 * 4
        run.play()
        assert set(before) < set(all_games(run.store))


def test_games_of_a_run_are_those_of_a_match(tmp_path):
    with Run(tmp_path, small(games=6)) as run:
        run.play()
        cell = next(cell for cell in run.cells if cell.agent == "internal" and cell.settings.players == 3)
        outcomes = Seating([make_agent("internal")] * 3, Settings(players=3)).play(game_seeds(3, 0, 6))
        tally = Tally()
        tally.add(outcomes)
        expected = summarise("internal", 3, 25, tally, 1.0, 1.0)
        found = dict(run.summaries())[cell]
        assert (found.mean, found.histogram, found.errors) == (expected.mean, expected.histogram, expected.errors)
        number, _ = run.cells[cell]
        (kept,) = run.store.moves(number, 6)
        assert all((kept[field] == outcomes[field]).all() for field in ("seed", "ending", "length", "moves"))
        games = [from_record(record) for record in run.records()]
        assert len(games) == 6 * 6
        assert all(game.is_over for game in games)


def test_differences_are_to_the_first_cell_on_the_same_decks(tmp_path):
    with Run(tmp_path, small(games=10)) as run:
        run.play()
        summaries = [summary for _, summary in run.summaries()]
        first, second = (one for one in summaries if one.players == 2 and "piers" not in one.agent)
        assert first.difference is None
        assert second.difference.to == "internal"
        assert second.difference.mean == pytest.approx(second.mean - first.mean)
        is_significant = not second.difference.low <= 0 <= second.difference.high
        assert (second.difference.games_needed <= 10) == is_significant


def test_a_cell_of_mixed_teams_plays_the_games_of_each_team():
    cell = Cell("pairing", "iggi", "outer", ("iggi", "outer", "outer"), (), True, Settings(players=3))
    seeds = game_seeds(1, 0, 12)
    outcomes = CellSeating(cell).play(seeds)
    for team, games in cell.teams(seeds).items():
        alone = Seating([make_agent(name) for name in team], Settings(players=3)).play(seeds[games])
        assert (outcomes[games] == alone).all()


def test_a_run_keeps_to_its_seed_and_rules(tmp_path):
    finish(tmp_path, small(games=1))
    for changes in ({"seed": 4}, {"rules": {"lives": 2}}, {"keep": "outcomes"}):
        with pytest.raises(WorkspaceError, match="choose another directory"):
            Run(tmp_path, small(**changes))


def test_a_run_tells_which_programs_played_it(tmp_path, monkeypatch):
    finish(tmp_path, small(games=1))
    monkeypatch.setattr("tamaya.experiments.store.program", lambda: "9.9 edited")
    finish(tmp_path, small(games=2))
    with Run(tmp_path) as run:
        assert len(run.store.programs()) == 2
        assert "9.9 edited" in run.store.programs()


def test_differences_are_those_of_a_fresh_run_after_games_were_reduced(tmp_path):
    def lineups(games):
        return [{"kind": "self-play", "agents": [name], "games": count} for name, count in games]

    finish(tmp_path / "old", small(lineup=lineups([("internal", 30), ("flawed", 30)])))
    fewer = small(lineup=lineups([("internal", 5), ("flawed", 20)]))
    found = []
    for directory in (tmp_path / "old", tmp_path / "fresh"):
        with Run(directory, fewer) as run:
            run.play()
            found.append([(one.mean, one.games, one.difference) for _, one in run.summaries()])
    assert found[0] == found[1]


def test_errors_and_intervals_are_those_of_the_textbook(tmp_path):
    with Run(tmp_path, small(games=30)) as run:
        run.play()
        results = {(cell.agent, cell.settings.players): one for cell, one in run.summaries()}
        scores = {}
        for cell, (number, games) in run.cells.items():
            columns = np.concatenate(list(run.store.outcomes(number, games)))
            scores[cell.agent, cell.settings.players] = columns["score"].astype(float)
            zero = np.where(columns["lives"] > 0, columns["score"], 0)
            one = results[cell.agent, cell.settings.players]
            assert one.standard_error == pytest.approx(columns["score"].std(ddof=1) / 30**0.5)
            assert one.strict_standard_error == pytest.approx(zero.std(ddof=1) / 30**0.5)
            assert one.high - one.low == pytest.approx(2 * 2.04523 * one.standard_error, rel=1e-5)
        gains = scores["flawed", 2] - scores["internal", 2]
        difference = results["flawed", 2].difference
        assert difference.high - difference.mean == pytest.approx(2.04523 * gains.std(ddof=1) / 30**0.5, rel=1e-5)
        pair = [cell for cell in run.cells if cell.agent == "internal"]
        together = (scores["internal", 2] + scores["internal", 3]) / 2
        _, mean, error = run.average(pair)
        assert mean == pytest.approx(together.mean())
        assert error == pytest.approx(together.std(ddof=1) / 30**0.5)


@compiled_only
def test_the_command_runs_an_experiment_and_goes_on(tmp_path):
    file = tmp_path / "small.toml"
    file.write_text(SMALL.format(games=50))

    def command(*arguments):
        child = subprocess.run(
            [sys.executable, "-m", "tamaya", "run", *arguments], capture_output=True, text=True, check=False
        )
        return child.returncode, child.stdout, child.stderr

    code, output, _ = command(str(file), "--dry-run")
    assert code == 0
    assert "6 cells, 300 games, about" in output
    assert not file.with_suffix(".run").exists()
    code, ranking, words = command(str(file))
    assert code == 0
    lines = [line.split()[:2] for line in ranking.splitlines() if line]
    assert [line for line in lines if line[0] in "12"] == [["1", "internal"], ["2", "flawed"], ["1", "piers"]]
    assert f"`tamaya report {file.with_suffix('.run')}` writes tables and plots" in words
    code, first, _ = command(str(file), "--details")
    assert "piers with outer" in first
    code, again, _ = command(str(file.with_suffix(".run")), "--details")
    assert [line.split()[:4] for line in again.splitlines()] == [line.split()[:4] for line in first.splitlines()]
    file.write_text(SMALL.format(games=50) + '\n[[lineup]]\nkind = "self-play"\nagents = ["pierz"]\n')
    code, _, errors = command(str(file))
    assert code == 1
    assert "line-up 3, agents: there is no agent 'pierz'; did you mean piers" in errors


@pytest.fixture
def edited(tmp_path, monkeypatch):
    """Writes a module with a policy and a class, and loads it anew."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def write(slot):
        (tmp_path / "edited_number.txt").write_text(str(slot))
        (tmp_path / "edited_helper.py").write_text(f"SLOT = {slot}\n")
        (tmp_path / "edited.py").write_text(
            "import pathlib\nimport edited_helper\nfrom tamaya import policy\nfrom tamaya.moves import play\n\n"
            "NUMBER = int((pathlib.Path(__file__).parent / 'edited_number.txt').read_text())\n\n\n"
            "@policy\ndef mine(view, memory, params, rng):\n    return play(NUMBER)\n\n\n"
            "def weights():\n    return [NUMBER]\n\n\n"
            "@policy(weights=weights)\ndef weighed(view, memory, params, rng):\n    return play(int(params[0]))\n\n\n"
            "lives = {}  # a name that the policy uses too, of something that has no stamp\n\n\n"
            f"@policy\ndef strange(view, memory, params, rng):\n    return {slot} if view.lives else 0\n\n\n"
            "class Mine:\n    def act(self, view):\n        return f'play {edited_helper.SLOT}'\n"
        )
        for name in ("edited", "edited_helper"):
            sys.modules.pop(name, None)
        importlib.invalidate_caches()
        shutil.rmtree(tmp_path / "__pycache__", ignore_errors=True)

    return write


@pytest.mark.parametrize(
    "agent", ["edited:mine", "edited:Mine", "edited:weighed", "edited:strange", "mcs(edited:mine, iterations=2)"]
)
def test_games_before_and_after_an_edit_of_an_agent_are_not_mixed(edited, tmp_path, agent):
    def half(games):
        with Run(tmp_path / "run", small(games, lineup=[{"kind": "self-play", "agents": [agent]}], players=[2])) as run:
            run.play(workers=1)
            return run.missing()

    edited(0)
    assert half(2) == 0
    edited(1)
    with pytest.raises(WorkspaceError, match="was changed; they cannot be mixed"):
        half(4)
    edited(0)
    assert half(4) == 0


def test_a_run_whose_directory_vanishes_says_so_at_the_next_batch(tmp_path):
    directory = tmp_path / "run"
    with Run(directory, small(2000)) as run, pytest.raises(ValueError, match=r"games.sqlite is gone"):
        run.play(lambda games: shutil.rmtree(directory, ignore_errors=True), 1)


def test_a_link_in_place_of_a_lock_or_a_report_is_not_followed(tmp_path):
    precious = tmp_path / "precious"
    precious.write_text("precious")
    for name in ("lock", "report.md"):
        directory = tmp_path / name
        finish(directory, small(3))
        (directory / name).unlink(missing_ok=True)
        (directory / name).symlink_to(precious)
        if name == "lock":
            with pytest.raises(WorkspaceError, match="lock is a link"):
                finish(directory, small(4))
        else:
            assert (directory / name) in write_report(directory)
            assert not (directory / name).is_symlink()
        assert precious.read_text() == "precious"


def test_a_report_imports_nothing_that_an_experiment_names(edited, tmp_path):
    """A directory from elsewhere may name a module that is not there, or one that does harm."""
    edited(0)
    lineup = [{"kind": "pairing", "agents": ["edited:mine"], "partners": ["edited:Mine", "piers"]}]
    finish(tmp_path / "run", small(3, lineup=lineup, players=[2]))
    whole = [path.read_bytes() for path in write_report(tmp_path / "run")]
    (tmp_path / "edited.py").write_text("raise SystemExit('imported')\n")
    sys.modules.pop("edited")
    assert [path.read_bytes() for path in write_report(tmp_path / "run")] == whole
    (tmp_path / "edited.py").unlink()
    assert [path.read_bytes() for path in write_report(tmp_path / "run")] == whole
    assert "edited" not in sys.modules


def test_what_a_cell_needs_is_compiled_before_its_clock_starts(tmp_path, monkeypatch):
    played, usual = [], Seating.play
    monkeypatch.setattr(Seating, "play", lambda self, seeds: played.append(len(seeds)) or usual(self, seeds))
    with Run(tmp_path, small(3, lineup=[{"kind": "self-play", "agents": ["internal"]}], players=[2])) as run:
        run.play(workers=1)
    assert played[0] == 0
    assert sum(played) == 3


def test_a_run_that_is_asked_for_fewer_games_remembers_the_others(tmp_path):
    finish(tmp_path, small(games=20))
    with Run(tmp_path, small(games=5)) as run:
        assert run.asks_for_less
        assert {one.games for _, one in run.summaries()} == {5}
    with Run(tmp_path) as run:
        assert not run.asks_for_less
        assert run.experiment.games == 20


def test_a_dry_run_counts_what_is_left(tmp_path):
    file = tmp_path / "small.toml"
    file.write_text(SMALL.format(games=4))
    assert sum(Run(tmp_path / "small.run", read_experiment(file)).left().values()) == 24
    finish(tmp_path / "small.run", read_experiment(file))
    assert Run(tmp_path / "small.run", read_experiment(file)).left() == {}
    told = CliRunner().invoke(cli.app, ["run", str(file), "--dry-run"])
    assert "is complete: there is nothing to play" in told.stdout
    file.write_text(SMALL.format(games=6))
    assert set(Run(tmp_path / "small.run", read_experiment(file)).left().values()) == {2}
