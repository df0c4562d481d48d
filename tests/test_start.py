"""The start: what is imported, compiled, loaded and said, counted rather than timed."""

import importlib
import io
import linecache
import os
import pathlib
import pickle
import signal
import subprocess
import sys
from collections import Counter
from types import SimpleNamespace

import pytest
from conftest import compiled_only

from tamaya.jit import cache, kernel
from tamaya.jit.kernels import COMPILED, called_by

if COMPILED:
    from tamaya.jit.notice import Notice

COUNT = """
import json, sys
from tamaya.cli.app import app
try:
    app(sys.argv[1:], standalone_mode=False)
except ValueError as error:
    print(error, file=sys.stderr)
compiled = sys.modules["tamaya.jit.notice"].compiled if "numba" in sys.modules else None
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
    assert not [name for name in names if name.startswith(("tamaya.search", "tamaya.conventions", "tamaya.agents"))]
    assert sum(Counter(names).values()) - len(set(names)) <= 5, "kernels are compiled for several types"
    assert any("compiling rule_list, once after an install or an edit: " in line for line in words)
    assert command(*match, NUMBA_CACHE_DIR=str(tmp_path)) == ([], [])
    search = ["match", "ris(rules=goodman, iterations=5)", "--players", "3", "--games", "1"]
    names, _ = command(*search, NUMBA_CACHE_DIR=str(tmp_path))
    assert len(names) <= 130
    assert "tamaya.search.flat.compare_moves" not in names
    assert "tamaya.rules.catalogue.fire" not in names


@compiled_only
def test_what_is_compiled_for_tamaya_changes_nothing_for_others():
    import numba

    from tamaya.core.cards import lowest_bit

    level = numba.config.OPT
    assert lowest_bit(12) == 2
    assert numba.config.OPT is level
    assert not numba.config.CACHE_LOCATOR_CLASSES


@compiled_only
def test_a_person_sees_how_far_it_is_and_about_how_long_it_takes(monkeypatch):
    from tamaya.rules.catalogue import fire

    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", terminal)
    notice, event = Notice(), SimpleNamespace(data={"dispatcher": fire.inner})
    for step in (notice.on_start, notice.on_start, notice.on_end, notice.on_end):
        step(event)
    kernels = len(called_by(fire.py_func))
    assert (
        f"compiling fire, once after an install or an edit: 1 of {kernels} kernels, 0 of about" in terminal.getvalue()
    )
    assert terminal.getvalue().endswith("\r\33[K")


@compiled_only
@pytest.mark.parametrize("part", range(4))
def test_ctrl_c_while_compiling_is_heard_and_leaves_nothing_broken(part):
    """Whichever part of a kernel is compiled when it is pressed; LLVM would swallow it now and then."""
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
    from tamaya.core.cards import lowest_bit

    assert pickle.loads(pickle.dumps(lowest_bit)) is lowest_bit


def notebook_cell(text):
    """A function as a notebook makes it: its file is only in Python's memory."""
    linecache.cache["<cell>"] = (len(text), None, text.splitlines(True), "<cell>")
    names = {}
    exec(compile(text, "<cell>", "exec"), names)
    return names["mine"]


def test_a_policy_of_a_notebook_is_stamped_with_its_text_and_the_package(monkeypatch):
    one, other = (cache.KernelCache.of(notebook_cell(f"def mine(view):\n    return {slot}\n")).stamp for slot in (1, 2))
    assert one != other
    monkeypatch.setattr(cache, "package_stamp", lambda: "edited")
    assert cache.KernelCache.of(notebook_cell("def mine(view):\n    return 2\n")).stamp != other


def test_a_policy_of_an_installed_package_is_stamped_with_its_file(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "is_users", lambda path: False)
    monkeypatch.syspath_prepend(str(tmp_path))
    stamps = []
    for number in (1, 22):
        (tmp_path / "installed.py").write_text(f"def mine(view):\n    return {number}\n")
        sys.modules.pop("installed", None)
        stamps.append(cache.KernelCache.of(importlib.import_module("installed").mine).stamp)
    assert stamps[0] != stamps[1]


def test_a_function_without_a_source_is_not_kept():
    names = {}
    exec("def mine(view):\n    return 1\n", names)
    assert cache.KernelCache.of(names["mine"]) is None


def test_few_states_of_the_sources_are_kept(tmp_path):
    for number in range(cache.KEPT + 3):
        folder = cache.open_folder(tmp_path, f"{number:016x}")
        os.utime(folder, (number, number))
    assert len(list(tmp_path.iterdir())) == cache.KEPT
    assert folder.exists()


def test_kernels_of_a_folder_that_cannot_be_written_go_to_the_users_caches(tmp_path, monkeypatch):
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert cache.folder_for(pathlib.Path(__file__)) == tmp_path / "tamaya"


def test_windows_is_refused_with_a_way_out():
    code = "import sys; sys.platform = 'win32'; import tamaya"
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "runs on Linux and macOS" in child.stderr
