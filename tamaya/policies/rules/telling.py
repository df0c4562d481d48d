"""Rules that give a hint; none fires without a hint token. "Useful" means playable now."""

from tamaya.engine.cards import CARD_HINTS, HINTS, NO_CARD, colour_hint, contains, lowest_bit, rank_hint
from tamaya.engine.gameplay import COLOUR_HINTS, may_discard, touched_cards
from tamaya.engine.jit import kernel
from tamaya.engine.knowledge import (
    completed_cards,
    hand_count,
    knows_card,
    knows_colour,
    knows_rank,
    next_seat,
    passed_cards,
    played_cards,
)
from tamaya.engine.moves import NO_MOVE, hint_of, target_of, tell, tell_colour, tell_rank
from tamaya.engine.randomness import random_below
from tamaya.engine.settings import COLOURS


@kernel
def tell_rank_first(view, target, slot):
    """Tells the rank of a card, or its colour if the rank is known."""
    return tell_colour(view, target, slot) if knows_rank(view, target, slot) else tell_rank(view, target, slot)


@kernel
def tell_colour_first(view, target, slot):
    """Tells the colour of a card, or its rank if the colour is known."""
    return tell_rank(view, target, slot) if knows_colour(view, target, slot) else tell_colour(view, target, slot)


@kernel
def tell_either(view, target, slot, rng):
    """Tells the rank or the colour of a card, chosen at random."""
    return tell_colour(view, target, slot) if random_below(rng, 2) else tell_rank(view, target, slot)


@kernel
def first_slot(view, target, cards, or_known):
    """The slot of a seat's first card of a mask; fully known cards count only if ``or_known``."""
    for place in range(view.hand_size):
        slot = view.slot_at[target, place]
        if slot != NO_CARD and contains(cards, view.hands[target, slot]):
            if or_known or not knows_card(view, target, slot):
                return slot
    return NO_CARD


@kernel
def tell_anyone(view, cards):
    """Tells the rank, or else the colour, of a card of the mask that is not fully known; nearest player first."""
    if view.hint_tokens == 0:
        return NO_MOVE
    for offset in range(1, view.players):
        target = next_seat(view, offset)
        slot = first_slot(view, target, cards, False)
        if slot != NO_CARD:
            return tell_rank_first(view, target, slot)
    return NO_MOVE


@kernel
def complete_tell(view, cards):
    """Tells the missing colour or rank of a card of the mask whose other one is known; nearest player first."""
    if view.hint_tokens == 0:
        return NO_MOVE
    for offset in range(1, view.players):
        target = next_seat(view, offset)
        for place in range(view.hand_size):
            slot = view.slot_at[target, place]
            if slot != NO_CARD and contains(cards, view.hands[target, slot]):
                if knows_rank(view, target, slot) != knows_colour(view, target, slot):
                    return tell_rank_first(view, target, slot)
    return NO_MOVE


@kernel
def TellPlayableCard(view, rng):
    """Tells the next player the colour or rank of a playable card, known or not."""
    target = next_seat(view, 1)
    slot = first_slot(view, target, view.playable, True)
    return tell_either(view, target, slot, rng) if slot != NO_CARD and view.hint_tokens > 0 else NO_MOVE


@kernel
def TellPlayableCardOuter(view):
    """Tells the next player something new about a playable card."""
    target = next_seat(view, 1)
    slot = first_slot(view, target, view.playable, False)
    return tell_rank_first(view, target, slot) if slot != NO_CARD and view.hint_tokens > 0 else NO_MOVE


@kernel
def TellUnknown(view):
    """Tells the next player something new about any card, the colour first."""
    target = next_seat(view, 1)
    slot = first_slot(view, target, view.all_cards, False)
    return tell_colour_first(view, target, slot) if slot != NO_CARD and view.hint_tokens > 0 else NO_MOVE


@kernel
def TellRandomly(view, rng):
    """Tells the next player the colour or rank of a random card."""
    if view.hint_tokens == 0:
        return NO_MOVE
    target = next_seat(view, 1)
    return tell_either(view, target, random_below(rng, hand_count(view, target)), rng)


@kernel
def TellAnyoneAboutUsefulCard(view):
    """Tells the nearest player who holds a playable card that is not fully known about it."""
    return tell_anyone(view, view.playable)


@kernel
def last_slot(view, target, cards):
    """The slot of a seat's last card of a mask."""
    for place in range(view.hand_size - 1, -1, -1):
        slot = view.slot_at[target, place]
        if slot != NO_CARD and contains(cards, view.hands[target, slot]):
            return slot
    return NO_CARD


@kernel
def TellAnyoneAboutOldestUsefulCard(view):
    """Tells the nearest player whose last playable card is not fully known about that card, colour first.

    As published, the age of the cards does not matter.
    """
    if view.hint_tokens == 0:
        return NO_MOVE
    for offset in range(1, view.players):
        target = next_seat(view, offset)
        slot = last_slot(view, target, view.playable)
        if slot != NO_CARD and not knows_card(view, target, slot):
            return tell_colour_first(view, target, slot)
    return NO_MOVE


@kernel
def TellAnyoneAboutUselessCard(view, tell_again):
    """Tells the nearest player with a useless card about the first one; if it is known, nothing or its colour again."""
    if view.hint_tokens == 0:
        return NO_MOVE
    for offset in range(1, view.players):
        target = next_seat(view, offset)
        slot = first_slot(view, target, view.useless, True)
        if slot != NO_CARD:
            is_new = tell_again or not knows_card(view, target, slot)
            return tell_rank_first(view, target, slot) if is_new else NO_MOVE
    return NO_MOVE


@kernel
def count_told(view, target, only_new):
    """How many cards of a seat each hint touches, or tells something new about, five bits per hint."""
    counts = 0
    for slot in range(hand_count(view, target)):
        card = int(view.hands[target, slot])
        hints = CARD_HINTS[card] | COLOUR_HINTS if contains(view.wild_cards, card) else CARD_HINTS[card]
        possible = view.knowledge[target, slot]
        while hints:
            hint = lowest_bit(hints)
            hints &= hints - 1
            if not only_new or possible & ~touched_cards(view, hint):
                counts += 1 << (5 * hint)
    return counts


@kernel
def may_tell(view, move, spare_singles):
    """Whether a hint may be given: with ``spare_singles``, not if it touches exactly one card of the next player."""
    if not spare_singles or target_of(view, move) != next_seat(view, 1):
        return True
    return (count_told(view, next_seat(view, 1), False) >> (5 * int(hint_of(move)))) & 31 != 1


@kernel
def dispensing_hint(view, target, slot):
    """The hint that shows a player that a card has already been played, if a single one does."""
    card = view.hands[target, slot]
    has_colour, has_rank = knows_colour(view, target, slot), knows_rank(view, target, slot)
    if not has_colour and contains(completed_cards(view), card):
        return tell_colour(view, target, slot)
    if not has_rank and contains(passed_cards(view), card):
        return tell_rank(view, target, slot)
    if has_colour != has_rank and contains(played_cards(view), card):
        return tell_rank_first(view, target, slot)
    return NO_MOVE


@kernel
def TellDispensable(view, spare_singles):
    """Tells a player what shows that a card has already been played; players in the order of their seats."""
    if view.hint_tokens == 0:
        return NO_MOVE
    played = played_cards(view)
    for target in range(view.players):
        for place in range(view.hand_size):
            slot = view.slot_at[target, place]
            if target == view.seat or slot == NO_CARD or not contains(played, view.hands[target, slot]):
                continue
            move = dispensing_hint(view, target, slot)
            if move != NO_MOVE and may_tell(view, move, spare_singles):
                return move
    return NO_MOVE


@kernel
def TellMostInformation(view, only_new, in_turn_order, spare_singles):
    """Gives the hint that touches the most cards, or is new to the most; ranks first, in seat order or turn order."""
    best_move, most = NO_MOVE, 0
    if view.hint_tokens == 0:
        return NO_MOVE
    for index in range(view.players):
        target = next_seat(view, index) if in_turn_order else index
        if target == view.seat:
            continue
        counts = count_told(view, target, only_new)
        for number in range(HINTS):
            hint = (number + COLOURS) % HINTS
            count = (counts >> (5 * hint)) & 31
            if count > most and contains(view.hints, hint):
                move = tell(view, target, hint)
                if may_tell(view, move, spare_singles):
                    best_move, most = move, count
    return best_move


@kernel
def CompleteTellUsefulCard(view):
    """Completes what a player knows of a playable card."""
    return complete_tell(view, view.playable)


@kernel
def CompleteTellDispensableCard(view):
    """Completes what a player knows of a card that has already been played."""
    return complete_tell(view, played_cards(view))


@kernel
def CompleteTellUnplayableCard(view):
    """Completes what a player knows of a card that cannot be played yet."""
    return complete_tell(view, view.all_cards & ~view.playable & ~played_cards(view))


@kernel
def TellIllInformed(view):
    """Tells the nearest player with a playable card, or a useless one that may be discarded, about it."""
    return tell_anyone(view, view.playable | view.useless if may_discard(view) else view.playable)


@kernel
def TellNextPlayerAboutSingleUsefulCard(view):
    """Tells the next player about a playable card by a hint that touches nothing else."""
    if view.hint_tokens == 0:
        return NO_MOVE
    target = next_seat(view, 1)
    counts = count_told(view, target, False)
    for place in range(view.hand_size):
        slot = view.slot_at[target, place]
        if slot != NO_CARD and contains(view.playable, view.hands[target, slot]):
            card = int(view.hands[target, slot])
            if (counts >> (5 * rank_hint(card))) & 31 == 1:
                return tell_rank(view, target, slot)
            if (counts >> (5 * colour_hint(card))) & 31 == 1 and not contains(view.wild_cards, card):
                return tell_colour(view, target, slot)
    return NO_MOVE
