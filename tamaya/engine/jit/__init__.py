"""The only package that knows about numba: kernels, records and pointers, and a cache that is never stale.

numba is imported when the first kernel is compiled or loaded, so that everything else starts at once.
"""

from tamaya.engine.jit.cache import code_stamp, module_stamp, package_stamp
from tamaya.engine.jit.dependencies import digest
from tamaya.engine.jit.interrupts import ctrl_c_held_back, ending_like_ctrl_c
from tamaya.engine.jit.kernels import COMPILED, Kernel, kernel, wrapping_kernel
from tamaya.engine.jit.machine import nanoseconds, popcount
from tamaya.engine.jit.pointers import (
    CompilationError,
    Signature,
    address_of,
    array_of,
    compile_kernel,
    function_reader,
)
from tamaya.engine.jit.records import array_reader, copy_items, copy_rows, record, record_reader
from tamaya.engine.jit.tiles import LANES, ROWS, fill_tile

__all__ = [
    "COMPILED",
    "LANES",
    "ROWS",
    "CompilationError",
    "Kernel",
    "Signature",
    "address_of",
    "array_of",
    "array_reader",
    "code_stamp",
    "compile_kernel",
    "copy_items",
    "copy_rows",
    "ctrl_c_held_back",
    "digest",
    "ending_like_ctrl_c",
    "fill_tile",
    "function_reader",
    "kernel",
    "module_stamp",
    "nanoseconds",
    "package_stamp",
    "popcount",
    "record",
    "record_reader",
    "wrapping_kernel",
]
