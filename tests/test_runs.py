"""Experiments and runs: read strictly, played once, never lost."""

import random
import sqlite3
import subprocess
import sys
import time
import tomllib

import numpy as np
import pytest
from conftest import compiled_only, several

from tamaya import Settings, make_agent
from tamaya.arena import Table, game_seeds
from tamaya.experiment import Cell, ExperimentError, parse_experiment, read_experiment
from tamaya.replay import from_record
from tamaya.runs import CellTable, Run, RunError, estimate
from tamaya.statistics import COLUMNS, Tally, summarise
from tamaya.store import FORMAT, Store, StoreError

SMALL = """
seed = 3
games = {games}
players = [2, 3]
keep = "moves"

[[lineup]]
kind = "self-play"
agents = ["internal", "flawed"]

[[lineup]]
kind = "pairing"
agents = ["piers"]
partners = ["outer"]
"""


def small(games=20, **changes):
    return parse_experiment(tomllib.loads(SMALL.format(games=games)) | changes)


def finish(directory, experiment, threads=None):
    with Run(directory, experiment) as run:
        run.play(workers=threads)
        return all_games(run.store)


def all_games(store):
    """Every game of a store, by the key of its cell."""
    query = f"SELECT key, number, seed, {', '.join(COLUMNS)}, moves FROM games JOIN cells ON cells.id = cell"
    return sorted(store.connection.execute(query).fetchall())


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
        outcomes = Table([make_agent("internal")] * 3, Settings(players=3)).play(game_seeds(3, 0, 6))
        tally = Tally()
        tally.add(outcomes)
        expected = summarise("internal", 3, 25, tally, 1.0, 1.0)
        found = dict(run.summaries())[cell]
        assert (found.mean, found.histogram, found.errors) == (expected.mean, expected.histogram, expected.errors)
        number, _ = run.cells[cell]
        moves = [kept for _, kept in run.store.moves(number, 6)]
        assert moves == [one.moves[: one.length].tobytes() for one in outcomes]
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


def teams_of(lineup, players, games=200, **changes):
    """The teams of the games of the first cell of a line-up."""
    experiment = parse_experiment({"lineup": [lineup], "players": [players], **changes})
    cell = next(iter(experiment.cells()))
    seeds = game_seeds(1, 0, games)
    teams = cell.teams(seeds)
    assert sorted(np.concatenate(list(teams.values())).tolist()) == list(range(games))
    return cell, {team: len(indices) for team, indices in teams.items()}


def test_a_pairing_puts_the_agent_at_a_seat_drawn_by_the_seed():
    _, teams = teams_of({"kind": "pairing", "agents": ["piers"], "partners": ["iggi"]}, 4)
    assert len(teams) == 4
    assert all(team.count("piers") == 1 for team in teams)
    assert min(teams.values()) > 25


def test_every_pair_alternates_around_the_table():
    _, teams = teams_of({"kind": "every-pair", "agents": ["piers", "iggi"]}, 2)
    assert set(teams) == {("piers", "piers")}
    experiment = parse_experiment({"lineup": [{"kind": "every-pair", "agents": ["piers", "iggi"]}], "players": [2]})
    assert [(cell.agent, cell.partner) for cell in experiment.cells()] == [
        ("piers", "piers"), ("piers", "iggi"), ("iggi", "iggi"),
    ]  # fmt: skip


def test_random_teams_are_drawn_anew_for_every_game():
    _, teams = teams_of({"kind": "random-teams", "agents": ["piers"], "pool": ["iggi", "outer"]}, 3)
    assert len(teams) == 3 * 4
    assert all("piers" in team for team in teams)


def test_explicit_seats_play_at_their_own_number_of_players():
    experiment = parse_experiment({"lineup": [{"kind": "seats", "teams": ["piers+iggi", "vdb+vdb+iggi"]}]})
    assert [cell.members for cell in experiment.cells()] == [("piers", "iggi"), ("vdb", "vdb", "iggi")]


def test_a_cell_of_mixed_teams_plays_the_games_of_each_team():
    cell = Cell("pairing", "iggi", "outer", ("iggi", "outer", "outer"), (), True, Settings(players=3))
    seeds = game_seeds(1, 0, 12)
    outcomes = CellTable(cell).play(seeds)
    for team, games in cell.teams(seeds).items():
        alone = Table([make_agent(name) for name in team], Settings(players=3)).play(seeds[games])
        assert (outcomes[games] == alone).all()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"gmaes": 3}, "there is no key 'gmaes'; did you mean games"),
        ({"lineup": [{"kind": "self-pley", "agents": ["piers"]}]}, "line-up 1: kind must be .* did you mean self-play"),
        ({"lineup": [{"kind": "self-play", "agent": ["piers"]}]}, "line-up 1 .self-play.: .* did you mean agents"),
        ({"lineup": [{"kind": "self-play", "agents": ["pierz"]}]}, "line-up 1, agents: .* did you mean piers"),
        ({"lineup": [{"kind": "self-play", "agents": ["piers+iggi"]}]}, "is a team; one agent expected"),
        ({"lineup": [{"kind": "self-play", "agents": []}]}, "agents is empty"),
        ({"lineup": [{"kind": "self-play"}]}, "missing required field `agents`"),
        ({"lineup": [{"kind": "seats", "teams": ["piers+iggi"], "players": [3]}]}, "is a team of 2, players are .3."),
        ({"lineup": []}, "no line-up has a game"),
        ({"lineup": 5}, "Expected `array`"),
        ({"lineup": [{"kind": "self-play", "agents": ["piers"], "games": 0}]}, "games must be at least 1"),
        ({"lineup": [{"kind": "self-play", "agents": ["piers"], "players": []}]}, "players is empty"),
        ({"rules": {"empty_hints": "no"}}, "rules: Expected `bool`"),
        ({"rules": {"livs": 3}}, "rules: there is no key 'livs'; did you mean lives"),
        ({"rules": {"players": 3}}, "players belong to the experiment"),
        ({"rules": {"lives": 99}}, "lives must be a whole number"),
        ({"players": [7]}, "players must be a whole number"),
        ({"games": "many"}, "Expected `int`"),
        ({"games": 0}, "games must be at least 1"),
        ({"keep": "all"}, "Invalid enum value"),
        ({"seed": -1}, "a seed is"),
    ],
)
def test_a_wrong_experiment_is_refused_with_the_place(changes, message):
    with pytest.raises(ValueError, match=message):
        parse_experiment(tomllib.loads(SMALL.format(games=20)) | changes)


def test_a_file_that_is_no_experiment_is_refused(tmp_path):
    with pytest.raises(ExperimentError, match="cannot be read"):
        read_experiment(tmp_path / "none.toml")
    (tmp_path / "broken.toml").write_text("games = ")
    with pytest.raises(ExperimentError, match="is no TOML"):
        read_experiment(tmp_path / "broken.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ExperimentError, match="no text file"):
        read_experiment(tmp_path / "binary.toml")


def test_a_run_keeps_to_its_seed_and_rules(tmp_path):
    finish(tmp_path, small(games=1))
    for changes in ({"seed": 4}, {"rules": {"lives": 2}}, {"keep": "outcomes"}):
        with pytest.raises(RunError, match="choose another directory"):
            Run(tmp_path, small(**changes))


def test_a_run_tells_which_programs_played_it(tmp_path, monkeypatch):
    finish(tmp_path, small(games=1))
    monkeypatch.setattr("tamaya.store.program", lambda: "9.9 edited")
    finish(tmp_path, small(games=2))
    with Run(tmp_path) as run:
        assert len(run.store.programs()) == 2
        assert "9.9 edited" in run.store.programs()


def test_a_store_of_another_seed_is_refused_though_the_experiment_is_gone(tmp_path):
    finish(tmp_path, small(games=1))
    (tmp_path / "experiment.json").unlink()
    with pytest.raises(RunError, match="games of another seed than 4"), Run(tmp_path, small(seed=4)):
        pass


def test_a_kill_before_the_tables_were_made_leaves_a_directory_that_can_be_used(tmp_path):
    with sqlite3.connect(tmp_path / "games.sqlite") as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    connection.close()
    assert len(finish(tmp_path, small(games=1))) == 6


def test_an_interrupt_while_storing_stores_nothing_of_the_unit(tmp_path, monkeypatch):
    outcomes = Table([make_agent("flawed")] * 2, Settings(players=2)).play(game_seeds(1, 0, 5))
    with Store(tmp_path / "games.sqlite") as store:
        with monkeypatch.context() as patch:
            patch.setattr("tamaya.store.zip", interrupted, raising=False)
            with pytest.raises(KeyboardInterrupt):
                store.add(1, 0, outcomes)
        assert store.gaps(1, 5) == [range(5)]
        assert list(store.outcomes(1, 5)) == []


def interrupted(*columns, strict):
    yield next(zip(*columns, strict=strict))
    raise KeyboardInterrupt


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
            assert one.standard_error_zero == pytest.approx(zero.std(ddof=1) / 30**0.5)
            assert one.high - one.low == pytest.approx(2 * 1.959964 * one.standard_error)
        gains = scores["flawed", 2] - scores["internal", 2]
        difference = results["flawed", 2].difference
        assert difference.high - difference.mean == pytest.approx(1.959964 * gains.std(ddof=1) / 30**0.5)
        pair = [cell for cell in run.cells if cell.agent == "internal"]
        together = (scores["internal", 2] + scores["internal", 3]) / 2
        _, mean, error = run.average(pair)
        assert mean == pytest.approx(together.mean())
        assert error == pytest.approx(together.std(ddof=1) / 30**0.5)


def test_a_second_process_in_the_directory_is_refused(tmp_path):
    with Run(tmp_path, small()), pytest.raises(RunError, match="another process is running"), Run(tmp_path, small()):
        pass


def test_a_directory_that_is_no_run_is_refused(tmp_path):
    with pytest.raises(RunError, match="is no run"):
        Run(tmp_path)
    (tmp_path / "experiment.json").write_text("{")
    with pytest.raises(RunError, match="is damaged"):
        Run(tmp_path)
    (tmp_path / "experiment.json").write_text('{"format": 99}')
    with pytest.raises(RunError, match="made by a newer tamaya"):
        Run(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match="cannot be written"), Run(tmp_path / "file" / "run", small()):
        pass


def test_a_foreign_truncated_or_newer_store_is_refused_and_left_alone(tmp_path):
    foreign = tmp_path / "foreign.sqlite"
    with sqlite3.connect(foreign) as connection:
        connection.execute("CREATE TABLE precious (value)")
    newer = tmp_path / "newer.sqlite"
    Store(newer).close()
    with sqlite3.connect(newer) as connection:
        connection.execute(f"PRAGMA user_version = {FORMAT + 1}")
    truncated = tmp_path / "truncated.sqlite"
    Store(truncated).close()
    truncated.write_bytes(truncated.read_bytes()[:5000])
    text = tmp_path / "text.sqlite"
    text.write_text("no database, but long enough to look like one" * 100)
    for path, message in [
        (foreign, "is no store of tamaya"),
        (newer, "made by a newer tamaya"),
        (truncated, "cannot be used"),
        (text, "cannot be used"),
    ]:
        before = path.read_bytes()
        with pytest.raises(StoreError, match=message):
            Store(path)
        assert path.read_bytes() == before


def test_a_store_that_cannot_grow_keeps_what_it_has(tmp_path):
    """A full disk, as SQLite sees it: no more pages."""
    outcomes = Table([make_agent("flawed")] * 2, Settings(players=2)).play(game_seeds(1, 0, several(600, 40)))
    with Store(tmp_path / "games.sqlite") as store:
        store.add(1, 0, outcomes, moves=True)
        (pages,) = store.connection.execute("PRAGMA page_count").fetchone()
        store.connection.execute(f"PRAGMA max_page_count = {pages}")
        large = np.concatenate([outcomes] * 10)
        with pytest.raises(StoreError, match=r"full.*what was stored before is safe"):
            store.add(1, len(outcomes), large, moves=True)
        assert store.gaps(1, len(outcomes)) == []
        assert sum(len(chunk) for chunk in store.outcomes(1, 10**9)) == len(outcomes)


def test_an_estimate_names_every_cell():
    rows = list(estimate(small(games=several(50, 1)).cells(), 3, seconds=0.01))
    assert [games for _, games, _ in rows] == [several(50, 1)] * 6
    assert all(seconds > 0 for _, _, seconds in rows)


@compiled_only
def test_a_run_killed_ten_times_equals_one_that_was_not(tmp_path):
    """kill -9 at random moments; the games are those of an uninterrupted run, each once."""
    file, directory = tmp_path / "small.toml", tmp_path / "small.run"
    file.write_text(SMALL.format(games=60_000))
    command = [sys.executable, "-m", "tamaya.cli", "run", str(file), "--threads", "2"]
    chance = random.Random(1)
    kills = 0
    for _ in range(10):
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(0.7 + 0.8 * chance.random())
        kills += child.poll() is None
        child.kill()
        child.wait()
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    assert kills >= 2
    whole = finish(tmp_path / "whole", read_experiment(file))
    with Store(directory / "games.sqlite") as store:
        assert all_games(store) == whole


@compiled_only
def test_the_command_runs_an_experiment_and_goes_on(tmp_path):
    file = tmp_path / "small.toml"
    file.write_text(SMALL.format(games=50))

    def command(*arguments):
        child = subprocess.run(
            [sys.executable, "-m", "tamaya.cli", "run", *arguments], capture_output=True, text=True, check=False
        )
        return child.returncode, child.stdout, child.stderr

    code, output, _ = command(str(file), "--dry-run")
    assert code == 0
    assert "6 cells, 300 games, about" in output
    assert not file.with_suffix(".run").exists()
    code, first, _ = command(str(file))
    assert code == 0
    assert "piers with outer" in first
    code, again, _ = command(str(file.with_suffix(".run")))
    assert [line.split()[:4] for line in again.splitlines()] == [line.split()[:4] for line in first.splitlines()]
    file.write_text(SMALL.format(games=50) + '\n[[lineup]]\nkind = "self-play"\nagents = ["pierz"]\n')
    code, _, errors = command(str(file))
    assert code == 1
    assert "line-up 3, agents: there is no agent 'pierz'; did you mean piers" in errors


def test_a_lineup_has_rules_of_its_own_and_agents_that_know_their_partner(tmp_path):
    lineups = [
        {"kind": "self-play", "agents": ["piers"], "players": [2], "rules": {"hand_size": 3}},
        {
            "kind": "pairing",
            "agents": ["predictor({partner}, iterations=2)"],
            "partners": ["iggi", "flawed"],
            "players": [3],
        },
    ]
    experiment = parse_experiment({"games": 1, "rules": {"lives": 2}, "lineup": lineups})
    alone, *paired = experiment.cells()
    assert (alone.settings.hand_size, alone.settings.lives) == (3, 2)
    assert {cell.agent for cell in paired} == {"predictor({partner}, iterations=2)"}
    members = ["predictor(iggi, iterations=2)", "iggi", "iggi"]
    assert [list(cell.members) for cell in paired] == [members, [name.replace("iggi", "flawed") for name in members]]
    with Run(tmp_path, experiment) as run:
        run.play()
        assert run.missing() == 0
    for wrong, message in (
        ({"kind": "self-play", "agents": ["predictor({partner})"]}, "in pairings only"),
        ({"kind": "pairing", "agents": ["predictor({partner})"], "partners": []}, "partners is empty"),
        (
            {"kind": "pairing", "agents": ["predictor({partner})"], "partners": ["iggi", "seeing-mcts"]},
            "sees hidden cards",
        ),
    ):
        with pytest.raises(ExperimentError, match=message):
            parse_experiment({"lineup": [wrong]})
    lineups[0]["rules"] = {"hand_sise": 3}
    with pytest.raises(ExperimentError, match=r"line-up 1.*hand_sise.*did you mean hand_size"):
        parse_experiment({"lineup": lineups})
