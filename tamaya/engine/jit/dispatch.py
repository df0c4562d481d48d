"""The numba dispatchers behind kernels. Importing this module imports numba."""

from collections.abc import Callable
from typing import Any

from numba import config, types
from numba.core import event
from numba.core.registry import CPUDispatcher

from tamaya.engine.jit.cache import KernelCache
from tamaya.engine.jit.interrupts import ctrl_c_held_back, hear_ctrl_c
from tamaya.engine.jit.notice import Notice

OPTIONS = {"nopython": True, "nogil": True, "error_model": "numpy"}
NO_WRAPPERS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}

PARTS = type(config.OPT)(1)
"""The optimization level of kernels that are parts of others, which are optimized as a whole in the end."""


class Outer(CPUDispatcher):  # type: ignore[misc]
    """Compiles a function for calls from Python and through pointers, and caches it if it can be stamped."""

    is_kernel = True

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(py_func=function, targetoptions=dict(OPTIONS))
        cache = KernelCache.of(function, "whole")
        if cache is not None:
            self._cache = cache

    def compile(self, sig: Any) -> Any:
        """Compiles or loads a version; Ctrl-C is heard between its parts, because LLVM would lose it."""
        with ctrl_c_held_back():
            return super().compile(sig)


class Inner(CPUDispatcher):  # type: ignore[misc]
    """Compiles a function as part of others: no Python wrappers, and one version for integers of all widths."""

    is_kernel = True

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(py_func=function, targetoptions=OPTIONS | NO_WRAPPERS)
        cache = KernelCache.of(function, "part")
        if cache is not None:
            self._cache = cache

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """The version for some types, compiled if it does not exist yet."""
        hear_ctrl_c()
        level, config.OPT = config.OPT, PARTS
        try:
            return super().get_call_template(tuple(map(widened, args)), kws)
        finally:
            config.OPT = level


def widened(kind: Any) -> Any:
    """The 64-bit integer for a signed integer of any width; everything else as it is."""
    kind = types.unliteral(kind)
    return types.int64 if isinstance(kind, types.Integer) and kind.signed else kind


event.register("numba:compile", Notice())
