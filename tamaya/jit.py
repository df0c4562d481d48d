"""The only module that knows about numba: kernels, records, and a cache that is never stale."""

import functools
import hashlib
import pathlib
import sys
import warnings
from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numpy as np
from numba import types
from numba.core import event
from numba.core.caching import (
    InTreeCacheLocator,
    IPythonCacheLocator,
    UserProvidedCacheLocator,
    UserWideCacheLocator,
)
from numba.core.errors import NumbaError, NumbaExperimentalFeatureWarning
from numba.extending import intrinsic

F = TypeVar("F", bound=Callable[..., Any])

COMPILED = not numba.config.DISABLE_JIT
"""Whether kernels are compiled; ``NUMBA_DISABLE_JIT=1`` runs the same code as plain Python."""

_ROOT = pathlib.Path(__file__).parent

# Function pointers are "experimental" in numba's words; everything here rests on them and the tests cover it.
warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)


@functools.cache
def _source_stamp(folder: pathlib.Path, pattern: str) -> str:
    """Hash of the sources of a folder."""
    digest = hashlib.blake2b(digest_size=16)
    for path in sorted(folder.glob(pattern)):
        digest.update(path.read_bytes())
    return digest.hexdigest()


class _PackageStamp:
    """Recompile when *any* file of the package changes.

    numba stamps a cached kernel with its own file only, so editing one module would leave stale
    kernels of the others on disk (numba #1833). A user's kernel is stamped with its neighbours too.
    """

    _py_file: str

    def get_source_stamp(self) -> tuple[Any, ...]:
        folder = pathlib.Path(self._py_file).parent
        own = super().get_source_stamp()  # type: ignore[misc]
        return own, _source_stamp(_ROOT, "**/*.py"), _source_stamp(folder, "*.py")


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
            print("tamaya: compiling kernels, once after an install or an edit ...", file=sys.stderr, flush=True)

    def on_end(self, event: Any) -> None:
        pass


event.register("numba:compile", _CompileNotice())

CompilationError = NumbaError
"""What compiling a policy raises when numba cannot translate it."""


def kernel(function: F) -> F:
    """A function compiled for the types it is called with."""
    return numba.njit(cache=True, nogil=True, error_model="numpy")(function)  # type: ignore[no-any-return]


def typed_kernel(signature: Any) -> Callable[[F], F]:
    """A function compiled for one signature, so that it can be passed as a function pointer."""
    return numba.njit(signature, cache=True, nogil=True, error_model="numpy")  # type: ignore[no-any-return]


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


int8, int64, uint64, float64 = types.int8, types.int64, types.uint64, types.float64
function_type, tuple_of = types.FunctionType, types.UniTuple


@intrinsic
def _count_bits(typing_context, mask):  # type: ignore[no-untyped-def]
    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


def _count_bits_of(mask: int) -> int:
    return int(mask).bit_count()


if COMPILED:

    @kernel
    def popcount(mask):  # type: ignore[no-untyped-def]
        """How many bits of the mask are set."""
        return _count_bits(mask)

else:
    popcount = _count_bits_of
