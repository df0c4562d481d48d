"""Kernels for Python: they take tables as arrays, because numba is slow to recognise a record."""

from tamaya.core.engine import apply, is_legal, is_over, legal_moves, shown_by
from tamaya.core.knowledge import look, probability
from tamaya.jit import kernel


@kernel
def is_over_at(tables):
    """Whether the game has ended."""
    return is_over(tables[0])


@kernel
def legal_at(tables):
    """The legal moves of the seat to move, as a mask; none when the game has ended."""
    return 0 if is_over(tables[0]) else legal_moves(tables[0])


@kernel
def is_legal_at(tables, move):
    """Whether a number is a legal move of the seat to move."""
    return is_legal(tables[0], move)


@kernel
def apply_at(tables, deck, move):
    """Makes a legal move."""
    apply(tables[0], deck, move)


@kernel
def chance_at(tables, slot, mask):
    """The chance that a card of the seat's own hand is one of a mask."""
    return probability(tables[0], slot, mask)


@kernel
def see_move(before, tables, seat, move):
    """Writes what a seat sees before a move and returns what the move shows to all."""
    look(before, tables, seat)
    return shown_by(tables[0], move)
