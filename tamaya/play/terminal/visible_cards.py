"""What a seat sees of the cards at a turn: their faces, what their holders know of them, what they were just told."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tamaya.engine.cards import HIDDEN, HINTS, NO_CARD, members
from tamaya.engine.moves import TELL
from tamaya.engine.settings import CARDS, RANKS
from tamaya.game.notation import Card
from tamaya.game.view import View

Deck = Sequence[Card] | None
"""All cards by their order, for games that are over; none before."""


class Held(NamedTuple):
    """A card in a hand, as somebody at the table sees it."""

    order: int
    face: Card | None
    """What it is; none if that cannot be seen."""
    possible: int
    """What it can be for its holder, as a mask."""
    is_touched: bool
    """Whether any hint has touched it."""
    is_news: bool
    """Whether a hint has touched it since the last move of the seat that looks."""
    is_first: bool
    """Whether that was the first hint to touch it."""

    @property
    def known(self) -> Card | None:
        """What its holder knows it to be; none if it can be several cards."""
        return Card.of(self.possible.bit_length() - 1) if self.possible.bit_count() == 1 else None


def visible_hand(view: View, seat: int, deck: Deck = None) -> list[Held]:
    """The cards of a seat, newest first, as the seat of a view sees them."""
    cards, orders = view.read("hands")[seat].tolist(), view.read("orders")[seat].tolist()
    told, news = view.read("told")[seat].tolist(), just_told(view)
    held = []
    for slot, (card, order) in enumerate(zip(cards, orders, strict=True)):
        if card == NO_CARD:
            break
        face = Card.of(card) if card != HIDDEN else deck[order] if deck else None
        held.append(
            Held(order, face, possible(view, seat, slot), told[slot] > 0, order in news, news.get(order, False))
        )
    return held[::-1]


def possible(view: View, seat: int, slot: int) -> int:
    """What a card can be for its holder: by hints, and by counting what both its holder and the view's seat see."""
    told = int(view.read("knowledge")[seat, slot])
    counts = view.read("discards").astype(int).tolist()
    for suit, top in enumerate(view.fireworks):
        for card in range(suit * RANKS, suit * RANKS + top):
            counts[card] += 1
    for holder, hand in enumerate(view.read("hands")[: view.players].tolist()):
        for card in hand if holder != seat else ():
            if card >= 0:
                counts[card] += 1
    left = sum(1 << card for card in range(CARDS) if counts[card] < view.settings.copies(card))
    return told & left or told


def just_told(view: View) -> dict[int, bool]:
    """The cards, by order, that hints have touched since the seat's last move, and whether for the first time."""
    found: dict[int, bool] = {}
    for seen in view.past[max(0, len(view.past) - max(1, view.players - 1)) :]:
        if seen.move >= TELL:
            target = (seen.mover + 1 + (seen.move - TELL) // HINTS) % view.players
            for slot in members(seen.shown):
                found[int(seen.tables["orders"][0, target, slot])] = seen.tables["told"][0, target, slot] == 0
    return found


def slots_of(mask: int, count: int) -> list[int]:
    """The slots of a mask over a hand of some cards, as people count them: 1 is the newest."""
    return [count - slot for slot in reversed(members(mask))]


def is_last_copy(view: View, card: Card) -> bool:
    """Whether a card is still of use, and all others of its kind are gone."""
    one, two = (int(plane) >> card.number & 1 for plane in view.read("unrevealed")[:2])
    return bool(one and not two) and not view.is_useless(card)


def reachable(view: View, suit: int) -> int:
    """The highest rank of a suit that can still be played."""
    ranks = range(view.fireworks[suit] + 1, view.settings.ranks + 1)
    return max([rank for rank in ranks if not view.is_useless(Card(suit, rank))], default=view.fireworks[suit])


def lost(view: View) -> Iterator[tuple[int, list[tuple[int, str]]]]:
    """The discarded ranks of each suit; "!" marks those with one copy left, "x" those with none, where it matters."""
    counts = view.read("discards").tolist()
    for suit in range(view.settings.suits):
        row = []
        for rank in range(1, view.settings.ranks + 1):
            card = Card(suit, rank)
            gone = counts[card.number] == view.settings.copies(card.number) and rank > view.fireworks[suit]
            mark = "x" if gone else "!" if is_last_copy(view, card) else ""
            row += [(rank, mark)] * counts[card.number]
        yield suit, row
