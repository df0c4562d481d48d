"""Rules that may play, discard or tell: random play and CliveJ's unblocking."""

from tamaya.engine.cards import NO_CARD, lowest_bit, nth_bit, rank_of
from tamaya.engine.gameplay import legal_moves
from tamaya.engine.jit import kernel, popcount
from tamaya.engine.knowledge import is_known_useless, knows_card, next_seat
from tamaya.engine.moves import NO_MOVE, discard, play
from tamaya.engine.randomness import random_below


@kernel
def LegalRandom(view, rng):
    """Makes a random legal move."""
    moves = legal_moves(view)
    return nth_bit(moves, random_below(rng, popcount(moves)))


@kernel
def is_known_playable(view, seat, slot):
    """Whether the holder knows a card from hints, and the card is playable."""
    return knows_card(view, seat, slot) and view.knowledge[seat, slot] & view.playable != 0


@kernel
def unblocking_move(view, seat):
    """A move that a seat knows will regain a hint token."""
    for place in range(view.hand_size):
        slot = view.slot_at[seat, place]
        if slot == NO_CARD:
            continue
        if is_known_useless(view, seat, slot):
            return discard(slot)
        if is_known_playable(view, seat, slot) and rank_of(lowest_bit(view.knowledge[seat, slot])) == view.ranks:
            return play(slot)
    return NO_MOVE


@kernel
def is_blocked(view, seat):
    """Whether a seat knows of no card to play and none to discard."""
    for slot in range(view.hand_size):
        if view.hands[seat, slot] != NO_CARD:
            if is_known_useless(view, seat, slot) or is_known_playable(view, seat, slot):
                return False
    return True


@kernel
def TryToUnBlock(view):
    """Without hint tokens, regains one if a blocked player comes before any other who could regain one."""
    if view.hint_tokens > 0:
        return NO_MOVE
    move = unblocking_move(view, view.seat)
    for offset in range(1, view.players):
        seat = next_seat(view, offset)
        if is_blocked(view, seat):
            return move
        if unblocking_move(view, seat) != NO_MOVE:
            return NO_MOVE
    return NO_MOVE
