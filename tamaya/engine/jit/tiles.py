"""Products of matrices, tile by tile in the registers of vectors: what loops cannot tell a compiler."""

from typing import Any

import numpy as np

from tamaya.engine.jit.kernels import COMPILED, Intrinsic

ROWS, LANES = 6, 16
"""A tile: rows of values at a time, and the sums of each that are computed together."""


def make_tile() -> Any:
    """Makes the intrinsic behind ``fill_tile``: one loop over the inputs with a vector of sums for each row."""
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic
    from numba.np.arrayobj import make_array

    real, word, index = ir.FloatType(), ir.IntType(64), ir.IntType(32)
    vector = ir.VectorType(real, LANES)

    def number(value):  # type: ignore[no-untyped-def]
        return ir.Constant(word, value)

    @intrinsic
    def tile(typing_context, sums, mixed, places, count, weights, size, column):  # type: ignore[no-untyped-def]
        def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            arrays = [make_array(signature.args[place])(context, builder, arguments[place]) for place in (0, 1, 2, 4)]
            targets, values, numbers, rows = (array.data for array in arrays)
            count, size, column = arguments[3], arguments[5], arguments[6]

            def vector_at(data, place):  # type: ignore[no-untyped-def]
                return builder.bitcast(builder.gep(data, [place]), vector.as_pointer())

            biases = builder.load(vector_at(rows, column), align=4)
            before, loop = builder.block, builder.append_basic_block("inputs")
            after = builder.append_basic_block("done")
            builder.cbranch(builder.icmp_signed(">", count, number(0)), loop, after)
            builder.position_at_end(loop)
            step = builder.phi(word)
            step.add_incoming(number(0), before)
            totals = [builder.phi(vector) for _ in range(ROWS)]
            row = builder.add(builder.load(builder.gep(numbers, [step])), number(1))
            part = builder.load(vector_at(rows, builder.add(builder.mul(row, size), column)), align=4)
            first, results = builder.mul(step, number(ROWS)), []
            for place, total in enumerate(totals):
                total.add_incoming(biases, before)
                value = builder.load(builder.gep(values, [builder.add(first, number(place))]))
                spread = builder.insert_element(ir.Constant(vector, ir.Undefined), value, ir.Constant(index, 0))
                zeros = ir.Constant(ir.VectorType(index, LANES), [0] * LANES)
                spread = builder.shuffle_vector(spread, ir.Constant(vector, ir.Undefined), zeros)
                product = builder.fmul(spread, part, flags=("contract",))
                results.append(builder.fadd(total, product, flags=("contract",)))
                total.add_incoming(results[-1], loop)
            following = builder.add(step, number(1))
            step.add_incoming(following, loop)
            builder.cbranch(builder.icmp_signed("<", following, count), loop, after)
            builder.position_at_end(after)
            for place, result in enumerate(results):
                final = builder.phi(vector)
                final.add_incoming(biases, before)
                final.add_incoming(result, loop)
                results[place] = final
            for place, final in enumerate(results):
                target = vector_at(targets, builder.add(builder.mul(number(place), size), column))
                builder.store(final, target, align=4)
            return context.get_dummy_value()

        return types.void(sums, mixed, places, types.int64, weights, types.int64, types.int64), generate

    return tile


def tile_plainly(
    sums: np.ndarray, mixed: np.ndarray, places: np.ndarray, count: int, weights: np.ndarray, size: int, column: int
) -> None:
    """What ``fill_tile`` does, without the JIT."""
    blocks, part = weights[: len(weights) // size * size].reshape(-1, size), slice(column, column + LANES)
    values = mixed[: ROWS * count].reshape(count, ROWS)
    sums[: ROWS * size].reshape(ROWS, size)[:, part] = blocks[0, part] + values.T @ blocks[places[:count] + 1, part]


fill_tile: Any = Intrinsic(make_tile) if COMPILED else tile_plainly
"""Fills LANES columns of ROWS rows of sums, from a column on: (sums, mixed, places, count, weights, size, column).

The weights are rows of ``size``, the biases first. ``places`` are the numbers of the inputs that are not all 0, and
``mixed`` holds their values, ROWS at a time.
"""
