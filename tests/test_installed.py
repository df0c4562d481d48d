"""Agents of installed packages: they are listed, they play by name, and a broken one harms nothing."""

import json
import os
import subprocess
import sys

import pytest
from conftest import compiled_only

from tamaya import AgentError, make_agent, make_team, run_match
from tamaya.agents import plugins

MODULE = '''
from tamaya import policy
from tamaya.moves import discard, play

CODE = "rules(PlaySafeCard, DiscardOldestFirst, TellRandomly)"
LOOP = "package-loop"
THERE, BACK = "search(package-back)", "package-there"
MISSING = "no-such-agent"


@policy(slot=1)
def eager(view, memory, params, rng):
    """Always plays the same slot."""
    return play(int(params[0]))


class Last:
    """Makes the last legal move."""

    def act(self, view):
        return view.legal_moves[-1]


class Choosy(Last):
    """Needs a setting."""

    def __init__(self, setting):
        pass
'''

ENTRIES = """
[tamaya.agents]
package-eager = package_of_agents:eager
package-last = package_of_agents:Last
package-text = package_of_agents:CODE
package-loop = package_of_agents:LOOP
package-there = package_of_agents:THERE
package-back = package_of_agents:BACK
package-gone = package_of_agents:nobody
package-broken = package_that_breaks:Anything
package-number = package_of_agents:__name__.__len__
package-int = builtins:int
package-missing = package_of_agents:MISSING
package-choosy = package_of_agents:Choosy
piers = package_of_agents:eager
two words = package_of_agents:eager
"""


def install(folder, name, entries):
    """Puts a package into a folder as an installer does."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(entries)


@pytest.fixture
def packages(tmp_path, monkeypatch):
    """A folder with a package of agents, where Python looks for packages, here and in child processes."""
    install(tmp_path, "package-of-agents", ENTRIES)
    (tmp_path / "package_of_agents.py").write_text(MODULE)
    (tmp_path / "package_that_breaks.py").write_text("raise RuntimeError('no weights')")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    plugins.declared.cache_clear()
    yield tmp_path
    plugins.declared.cache_clear()
    sys.modules.pop("package_of_agents", None)


@compiled_only
def test_agents_of_packages_play_by_name_with_their_settings(packages):
    results = run_match(["package-eager(2)", "package-last", "package-text", "piers+package-last"], 2, games=5)
    assert [one.agent for one in results] == ["package-eager(2)", "package-last", "package-text", "piers+package-last"]
    assert results[0].strike_outs == 5
    text = run_match("rules(PlaySafeCard, DiscardOldestFirst, TellRandomly)", 2, games=5)
    assert results[2].histogram == text[0].histogram


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("package-gone", "'package-gone' of the package package-of-agents cannot be loaded: AttributeError"),
        ("package-broken", "cannot be loaded: RuntimeError: no weights"),
        ("package-number", "is neither a function under @policy nor a class"),
        ("package-eagre", "did you mean package-eager"),
        ("package-text(3)", "takes no settings"),
        ("package-loop", "leads back to itself"),
        ("package-there", r"package-there stands for search\(package-back\), which leads back to itself"),
        ("package-last(3)", "Last takes no settings"),
    ],
)
def test_what_is_wrong_with_an_installed_agent_is_said(packages, name, words):
    with pytest.raises(AgentError, match=words):
        make_agent(name)


def test_our_names_stay_ours(packages):
    assert make_team("piers")[0] == make_agent("piers")
    assert make_agent("piers").policy.name == "rule_list"


def test_a_name_of_two_packages_is_refused(packages):
    install(packages, "another-package", "[tamaya.agents]\npackage-last = another:Last\n")
    plugins.declared.cache_clear()
    with pytest.raises(AgentError, match="several packages: another-package, package-of-agents; uninstall"):
        make_agent("package-last")


@compiled_only
def test_the_list_of_agents_has_those_of_packages_and_says_which_are_broken(packages):
    command = [sys.executable, "-m", "tamaya", "agents", "--json"]
    child = subprocess.run(command, capture_output=True, text=True, check=True)
    rows = {row["name"]: row for row in json.loads(child.stdout)["agents"]}
    assert rows["package-eager(slot=1)"]["summary"] == "always plays the same slot"
    assert rows["package-last"]["source"] == "package-of-agents"
    assert "no weights" in rows["package-broken"]["summary"]
    assert "cannot be used" in rows["two words"]["summary"]
    assert rows["package-int"]["summary"].startswith("cannot be used: package-int is neither a function under @policy")
    assert rows["package-loop"]["summary"].endswith("stands for package-loop, which leads back to itself")
    assert rows["package-missing"]["summary"].startswith("cannot be used: there is no agent 'no-such-agent'")
    assert rows["package-text"]["summary"] == "rules(PlaySafeCard, DiscardOldestFirst, TellRandomly)"
    assert rows["package-choosy"]["summary"] == "needs a setting"
    assert "rules(rule, ...)" in rows


def test_packages_are_looked_through_only_for_names_that_are_not_ours(packages):
    code = (
        "import sys; from tamaya.agents.names import check_team; check_team('piers+ris(iggi)+a:b')\n"
        "from tamaya.agents import plugins\n"
        "print(plugins.declared.cache_info().misses, 'package_of_agents' in sys.modules)"
    )
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert child.stdout == "0 False\n"
