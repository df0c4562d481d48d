"""Rules that play a card.

They scan hands by place, as the Java framework fireworks does: its slots are fixed, and the first match wins.
"""

from tamaya.engine.cards import NO_CARD, contains
from tamaya.engine.jit import kernel
from tamaya.engine.knowledge import candidates, count_unseen, knows_card, probability
from tamaya.engine.moves import NO_MOVE, play


@kernel
def likeliest_slot(view, cards, threshold):
    """The slot most likely to hold one of the cards, if as likely as the threshold or more; ties go to the last."""
    best_slot, best = NO_CARD, threshold
    for place in range(view.hand_size):
        slot = view.slot_at[view.seat, place]
        if slot != NO_CARD:
            chance = probability(view, slot, cards)
            if chance >= best:
                best_slot, best = slot, chance
    return best_slot


@kernel
def play_if_any(slot):
    """Plays the slot, if there is one."""
    return play(slot) if slot != NO_CARD else NO_MOVE


@kernel
def PlaySafeCard(view):
    """Plays a card that is playable whatever it turns out to be."""
    for place in range(view.hand_size):
        slot = view.slot_at[view.seat, place]
        if slot != NO_CARD:
            possible = candidates(view, slot)
            if possible and not possible & ~view.playable:
                return play(slot)
    return NO_MOVE


@kernel
def PlayIfCertain(view):
    """Plays a playable card whose colour and rank are known from hints."""
    for place in range(view.hand_size):
        slot = view.slot_at[view.seat, place]
        if slot != NO_CARD and knows_card(view, view.seat, slot):
            if view.knowledge[view.seat, slot] & view.playable:
                return play(slot)
    return NO_MOVE


@kernel
def PlayProbablySafeCard(view, threshold):
    """Plays the card most likely to be playable, if at least as likely as the threshold."""
    return play_if_any(likeliest_slot(view, view.playable, threshold))


@kernel
def PlayProbablySafeLate(view, threshold, cards_left):
    """Plays as PlayProbablySafeCard does, once few cards are left; as published, its own hand counts as left."""
    if count_unseen(view, view.all_cards) > cards_left:
        return NO_MOVE
    return PlayProbablySafeCard(view, threshold)


@kernel
def PlayJustHinted(view, threshold):
    """Plays a card that the previous player touched alone, if at least as likely to be playable as the threshold."""
    for place in range(view.hand_size):
        slot = view.slot_at[view.seat, place]
        if slot != NO_CARD and contains(view.singled[view.seat], slot):
            if probability(view, slot, view.playable) >= max(threshold, 1e-9):
                return play(slot)
    return NO_MOVE
