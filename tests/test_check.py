"""The check: it finds what is wrong with an agent, every cheat too, and says nothing against honest ones."""

import os
import re
import subprocess
import sys
import time

import numpy as np
import pytest
from conftest import compiled_only

from tamaya import AgentError
from tamaya.arena.checks.conformance import (
    Finding,
    check_agent,
    check_games,
    check_interpretation,
    check_order,
    check_sharing,
    check_sight,
    inspect_agent,
)
from tamaya.arena.checks.seed_check import check_matches, check_seeds, excess

pytestmark = [compiled_only, pytest.mark.usefixtures("own_module")]


def failures(name, games=10, timeout=120.0):
    """What a check finds wrong."""
    findings = check_agent(name, games, timeout)
    return [finding.text for finding in findings if not finding.is_fine]


def found(name, *checks, timeout=120.0):
    """What some of the checks find wrong with an agent; the others are not waited for."""
    return "\n".join(one.text for one in inspect_agent(name, 10, timeout, checks=checks) if not one.is_fine)


@pytest.mark.parametrize(
    "name",
    [
        "bold:bold",
        "cheater",
        "predictor(iggi, vdb, iterations=1)",
    ],
)
def test_nothing_is_said_against_honest_agents(name):
    assert failures(name) == []


@pytest.mark.parametrize(
    ("check", "name", "words"),
    [
        (check_games, "nonsense", "answered 99, which is not a move"),
        (check_games, "quitting", "had no move in any game"),
        (check_games, "raising", "lost my nerve"),
        (check_games, "hanging", "it never returns, or is too slow"),
        (check_order, "whimsical", "went differently when other games were played before"),
        (check_sharing, "whispering", "with one memory per seat than with one for all"),
        (check_interpretation, "reaching", "index 7 is out of bounds"),
        (check_games, "spilling", "wrote beyond its 2 words of memory"),
        (check_games, "uncompilable", "cannot be compiled"),
        (check_sight, "Peeking", "asked in a process without the game, it fails"),
    ],
)
def test_what_is_wrong_with_an_agent_is_found(check, name, words):
    assert words in found(f"own_agents:{name}", check, timeout=4 if name == "hanging" else 120)


@pytest.mark.parametrize(
    ("check", "name", "words"),
    [
        (check_seeds, "late_guesser", "foresees the cards of known seeds"),
        (check_matches, "Replayer", "when asked apart from the game"),
        (check_matches, "Picker", "played other games than those of its seed"),
        (check_matches, "lot_guesser", "foresees the cards of known seeds"),
        (check_matches, "hand_guesser", "foresees the cards of known seeds"),
        (check_matches, "Lucky", "foresees the cards of known seeds"),
        (check_matches, "Pretender", "foresees the cards of known seeds"),
        (check_matches, "Boaster", "reports other scores than its games have"),
        (check_matches, "reader", "when asked apart from the game"),
        (check_matches, "Walker", "when asked apart from the game"),
        (check_matches, "Dissembler", "when asked apart from the game"),
        (check_matches, "Gossip", "when asked apart from the game"),
    ],
)
def test_every_cheat_is_found(check, name, words):
    assert words in found(f"cheats:{name}", check)


def test_a_cheat_is_found_by_all_checks_together():
    """By what it reads, or in a game in which it quits."""
    assert failures("cheats:quitter")


def test_an_agent_that_writes_the_report_itself_and_leaves_is_found():
    assert failures("forger:forged") == ["it ended the process before it was done: no message"]


def write_module(tmp_path, monkeypatch, text):
    """A module with a name of its own, here and in child processes."""
    (tmp_path / "stranger.py").write_text(text)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ["PYTHONPATH"]]))


CHATTY = """
import os, pathlib, sys
pathlib.Path("{path}").open("a").write(f"{{os.getpid()}} ")
print('{{"error": "said"}}', "ok", "FAIL")
from own_agents import Patient

class Chatty(Patient):
    def act(self, view):
        print("I think", flush=True)
        print("and think", file=sys.stderr)
        return super().act(view)
"""


def test_a_module_is_imported_elsewhere_only_and_what_it_prints_does_no_harm(tmp_path, monkeypatch):
    write_module(tmp_path, monkeypatch, CHATTY.format(path=tmp_path / "pids"))
    assert failures("stranger:Chatty") == []
    pids = {int(one) for one in (tmp_path / "pids").read_text().split()}
    assert len(pids) >= 5
    assert os.getpid() not in pids


def test_a_module_that_hangs_or_leaves_when_it_is_imported_is_found(tmp_path, monkeypatch):
    write_module(tmp_path, monkeypatch, "import time; time.sleep(60)")
    assert "not done within 3 seconds" in failures("stranger:agent", timeout=3)[0]
    write_module(tmp_path, monkeypatch, "raise SystemExit(0)")
    with pytest.raises(AgentError, match="stranger cannot be imported: SystemExit"):
        check_agent("stranger:agent")


def test_a_module_that_leaves_processes_behind_does_not_hold_the_check_up(tmp_path, monkeypatch):
    write_module(tmp_path, monkeypatch, "import os, time\nos.fork()\ntime.sleep(60)")
    start = time.monotonic()
    assert "not done within 2 seconds" in failures("stranger:agent", timeout=2)[0]
    assert time.monotonic() - start < 20


def test_what_is_written_past_python_does_no_harm(tmp_path, monkeypatch):
    write_module(tmp_path, monkeypatch, "import os\nos.write(1, b'loud')\nfrom own_agents import counting")
    assert failures("stranger:counting") == []


def saved_games(tmp_path, name):
    """A file of an agent's games."""
    path = tmp_path / f"{name.partition(':')[2]}.jsonl"
    command = [sys.executable, "-m", "tamaya", "match", name, "--players", "3", "--games", "5", "--save", str(path)]
    subprocess.run(command, check=True, capture_output=True)
    return path


def test_games_that_were_saved_are_asked_for_again(tmp_path):
    honest = saved_games(tmp_path, "own_agents:Patient")
    (finding,) = inspect_agent("own_agents:Patient", saved=honest)
    assert finding == Finding(True, "made the moves of 5 of the 5 games of Patient.jsonl that it plays in")
    with pytest.raises(ValueError, match="has no game of piers"):
        list(inspect_agent("piers", saved=honest))
    honest.write_text(re.sub(r'"seed":\d+', '"seed":7', honest.read_text()))
    (finding,) = inspect_agent("own_agents:Patient", saved=honest)
    assert "its deck is not that of its seed" in finding.text
    assert re.search("game [0-9]+ of .*jsonl", finding.text)
    (finding,) = inspect_agent("cheats:Walker", saved=saved_games(tmp_path, "cheats:Walker"))
    assert "when asked apart from the game" in finding.text


def test_better_scores_are_measured_in_standard_errors():
    scores, others = np.array([20, 22, 24, 22]), np.array([10, 12, 14, 12])
    assert excess(scores, others) == pytest.approx(10 / np.sqrt(2 * (8 / 3) / 4))
    assert excess(others, scores) == 0
    assert excess(np.array([5, 5]), np.array([3, 3])) == np.inf
    assert excess(np.array([5, 5]), np.array([5, 5])) == 0
