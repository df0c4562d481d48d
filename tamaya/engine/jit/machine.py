"""What the machine can do: count bits and read the clock."""

import time
from typing import Any

from tamaya.engine.jit.kernels import COMPILED, Intrinsic, kernel


def make_clock() -> Any:
    """Makes the intrinsic that reads a clock that only goes forward."""
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    @intrinsic
    def read_clock(typing_context):  # type: ignore[no-untyped-def]
        def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            word = ir.IntType(64)
            kind = ir.FunctionType(ir.IntType(32), [ir.IntType(32), word.as_pointer()])
            clock = cgutils.get_or_insert_function(builder.module, kind, "clock_gettime")
            times = cgutils.alloca_once(builder, word, size=2)
            builder.call(clock, [ir.Constant(ir.IntType(32), time.CLOCK_MONOTONIC), times])
            seconds, rest = builder.load(times), builder.load(cgutils.gep_inbounds(builder, times, 1))
            return builder.add(builder.mul(seconds, ir.Constant(word, 10**9)), rest)

        return types.int64(), generate

    return read_clock


def make_counter() -> Any:
    """Makes the intrinsic that counts the set bits of a word."""
    from numba import types
    from numba.extending import intrinsic

    @intrinsic
    def count_bits(typing_context, mask):  # type: ignore[no-untyped-def]
        def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            return builder.ctpop(arguments[0])

        return types.int64(types.int64), generate

    return count_bits


_read_clock: Any = Intrinsic(make_clock)
_count_bits: Any = Intrinsic(make_counter)
WORD = (1 << 64) - 1


def count_bits_of(mask: int) -> int:
    """How many bits of a word are set; a negative number counts as its 64-bit two's complement."""
    return (int(mask) & WORD).bit_count()


if COMPILED:

    @kernel
    def nanoseconds():  # type: ignore[no-untyped-def]
        """The time on a clock that only goes forward."""
        return _read_clock()

    @kernel
    def popcount(mask):  # type: ignore[no-untyped-def]
        """How many bits of the mask are set."""
        return _count_bits(mask)

else:
    popcount, nanoseconds = count_bits_of, time.monotonic_ns
