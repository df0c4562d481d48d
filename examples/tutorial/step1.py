"""Step 1 of docs/tutorial.md: cd examples/tutorial && tamaya match piers step1:first."""

from tamaya import kernel, policy
from tamaya.knowledge import hand_count, next_seat, probability
from tamaya.moves import NO_MOVE, discard, play, tell_rank


@kernel
def play_sure_card(view):
    """Plays a card that is playable whatever it is."""
    for slot in range(hand_count(view, view.seat)):
        if probability(view, slot, view.playable) == 1:
            return play(slot)
    return NO_MOVE


@kernel
def pass_turn(view):
    """Discards the oldest card, or gives the next player some hint."""
    if view.hint_tokens < view.max_tokens:
        return discard(0)
    return tell_rank(view, next_seat(view, 1), 0)


@policy
def first(view, memory, params, rng):
    """Plays what is surely playable, and otherwise passes the turn."""
    move = play_sure_card(view)
    if move == NO_MOVE:
        move = pass_turn(view)
    return move
