"""The commands, run as a user runs them."""

import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest
from conftest import compiled_only, several
from typer.testing import CliRunner

import tamaya
from tamaya import __version__, make_agent
from tamaya.cli import app as cli


def run(*arguments):
    """A command in a process of its own: exit code, output, errors."""
    child = subprocess.run(
        [sys.executable, "-m", "tamaya", *arguments], capture_output=True, text=True, timeout=120, check=False
    )
    return child.returncode, child.stdout, child.stderr


def test_match_prints_a_table_and_the_difference_to_the_first():
    result = CliRunner().invoke(
        cli.app, ["match", "piers", "flawed", "--players", "3", "--games", str(several(500, 4))]
    )
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].split()[:3] == ["agent", "players", "mean"]
    assert lines[1].startswith("piers")
    assert float(lines[2].split()[-3]) < -5
    assert "µs" in lines[-1]


def test_match_as_json_holds_what_it_promises():
    games = several(300, 5)
    arguments = ["match", "piers", "risky(0.6)", "--players", "2-3", "--games", str(games), "--seed", "4", "--json"]
    results = json.loads(CliRunner().invoke(cli.app, arguments).stdout)["results"]
    assert [(one["agent"], one["players"]) for one in results] == [
        ("piers", 2), ("piers", 3), ("risky(0.6)", 2), ("risky(0.6)", 3),
    ]  # fmt: skip
    for one in results:
        assert one["games"] == games == sum(one["histogram"])
        assert one["low"] < one["mean"] < one["high"]
        assert one["strict_mean"] <= one["mean"]
        assert one["standard_error"] > 0
        assert one["errors"] == pytest.approx(one["misplays"] + one["wasted"])
        assert one["games_per_second"] > 0
        assert isinstance(one["perfect"], int)
        assert isinstance(one["strike_outs"], int)
    assert results[0]["difference"] is None
    assert results[2]["difference"]["to"] == "piers"
    mean = sum(score * games for score, games in enumerate(results[0]["histogram"])) / games
    assert results[0]["mean"] == pytest.approx(mean)


@compiled_only
def test_a_mixed_team_sets_the_number_of_players(tmp_path):
    path = tmp_path / "games.jsonl"
    code, output, _ = run("match", "piers+iggi+vdb", "--games", "20", "--save", str(path))
    assert code == 0
    assert "piers+iggi+vdb" in output
    assert len(path.read_text().splitlines()) == 20
    code, story, _ = run("show", str(path), "--game", "20")
    assert code == 0
    assert story.startswith("Alice (piers), Bob (iggi) and Cathy (vdb) play, game ")
    code, picture, _ = run("show", str(path), "--turn", "5")
    assert code == 0
    assert picture.startswith("turn 5, Cathy to move")


def test_what_is_played_in_the_process_can_be_shown(tmp_path):
    path = tmp_path / "games.jsonl"
    arguments = ["match", "piers+risky", "--games", "2", "--save", str(path), "--lives", "1", "--empty-hints"]
    assert CliRunner().invoke(cli.app, arguments).exit_code == 0
    story = CliRunner().invoke(cli.app, ["show", str(path), "--game", "2"]).stdout
    assert story.startswith("Alice (piers) and Bob (risky) play")
    assert CliRunner().invoke(cli.app, ["show", str(path), "--turn", "1"]).stdout.startswith("turn 1, Bob")
    for option, value in (("--game", "3"), ("--turn", "500")):
        assert CliRunner().invoke(cli.app, ["show", str(path), option, value]).exit_code != 0


def test_one_game_has_no_interval():
    arguments = ["match", "piers", "--players", "3", "--games", "1"]
    assert "±" not in CliRunner().invoke(cli.app, arguments).stdout.splitlines()[1]
    result = json.loads(CliRunner().invoke(cli.app, [*arguments, "--json"]).stdout)["results"][0]
    assert result["standard_error"] is None


def test_the_version_is_told():
    assert CliRunner().invoke(cli.app, ["--version"]).stdout == f"tamaya {__version__}\n"


def test_agents_and_rules_are_listed_with_their_papers():
    everything = CliRunner().invoke(cli.app, ["agents"]).stdout
    assert "piers" in everything
    assert "Walton-Rivers et al. 2017" in everything
    words = " ".join(everything.split())
    assert "[faithful], closure=yes," in words
    assert "policy, iterations=1000, ms=0, confidence=1, margin=0.003, prior=0, confirm=yes," in words
    assert "stranger, ..., rollout=piers, likelihood=asked, iterations=1000," in words
    assert "useless=no" in words
    rules = json.loads(CliRunner().invoke(cli.app, ["agents", "--rules", "--json"]).stdout)["rules"]
    assert "PlayProbablySafeCard(threshold=0.95)" in [rule["name"] for rule in rules]
    assert "TellDispensable(spare_singles=no)" in [rule["name"] for rule in rules]


@compiled_only
@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["match", "pierz"], 1, "did you mean piers"),
        (["match", "piers", "--players", "9"], 1, "--players must be from 2 to 5"),
        (["match", "piers", "--players", "2-"], 1, "--players must be written like"),
        (["match", "piers", "--players", "2-999999999"], 1, "--players must be from 2 to 5"),
        (["match", "piers", "--hand-size", "0"], 1, "--hand-size must be from 2 to 6"),
        (["match", "piers", "--hand-size", "7"], 1, "from 2 to 6, not 7"),
        (["match", "piers", "--players", "x"], 1, "--players must be written like"),
        (["match", "piers", "--players", "5", "--hand-size", "6", "--colours", "1"], 1, "need 30 cards"),
        (["match", "piers", "--games", "0"], 1, "games must be a whole number from 1"),
        (["match", "piers", "--gmes", "3"], 2, "No such option"),
        (["match", "piers+iggi", "--players", "3"], 1, "a team of 2"),
        (["match", "piers", "--save", "no/such/folder/file"], 1, "No such file"),
        (["show", "nothing.json"], 1, "cannot be read"),
        (["mach"], 2, "Did you mean"),
        (["agree", "piers"], 2, "agree takes AGENT... FILE"),
        (["check", "piers", "--games", "0"], 1, "at least 1 game"),
    ],
)
def test_bad_input_is_told_in_a_line_and_exits_non_zero(arguments, code, message):
    found, _, errors = run(*arguments)
    assert found == code
    assert message in errors
    assert "Traceback" not in errors


@compiled_only
@pytest.mark.usefixtures("own_module")
def test_a_failing_policy_keeps_the_games_already_played(tmp_path):
    path = tmp_path / "games.jsonl"
    teams = ["piers", "own_agents:raising"]
    arguments = ["match", *teams, "--players", "3", "--games", "300", "--save", str(path), "--json"]
    code, output, errors = run(*arguments)
    assert code == 1
    assert "lost my nerve" in errors
    results = json.loads(output)["results"]
    assert results[0]["games"] == 300
    assert len(path.read_text().splitlines()) == sum(one["games"] for one in results)


def interrupt(arguments, is_time):
    """A command that is sent Ctrl-C once it is time: exit code, output, errors."""
    command = [sys.executable, "-m", "tamaya", *arguments]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 120
    while not is_time() and time.monotonic() < deadline:
        time.sleep(0.1)
    os.kill(child.pid, signal.SIGINT)
    output, errors = child.communicate(timeout=60)
    return child.returncode, output, errors


@compiled_only
def test_ctrl_c_ends_a_match_and_prints_what_was_played(tmp_path):
    path = tmp_path / "games.jsonl"
    arguments = ["match", "piers", "--games", "100000000", "--players", "3", "--save", str(path)]
    code, output, errors = interrupt(arguments, lambda: path.exists() and path.stat().st_size > 0)
    assert code == 130
    assert "stopped" in errors
    games = int(output.splitlines()[4].split()[2].replace(",", ""))
    assert games == len(path.read_text().splitlines()) > 0


@compiled_only
@pytest.mark.usefixtures("own_module")
def test_a_policy_that_cannot_be_compiled_spares_the_file_of_games(tmp_path):
    path = tmp_path / "games.jsonl"
    path.write_text("precious")
    code, _, errors = run("match", "piers", "own_agents:misspelt", "--save", str(path))
    assert code == 1
    assert "did you mean lives" in errors
    assert path.read_text() == "precious"


@compiled_only
@pytest.mark.usefixtures("own_module")
def test_ctrl_c_ends_a_match_with_a_policy_that_never_returns():
    make_agent("own_agents:hanging").policy.compiled("mover")  # compiled and in the cache
    start = time.monotonic()
    code, _, errors = interrupt(["match", "own_agents:hanging", "--games", "10"], lambda: time.monotonic() > start + 8)
    assert code == 130
    assert "stopped" in errors


def test_a_search_tells_what_it_thinks_of_a_recorded_game(tmp_path):
    path = tmp_path / "games.jsonl"
    assert (
        CliRunner().invoke(cli.app, ["match", "piers", "--players", "3", "--games", "2", "--save", str(path)]).exit_code
        == 0
    )
    think = ["think", str(path), "--turn", "10", "--agent"]
    shown = CliRunner().invoke(cli.app, [*think, "ris(rules=goodman, iterations=30)"])
    assert "30 iterations, deepest node" in shown.stdout
    assert "chosen" in shown.stdout
    assert "in the game:" in shown.stdout
    read = CliRunner().invoke(cli.app, [*think, "mo(iterations=50)", "--game", "2", "--json"])
    thoughts = json.loads(read.stdout)["thoughts"]
    assert sum(one["visits"] for one in thoughts["candidates"]) == thoughts["iterations"] == 50
    plain = CliRunner().invoke(cli.app, [*think, "piers"])
    assert "\npiers: " in plain.stdout
    assert "\nIts rule " in plain.stdout
    late = CliRunner().invoke(cli.app, ["think", str(path), "--turn", "500", "--agent", "piers"])
    assert "--turn must be from 0 to that number" in str(late.exception)


def test_an_ascii_terminal_loses_no_result(monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    monkeypatch.setenv("PYTHONUTF8", "0")
    code, out, _ = run("match", "flawed", "piers", "--games", "10", "--players", "2")
    assert code == 0
    assert re.search(r"flawed +2 +\d\.\d{3} \+- \d\.\d{3}", out)
    head, _, last = out.splitlines()[:3]
    assert len(head.rstrip()) == len(last.rstrip())


@pytest.mark.parametrize("stream", [1, 2])
def test_a_closed_stream_is_as_good_as_any(stream):
    command = f'"{sys.executable}" -m tamaya match flawed --games 10 --players 2 {stream}>&-'
    child = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert child.returncode == 0
    assert "Traceback" not in child.stderr
    assert ("flawed" in child.stdout) == (stream == 2)


def test_a_reader_who_leaves_early_is_no_error():
    command = f'("{sys.executable}" -m tamaya agents; echo "code $?" >&2) | true'
    child = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert re.fullmatch(r"code (0|141)\n", child.stderr)


@pytest.mark.usefixtures("own_module")
@pytest.mark.parametrize(
    ("agent", "words"),
    [
        ("own_agents:Leaving", "own_agents:Leaving raised SystemExit: 3 ("),
        (
            "own_agents:Wordless",
            "act(view) must return a Move, such as one of view.legal_moves",
        ),
        ("own_agents:raising", "raised ValueError: lost my nerve"),
        ("own_agents:nonsense", "has no legal move; it answered 99"),
    ],
)
def test_an_agent_that_fails_to_think_is_told_in_a_line(tmp_path, agent, words):
    path, game = tmp_path / "game.json", tamaya.Game(3, 1)
    for _ in range(8):
        game.push(next(move for move in reversed(game.legal_moves) if move.kind != tamaya.Kind.PLAY))
    tamaya.replay.save(game, path)
    code, _, errors = run("think", str(path), "--turn", "7", "--agent", agent)
    assert code == 1
    assert words in errors
    assert len(errors.splitlines()) == 1


@pytest.mark.parametrize("command", [["show"], ["show", "-g", "2"], ["think", "-g", "2"], ["analyse", "-g", "2"],
                                     ["solve"], ["agree", "piers"], ["play", "--replay"]], ids=" ".join)  # fmt: skip
def test_an_illegal_game_is_named_with_its_file_by_every_command(tmp_path, command):
    path, game = tmp_path / "games.jsonl", tamaya.Game(2, 1)
    game.push("play 0")
    line = tamaya.replay.dumps(tamaya.replay.to_record(game))
    path.write_bytes(line + b"\n" + line.replace(b'[{"type":0,"target":0', b'[{"type":0,"target":49'))
    with pytest.raises(ValueError, match=f"^{path}, game 2: action 1: Alice does not hold card 49 of the deck$"):
        CliRunner().invoke(cli.app, [*command, str(path)], catch_exceptions=False)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["match", "risky(5)"], "threshold must be from 0 to 1, not 5"),
        (["match", "risky2(-0.1)"], "threshold must be from 0 to 1"),
        (["match", "omniscient(-3)"], "restarts must be from 1 to 1,000,000, not -3"),
        (["match", "piers", "--games", "1000000000000"], "from 1 to 1,000,000,000, not 1000000000000"),
        (["match", "piers", "--threads", "100000"], "--threads must be from 1 to 1,024, not 100,000"),
        (["check", "piers", "--timeout", "-1"], "--timeout must be from 0 to 1,000,000 seconds, not -1"),
        (["check", "piers", "--games", "100000"], "at least 1 game and at most 10,000"),
    ],
)
def test_numbers_that_make_no_sense_are_refused(arguments, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        CliRunner().invoke(cli.app, arguments, catch_exceptions=False)


def test_what_is_there_is_not_overwritten(tmp_path):
    (tmp_path / "games.jsonl").write_text("precious")
    save = ["match", "flawed", "--games", "1", "--players", "2", "--save", str(tmp_path / "games.jsonl")]
    with pytest.raises(ValueError, match="already exists; choose another name"):
        CliRunner().invoke(cli.app, save, catch_exceptions=False)
    assert (tmp_path / "games.jsonl").read_text() == "precious"
    (tmp_path / "some.toml").write_text('games = 1\n[[lineup]]\nkind = "self-play"\nagents = ["flawed"]\n')
    with pytest.raises(ValueError, match=r"holds games\.jsonl, some\.toml, but no experiment\.json"):
        CliRunner().invoke(cli.app, ["run", str(tmp_path / "some.toml"), "--to", str(tmp_path)], catch_exceptions=False)


def test_the_json_of_a_match_says_what_was_played():
    read = json.loads(run("match", "flawed", "--games", "2", "--players", "2", "--lives", "2", "--json")[1])
    assert read["tamaya"] == tamaya.__version__
    assert read["command"] == "tamaya match flawed --games 2 --players 2 --lives 2 --json"
    assert read["rules"]["lives"] == 2
    assert read["seed"] == 1
