"""The start: what is imported, compiled, loaded and said, counted rather than timed."""

import importlib
import io
import os
import pathlib
import pickle
import signal
import subprocess
import sys
from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest
from conftest import compiled_only

from tamaya.engine.jit import cache, kernel
from tamaya.engine.jit.kernels import COMPILED, Kernel, called_by

if COMPILED:
    from tamaya.engine.jit.notice import Notice

COUNT = """
import json, sys
from tamaya.cli.app import app
try:
    app(sys.argv[1:], standalone_mode=False)
except ValueError as error:
    print(error, file=sys.stderr)
compiled = sys.modules["tamaya.engine.jit.notice"].compiled if "numba" in sys.modules else None
print(json.dumps(compiled), file=sys.stderr)
"""


def command(*arguments, **environment):
    """What a command compiled in a process of its own, None if numba was not even imported; and what it said."""
    child = subprocess.run(
        [sys.executable, "-c", COUNT, *arguments],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    *words, last = child.stderr.splitlines()
    return None if last == "null" else [name for name in eval(last) if name.startswith("tamaya")], words


@pytest.mark.parametrize(
    "arguments", [["--version"], ["--help"], ["match", "--help"], ["match", "pierz"], ["reproduce", "--list"]]
)
def test_commands_that_play_nothing_do_not_import_numba(arguments):
    assert command(*arguments)[0] is None


@compiled_only
def test_the_first_start_compiles_what_it_uses_and_the_second_nothing(tmp_path):
    """Counted without numba's own; 140 kernels are about 10 seconds."""
    match = ["match", "piers", "--players", "3", "--games", "3"]
    names, words = command(*match, NUMBA_CACHE_DIR=str(tmp_path))
    assert len(names) <= 150
    assert not [
        name for name in names if name.startswith(("tamaya.search", "tamaya.policies.conventions", "tamaya.agents"))
    ]
    assert sum(Counter(names).values()) - len(set(names)) <= 5, "kernels are compiled for several types"
    assert any("compiling rule_list, only once: " in line for line in words)
    assert command(*match, NUMBA_CACHE_DIR=str(tmp_path)) == ([], [])
    search = ["match", "ris(rules=goodman, iterations=5)", "--players", "3", "--games", "1"]
    names, _ = command(*search, NUMBA_CACHE_DIR=str(tmp_path))
    assert len(names) <= 130
    assert not [name for name in names if name.startswith("tamaya.search.compare.")]
    assert "tamaya.policies.rules.catalogue.fire" not in names


@compiled_only
def test_what_is_compiled_for_tamaya_changes_nothing_for_others(tmp_path, monkeypatch):
    import numba
    from numba.core import event

    @kernel
    def part(number):
        return number + 1

    @kernel
    def whole(number):
        return part(number)

    levels = []

    class Listening(event.Listener):
        def on_start(self, event):
            levels.append(numba.config.OPT)

        def on_end(self, event):
            pass

    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    with event.install_listener("numba:compile", Listening()):
        assert whole(1) == 2
    assert [*levels, numba.config.OPT] == [3, 1, 3]
    assert not numba.config.CACHE_LOCATOR_CLASSES


@compiled_only
def test_a_person_sees_how_far_it_is_and_about_how_long_it_takes(monkeypatch):
    from tamaya.policies.rules.catalogue import fire

    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", terminal)
    notice, event = Notice(), SimpleNamespace(data={"dispatcher": fire.inner})
    for step in (notice.on_start, notice.on_start, notice.on_end, notice.on_end):
        step(event)
    kernels = len(called_by(fire.py_func))
    assert f"compiling fire, only once: 1 of {kernels} kernels, 0 of about" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\33[K")


@compiled_only
@pytest.mark.parametrize("part", range(4))
def test_ctrl_c_while_compiling_is_heard_and_leaves_nothing_broken(part, tmp_path, monkeypatch):
    """Whichever part of a kernel is compiled when it is pressed; LLVM would swallow it now and then."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    from numba.core import event

    @kernel
    def first(number):
        return number + 1

    @kernel
    def second(number):
        return first(number) + 1

    @kernel
    def third(number):
        return second(number) + first(number)

    seen = []

    class Pressing(event.Listener):
        def on_start(self, event):
            seen.append(event)
            if len(seen) == part + 1:
                os.kill(os.getpid(), signal.SIGINT)

        def on_end(self, event):
            if len(seen) == part == 3:
                os.kill(os.getpid(), signal.SIGINT)
                seen.append(event)

    usual = signal.getsignal(signal.SIGINT)
    with event.install_listener("numba:compile", Pressing()), pytest.raises(KeyboardInterrupt):
        third(1)
    assert signal.getsignal(signal.SIGINT) is usual
    assert third(1) == 5


@compiled_only
def test_nothing_is_said_of_what_other_libraries_compile(capsys):
    import numba

    @numba.njit
    def foreign(number):
        return number + 1

    assert foreign(1) == 2
    assert capsys.readouterr().err == ""


def test_kernels_can_be_pickled():
    from tamaya.engine.cards import lowest_bit

    assert pickle.loads(pickle.dumps(lowest_bit)) is lowest_bit


def loaded(text, name="<cell>", **names):
    """A function as a notebook makes it: its file is only in Python's memory."""
    exec(compile(text, name, "exec"), names)
    return names["mine"]


def facts(text, **names):
    """All that a function depends on, as its cache knows it."""
    found = cache.KernelCache.of(loaded(text, **names))
    return None if found is None else found.facts


def test_compiled_code_is_known_by_all_that_it_depends_on():
    text = "def mine(view):\n    return 3 + number\n"
    same = facts(text, number=1)
    assert facts(text, number=1) == same
    assert facts(text.replace("3", "4"), number=1) != same
    assert facts(text, number=2) != same
    assert facts(text, number=np.arange(2)) != facts(text, number=np.arange(3))
    assert facts("def mine(view, slot=1):\n    return slot\n") != facts("def mine(view, slot=2):\n    return slot\n")
    inside = "def mine(view):\n    return [number + one for one in view]\n"
    assert facts(inside, number=1) != facts(inside, number=2)
    assert facts(text, number=object()) is None, "nothing says when it changes"


def test_compiled_code_is_known_by_the_kernels_that_it_calls_in_other_cells_of_a_notebook():
    text = "def mine(view):\n    return helper(view)\n"
    helpers = [Kernel(loaded(f"def mine(view):\n    return {number}\n")) for number in (1, 1, 2)]
    one, again, other = (facts(text, helper=helper) for helper in helpers)
    assert one == again != other


def test_a_file_edited_after_its_import_does_not_count(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    found = []
    for number in (1, 22):
        (tmp_path / "edited_later.py").write_text(f"def mine(view):\n    return {number}\n")
        sys.modules.pop("edited_later", None)
        mine = importlib.import_module("edited_later").mine
        (tmp_path / "edited_later.py").write_text("def mine(view):\n    return 333\n")
        found.append(cache.KernelCache.of(mine).facts)
    assert found == [facts(f"def mine(view):\n    return {number}\n", __name__="edited_later") for number in (1, 22)]


def test_few_states_are_kept_and_nothing_else_is_touched(tmp_path, monkeypatch):
    (tmp_path / "tamaya-results").mkdir()
    (tmp_path / "results").mkdir()
    for number in range(cache.KEPT_STATES + 3):
        monkeypatch.setattr(cache, "compiler_stamp", lambda number=number: f"{number:016x}")
        os.utime(cache.open_folder(tmp_path), (number, number))
    assert sorted(path.name for path in tmp_path.iterdir())[-2:] == ["results", "tamaya-results"]
    assert len(list(tmp_path.iterdir())) == cache.KEPT_STATES + 2


@compiled_only
def test_a_damaged_file_is_as_good_as_none_and_a_folder_that_cannot_be_touched_is_read(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))

    def hits():
        """Loads anew what is on disk."""
        mine = Kernel(loaded("def mine(number):\n    return number + 41\n"))
        assert mine(1) == 42
        return sum(mine.outer.stats.cache_hits.values())

    def forbidden(*_):
        raise PermissionError

    assert [hits(), hits()] == [0, 1]
    (file,) = (path for path in tmp_path.rglob("*") if path.is_file())
    content = bytearray(file.read_bytes())
    content[1000] ^= 4
    file.write_bytes(content)
    assert [hits(), hits()] == [0, 1]
    monkeypatch.setattr(os, "utime", forbidden)
    assert hits() == 1


def test_kernels_of_a_folder_that_cannot_be_written_go_to_the_users_caches_if_there_are_any(tmp_path, monkeypatch):
    def homeless():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert cache.folder_for(pathlib.Path(__file__)) == tmp_path / "tamaya"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(pathlib.Path, "home", homeless)
    assert facts("def mine(view):\n    return 1\n") is None


def test_windows_is_refused_with_a_way_out():
    code = "import sys; sys.platform = 'win32'; import tamaya"
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "runs on Linux and macOS" in child.stderr
