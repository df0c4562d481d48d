"""Step 2 of docs/tutorial.md: cd examples/tutorial && tamaya match piers step2:second."""

from step1 import pass_turn, play_sure_card

from tamaya import kernel, policy
from tamaya.knowledge import hand_count, knows_card, knows_rank, next_seat
from tamaya.moves import NO_MOVE, tell_colour, tell_rank


@kernel
def tell_playable_card(view):
    """Tells somebody who can play a card its rank, and then its colour."""
    if view.hint_tokens == 0:
        return NO_MOVE
    for offset in range(1, view.players):
        seat = next_seat(view, offset)
        for slot in range(hand_count(view, seat)):
            is_playable = view.playable >> int(view.hands[seat, slot]) & 1
            if is_playable and not knows_card(view, seat, slot):
                if knows_rank(view, seat, slot):
                    return tell_colour(view, seat, slot)
                return tell_rank(view, seat, slot)
    return NO_MOVE


@policy
def second(view, memory, params, rng):
    """Plays what is surely playable, and tells the others what they can play."""
    move = play_sure_card(view)
    if move == NO_MOVE:
        move = tell_playable_card(view)
    if move == NO_MOVE:
        move = pass_turn(view)
    return move
