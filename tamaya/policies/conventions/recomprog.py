"""RECOMPROG, the program of Cox et al. that recommends which card of a visible hand to play or discard."""

from tamaya.engine.cards import NO_CARD, contains, rank_of
from tamaya.engine.jit import kernel
from tamaya.engine.knowledge import critical_cards


@kernel
def ranked_slot(view, seat, count, cards, sign):
    """Among the first ``count`` cards of a seat, the one of a mask with the highest rank (lowest if the sign is -1)."""
    best, highest = NO_CARD, -99
    for slot in range(count):
        card = int(view.hands[seat, slot])
        if contains(cards, card) and sign * rank_of(card) > highest:
            best, highest = slot, sign * rank_of(card)
    return best


@kernel
def recommended_play(view, seat, count):
    """The card to play: one that completes a firework, else the lowest playable one; none if none is playable."""
    highest = ranked_slot(view, seat, count, view.playable, 1)
    if highest == NO_CARD or rank_of(int(view.hands[seat, highest])) == view.ranks:
        return highest
    return ranked_slot(view, seat, count, view.playable, -1)


@kernel
def recommended_discard(view, seat, count, useless):
    """The card to discard: the highest useless one, else the highest that is not a last copy; none if all are."""
    slot = ranked_slot(view, seat, count, useless, 1)
    return slot if slot != NO_CARD else ranked_slot(view, seat, count, view.all_cards & ~critical_cards(view), 1)
