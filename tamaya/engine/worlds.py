"""Worlds: all that a seat cannot see, dealt at random consistently with what it knows.

A world is a table with every hand face up, and a deck. From ``drawn`` on, the deck holds the remaining cards in no
particular order: each is drawn at random when its time comes. The places before that are free, so a hand can lie
there, next to the deck, while it is dealt again.
"""

import numpy as np

from tamaya.engine.cards import contains, nth_bit
from tamaya.engine.gameplay import apply
from tamaya.engine.jit import kernel, popcount
from tamaya.engine.knowledge import count_unseen, hand_count
from tamaya.engine.moves import DISCARD, TELL
from tamaya.engine.randomness import random_below
from tamaya.engine.settings import CARDS

MOST_DEALS = 1000
"""After this many attempts a deal counts as impossible."""


@kernel
def apply_drawing(world, deck, move, rng):
    """Makes a move in a world; if a card is drawn, it is a random one of those left."""
    if move < TELL and world.drawn < world.deck_size:
        other = world.drawn + random_below(rng, world.deck_size - world.drawn)
        deck[world.drawn], deck[other] = deck[other], deck[world.drawn]
    apply(world, deck, move)


@kernel
def trust_playable_now(view):
    """Goodman's convention: takes a seat's own cards for playable if the previous player touched them alone."""
    for slot in range(view.hand_size):
        if contains(view.singled[view.seat], slot):
            playable = view.knowledge[view.seat, slot] & view.playable
            if playable & view.unseen[0]:
                view.knowledge[view.seat, slot] = playable


@kernel
def open_world(world, deck, view):
    """Lays out a world for a view, with all unseen cards in the places of the seat's own hand and the deck."""
    count = hand_count(world, view.seat)
    place = world.drawn - count
    for card in range(CARDS):
        for plane in range(3):
            if contains(view.unseen[plane], card):
                deck[place] = card
                place += 1
    for slot in range(count):
        world.hands[view.seat, slot] = deck[world.drawn - count + slot]


@kernel
def next_slot(sizes, used, count):
    """The slot with the fewest candidates among those not used yet; sizes hold eight bits per slot."""
    best, fewest = 0, 1 << 8
    for slot in range(count):
        size = (sizes >> (8 * slot)) & 255
        if size < fewest and not contains(used, slot):
            best, fewest = slot, size
    return best


@kernel
def find_cards(deck, first, end, cards):
    """The places of a deck, from ``first`` on, that hold a card of a mask, as a mask over places."""
    places = np.int64(0)
    for place in range(first, end):
        places |= np.int64(contains(cards, deck[place])) << (place - first)
    return places


@kernel
def draw_fitting(deck, first, end, most, cards, rng):
    """Swaps a card of a mask into the first place, each with a chance of one in ``most``; fails otherwise."""
    places = find_cards(deck, first, end, cards)
    index = random_below(rng, most)
    if index >= popcount(places):
        return False
    other = first + nth_bit(places, index)
    deck[first], deck[other] = deck[other], deck[first]
    return True


@kernel
def try_deal(world, deck, view, sizes, rng):
    """Deals the hand of a view's seat from the places before the deck, and returns whether that succeeded.

    Slot by slot, fewest candidates first, it draws one of the candidates left. Where earlier slots took more of them
    than they had to, the deal fails with the probability that makes all deals equally likely.
    """
    count = hand_count(world, view.seat)
    first, used, order = world.drawn - count, 0, np.int64(0)
    for step in range(count):
        slot = next_slot(sizes, used, count)
        cards = view.knowledge[view.seat, slot]
        most = (sizes >> (8 * slot)) & 255
        for other in range(count):
            if contains(used, other) and not view.knowledge[view.seat, other] & view.unseen[0] & ~cards:
                most -= 1
        if most <= 0 or not draw_fitting(deck, first + step, world.deck_size, most, cards, rng):
            return False
        used |= 1 << slot
        order |= np.int64(slot) << (8 * step)
    for step in range(count):
        world.hands[view.seat, (order >> (8 * step)) & 255] = deck[first + step]
    return True


@kernel
def redeal(world, deck, view, rng):
    """Deals the seat of a view a new hand from its own cards and the deck, uniformly among all that the view allows.

    Where it allows none, everything stays as it was.
    """
    seat, count = view.seat, hand_count(world, view.seat)
    sizes = np.int64(0)
    for slot in range(count):
        deck[world.drawn - count + slot] = world.hands[seat, slot]
        sizes |= np.int64(count_unseen(view, view.knowledge[seat, slot])) << (8 * slot)
    for _ in range(MOST_DEALS):
        if try_deal(world, deck, view, sizes, rng):
            return True
    for slot in range(count):
        take_back(deck, world.drawn - count + slot, world.deck_size, world.hands[seat, slot])
    return False


@kernel
def pack_hand(world, seat):
    """The cards of a seat in one word, eight bits per slot."""
    hand = np.int64(0)
    for slot in range(hand_count(world, seat)):
        hand |= np.int64(world.hands[seat, slot]) << (8 * slot)
    return hand


@kernel
def take_back(deck, first, end, card):
    """Swaps a card into the first place, if it is found."""
    for place in range(first, end):
        if deck[place] == card:
            deck[first], deck[place] = deck[place], deck[first]
            return True
    return False


@kernel
def take_hand(world, deck, view):
    """Gives the seat of a view the hand that the view shows."""
    count = hand_count(world, view.seat)
    for slot in range(count):
        take_back(deck, world.drawn - count + slot, world.deck_size, view.hands[view.seat, slot])
        world.hands[view.seat, slot] = view.hands[view.seat, slot]


@kernel
def restore(world, deck, seat, hand, move, rng):
    """Gives a seat back the hand that it held before it was dealt another one and made a move.

    A card that the move took away is replaced by one that its holder cannot exclude; a drawn card is drawn again.
    """
    count, used = hand_count(world, seat), -1
    if move < TELL:
        used = move % DISCARD
    first = world.drawn - count
    for slot in range(count):
        deck[first + slot] = world.hands[seat, slot]
    missing, is_drawn = 0, used >= 0 and count == world.hand_size
    for slot in range(count - is_drawn):
        old = slot + (0 <= used <= slot)
        if take_back(deck, first, world.deck_size, (hand >> (8 * old)) & 255):
            world.hands[seat, slot] = deck[first]
            first += 1
        else:
            missing |= 1 << slot
    while missing:
        slot = nth_bit(missing, 0)
        missing &= missing - 1
        replace_card(world, deck, seat, slot, first, rng)
        first += 1
    if is_drawn:
        draw_fitting(deck, first, world.deck_size, world.deck_size - first, world.all_cards, rng)
        world.hands[seat, count - 1] = deck[first]


@kernel
def replace_card(world, deck, seat, slot, first, rng):
    """Puts into a slot a card that its holder cannot exclude, or else any card, of which it then knows nothing."""
    cards = world.knowledge[seat, slot]
    fitting = popcount(find_cards(deck, first, world.deck_size, cards))
    if not fitting:
        cards = world.all_cards
        world.knowledge[seat, slot] = cards
        world.told[seat, slot] = 0
        world.singled[seat] &= ~(1 << slot)
        fitting = world.deck_size - first
    draw_fitting(deck, first, world.deck_size, fitting, cards, rng)
    world.hands[seat, slot] = deck[first]
