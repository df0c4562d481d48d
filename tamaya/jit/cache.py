"""Compiled kernels on disk: one folder for each state of the sources, so that none is ever stale.

numba stamps a cached kernel with its own file only, so that editing one module leaves stale kernels of the others
(numba #1833), and it renames its index before the data. Here the name of a file says all that its content depends on.
"""

import contextlib
import functools
import hashlib
import inspect
import os
import pathlib
import pickle
import shutil
import sys
import uuid
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any

import numpy as np

from tamaya.jit.kernels import called_by, named_by

ROOT = pathlib.Path(__file__).parent.parent
KEPT = 6
"""How many states of the sources are kept beside each other; the one used least recently goes first."""


def digest(parts: Iterable[bytes]) -> str:
    """A hash of some texts."""
    found = hashlib.blake2b(digest_size=16)
    for part in parts:
        found.update(len(part).to_bytes(8, "little") + part)
    return found.hexdigest()


def contents(paths: Iterable[pathlib.Path]) -> Iterable[bytes]:
    """The contents of some files; those that cannot be read, such as an editor's locks, are passed over."""
    for path in sorted(paths):
        with contextlib.suppress(OSError):
            yield path.read_bytes()


@functools.cache
def package_stamp() -> str:
    """A hash of every source file of the package."""
    return digest(contents(ROOT.rglob("*.py")))


def is_users(path: pathlib.Path) -> bool:
    """Whether a file is neither of the package nor installed with Python."""
    installed = (ROOT, *map(pathlib.Path, {sys.prefix, sys.base_prefix}))
    return not any(path.is_relative_to(folder) for folder in installed)


def users_stamp() -> str:
    """A hash of the files of all modules that are loaded and belong to the user."""
    files = {getattr(module, "__file__", None) for module in list(sys.modules.values())}
    return digest(contents(path for path in map(pathlib.Path, filter(None, files)) if is_users(path)))


def file_of(function: Callable[..., Any]) -> pathlib.Path:
    """The file of a function, which need not exist."""
    return pathlib.Path(inspect.getfile(function)).absolute()


def constants_of(function: Callable[..., Any]) -> Iterable[bytes]:
    """The numbers, texts and arrays that a function names; numba freezes them."""
    for name, value in named_by(function):
        if isinstance(value, np.ndarray):
            yield f"{name} {value.dtype} {value.shape}".encode() + value.tobytes()
        elif isinstance(value, (bool, int, float, complex, str, bytes, tuple, np.generic)):
            yield f"{name} {value!r}".encode()


def code_stamp(functions: Iterable[Callable[..., Any]]) -> str:
    """A hash of what others than the package have written of some functions; nothing if they have written nothing.

    It covers the files of all kernels that these call, and the constants that they name, which may come from a file.
    """
    parts: list[bytes] = []
    for function in functions:
        for one in called_by(function):
            if not file_of(one).is_relative_to(ROOT):
                parts += [one.__qualname__.encode(), *source_of(one), *constants_of(one)]
    return digest(parts)[:16] if parts else ""


def source_of(function: Callable[..., Any]) -> Iterable[bytes]:
    """The file of a function; the text of the function itself if it was typed into a notebook."""
    if file_of(function).is_file():
        yield from contents([file_of(function)])
    else:
        with contextlib.suppress(OSError):
            yield inspect.getsource(function).encode()


def module_stamp(name: str) -> str:
    """A hash of the files of a module and of the user's modules whose contents it names, and these name."""
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


def stamp_of(function: Callable[..., Any]) -> str | None:
    """A hash of all that the code of a function may depend on; None if its own source cannot be read.

    For a kernel of the package that is the package; for others it is, besides, all that the user has written.
    """
    if file_of(function).is_relative_to(ROOT):
        return package_stamp()[:16]
    if not any(source_of(function)):
        return None
    return digest(part.encode() for part in (package_stamp(), users_stamp(), code_stamp([function])))[:16]


def folder_for(file: pathlib.Path) -> pathlib.Path:
    """Where the kernels of a file are kept: in NUMBA_CACHE_DIR, else beside it, else among the user's caches."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        return pathlib.Path(chosen)
    beside = ROOT / "__pycache__" if file.is_relative_to(ROOT) else file.parent / "__pycache__"
    if file.is_file() and os.access(beside if beside.exists() else beside.parent, os.W_OK):
        return beside
    return pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "tamaya"


def open_folder(root: pathlib.Path, stamp: str) -> pathlib.Path:
    """The folder of a stamp; making it removes those of old ones."""
    folder = root / f"tamaya-{stamp}"
    if not folder.exists():
        folder.mkdir(parents=True, exist_ok=True)
        others = sorted(root.glob("tamaya-*"), key=lambda one: one.stat().st_mtime if one.exists() else 0.0)
        for old in others[:-KEPT]:
            shutil.rmtree(old, ignore_errors=True)
    return folder


class KernelCache:
    """The compiled versions of one function; numba asks for them and hands them over."""

    cache_path = None

    def __init__(self, function: Callable[..., Any], root: pathlib.Path, stamp: str) -> None:
        self.function, self.root, self.stamp = function, root, stamp

    @classmethod
    def of(cls, function: Callable[..., Any]) -> "KernelCache | None":
        """The cache of a function; None if nothing says when its code changes."""
        stamp = None if function.__closure__ else stamp_of(function)
        return cls(function, folder_for(file_of(function)), stamp) if stamp else None

    def path(self, signature: Any, codegen: Any) -> pathlib.Path:
        """The file of the version for a signature on this machine."""
        from numba import __version__, config

        code, types = self.function.__code__, getattr(signature, "args", signature)
        machine = (codegen.magic_tuple(), __version__, config.BOUNDSCHECK, sys.version_info[:2])
        key = digest([repr((types, machine, code.co_firstlineno)).encode(), code.co_code])
        return self.root / f"tamaya-{self.stamp}" / f"{self.function.__module__}.{self.function.__name__}-{key}"

    def load_overload(self, signature: Any, context: Any) -> Any:
        """The version for a signature, or None."""
        from numba.core.compiler import CompileResult

        context.refresh()
        path = self.path(signature, context.codegen())
        try:
            content = pickle.loads(path.read_bytes())
            os.utime(path.parent)
            return CompileResult._rebuild(context, *content)
        except (OSError, EOFError, pickle.UnpicklingError):
            return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keeps a version, whole or not at all; a disk that cannot be written costs only the next start."""
        from numba.core.serialize import dumps

        if result.library.has_dynamic_globals:
            return
        path = self.path(signature, result.codegen)
        with contextlib.suppress(OSError):
            open_folder(self.root, self.stamp)
            draft = path.with_name(f"{uuid.uuid4().hex}.draft")
            try:
                draft.write_bytes(dumps(result._reduce()))
                draft.replace(path)
            finally:
                draft.unlink(missing_ok=True)
