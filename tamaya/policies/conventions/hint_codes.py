"""How a hint spells a number, in codes that need no public knowledge, and how a hint says nothing.

Where hints may touch nothing, every hint to every seat is a word of its own. Otherwise every hand admits some rank hint
and some colour hint, which makes two words per seat, and the choice among such hints is free.
"""

from tamaya.engine.cards import colour_hint, contains, lowest_bit, nth_bit, rank_hint
from tamaya.engine.gameplay import COLOUR_HINTS, hints_of_hand, may_discard
from tamaya.engine.jit import kernel, popcount
from tamaya.engine.knowledge import hand_count
from tamaya.engine.moves import tell
from tamaya.engine.settings import COLOURS


@kernel
def count_words(view, is_free):
    """How many numbers a hint can spell; more if it is free to touch nothing and the rules allow that."""
    return (int(view.players) - 1) * (popcount(view.hints) if is_free and view.empty_hints else 2)


@kernel
def spell(view, number, is_free):
    """The hint of the mover of a view that spells a number."""
    if is_free and view.empty_hints:
        words = popcount(view.hints)
        return tell(view, (view.seat + 1 + number // words) % view.players, nth_bit(view.hints, number % words))
    seats = int(view.players) - 1
    seat, is_colour = (view.seat + 1 + number % seats) % view.players, number >= seats
    hints = hints_of_hand(view, seat) & (COLOUR_HINTS if is_colour else ~COLOUR_HINTS)
    return tell(view, seat, first_news(view, seat, hints))


@kernel
def first_news(view, seat, hints):
    """The first of some hints to a seat that tells something new about a card it touches, or else the first one."""
    choice = lowest_bit(hints)
    while hints:
        hint = lowest_bit(hints)
        hints &= hints - 1
        for slot in range(hand_count(view, seat)):
            if is_news(view, seat, slot, hint):
                return hint
    return choice


@kernel
def is_news(view, seat, slot, hint):
    """Whether a hint touches a card about which it has not been given before."""
    card = int(view.hands[seat, slot])
    is_named = hint in (colour_hint(card), rank_hint(card))
    return is_named and not contains(view.told[seat, slot], hint)


@kernel
def read_word(view, mover, target, hint, is_free):
    """The number that a hint spells."""
    offset = int((target - mover + view.players) % view.players) - 1
    if is_free and view.empty_hints:
        return offset * popcount(view.hints) + popcount(view.hints & ((1 << hint) - 1))
    return offset + (view.players - 1 if hint < COLOURS else 0)


@kernel
def number_told(view, mover, seat, seen, rest, words):
    """Decodes a hat sum: the number that it tells a seat.

    ``seen`` is the number of the seat, as the observer sees it. ``rest`` is the message minus the sum of all those
    numbers: the observer's own number. The mover knows the right sum: if it says something else, the others hear a
    wrong number.
    """
    if seat == view.seat:
        return rest
    return (seen + rest) % words if view.seat == mover else seen


@kernel
def is_stall(view, mover, seat, hint, touched):
    """Whether a hint only passes: a rank hint to the previous seat's oldest card, where a discard is not allowed."""
    is_right = seat == (mover + view.players - 1) % view.players
    return hint >= COLOURS and not may_discard(view) and is_right and touched & 1 != 0
