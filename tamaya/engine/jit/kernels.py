"""Kernels: functions that numba compiles when they are first called."""

import contextlib
import functools
import itertools
import os
from collections.abc import Callable, Iterator
from types import CodeType, ModuleType
from typing import Any, TypeVar

import numpy as np

F = TypeVar("F", bound=Callable[..., Any])

COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "").lower() in ("", "0", "false", "no")
"""Whether kernels are compiled; ``NUMBA_DISABLE_JIT=1`` runs the same code as plain Python."""


class Kernel:
    """A function compiled for the types it is called with.

    It is compiled for Python, and again as a part of any kernels that call it, without what only Python needs. Both
    versions are cached on disk.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.py_func = function
        functools.update_wrapper(self, function)

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        """Calls it from Python."""
        return self.outer(*arguments, **keywords)

    @functools.cached_property
    def outer(self) -> Any:
        """The dispatcher for calls from Python."""
        from tamaya.engine.jit.dispatch import Outer

        return Outer(self.py_func)

    @functools.cached_property
    def inner(self) -> Any:
        """The dispatcher for calls from other kernels."""
        from tamaya.engine.jit.dispatch import Inner

        return Inner(self.py_func)

    @property
    def _numba_type_(self) -> Any:
        """The type numba gives it where another kernel uses it."""
        return self.inner._numba_type_

    def __reduce__(self) -> str:
        """Pickles by name, as functions are."""
        return self.py_func.__qualname__

    def __repr__(self) -> str:
        return f"<kernel {self.py_func.__name__}>"


def kernel(function: F) -> F:
    """A function compiled for the types it is called with; other kernels pass it 64-bit integers only."""
    return Kernel(function) if COMPILED else function  # type: ignore[return-value]


def wrapping_kernel(function: F) -> F:
    """A kernel whose unsigned integers are meant to overflow, which numpy scalars would warn about."""
    return kernel(function) if COMPILED else np.errstate(over="ignore")(function)


class Intrinsic:
    """Something that numba cannot express, made when a kernel that uses it is compiled."""

    def __init__(self, make: Callable[[], Any], facts: str = "") -> None:
        self.make = make
        self.facts = facts
        """What distinguishes it from others that are made in the same way."""

    @functools.cached_property
    def _numba_type_(self) -> Any:
        from numba.core.registry import cpu_target

        self.made = self.make()
        cpu_target.typing_context.refresh()
        cpu_target.target_context.refresh()
        return cpu_target.typing_context.resolve_value_type(self.made)


def names_in(code: CodeType) -> list[str]:
    """The names that a piece of code uses, including those in its comprehensions."""
    inside = (names_in(constant) for constant in code.co_consts if isinstance(constant, CodeType))
    return list(dict.fromkeys([*code.co_names, *itertools.chain.from_iterable(inside)]))


def named_by(function: Callable[..., Any]) -> Iterator[tuple[str, Any]]:
    """What the code of a function names: in its module, in modules it names, and in enclosing functions."""
    used, names = names_in(function.__code__), function.__globals__
    for name in used:
        if name in names:
            yield name, names[name]
        if isinstance(names.get(name), ModuleType):
            module = vars(names[name])
            yield from ((other, module[other]) for other in used if other in module)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        with contextlib.suppress(ValueError):  # a cell that is filled later
            yield name, cell.cell_contents


def called_by(function: Callable[..., Any]) -> list[Callable[..., Any]]:
    """The function itself, then those of all kernels that it calls, directly or through others."""
    found = [function]
    for one in found:
        for _, value in named_by(one):
            called = getattr(value, "py_func", None)
            if called is not None and called not in found:
                found.append(called)
    return found
