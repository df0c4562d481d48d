"""A policy of your own: cd examples && tamaya match bold:bold piers && tamaya check bold:bold."""

from tamaya import policy
from tamaya.knowledge import probability
from tamaya.moves import play
from tamaya.rules import DiscardOldestFirst, TellAnyoneAboutUsefulCard, TellRandomly


@policy(threshold=0.7)
def bold(view, memory, params, rng):
    """Plays what is likely playable, hints what is useful, else discards the oldest card."""
    for slot in range(view.hand_size):
        if probability(view, slot, view.playable) >= params[0]:
            return play(slot)
    move = TellAnyoneAboutUsefulCard(view)
    if move < 0:
        move = DiscardOldestFirst(view)
    if move < 0:
        move = TellRandomly(view, rng)
    return move
