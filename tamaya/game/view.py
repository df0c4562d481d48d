"""What one seat sees of a game: everything but its own cards and the deck."""

import functools
import random
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from tamaya.engine import knowledge
from tamaya.engine.knowledge import chance_at, see_move
from tamaya.engine.settings import Settings
from tamaya.engine.table import TABLE
from tamaya.game.notation import Card, Move
from tamaya.game.position import Position, decoded_move


class Seen(NamedTuple):
    """A move that a seat has seen: what it saw before, who moved, the move's number, and what it showed."""

    tables: np.ndarray
    mover: int
    move: int
    shown: int

    def is_same(self, other: "Seen") -> bool:
        """Whether another record is of the same move, seen at the same table."""
        return self[1:] == other[1:] and bool((self.tables == other.tables).all())

    @staticmethod
    def by(seat: int, tables: np.ndarray, move: int) -> "Seen":
        """What a seat sees of a move made at a table."""
        before = np.zeros(1, TABLE)
        shown = int(see_move(before, tables, seat, move))
        return Seen(before, int(tables["seat"][0]), move, shown)


class View(Position):
    """What one seat sees: everything but its own cards and the deck."""

    def __init__(
        self, settings: Settings, tables: np.ndarray, seat: int, seed: int = 0, past: Sequence[Seen] = ()
    ) -> None:
        super().__init__(settings, np.zeros(1, TABLE))
        knowledge.look(self.tables, tables, seat)
        self.seat = seat
        self.seed = seed
        self._mover = int(tables["seat"][0])
        self.past = past
        """The moves made so far, as this seat saw them."""

    @property
    def mover(self) -> int:
        """Whose turn it is."""
        return self._mover

    @property
    def moves(self) -> list[Move]:
        """The moves made so far."""
        return [decoded_move(seen.move, seen.mover, self.players) for seen in self.past]

    def at(self, turn: int) -> "View":
        """What the seat saw at an earlier turn."""
        seen = self.past[turn]
        earlier = View(self.settings, seen.tables, self.seat, 0, self.past[:turn])
        earlier._mover, earlier.wording = seen.mover, self.wording
        return earlier

    @functools.cached_property
    def random(self) -> random.Random:
        """A random generator that yields the same numbers for the same decision in the same game."""
        return random.Random(self.seed)

    @functools.cached_property
    def hands(self) -> list[list[Card | None]]:  # type: ignore[override]
        """The cards of each seat, oldest first; None for a card that cannot be seen."""
        return super().hands

    @functools.cached_property
    def legal_moves(self) -> list[Move]:
        """The legal moves; none when it is not this seat's turn."""
        return self._legal_moves() if self.mover == self.seat else []

    def probability(self, slot: int, cards: Iterable[Card]) -> float:
        """The chance that the seat's own card in a slot is one of some cards, all unseen cards being equally likely."""
        return self._chance(slot, sum(1 << card.number for card in set(cards)))

    def _chance(self, slot: int, mask: int) -> float:
        if not 0 <= slot < len(self.hands[self.seat]):
            raise IndexError(f"there is no card in slot {slot}")
        return float(chance_at(self.tables, slot, mask))

    def probability_playable(self, slot: int) -> float:
        """The chance that the seat's own card in a slot can be played now."""
        return self._chance(slot, int(self.read("playable")))

    def probability_useless(self, slot: int) -> float:
        """The chance that the seat's own card in a slot can never be played."""
        return self._chance(slot, int(self.read("useless")))

    def is_playable(self, card: Card) -> bool:
        """Whether a card can be played now."""
        return bool(int(self.read("playable")) >> card.number & 1)

    def is_useless(self, card: Card) -> bool:
        """Whether a card can never be played any more."""
        return bool(int(self.read("useless")) >> card.number & 1)
