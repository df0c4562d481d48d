"""All that compiled code depends on: the code of a function and of the kernels it calls, and the values they use."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from tamaya.engine.jit.kernels import Intrinsic, called_by, named_by

PLAIN = (bool, int, float, complex, str, bytes, np.generic, type(None))
"""Types whose values are fully described by their text."""


class UnknownFact(Exception):
    """A value for which there is no telling when it changes."""


def digest(parts: Iterable[bytes]) -> str:
    """A hash of some byte strings."""
    found = hashlib.blake2b(digest_size=16)
    for part in parts:
        found.update(len(part).to_bytes(8, "little") + part)
    return found.hexdigest()


def code_facts(code: CodeType) -> Iterator[bytes]:
    """The facts of a piece of code."""
    yield code.co_code
    yield repr((code.co_name, code.co_names, code.co_varnames, code.co_freevars)).encode()
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from code_facts(constant)
        else:
            yield repr(constant).encode()


def value_facts(value: Any) -> Iterator[bytes]:
    """The facts of a value that code uses; numba freezes it into what it compiles."""
    if isinstance(value, np.ndarray):
        yield f"{value.dtype} {value.shape}".encode()
        yield value.tobytes()
    elif isinstance(value, tuple):
        for one in value:
            yield from value_facts(one)
    elif isinstance(value, PLAIN):
        yield repr(value).encode()
    elif isinstance(value, np.dtype):
        yield f"{value} {value.itemsize}".encode()
    elif isinstance(value, Intrinsic):
        yield value.facts.encode()
    elif isinstance(value, type):
        yield f"{value.__module__}.{value.__qualname__} {getattr(value, '_fields', '')}".encode()
    elif isinstance(value, FunctionType):
        yield from code_facts(value.__code__)
    elif not hasattr(value, "py_func") and not isinstance(value, (ModuleType, BuiltinFunctionType, np.ufunc)):
        if not callable(value):
            raise UnknownFact(repr(value))
        yield f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', repr(type(value)))}".encode()


def facts_of(function: Callable[..., Any]) -> Iterator[bytes]:
    """All that the compiled code of a function depends on, inside the package or outside."""
    for one in called_by(function):
        yield f"{one.__module__}.{one.__qualname__}".encode()
        yield from code_facts(one.__code__)
        yield from value_facts(one.__defaults__ or ())
        for name, value in named_by(one):
            yield name.encode()
            yield from value_facts(value)
