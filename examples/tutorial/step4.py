"""Step 4 of docs/tutorial.md: cd examples/tutorial && tamaya match piers step4:fourth."""

from step1 import pass_turn
from step2 import tell_playable_card
from step3 import discard_least_missed

from tamaya import kernel, policy
from tamaya.knowledge import deck_left, hand_count, probability
from tamaya.moves import NO_MOVE, play


@kernel
def play_likeliest_card(view, threshold):
    """Plays the card that is most likely playable, if it is likely enough."""
    best_slot, best = -1, 0.0
    for slot in range(hand_count(view, view.seat)):
        chance = probability(view, slot, view.playable)
        if chance > best:
            best_slot, best = slot, chance
    return play(best_slot) if best_slot >= 0 and best >= threshold else NO_MOVE


@kernel
def needed_chance(view, threshold):
    """The chance with which a card must be playable, with many lives left or few."""
    if view.lives == 1:
        return 1.0
    return threshold if deck_left(view) > 0 else 0.0


@policy(threshold=0.6)
def fourth(view, memory, params, rng):
    """Takes calculated risks, tells what can be played, discards with care."""
    move = play_likeliest_card(view, needed_chance(view, params[0]))
    if move == NO_MOVE:
        move = tell_playable_card(view)
    if move == NO_MOVE:
        move = discard_least_missed(view)
    if move == NO_MOVE:
        move = pass_turn(view)
    return move
