"""The roles of a policy: what its functions are for, which arguments they take, and what holds without one."""

from dataclasses import dataclass

from tamaya.engine.jit import Signature, array_of, function_reader
from tamaya.engine.randomness import RNG
from tamaya.engine.table import TABLE

INTEGERS, REALS, TABLES = array_of("i8"), array_of("f8"), array_of(TABLE)


@dataclass(frozen=True)
class Role:
    """A function that a policy may have."""

    keyword: str
    """What gives it to ``@policy``; empty for the function under it."""
    signature: Signature
    arguments: str
    """Its arguments, in words."""
    purpose: str
    without: str
    """What holds for a policy that has none."""


ROLES = {
    "mover": Role(
        keyword="",
        signature=Signature("i8", TABLE, INTEGERS, REALS, RNG),
        arguments="(view, memory, params, rng)",
        purpose="makes moves",
        without="there is no such policy",
    ),
    "observer": Role(
        keyword="observe",
        signature=Signature("i8", TABLE, "i8", "i8", "i8", INTEGERS, REALS),
        arguments="(view, mover, move, shown, memory, params)",
        purpose="observes moves before they are made",
        without="it learns nothing from moves but what its view shows",
    ),
    "keeper": Role(
        keyword="keeps",
        signature=Signature("i8", TABLE, INTEGERS, REALS),
        arguments="(view, memory, params)",
        purpose="lists the moves that keep a convention, as a mask",
        without="all moves do",
    ),
    "evaluator": Role(
        keyword="evaluates",
        signature=Signature("f8", TABLE, REALS),
        arguments="(world, params)",
        purpose="says what a position is worth, from 0 to 1, to a search that plays no further",
        without="it cannot be the leaf of a search with rollouts",
    ),
    "appraiser": Role(
        keyword="appraises",
        signature=Signature("i8", TABLE, "i8", REALS, REALS),
        arguments="(view, moves, values, params)",
        purpose="writes what each move of a mask is worth, from 0 to 1",
        without="it cannot be the leaf of a search without rollouts",
    ),
    "predictor": Role(
        keyword="predicts",
        signature=Signature("i8", TABLES, INTEGERS, REALS, REALS),
        arguments="(views, memory, chances, params)",
        purpose="writes how likely each move of each view is",
        without="its moves say nothing about cards beyond their convention",
    ),
    "batcher": Role(
        keyword="batches",
        signature=Signature("i8", TABLES, INTEGERS, INTEGERS, REALS, RNG),
        arguments="(views, memory, moves, params, rng)",
        purpose="writes the moves for many views at once",
        without="it is asked for one view after the other",
    ),
    "valuer": Role(
        keyword="foresees",
        signature=Signature("i8", TABLES, INTEGERS, REALS, REALS),
        arguments="(worlds, memory, points, params)",
        purpose="writes how many points positions will still bring, all hands seen",
        without="only the points made so far count where a rollout ends",
    ),
}
"""The functions that a policy can have, in the order in which a seat holds their addresses."""

move_by = function_reader(ROLES["mover"].signature)
observe_by = function_reader(ROLES["observer"].signature)
keep_by = function_reader(ROLES["keeper"].signature)
evaluate_by = function_reader(ROLES["evaluator"].signature)
appraise_by = function_reader(ROLES["appraiser"].signature)
predict_by = function_reader(ROLES["predictor"].signature)
batch_by = function_reader(ROLES["batcher"].signature)
value_by = function_reader(ROLES["valuer"].signature)
"""Kernels that turn an address into the function of a role."""
