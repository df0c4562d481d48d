"""Moves as numbers below 64, so that a set of moves is a mask."""

from tamaya.engine.cards import HINTS, colour_hint, contains, rank_hint
from tamaya.engine.jit import kernel
from tamaya.engine.settings import SEATS, SLOTS

PLAY = 0
DISCARD = SLOTS
TELL = 2 * SLOTS
MOVES = TELL + (SEATS - 1) * HINTS

NO_MOVE = -1
"""What a policy answers when it has no move: the game ends there, and its points count."""
ASK = -(1 << 40)
"""What the placeholder of a Python agent answers: the loop must ask Python."""
FAULT = -(1 << 41)
"""A search answers FAULT minus the number of a seat, its own being 1, whose policy broke the rules in a rollout."""


@kernel
def play(slot):
    """The move that plays the card in a slot."""
    return PLAY + slot


@kernel
def discard(slot):
    """The move that discards the card in a slot."""
    return DISCARD + slot


@kernel
def tell(table, target, hint):
    """The move that gives a hint to a seat."""
    offset = (target - table.seat + table.players) % table.players
    return TELL + (offset - 1) * HINTS + hint


@kernel
def tell_colour(table, target, slot):
    """The move that tells a seat the colour of its card in a slot; for a wild card, a colour not yet told of it."""
    card = int(table.hands[target, slot])
    if not contains(table.wild_cards, card):
        return tell(table, target, colour_hint(card))
    for colour in range(table.suits - 1):
        if not contains(table.told[target, slot], colour):
            return tell(table, target, colour)
    return tell(table, target, 0)


@kernel
def tell_rank(table, target, slot):
    """The move that tells a seat the rank of its card in a slot."""
    return tell(table, target, rank_hint(int(table.hands[target, slot])))


@kernel
def target_of(table, move):
    """The seat that a hint is for."""
    return (table.seat + 1 + (move - TELL) // HINTS) % table.players


@kernel
def target_from(view, mover, move):
    """The seat that a hint by another seat is for."""
    return (mover + 1 + (move - TELL) // HINTS) % view.players


@kernel
def hint_of(move):
    """The hint that a telling move gives."""
    return (move - TELL) % HINTS
