"""Compiled kernels on disk: their names cover everything that their code depends on, so none is ever stale.

numba stamps a cached kernel with its own file only, so editing one module leaves stale kernels in the others
(numba #1833), and it renames its index before the data.
"""

import contextlib
import functools
import inspect
import os
import pathlib
import pickle
import re
import shutil
import sys
import uuid
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any

from tamaya.engine.jit.dependencies import UnknownFact, digest, facts_of
from tamaya.engine.jit.kernels import called_by

ROOT = pathlib.Path(__file__).parent.parent.parent
KEPT_STATES, KEPT_VERSIONS = 4, 8
"""How many states of this package, and versions of each kernel, are kept; the least recently used goes first."""

DIGEST = 32
"""The length of the hash at the start of every file."""


def contents(paths: Iterable[pathlib.Path]) -> Iterable[bytes]:
    """The contents of some files; those that cannot be read, such as an editor's locks, are skipped."""
    for path in sorted(paths):
        with contextlib.suppress(OSError):
            yield path.read_bytes()


@functools.cache
def package_stamp() -> str:
    """A hash of all source files of the package."""
    return digest(contents(ROOT.rglob("*.py")))


@functools.cache
def compiler_stamp() -> str:
    """A hash of the sources that determine how kernels are compiled."""
    return digest(contents((ROOT / "engine" / "jit").glob("*.py")))[:16]


def is_users(path: pathlib.Path) -> bool:
    """Whether a file is neither part of the package nor installed with Python."""
    installed = (ROOT, *map(pathlib.Path, {sys.prefix, sys.base_prefix}))
    return not any(path.is_relative_to(folder) for folder in installed)


def file_of(function: Callable[..., Any]) -> pathlib.Path:
    """The file of a function, which need not exist."""
    return pathlib.Path(inspect.getfile(function)).absolute()


def is_all_ours(function: Callable[..., Any]) -> bool:
    """Whether a function and all that it calls are the package's; functions at the top of our modules always are."""
    is_ours = file_of(function).is_relative_to(ROOT)
    if is_ours and "<locals>" not in function.__qualname__:
        return True
    return is_ours and all(file_of(part).is_relative_to(ROOT) for part in called_by(function))


def code_stamp(functions: Iterable[Callable[..., Any]]) -> str:
    """A hash of all that some functions depend on; empty if all of it is the package's."""
    chosen = [one for one in functions if not is_all_ours(one)]
    try:
        parts = [part for function in chosen for part in facts_of(function)]
    except UnknownFact:
        parts = [*contents({file_of(part) for function in chosen for part in called_by(function)})]
    return digest(parts)[:16] if chosen else ""


def module_stamp(name: str) -> str:
    """A hash of the files of a module and of the user's modules that it uses, directly or through others."""
    found, parts = [name], list[bytes]()
    for one in found:
        module = sys.modules.get(one)
        file = getattr(module, "__file__", None)
        if file is None or not is_users(pathlib.Path(file).absolute()):
            continue
        parts += contents([pathlib.Path(file)])
        for value in list(vars(module).values()):
            used = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
            if isinstance(used, str) and used not in found:
                found.append(used)
    return digest(parts)[:16] if parts else ""


def folder_for(file: pathlib.Path) -> pathlib.Path | None:
    """Where the kernels of a file are kept: in NUMBA_CACHE_DIR, else beside the file, else among the user's caches."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        return pathlib.Path(chosen) / "tamaya"
    beside = ROOT / "__pycache__" if file.is_relative_to(ROOT) else file.parent / "__pycache__"
    if file.is_file() and os.access(beside if beside.exists() else beside.parent, os.W_OK):
        return beside / "tamaya"
    try:
        return pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "tamaya"
    except RuntimeError:
        return None


def prune(paths: Iterable[pathlib.Path], kept: int) -> None:
    """Removes all but the most recently used paths."""
    with contextlib.suppress(OSError):
        for old in sorted(paths, key=lambda path: path.stat().st_mtime)[:-kept]:
            shutil.rmtree(old, ignore_errors=True) if old.is_dir() else old.unlink(missing_ok=True)


def open_folder(root: pathlib.Path) -> pathlib.Path:
    """The folder of this state of the package; creating it removes the folders of old states and nothing else."""
    folder = root / compiler_stamp()
    if not folder.exists():
        folder.mkdir(parents=True, exist_ok=True)
        prune((one for one in root.iterdir() if re.fullmatch("[0-9a-f]{16}", one.name)), KEPT_STATES)
    return folder


class KernelCache:
    """The compiled versions of one function, which numba loads from here and saves here."""

    cache_path = None

    def __init__(self, function: Callable[..., Any], root: pathlib.Path, facts: str, kind: str) -> None:
        self.root, self.facts = root, facts
        self.name = f"{function.__module__}.{function.__name__}-{kind}-{function.__code__.co_firstlineno}"

    @classmethod
    def of(cls, function: Callable[..., Any], kind: str = "whole") -> "KernelCache | None":
        """The cache of a function; None if there is no telling when its code changes, or no place to keep it."""
        try:
            facts, root = digest(facts_of(function)), folder_for(file_of(function))
        except UnknownFact:
            return None
        return cls(function, root, facts, kind) if root else None

    def path(self, signature: Any, codegen: Any) -> pathlib.Path:
        """The file of the version for a signature on this machine."""
        from numba import __version__, config

        machine = (codegen.magic_tuple(), __version__, config.BOUNDSCHECK, sys.version_info[:2])
        key = digest([repr((getattr(signature, "args", signature), machine, self.facts)).encode()])
        return self.root / compiler_stamp() / f"{self.name}-{key}"

    def load_overload(self, signature: Any, context: Any) -> Any:
        """The version for a signature, or None; a damaged file counts as missing."""
        from numba.core.compiler import CompileResult

        context.refresh()
        path = self.path(signature, context.codegen())
        try:
            content = path.read_bytes()
        except OSError:
            return None
        if digest([content[DIGEST:]]).encode() != content[:DIGEST]:
            return None
        with contextlib.suppress(OSError):
            os.utime(path)
            os.utime(path.parent)
        return CompileResult._rebuild(context, *pickle.loads(content[DIGEST:]))

    def save_overload(self, signature: Any, result: Any) -> None:
        """Saves a version, whole or not at all; if the disk cannot be written, only the next start is slower."""
        from numba.core.serialize import dumps

        if result.library.has_dynamic_globals:
            return
        path = self.path(signature, result.codegen)
        with contextlib.suppress(OSError):
            folder, draft = open_folder(self.root), path.with_name(f"{uuid.uuid4().hex}.draft")
            try:
                content = dumps(result._reduce())
                draft.write_bytes(digest([content]).encode() + content)
                draft.replace(path)
            finally:
                draft.unlink(missing_ok=True)
            prune(folder.glob(f"{self.name}-*"), KEPT_VERSIONS)
            prune(folder.glob("*.draft"), KEPT_VERSIONS)  # left by processes that were killed
