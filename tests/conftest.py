"""What the tests share: sizes that fit compiled and interpreted runs, and the settings to try."""

import os
import pathlib
import sys

import msgspec
import pytest
from hypothesis import HealthCheck, settings

from tamaya.engine.jit import COMPILED
from tamaya.engine.settings import Settings

TESTS = pathlib.Path(__file__).parent
sys.path += [str(TESTS.parent / "docs"), str(TESTS.parent / "bench")]  # the map of the package, and the benchmarks

EXAMPLES = int(os.environ.get("EXAMPLES", "100000"))
settings.register_profile(
    "small", deadline=None, derandomize=True, database=None, max_examples=150, suppress_health_check=list(HealthCheck)
)
settings.register_profile("long", settings.get_profile("small"), derandomize=False, max_examples=EXAMPLES)
settings.load_profile("small")

VARIANTS = [
    *(Settings(players=players) for players in (2, 3, 4, 5)),
    *(Settings(players=3, hand_size=size) for size in (2, 3, 6)),
    Settings(players=5, hand_size=6, colours=6),
    Settings(players=2, colours=1, ranks=5, hand_size=2),
    Settings(players=2, colours=2, ranks=1, hand_size=2),
    Settings(players=3, colours=2, ranks=3, hand_size=2, hint_tokens=3, lives=1),
    Settings(players=2, colours=2, ranks=5, hand_size=2, hint_tokens=3),
    Settings(players=4, colours=4, ranks=4, hint_tokens=2, lives=5),
    Settings(players=4, discard_at_limit=True),
    Settings(players=3, empty_hints=True, lives=10),
    Settings(players=4, multicolour="suit"),
    Settings(players=5, multicolour="single"),
    Settings(players=3, multicolour="wild", lives=10),
    Settings(players=2, colours=3, multicolour="wild", empty_hints=True, discard_at_limit=True),
    Settings(players=5, colours=5, ranks=1, hand_size=2, lives=1),
]


def short(settings: Settings) -> str:
    """The settings that are not the official ones, for the names of tests."""
    return "-".join(f"{key}={value}" for key, value in msgspec.to_builtins(settings).items())


def several(compiled: int, interpreted: int) -> int:
    """How much to do: much when compiled, little when every kernel runs as plain Python."""
    return compiled if COMPILED else interpreted


compiled_only = pytest.mark.skipif(not COMPILED, reason="needs compiled speed")


def pytest_runtest_setup(item):
    """Skips what needs PyTorch where it is not installed."""
    if item.get_closest_marker("torch"):
        pytest.importorskip("torch")


@pytest.fixture
def own_module(monkeypatch):
    """Makes tests/own_agents.py and the examples importable, here and in child processes."""
    folders = [str(TESTS), str(TESTS.parent / "examples")]
    for folder in folders:
        monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(folders))
