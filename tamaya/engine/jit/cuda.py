"""Twins of kernels for a GPU: the same functions, which numba compiles for CUDA. Importing this imports numba."""

from collections.abc import Callable
from types import FunctionType
from typing import Any

from numba import cuda as cuda

from tamaya.engine.jit.kernels import Kernel, named_by
from tamaya.engine.jit.machine import popcount


def need_gpu() -> None:
    """Raises what is missing for kernels to run on a GPU."""
    if not cuda.is_available():
        raise ValueError("numba finds no GPU that it can compile for; it needs NVIDIA's driver and tamaya[gpu]")


def count_bits(mask: Any) -> Any:
    """How many bits of the mask are set."""
    return cuda.popc(mask)


class Twins:
    """Functions for a GPU in place of kernels, and of all that these call.

    A GPU cannot call through pointers or make arrays, so some kernels need other functions in their stead.
    """

    def __init__(self) -> None:
        self.compile = cuda.jit(device=True)
        self.made: dict[Any, Any] = {popcount: self.compile(count_bits)}

    def replace(self, kernel: Any, function: Callable[..., Any]) -> None:
        """Puts a function in the place of a kernel; it may call twins."""
        self.made[kernel] = self.compile(function)

    def of(self, kernel: Any) -> Any:
        """The twin of a kernel."""
        if kernel not in self.made:
            function = kernel.py_func
            names = dict(function.__globals__)
            names |= {name: self.of(value) for name, value in named_by(function) if isinstance(value, Kernel)}
            twin = FunctionType(function.__code__, names, function.__name__, None, function.__closure__)
            self.made[kernel] = self.compile(twin)
        return self.made[kernel]


def on_every_item(work: Any) -> Any:
    """Does the work of a twin, whose arguments end with the first and the end of a range, for one item per thread."""

    @cuda.jit  # type: ignore[untyped-decorator]
    def together(one: Any, two: Any, three: Any, four: Any) -> None:
        item = cuda.grid(1)
        if item < len(four):
            work(one, two, three, four, item, item + 1)

    return together
