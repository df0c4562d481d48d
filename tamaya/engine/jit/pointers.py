"""Compiled functions, called by their addresses."""

import functools
import linecache
import re
from typing import Any, NamedTuple

import numpy as np

from tamaya.engine.jit.kernels import COMPILED, Intrinsic, Kernel


class ArrayOf(NamedTuple):
    """The type of an array without gaps, in signatures."""

    element: Any


def array_of(element: Any) -> ArrayOf:
    """The type of an array of numbers, such as "i8", or of records."""
    return ArrayOf(element)


class Signature:
    """The types of the result and the arguments of a function: numbers such as "i8", records, or arrays of them."""

    def __init__(self, result: Any, *arguments: Any) -> None:
        self.kinds = (result, *arguments)

    @functools.cached_property
    def numba(self) -> Any:
        """The signature as numba writes it."""
        result, *arguments = map(numba_type, self.kinds)
        return result(*arguments)


def numba_type(kind: Any) -> Any:
    """The numba type for a type in a signature."""
    from numba import from_dtype

    return numba_type(kind.element)[::1] if isinstance(kind, ArrayOf) else from_dtype(np.dtype(kind))


class CompilationError(Exception):
    """A function that numba cannot translate; the message says why."""


def compile_kernel(function: Any, signature: Signature) -> Any:
    """A function compiled for one signature, to be called by its address or from Python."""
    if not COMPILED:
        return function
    from numba.core.errors import NumbaError, UnsupportedBytecodeError

    made = Kernel(getattr(function, "py_func", function))
    try:
        made.outer.compile(signature.numba)
    except (NumbaError, UnsupportedBytecodeError) as error:
        raise CompilationError(str(error)) from error
    check_result(made, signature)
    made.outer.disable_compile()
    return made


def check_result(made: Any, signature: Signature) -> None:
    """Raises an error for a function that returns a fraction where numba would cut it to a whole number."""
    from numba.types import Integer

    text, line = str(made.outer.overloads[signature.numba.args].type_annotation), ""
    if not isinstance(signature.numba.return_type, Integer):
        return
    fractions = set(re.findall(r"^ *#  +(\S+) = .* :: float\d+$", text, re.MULTILINE))
    for found in re.finditer(r"--- LINE (\d+) ---|return_value\S* = cast\(value=(\S+)\)", text):
        line = found[1] or line
        if found[2] in fractions:
            code = made.outer.py_func.__code__.co_filename
            source = linecache.getline(code, int(line))
            raise CompilationError(f'No conversion from float64 to int64 for\nFile "{code}", line {line}:\n{source}^')


_FUNCTIONS: dict[int, Any] = {0: None}


def address_of(function: Any, signature: Signature) -> int:
    """The address of a compiled function, valid as long as the function exists."""
    if not COMPILED:
        _FUNCTIONS[id(function)] = function
        return id(function)
    result = function.outer.overloads[signature.numba.args]
    return int(result.library.get_pointer_to_function(result.fndesc.llvm_func_name))


def function_reader(signature: Signature) -> Any:
    """A kernel that turns the address of a compiled function with this signature into the function."""

    def make() -> Any:
        from numba import types
        from numba.core import cgutils
        from numba.extending import intrinsic

        kind = types.FunctionType(signature.numba)

        @intrinsic
        def function_at(typing_context, address):  # type: ignore[no-untyped-def]
            def generate(context, builder, _, arguments):  # type: ignore[no-untyped-def]
                function = cgutils.create_struct_proxy(kind)(context, builder)
                function.jit_addr = builder.inttoptr(arguments[0], cgutils.voidptr_t)
                return function._getvalue()

            return kind(types.int64), generate

        return function_at

    return Intrinsic(make, repr(signature.kinds)) if COMPILED else _FUNCTIONS.__getitem__
