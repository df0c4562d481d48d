"""The table: everything on and around it except the deck, as one record; copying it is an assignment."""

import functools

import numpy as np

from tamaya.engine.cards import HINT_CARDS, NO_CARD
from tamaya.engine.jit import record
from tamaya.engine.settings import CARDS, COLOURS, RANKS, SEATS, SLOTS, Settings

TABLE = record(
    # what never changes in a game
    players="i1",
    hand_size="i1",
    suits="i1",
    ranks="i1",
    max_tokens="i1",
    discard_at_limit="i1",
    empty_hints="i1",
    deck_size="i1",
    all_cards="i8",  # the identities of this game, as a mask
    wild_cards="i8",  # those that every colour hint touches
    hints="i8",  # the hints that can be given, as a mask over hints
    # what everybody sees
    seat="i1",  # whose turn it is
    lives="i1",
    hint_tokens="i1",
    turns_left="i1",  # moves that may be made once the deck is empty
    drawn="i1",  # cards taken from the deck
    turn="i2",  # moves made
    score="i1",  # the points on the table
    fireworks=("i1", COLOURS),  # highest rank played of each colour
    discards=("i1", CARDS),  # discarded and misplayed copies of each card
    playable="i8",  # the cards that can be played now, as a mask
    useless="i8",  # the cards that can never be played any more
    unrevealed=("i8", 3),  # cards with more than 0, 1, 2 copies neither played nor discarded
    spent=("i8", (SEATS, 3)),  # the same for the cards that each seat has played or discarded itself
    # the hands, slot 0 oldest
    hands=("i1", (SEATS, SLOTS)),  # NO_CARD where there is none, HIDDEN in the hand of a view's own seat
    orders=("i1", (SEATS, SLOTS)),  # each card's place in the deck
    slot_at=("i1", (SEATS, SLOTS)),  # [seat, place]: the slot of the card in a place; a new card takes a lost one's
    knowledge=("i8", (SEATS, SLOTS)),  # what the holder cannot exclude from hints alone
    told=("i2", (SEATS, SLOTS)),  # the hints that touched the card, bit 1 << hint
    singled=("i1", SEATS),  # slots that the previous player touched alone since the last play, bit 1 << slot
    # filled in a view only
    unseen=("i8", 3),  # cards with more than 0, 1, 2 copies that the seat to move has not seen
)


def fresh_table(settings: Settings) -> np.ndarray:
    """A table before the deal, as an array of one record."""
    return laid_table(settings).copy()


def fresh_deck(settings: Settings) -> np.ndarray:
    """The cards of a deck, unshuffled."""
    return sorted_deck(settings).copy()


@functools.lru_cache
def sorted_deck(settings: Settings) -> np.ndarray:
    """The sorted cards of a deck; whoever wants to shuffle them takes a copy."""
    return np.array(settings.cards, dtype=np.int8)


@functools.lru_cache
def laid_table(settings: Settings) -> np.ndarray:
    """A table before the deal; whoever wants to deal takes a copy."""
    tables = np.zeros(1, TABLE)
    table = tables[0]
    table.players, table.hand_size = settings.players, settings.hand_size
    table.suits, table.ranks = settings.suits, settings.ranks
    table.max_tokens, table.hint_tokens = settings.hint_tokens, settings.hint_tokens
    table.lives, table.turns_left = settings.lives, settings.players
    table.discard_at_limit, table.empty_hints = settings.discard_at_limit, settings.empty_hints
    table.deck_size = settings.deck_size
    table.all_cards = sum(1 << card for card in set(settings.cards))
    table.wild_cards = HINT_CARDS[settings.suits - 1] & table.all_cards if settings.multicolour == "wild" else 0
    nameable = settings.suits - (settings.multicolour == "wild")
    table.hints = ((1 << nameable) - 1) | (((1 << settings.ranks) - 1) << COLOURS)
    for card in range(CARDS):
        for plane in range(settings.copies(card)):
            table.unrevealed[plane] |= 1 << card
    table.playable = sum(1 << (RANKS * colour) for colour in range(settings.suits))
    table.hands[:] = NO_CARD
    table.orders[:] = NO_CARD
    table.slot_at[:] = NO_CARD
    return tables
