"""What a deal allows: the deck, where its cards lie, and the cards that must be played."""

from collections.abc import Sequence

import numpy as np

from tamaya.engine.cards import bit
from tamaya.engine.jit import copy_items, kernel, record
from tamaya.engine.settings import CARDS, COLOURS, RANKS

MOST_CARDS = 60
NEVER = 100
"""Where a card lies that is not in the deck any more."""

FIRSTS = sum(1 << RANKS * colour for colour in range(COLOURS))
"""The cards of rank 1, as a mask."""

DEAL = record(
    players="i1",
    hand_size="i1",
    deck_size="i1",
    max_tokens="i1",
    is_relaxed="i1",  # whether discards are free while all hint tokens are available
    lasts="i8",  # the cards of the highest rank, which give a token back
    deck=("i1", MOST_CARDS),
    left=("i8", MOST_CARDS + 1),  # [drawn]: the cards still in the deck, as a mask
    next_at=("i1", (MOST_CARDS + 1, CARDS)),  # [drawn, card]: where its next copy lies, or NEVER
    last_at=("i1", CARDS),  # where its last copy lies
)


@kernel
def fill_deal(deals, tables, deck, is_relaxed):
    """Writes the facts of the deal at a table."""
    deal, table = deals[0], tables[0]
    deal.players, deal.hand_size, deal.deck_size = table.players, table.hand_size, table.deck_size
    deal.max_tokens, deal.is_relaxed = table.max_tokens, is_relaxed or table.discard_at_limit
    deal.lasts = np.int64(FIRSTS) << np.int64(table.ranks - 1)
    for card in range(CARDS):
        deal.next_at[table.deck_size, card] = NEVER
    for place in range(table.deck_size - 1, -1, -1):
        card = deck[place]
        deal.deck[place] = card
        copy_items(deal.next_at[place], deal.next_at[place + 1])
        deal.next_at[place, card] = place
        deal.last_at[card] = max(place, deal.last_at[card])
        deal.left[place] = deal.left[place + 1] | bit(card)


def deal_of(tables: np.ndarray, deck: np.ndarray, is_relaxed: bool) -> np.ndarray:
    """The facts of the deal at a table, as an array of one record."""
    deals = np.zeros(1, DEAL)
    fill_deal(deals, tables, deck, is_relaxed)
    return deals


def needed_for(fireworks: Sequence[int], goals: Sequence[int]) -> int:
    """The cards still to be played before each firework reaches its goal, as a mask."""
    return sum(
        1 << RANKS * colour + rank - 1
        for colour, (top, goal) in enumerate(zip(fireworks, goals, strict=True))
        for rank in range(top + 1, goal + 1)
    )
