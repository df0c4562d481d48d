"""Whole games that a seat cannot tell from its own: for programs that want all cards and may see none of them."""

import numpy as np

from tamaya.core.cards import NO_CARD
from tamaya.core.moves import DISCARD, TELL
from tamaya.core.randomness import shuffle
from tamaya.core.worlds import open_world, redeal
from tamaya.game.notation import Card
from tamaya.game.position import View
from tamaya.jit import kernel


@kernel
def imagine(worlds, deck, views, rng):  # type: ignore[no-untyped-def]
    """Deals the cards that the seat of a view does not see, in keeping with what it was told."""
    worlds[0] = views[0]
    open_world(worlds[0], deck, views[0])
    redeal(worlds[0], deck, views[0], rng)
    left = deck[worlds[0].drawn :]
    shuffle(rng, left, len(left))


def imagined_deck(view: View) -> list[Card]:
    """A deck with which the game would have gone just as the seat saw it, drawn with the seed of the view."""
    worlds, deck = view.tables.copy(), np.zeros(view.settings.deck_size, dtype=np.int8)
    imagine(worlds, deck, view.tables, np.array([view.seed], dtype=np.uint64))
    for hand, orders in zip(worlds["hands"][0].tolist(), worlds["orders"][0].tolist(), strict=True):
        for card, order in zip(hand, orders, strict=True):
            if order != NO_CARD:
                deck[order] = card
    for seen in view.past:
        if seen.move < TELL:
            deck[seen.tables["orders"][0, seen.mover, seen.move % DISCARD]] = seen.shown
    return [Card.of(card) for card in deck.tolist()]
