"""Rules that discard a card; none of them fires where a discard is not allowed."""

from tamaya.engine.cards import NO_CARD, lowest_bit, rank_of
from tamaya.engine.gameplay import may_discard
from tamaya.engine.jit import kernel
from tamaya.engine.knowledge import (
    candidates,
    critical_cards,
    hand_count,
    is_known_useless,
    knows_card,
    knows_colour,
    knows_rank,
    played_cards,
    probability,
)
from tamaya.engine.moves import NO_MOVE, discard
from tamaya.engine.randomness import random_below
from tamaya.policies.rules.playing import likeliest_slot


@kernel
def discard_if_any(view, slot):
    """Discards the slot, if there is one and it may be discarded."""
    return discard(slot) if slot != NO_CARD and may_discard(view) else NO_MOVE


@kernel
def DiscardProbablyUselessCard(view, threshold):
    """Discards the card most likely to be useless, if at least as likely as the threshold."""
    return discard_if_any(view, likeliest_slot(view, view.useless, threshold))


@kernel
def DiscardLeastLikelyToBeNecessary(view):
    """Discards the card least likely to be the last copy of a needed card; ties go to the last place."""
    best_slot, lowest = NO_CARD, 1.0
    critical = critical_cards(view)
    for place in range(view.hand_size):
        slot = view.slot_at[view.seat, place]
        if slot != NO_CARD:
            chance = probability(view, slot, critical)
            if 0.0 <= chance <= lowest:
                best_slot, lowest = slot, chance
    return discard_if_any(view, best_slot)


@kernel
def DiscardOldestFirst(view):
    """Discards the card held longest."""
    return discard_if_any(view, 0)


@kernel
def DiscardRandomly(view, rng):
    """Discards a random card."""
    return discard_if_any(view, random_below(rng, hand_count(view, view.seat)))


@kernel
def OsawaDiscard(view):
    """Discards a card that is known to be useless, from hints or by counting the cards of its colour."""
    for place in range(view.hand_size):
        slot = view.slot_at[view.seat, place]
        if slot != NO_CARD and is_known_useless(view, view.seat, slot):
            return discard_if_any(view, slot)
    unreachable = view.useless & ~played_cards(view)
    for place in range(view.hand_size):
        slot = view.slot_at[view.seat, place]
        if slot != NO_CARD and knows_colour(view, view.seat, slot) and not candidates(view, slot) & ~unreachable:
            return discard_if_any(view, slot)
    return NO_MOVE


@kernel
def DiscardIfCertain(view):
    """Discards a card that is known from hints and has already been played."""
    played = played_cards(view)
    for place in range(view.hand_size):
        slot = view.slot_at[view.seat, place]
        if slot != NO_CARD and knows_card(view, view.seat, slot) and view.knowledge[view.seat, slot] & played:
            return discard_if_any(view, slot)
    return NO_MOVE


@kernel
def DiscardHighest(view):
    """Discards the card with the highest known rank."""
    best_slot, highest = NO_CARD, 0
    for place in range(view.hand_size):
        slot = view.slot_at[view.seat, place]
        if slot != NO_CARD and knows_rank(view, view.seat, slot):
            rank = rank_of(lowest_bit(view.knowledge[view.seat, slot]))
            if rank > highest:
                best_slot, highest = slot, rank
    return discard_if_any(view, best_slot)


@kernel
def DiscardUnidentifiedCard(view):
    """Discards the first card of which neither colour nor rank is known.

    ``DiscardOldestNoInfoFirst`` in the published code compares an age with a slot, which has the same effect.
    """
    for place in range(view.hand_size):
        slot = view.slot_at[view.seat, place]
        if slot != NO_CARD and not knows_colour(view, view.seat, slot) and not knows_rank(view, view.seat, slot):
            return discard_if_any(view, slot)
    return NO_MOVE
