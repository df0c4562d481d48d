"""The only module that knows about numba: kernels, records, and a cache that is never stale."""

import contextlib
import functools
import hashlib
import pathlib
import sys
import time
import warnings
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils, event
from numba.core.caching import (
    InTreeCacheLocator,
    IPythonCacheLocator,
    UserProvidedCacheLocator,
    UserWideCacheLocator,
)
from numba.core.errors import NumbaError, NumbaExperimentalFeatureWarning
from numba.experimental.function_type import _get_jit_address
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

F = TypeVar("F", bound=Callable[..., Any])

COMPILED = not numba.config.DISABLE_JIT
"""Whether kernels are compiled; ``NUMBA_DISABLE_JIT=1`` runs the same code as plain Python."""

_ROOT = pathlib.Path(__file__).parent

# Function pointers are "experimental" in numba's words; everything here rests on them and the tests cover it.
warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)


def _stamp(paths: Iterable[pathlib.Path]) -> str:
    """Hash of some files; those that cannot be read, such as an editor's locks, are passed over."""
    digest = hashlib.blake2b(digest_size=16)
    for path in sorted(paths):
        with contextlib.suppress(OSError):
            digest.update(path.read_bytes())
    return digest.hexdigest()


@functools.cache
def package_stamp() -> str:
    """Hash of every source file of the package."""
    return _stamp(_ROOT.rglob("*.py"))


def _is_users(path: pathlib.Path) -> bool:
    """Whether a file is neither of the package nor installed with Python."""
    installed = (_ROOT, *map(pathlib.Path, {sys.prefix, sys.base_prefix}))
    return not any(path.is_relative_to(folder) for folder in installed)


def _users_stamp() -> str:
    """Hash of the files of all modules that are loaded and belong to the user."""
    files = {getattr(module, "__file__", None) for module in list(sys.modules.values())}
    return _stamp(path for path in map(pathlib.Path, filter(None, files)) if _is_users(path))


class _PackageStamp:
    """Recompile when *any* file of the package changes.

    numba stamps a cached kernel with its own file only, so editing one module would leave stale
    kernels of the others on disk (numba #1833). A user's kernel is stamped with all of the user's modules too.
    """

    _py_file: str

    def get_source_stamp(self) -> tuple[Any, ...]:
        """The stamp of numba, the package, and the user's modules."""
        own = super().get_source_stamp()  # type: ignore[misc]
        return own, package_stamp(), _users_stamp() if _is_users(pathlib.Path(self._py_file)) else ""


class CacheDirLocator(_PackageStamp, UserProvidedCacheLocator):  # type: ignore[misc]
    """Honours ``NUMBA_CACHE_DIR``."""


class InTreeLocator(_PackageStamp, InTreeCacheLocator):  # type: ignore[misc]
    """Beside the source, in ``__pycache__``."""


class UserWideLocator(_PackageStamp, UserWideCacheLocator):  # type: ignore[misc]
    """In the user's cache folder, when the package cannot be written to."""


class NotebookLocator(IPythonCacheLocator):  # type: ignore[misc]
    """For policies typed into a notebook; their cells change name with their text."""


numba.config.CACHE_LOCATOR_CLASSES = ",".join(
    f"{__name__}.{locator.__name__}" for locator in (CacheDirLocator, InTreeLocator, UserWideLocator, NotebookLocator)
)


class _CompileNotice(event.Listener):  # type: ignore[misc]
    """Says once, on stderr, that kernels are being compiled, and nothing when the cache has them."""

    said = False

    def on_start(self, event: Any) -> None:
        if not self.said:
            self.said = True
            print(
                "tamaya: compiling kernels, once for each kind of agent after an install or an edit ...",
                file=sys.stderr,
                flush=True,
            )

    def on_end(self, event: Any) -> None:
        pass


event.register("numba:compile", _CompileNotice())

CompilationError = NumbaError
"""What compiling a policy raises when numba cannot translate it."""


def _jit(function: Callable[..., Any], signature: Any) -> Any:
    """Compiles a function, into the cache unless it has no file, as one typed at a prompt."""
    compile_it = functools.partial(numba.njit, signature, nogil=True, error_model="numpy")
    try:
        return compile_it(cache=True)(function)
    except RuntimeError as error:
        if "no locator available" not in str(error):
            raise
        return compile_it()(function)


def kernel(function: F) -> F:
    """A function compiled for the types it is called with."""
    return _jit(function, None)  # type: ignore[no-any-return]


def typed_kernel(signature: Any) -> Callable[[F], F]:
    """A function compiled for one signature, so that it can be passed as a function pointer."""
    return lambda function: _jit(function, signature)


def wrapping_kernel(function: F) -> F:
    """A kernel whose unsigned integers are meant to overflow, which numpy scalars warn of."""
    return kernel(function) if COMPILED else np.errstate(over="ignore")(function)


def record(**fields: Any) -> np.dtype[Any]:
    """An aligned record type: name = type, or name = (type, shape)."""
    rows = [(name, *kind) if isinstance(kind, tuple) else (name, kind) for name, kind in fields.items()]
    return np.dtype((np.record, np.dtype(rows, align=True)))  # type: ignore[no-any-return]


def record_type(dtype: np.dtype[Any]) -> Any:
    """The type of one element of an array of records, in signatures."""
    return numba.from_dtype(dtype)


def record_reader(dtype: np.dtype[Any]) -> Any:
    """A kernel (words, first) that takes the words of an array of int64, from the first one on, for a record.

    The record lives in the array, and as long as it does.
    """
    kind, words = numba.from_dtype(dtype), dtype.itemsize // 8

    @intrinsic
    def record_at(typing_context, array, first):  # type: ignore[no-untyped-def]
        def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            data = make_array(signature.args[0])(context, builder, arguments[0]).data
            return builder.bitcast(builder.gep(data, [arguments[1]]), context.get_value_type(kind))

        return kind(array, types.int64), generate

    return record_at if COMPILED else lambda array, first: array[first : first + words].view(dtype)[0]


int8, int64, uint64, float64 = types.int8, types.int64, types.uint64, types.float64
function_type, tuple_of = types.FunctionType, types.UniTuple


def function_reader(signature: Any) -> Any:
    """A kernel that turns the address of a compiled function of a signature into that function."""
    kind = types.FunctionType(signature)

    @intrinsic
    def function_at(typing_context, address):  # type: ignore[no-untyped-def]
        def generate(context, builder, _, arguments):  # type: ignore[no-untyped-def]
            function = cgutils.create_struct_proxy(kind)(context, builder)
            function.jit_addr = builder.inttoptr(arguments[0], cgutils.voidptr_t)
            return function._getvalue()

        return kind(types.int64), generate

    return function_at if COMPILED else _FUNCTIONS.__getitem__


_FUNCTIONS: dict[int, Any] = {0: None}


def address_of(function: Any, signature: Any) -> int:
    """The address of a compiled function; it stays while the function does."""
    if COMPILED:
        return int(_get_jit_address(function, signature))
    _FUNCTIONS[id(function)] = function
    return id(function)


@intrinsic
def _read_clock(typing_context):  # type: ignore[no-untyped-def]
    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        word = ir.IntType(64)
        kind = ir.FunctionType(ir.IntType(32), [ir.IntType(32), word.as_pointer()])
        clock = cgutils.get_or_insert_function(builder.module, kind, "clock_gettime")
        times = cgutils.alloca_once(builder, word, size=2)
        builder.call(clock, [ir.Constant(ir.IntType(32), time.CLOCK_MONOTONIC), times])
        seconds, rest = builder.load(times), builder.load(cgutils.gep_inbounds(builder, times, 1))
        return builder.add(builder.mul(seconds, ir.Constant(word, 10**9)), rest)

    return types.int64(), generate


@intrinsic
def _count_bits(typing_context, mask):  # type: ignore[no-untyped-def]
    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


def _count_bits_of(mask: int) -> int:
    return int(mask).bit_count()


if COMPILED:

    @kernel
    def nanoseconds():  # type: ignore[no-untyped-def]
        """The time of a clock that only goes forward."""
        return _read_clock()

    @kernel
    def popcount(mask):  # type: ignore[no-untyped-def]
        """How many bits of the mask are set."""
        return _count_bits(mask)

else:
    popcount, nanoseconds = _count_bits_of, time.monotonic_ns
