"""Files from anywhere are shown and not obeyed."""

import json
import os
import pty
import re
import subprocess
import sys

import pytest
from conftest import several
from typer.testing import CliRunner

from tamaya import Game
from tamaya.cli import app as cli
from tamaya.engine.text import in_markdown, plain, plain_lines
from tamaya.experiments.experiment import modules_of, parse_experiment
from tamaya.experiments.report.run_report import write_report
from tamaya.experiments.runs import Run
from tamaya.game.replay import dumps, to_record

EVIL = "A\x1b[31m\x1b]0;owned\x07\r\n| B | <script>alert(1)</script> ![x](http://evil) `rm` \u202ec\x9b2J"


def test_a_text_from_anywhere_is_one_line_that_can_be_seen():
    assert plain("risky(0.6) für ±5 %") == "risky(0.6) für ±5 %"
    assert plain(EVIL).isprintable()
    assert plain("a\nb\x1bc\u202ed") == "a\\nb\\x1bc\\u202ed"
    assert plain_lines("a\x07\nb") == "a\\x07\nb"
    assert in_markdown("a|b<c>[d](e)`f`*g*_h_") == "a\\|b&lt;c&gt;\\[d\\](e)\\`f\\`\\*g\\*\\_h\\_"


def test_the_names_in_a_game_file_do_not_steer_the_terminal(tmp_path):
    record = to_record(Game(players=2, seed=1))
    record.players = [EVIL, "[bold]Bob"]
    path = tmp_path / "game.json"
    path.write_bytes(dumps(record))
    shown = CliRunner().invoke(cli.app, ["show", str(path)])
    assert shown.exit_code == 0
    assert "[bold]Bob" in shown.stdout
    assert all(line.isprintable() for line in shown.stdout.split("\n"))


def test_a_complaint_does_not_steer_the_terminal(tmp_path):
    for arguments in (["show", str(tmp_path / EVIL.replace("/", ""))], ["match", EVIL], ["run", EVIL], [EVIL]):
        told = subprocess.run([sys.executable, "-m", "tamaya", *arguments], capture_output=True, text=True, check=False)
        assert told.returncode in (1, 2)
        assert told.stderr.startswith("tamaya: ")
        assert all(line.isprintable() for line in told.stderr.split("\n"))


@pytest.fixture
def evil_run(tmp_path):
    """A run with an evil title, in an evil folder, of agents that are written over several lines."""
    folder = tmp_path / EVIL.replace("/", "")
    lineups = [{"kind": "every-pair", "agents": ["risky(\n0.6\n)", "flawed"]}]
    raw = {"title": EVIL, "players": [2], "games": several(10, 2), "lineup": lineups, "keep": "moves"}
    with Run(folder, parse_experiment(raw)) as run:
        run.play()
    return folder


def test_titles_and_names_mean_nothing_in_a_report(evil_run):
    write_report(evil_run)
    text = (evil_run / "report.md").read_text()
    assert all(line.isprintable() for line in text.split("\n"))
    assert text.startswith("# A\\\\x1b")
    assert "\n| B" not in text
    words = re.sub("`[^`]*`", "", text.replace("\\`", ""))
    assert "<script>" not in words
    assert "![x]" not in words
    rows = [line for line in text.split("\n") if line.startswith("|")]
    assert {row.replace("\\|", "").count("|") for row in rows} <= {row.count("|") for row in rows if "---" in row}
    assert any("risky" in row for row in rows)
    page = (evil_run / "report.html").read_text()
    assert "<script>" not in page
    assert "\x1b" not in page


def test_a_run_in_an_evil_folder_goes_on_and_is_told_of_on_a_terminal(evil_run):
    command = [sys.executable, "-m", "tamaya", "run", str(evil_run)]
    told = subprocess.run(command, capture_output=True, text=True, check=True)
    for line in (told.stdout + told.stderr).split("\n"):
        assert line.isprintable()
    assert "risky" in told.stdout


def test_a_run_says_which_modules_it_imports_before_it_does(tmp_path, monkeypatch):
    """And a report of it imports none."""
    (tmp_path / "stranger.py").write_text(
        "import sys; sys.stderr.write('I was imported\\n')\nfrom own_agents import counting"
    )
    lineups = [{"kind": "self-play", "agents": ["stranger:counting"]}]
    experiment = parse_experiment({"players": [2], "games": 2, "lineup": lineups}, with_agents=False)
    (tmp_path / "some.run").mkdir()
    (tmp_path / "some.run" / "experiment.json").write_text(
        json.dumps({"experiment": {"lineup": lineups, "games": 2, "players": [2]}})
    )
    assert modules_of(experiment) == ["stranger"]
    monkeypatch.setenv("PYTHONPATH", os.path.dirname(__file__))
    command = [sys.executable, "-m", "tamaya"]
    told = subprocess.run([*command, "run", "some.run"], cwd=tmp_path, capture_output=True, text=True, check=True)
    first, second = told.stderr.splitlines()[:2]
    assert first == f"importing stranger from {tmp_path / 'stranger.py'}, which agents of this run need"
    assert second == "I was imported"
    told = subprocess.run([*command, "report", "some.run"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "imported" not in told.stderr


@pytest.mark.parametrize(
    "arguments", [["check", "piers[/x]\x1b]0;owned\x07"], ["run", "evil\x1b]0;owned\x07[red].toml"]]
)
def test_a_terminal_is_not_steered_by_what_goes_on(tmp_path, arguments):
    """On a terminal there are a progress bar and a status line."""
    (tmp_path / "evil\x1b]0;owned\x07[red].toml").write_text(
        'games = 3\nplayers = [2]\n[[lineup]]\nkind = "self-play"\nagents = ["flawed"]\n'
    )
    shown = []

    def read(place):
        shown.append(os.read(place, 4096))
        return shown[-1]

    main, child = os.getpid(), [sys.executable, "-m", "tamaya", *arguments]
    here = os.getcwd()
    os.chdir(tmp_path)
    try:
        pty.spawn(child, read)
    finally:
        os.chdir(here)
    assert os.getpid() == main
    assert b"]0;owned" in b"".join(shown)
    assert b"\x1b]0;" not in b"".join(shown)
    assert b"Traceback" not in b"".join(shown)


def test_modules_are_found_wherever_they_stand_in_the_name_of_an_agent():
    agents = ["ris(rollout=one:a, leaf=two.part:b)", "predictor(three:c(0.5))", "piers"]
    raw = {"lineup": [{"kind": "self-play", "agents": agents}]}
    assert modules_of(parse_experiment(raw, with_agents=False)) == ["one", "three", "two.part"]
