"""Further features: what the seat to move sees in the hands of the others, next to what these know of them."""

from tamaya.engine.cards import bit
from tamaya.engine.jit import kernel, popcount
from tamaya.engine.knowledge import critical_cards, deck_left, hand_count, next_seat
from tamaya.engine.moves import DISCARD, TELL, target_of
from tamaya.engine.settings import SEATS
from tamaya.networks.inputs.goodman_features import (
    FEATURES,
    FIRST_OF_MOVE,
    almost_playable,
    believed_cards,
    count_in,
    points_foregone,
    unseen_by,
    write_move,
    write_state,
)

OF_ANOTHER = ("FINDS_PLAYABLE", "MISTAKES", "READY", "HOLDS_PLAYABLE", "CHOP_POINTS", "CHOP_USELESS")
OF_THE_TABLE = ("EXPECTED_PLAYABLE", "READY", "SURELY_USELESS", "SEEN_PLAYABLE", "SEEN_SOON", "PACE", "PLAY_ENDS_GAME")
SIGHT_FEATURES = (
    *FEATURES,
    *(f"PLAYER_{player}_{name}" for player in range(2, SEATS + 1) for name in OF_ANOTHER),
    *OF_THE_TABLE,
)
"""Goodman's features and those of this module."""

FIRST_OTHER = len(FEATURES)
FIRST_OF_TABLE = FIRST_OTHER + (SEATS - 1) * len(OF_ANOTHER)
LAST = len(SIGHT_FEATURES) - 1
LIKELY = 0.6
"""The chance at which the rules of Goodman play a card."""


@kernel
def chop_of(view, seat):
    """The slot of the oldest card that no hint touched, or of the oldest card."""
    for slot in range(hand_count(view, seat)):
        if view.told[seat, slot] == 0:
            return slot
    return 0


@kernel
def write_chop(features, first, view, seat):
    """Writes the points that are lost with the card that a player is likely to discard, or that there are none."""
    card = view.hands[seat, chop_of(view, seat)]
    is_last = (critical_cards(view) & bit(card)) != 0
    features[first] = points_foregone(view, card) / view.ranks if is_last else 0.0
    features[first + 1] = 1.0 if view.useless & bit(card) else 0.0


@kernel
def write_other(features, first, view, seat, convention):
    """Writes how likely another player takes its cards for playable: those that are, and those that are not."""
    planes, count = unseen_by(view, seat), hand_count(view, seat)
    finds, mistakes, ready, held = 0.0, 0.0, 0, view.playable & 0
    for slot in range(count):
        cards = believed_cards(view, seat, slot, planes, convention)
        chance = count_in(planes, cards & view.playable) / max(1, count_in(planes, cards))
        card = bit(view.hands[seat, slot])
        if card & view.playable:
            finds, ready, held = max(finds, chance), ready + (chance >= LIKELY), held | card
        else:
            mistakes = max(mistakes, chance)
    features[first], features[first + 1] = finds, mistakes
    features[first + 2], features[first + 3] = ready / max(1, count), popcount(held) / max(1, count)
    if count > 0:
        write_chop(features, first + 4, view, seat)


@kernel
def write_own_hand(features, view, convention):
    """Writes how many of its own cards a player may expect to be playable, is to play, and knows to be useless."""
    planes, count = unseen_by(view, view.seat), hand_count(view, view.seat)
    expected, ready, useless = 0.0, 0, 0
    for slot in range(count):
        cards = believed_cards(view, view.seat, slot, planes, convention)
        chance = count_in(planes, cards & view.playable) / max(1, count_in(planes, cards))
        expected, ready = expected + chance, ready + (chance >= LIKELY)
        useless += (cards & planes[0] & ~view.useless) == 0
    features[FIRST_OF_TABLE] = expected / max(1, count)
    features[FIRST_OF_TABLE + 1] = ready / max(1, count)
    features[FIRST_OF_TABLE + 2] = useless / max(1, count)


@kernel
def write_seen(features, view):
    """Writes how many colours can go on by one card, and by two, of those in sight; and how much time there is."""
    seen = view.playable & 0
    for offset in range(1, view.players):
        seat = next_seat(view, offset)
        for slot in range(hand_count(view, seat)):
            seen |= bit(view.hands[seat, slot])
    reachable = view.suits * view.ranks - (popcount(view.useless & view.all_cards) - view.score)
    spare = view.score + deck_left(view) + view.turns_left - reachable
    features[FIRST_OF_TABLE + 3] = popcount(seen & view.playable) / view.suits
    features[FIRST_OF_TABLE + 4] = popcount(seen & almost_playable(view)) / view.suits
    features[FIRST_OF_TABLE + 5] = spare / (view.suits * view.ranks)


@kernel
def write_state_seen(features, view, convention):
    """Writes the features of a view; an array of Goodman's length gets Goodman's alone."""
    write_state(features, view, convention)
    if len(features) == len(FEATURES):
        return
    for offset in range(1, view.players):
        write_other(features, FIRST_OTHER + (offset - 1) * len(OF_ANOTHER), view, next_seat(view, offset), convention)
    write_own_hand(features, view, convention)
    write_seen(features, view)


@kernel
def write_move_seen(features, state, after, view, move, convention):
    """Writes the features of a move at a view, of which those of the state are known; see ``write_state_seen``."""
    write_move(features, state, after, view, move, convention)
    if len(features) == len(FEATURES):
        return
    if move >= TELL:
        target = target_of(view, move)
        offset = (target - view.seat + view.players) % view.players
        write_other(features, FIRST_OTHER + (offset - 1) * len(OF_ANOTHER), after[0], target, convention)
    elif move < DISCARD and view.lives == 1:
        features[LAST] = 1.0 - features[FIRST_OF_MOVE + 1]
