"""Record types, and arrays and records at given places in memory."""

import ctypes
from typing import Any

import numpy as np

from tamaya.engine.jit.kernels import COMPILED, Intrinsic, kernel


def record(**fields: Any) -> np.dtype[Any]:
    """An aligned record type: name = type, or name = (type, shape)."""
    rows = [(name, *kind) if isinstance(kind, tuple) else (name, kind) for name, kind in fields.items()]
    return np.dtype((np.record, np.dtype(rows, align=True)))  # type: ignore[no-any-return]


def record_reader(dtype: np.dtype[Any]) -> Any:
    """A kernel (words, first) that reads the 64-bit words of an array, starting at ``first``, as a record.

    The record lives in the array, and only as long as the array does.
    """
    words = dtype.itemsize // 8

    def make() -> Any:
        from numba import from_dtype, types
        from numba.extending import intrinsic
        from numba.np.arrayobj import make_array

        kind = from_dtype(dtype)

        @intrinsic
        def record_at(typing_context, array, first):  # type: ignore[no-untyped-def]
            def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
                data = make_array(signature.args[0])(context, builder, arguments[0]).data
                return builder.bitcast(builder.gep(data, [arguments[1]]), context.get_value_type(kind))

            return kind(array, types.int64), generate

        return record_at

    return (
        Intrinsic(make, f"{dtype} {dtype.itemsize}")
        if COMPILED
        else lambda array, first: array[first : first + words].view(dtype)[0]
    )


def array_reader() -> Any:
    """A kernel (address, length) that reads what lies at an address as an array of ``length`` reals."""

    def make() -> Any:
        from numba import carray, types
        from numba.extending import intrinsic, register_jitable

        @intrinsic
        def pointer_at(typing_context, address):  # type: ignore[no-untyped-def]
            def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
                return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))

            return types.CPointer(types.float64)(types.int64), generate

        @register_jitable
        def array_at(address, length):  # type: ignore[no-untyped-def]
            return carray(pointer_at(address), (length,))

        return array_at

    return Intrinsic(make) if COMPILED else reals_at


def reals_at(address: int, length: int) -> np.ndarray:
    """The reals at an address."""
    pointer = ctypes.cast(int(address), ctypes.POINTER(ctypes.c_double))
    return np.ctypeslib.as_array(pointer, (int(length),)) if length else np.zeros(0)


@kernel
def copy_items(target, source):  # type: ignore[no-untyped-def]
    """Copies one array into another; slices would make numba compile its checks of shapes too."""
    for index in range(len(target)):
        target[index] = source[index]


@kernel
def copy_rows(target, source):  # type: ignore[no-untyped-def]
    """Copies one table of numbers into another."""
    for row in range(target.shape[0]):
        copy_items(target[row], source[row])
