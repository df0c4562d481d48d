"""The check: what is wrong with an agent is found, every cheat too, and nothing is said against honest ones."""

import os

import numpy as np
import pytest
from conftest import compiled_only

from tamaya import AgentError
from tamaya.arena.check import check_agent, excess

pytestmark = [compiled_only, pytest.mark.usefixtures("own_module")]


def failures(name, games=20, timeout=120.0):
    """What a check finds wrong."""
    findings = check_agent(name, games, timeout)
    return [finding.text for finding in findings if not finding.is_fine]


@pytest.mark.parametrize(
    "name",
    [
        "bold:bold",
        "own_agents:counting",
        "own_agents:Patient",
        "cheater",
        "information",
        "predictor(iggi, vdb, iterations=3)",
    ],
)
def test_nothing_is_said_against_honest_agents(name):
    assert failures(name) == []


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("own_agents:nonsense", "answered 99, which is no move"),
        ("own_agents:quitting", "had no move in any game"),
        ("own_agents:raising", "lost my nerve"),
        ("own_agents:hanging", "it never returns, or is too slow"),
        ("own_agents:whimsical", "went differently when other games were played before"),
        ("own_agents:whispering", "with a memory a seat than with one for all"),
        ("own_agents:reaching", "index 7 is out of bounds"),
        ("own_agents:spilling", "wrote beyond its 2 words of memory"),
        ("own_agents:uncompilable", "cannot be compiled"),
        ("own_agents:Peeking", "asked where no game is, it fails"),
    ],
)
def test_what_is_wrong_with_an_agent_is_found(name, words):
    assert any(words in one for one in failures(name, timeout=10 if "hanging" in name else 120))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("lot_guesser", "foresees the cards of known seeds"),
        ("hand_guesser", "foresees the cards of known seeds"),
        ("Lucky", "foresees the cards of known seeds"),
        ("Pretender", "foresees the cards of known seeds"),
        ("Boaster", "tells of other scores than those of its games"),
        ("reader", "when asked apart from the game"),
        ("Walker", "when asked apart from the game"),
        ("Dissembler", "when asked apart from the game"),
        ("Gossip", "when asked apart from the game"),
    ],
)
def test_every_cheat_is_found(name, words):
    assert any(words in one for one in failures(f"cheats:{name}"))


def test_an_agent_that_writes_the_report_itself_and_leaves_is_found():
    assert failures("forger:forged") == ["it ended the process before it was done: no message"]


def write_module(tmp_path, monkeypatch, text):
    """A module of a name of its own, here and in child processes."""
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


def test_better_scores_are_measured_in_standard_errors():
    scores, others = np.array([20, 22, 24, 22]), np.array([10, 12, 14, 12])
    assert excess(scores, others) == pytest.approx(10 / np.sqrt(2 * (8 / 3) / 4))
    assert excess(others, scores) == 0
    assert excess(np.array([5, 5]), np.array([3, 3])) == np.inf
    assert excess(np.array([5, 5]), np.array([5, 5])) == 0
