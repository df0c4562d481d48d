"""Cards: thirty identities as numbers and as bits of a mask, and their names."""

import numpy as np

from tamaya.engine.jit import kernel, popcount
from tamaya.engine.settings import CARDS, COLOURS, RANKS

NO_CARD = -1
HIDDEN = -2
"""What stands in place of a seat's own cards while it decides."""

COLOUR_NAMES = ("red", "yellow", "green", "white", "blue", "multi")
COLOUR_LETTERS = "RYGWBM"

HINTS = COLOURS + RANKS
"""A hint is a colour, 0..5, or a rank, 6..10 for the ranks 1..5."""

HINT_CARDS = np.array(
    [sum(1 << (RANKS * colour + rank) for rank in range(RANKS)) for colour in range(COLOURS)]
    + [sum(1 << (RANKS * colour + rank) for colour in range(COLOURS)) for rank in range(RANKS)],
    dtype=np.int64,
)
"""The cards of each colour and of each rank, as masks."""

CARD_HINTS = np.array([1 << (card // RANKS) | 1 << (COLOURS + card % RANKS) for card in range(CARDS)], dtype=np.int64)
"""The hints that name each card's colour and rank, as masks over hints."""


@kernel
def card_of(colour, rank):
    """The number of a card; ranks count from 1."""
    return colour * RANKS + rank - 1


@kernel
def colour_of(card):
    """The colour of a card, 0..5."""
    return card // RANKS


@kernel
def rank_of(card):
    """The rank of a card, 1..5."""
    return card % RANKS + 1


@kernel
def colour_hint(card):
    """The hint that names the card's colour."""
    return card // RANKS


@kernel
def rank_hint(card):
    """The hint that names the card's rank."""
    return COLOURS + card % RANKS


@kernel
def bit(card):
    """The mask that holds one card, move, hint or slot."""
    return np.int64(1) << np.int64(card)


@kernel
def contains(mask, card):
    """Whether a card, a move, a hint or a slot is in the mask."""
    return (mask >> np.int64(card)) & 1 != 0


@kernel
def lowest_bit(mask):
    """The number of the lowest set bit: the first card, or move, of a mask."""
    return popcount((mask & -mask) - 1)


@kernel
def nth_bit(mask, index):
    """The number of the set bit of a mask that has ``index`` set bits below it, found by halving."""
    position, width = 0, 32
    while width:
        count = popcount(mask & ((1 << width) - 1))
        skip = width if index >= count else 0
        index -= count if skip else 0
        mask >>= skip
        position += skip
        width >>= 1
    return position


def members(mask: int) -> list[int]:
    """Returns the numbers in a mask, lowest first, in plain Python."""
    bits = int(mask)
    return [number for number in range(bits.bit_length()) if bits >> number & 1]


def card_name(card: int) -> str:
    """The usual short name: ``R1`` to ``M5``, ``??`` for a hidden card."""
    return "??" if card < 0 else f"{COLOUR_LETTERS[card // RANKS]}{card % RANKS + 1}"


def parse_card(name: str) -> int:
    """The card with a short name."""
    colour = COLOUR_LETTERS.find(name[:1].upper())
    if len(name) != 2 or colour < 0 or name[1] not in "12345":
        raise ValueError(
            f"{name!r} is not a card: it takes a letter of {COLOUR_LETTERS} and a rank from 1 to 5, as in R1"
        )
    return colour * RANKS + int(name[1]) - 1
