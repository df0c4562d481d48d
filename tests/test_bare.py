"""What can be done where only numba, numpy and msgspec are installed, from Python: no command line, no plots."""

import subprocess
import sys
import textwrap

import pytest
from conftest import compiled_only

HIDDEN = (
    "typer",
    "rich",
    "click",
    "polars",
    "matplotlib",
    "distributed",
    "gymnasium",
    "pettingzoo",
    "starlette",
    "PIL",
)

HIDE = """
import sys


class Hiding:
    def __init__(self, finder):
        self.finder = finder

    def __getattr__(self, name):
        return getattr(self.finder, name)

    def find_spec(self, name, path=None, target=None):
        return None if name.partition(".")[0] in {hidden} else self.finder.find_spec(name, path, target)


sys.meta_path[:] = map(Hiding, sys.meta_path)
"""


def printed(code, folder, hidden=(*HIDDEN, "torch")):
    """What a program prints that runs in a folder, in a process that has no other libraries than those not hidden."""
    child = subprocess.run(
        [sys.executable, "-c", HIDE.format(hidden=set(hidden)) + textwrap.dedent(code)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert child.returncode == 0, child.stderr
    return child.stdout.splitlines()


def test_what_is_hidden_cannot_be_imported(tmp_path):
    code = """
        import importlib.util

        found = importlib.util.find_spec
        print([found(name) for name in ("typer", "rich", "matplotlib", "torch")], found("numpy") is not None)
    """
    assert printed(code, tmp_path) == ["[None, None, None, None] True"]


@compiled_only
def test_a_table_of_a_paper_is_played(tmp_path):
    code = """
        from pathlib import Path
        from tamaya.experiments.papers.comparison import write_comparison
        from tamaya.experiments.papers.paper_tables import paper_table
        from tamaya import play_table

        name, folder = "walton-rivers/table-1", Path("runs")
        for seconds in (0.0, None):
            verdicts = play_table(name, folder, seconds, threads=1)
            print(verdicts[0].row, verdicts[0].published, sum(one.games for one in verdicts) > 0)
        print(*(path.name for path in write_comparison(name, paper_table(name), verdicts, folder / name)))
    """
    assert printed(code, tmp_path) == [
        "Internal 10.12 False",
        "Internal 10.12 True",
        "comparison.md comparison.html",
    ]


@compiled_only
def test_rule_lists_evolve(tmp_path):
    code = """
        from pathlib import Path
        from tamaya.learn.evolution.genetic_operators import Breeding
        from tamaya.training import EvolutionPlan, evolve, results_of, write_results

        plan = EvolutionPlan(generations=1, population=4, games=2, breeding=Breeding(elite=1))
        state = evolve(plan, Path("mine"), 1)
        found = results_of(plan, state, games=10)
        print(found[0].games, *(path.name for path in write_results(Path("mine"), plan, state, found)))
    """
    assert printed(code, tmp_path)[0].startswith("10 ")


@compiled_only
@pytest.mark.torch
def test_the_generations_of_goodman_are_trained(tmp_path):
    code = """
        from pathlib import Path
        import msgspec
        from tamaya.training import FASTER, GoodmanPlan, run_plan

        small = msgspec.structs.replace(FASTER, hidden=(4,), epochs=1)
        run_plan(GoodmanPlan((5,), (40,), players=(2,), training=small, matches=2, tries=1), Path("learned"), 1)
        print(Path("learned", "evalfn_1.json").exists())
    """
    assert printed(code, tmp_path, HIDDEN)[-1] == "True"


@compiled_only
@pytest.mark.torch
def test_a_policy_is_trained_in_self_play(tmp_path):
    code = """
        from pathlib import Path
        from tamaya import Settings
        from tamaya.ppo import SMALLER, begin_training, course_with, practise

        small = {"settings": Settings(players=2, colours=2, ranks=3), "hidden": (16,), "games": 8, "moves": 2000}
        folder = Path("small")
        for point in practise(begin_training(course_with(SMALLER | small), folder, "cpu"), folder):
            print(point.moves)
        print(Path(folder, "network.npz").exists())
    """
    assert printed(code, tmp_path, HIDDEN)[-1] == "True"
