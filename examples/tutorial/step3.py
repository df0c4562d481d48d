"""Step 3 of docs/tutorial.md: cd examples/tutorial && tamaya match piers step3:third."""

from step1 import pass_turn, play_sure_card
from step2 import tell_playable_card

from tamaya import kernel, policy
from tamaya.knowledge import critical_cards, hand_count, probability
from tamaya.moves import NO_MOVE, discard


@kernel
def discard_least_missed(view):
    """Discards a useless card, or one that is unlikely to be the last of its kind."""
    if view.hint_tokens == view.max_tokens:
        return NO_MOVE
    best_slot, least = 0, 9.0
    for slot in range(hand_count(view, view.seat)):
        loss = probability(view, slot, critical_cards(view))
        if view.told[view.seat, slot] != 0:
            loss += 1
        if probability(view, slot, view.useless) == 1:
            loss = 0.0
        if loss < least:
            best_slot, least = slot, loss
    return discard(best_slot)


@policy
def third(view, memory, params, rng):
    """Plays and tells like the second agent, and discards what will be missed least."""
    move = play_sure_card(view)
    if move == NO_MOVE:
        move = tell_playable_card(view)
    if move == NO_MOVE:
        move = discard_least_missed(view)
    if move == NO_MOVE:
        move = pass_turn(view)
    return move
