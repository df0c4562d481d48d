"""Seats: who plays there and what it keeps, as records that kernels read; params and memory are not copied."""

from tamaya.engine.gameplay import shown_by
from tamaya.engine.jit import array_reader, kernel, record
from tamaya.engine.knowledge import look
from tamaya.policies.roles import ROLES, move_by, observe_by

SEAT = record(
    **dict.fromkeys(ROLES, "i8"),  # the addresses of its policy's kernels, 0 for none
    params="i8",  # where its params lie, and how many there are
    length="i8",
    words="i8",  # words of memory that it needs
    row="i8",  # row of the table's memory: its own, or that of the first seat with which it shares one
    first="i8",  # first word of what a search keeps for it
    sight="i8",  # what it sees beyond its view
    shares="i8",  # whether it shares its memory with seats of the same policy
)

reals_at = array_reader()


@kernel
def params_of(seat):
    """The params of a seat, in their place."""
    return reals_at(seat.params, seat.length)


@kernel
def memory_at(memory, seat):
    """The memory of a seat, in its place, exactly as long as it needs."""
    return memory[seat.row][: seat.words]


@kernel
def ask(views, seats, memory, rng):
    """The answer of the seat of a view."""
    seat = seats[views[0].seat]
    return move_by(seat.mover)(views[0], memory_at(memory, seat), params_of(seat), rng)


@kernel
def show_move(views, tables, seats, memory, move):
    """Shows a move that is about to be made to the policies that observe; the view is the mover's.

    A shared memory is updated by whoever moves, any other one by its own seat.
    """
    mover, shown = tables[0].seat, shown_by(tables[0], move)
    for row in range(tables[0].players):
        seat = seats[row]
        if seat.observer and seat.row == row:
            if not seat.shares:
                look(views, tables, row)
            elif views[0].seat != mover:
                look(views, tables, mover)
            observe_by(seat.observer)(views[0], mover, move, shown, memory_at(memory, seat), params_of(seat))
