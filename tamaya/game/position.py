"""What can be read off a table, whole or seen from a seat."""

import functools
import random
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from tamaya.core import engine, knowledge
from tamaya.core.cards import HIDDEN, NO_CARD
from tamaya.core.moves import DISCARD, PLAY, TELL, hint_of, target_of, tell
from tamaya.core.settings import Settings
from tamaya.core.sizes import CARDS, COLOURS
from tamaya.core.table import TABLE
from tamaya.game.notation import Card, Kind, Move, Wording
from tamaya.game.picture import picture


class IllegalMove(ValueError):
    """A move that the rules forbid, with the reason."""


class Position:
    """What Game and View have in common: reading a table."""

    wording = Wording()
    """What the players and suits are called."""

    def __init__(self, settings: Settings, tables: np.ndarray) -> None:
        self.settings = settings
        self.tables = tables

    @property
    def mover(self) -> int:
        """Whose turn it is."""
        raise NotImplementedError

    @property
    def table(self) -> Any:
        """The record that kernels work on."""
        return self.tables[0]

    @property
    def players(self) -> int:
        """The number of players."""
        return self.settings.players

    @property
    def turn(self) -> int:
        """The number of moves made."""
        return int(self.table.turn)

    @property
    def lives(self) -> int:
        """The lives left."""
        return int(self.table.lives)

    @property
    def hint_tokens(self) -> int:
        """The hint tokens left."""
        return int(self.table.hint_tokens)

    @property
    def deck_left(self) -> int:
        """The cards left to draw."""
        return int(knowledge.deck_left(self.table))

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(engine.is_over(self.table))

    @property
    def score(self) -> int:
        """The points on the table, kept when all lives are lost."""
        return int(self.table.score)

    @property
    def strict_score(self) -> int:
        """The score that is zero when all lives are lost."""
        return self.score if self.lives else 0

    @property
    def max_score(self) -> int:
        """The score of a perfect game."""
        return self.settings.max_score

    @property
    def fireworks(self) -> list[int]:
        """The highest rank played of each colour."""
        return [int(top) for top in self.table.fireworks[: self.settings.suits]]

    @property
    def hands(self) -> list[list[Card | None]]:
        """The cards of each seat, oldest first; None for a card that cannot be seen."""
        return [
            [None if card == HIDDEN else Card.of(int(card)) for card in hand if card != NO_CARD]
            for hand in self.table.hands[: self.players]
        ]

    @property
    def possible(self) -> list[list[frozenset[Card]]]:
        """What each card of each seat can be for all that its holder was told."""
        return [
            [
                frozenset(Card.of(card) for card in range(CARDS) if int(mask) >> card & 1)
                for mask in self.table.knowledge[seat][: len(hand)]
            ]
            for seat, hand in enumerate(self.hands)
        ]

    @property
    def hinted(self) -> list[list[tuple[int | None, int | None]]]:
        """The colour and rank that hints have named of each card, None for those that none has."""
        return [
            [self._named(int(told)) for told in self.table.told[seat][: len(hand)]]
            for seat, hand in enumerate(self.hands)
        ]

    def _named(self, told: int) -> tuple[int | None, int | None]:
        colours, ranks = told & ((1 << COLOURS) - 1), told >> COLOURS
        return (colours.bit_length() - 1 if colours else None, ranks.bit_length() if ranks else None)

    @property
    def discards(self) -> list[Card]:
        """The discarded and misplayed cards, sorted."""
        return [Card.of(card) for card in range(CARDS) for _ in range(self.table.discards[card])]

    def _legal_moves(self) -> list[Move]:
        mask = int(engine.legal_moves(self.table))
        return [self.decode(code) for code in range(mask.bit_length()) if mask >> code & 1]

    def decode(self, code: int) -> Move:
        """The move of a kernel's number, for the seat to move."""
        if code < DISCARD:
            return Move.play(code - PLAY)
        if code < TELL:
            return Move.discard(code - DISCARD)
        target, hint = int(target_of(self.table, code)), int(hint_of(code))
        return Move.tell_colour(target, hint) if hint < COLOURS else Move.tell_rank(target, hint - COLOURS + 1)

    def encode(self, move: Move) -> int:
        """The number of a move in kernels, for the seat to move; raises with the reason if it cannot be legal."""
        kind, target, value = move
        if kind not in list(Kind):
            raise IllegalMove(f"there is no move of kind {kind!r}")
        if not isinstance(target, (int, np.integer)) or not isinstance(value, (int, np.integer)):
            raise IllegalMove(f"a move is made of whole numbers, not of {target!r} and {value!r}")
        if kind in (Kind.PLAY, Kind.DISCARD):
            if not 0 <= target < self.settings.hand_size:
                raise IllegalMove(f"{move}: there is no slot {target} in a hand of {self.settings.hand_size}")
            return (PLAY if kind == Kind.PLAY else DISCARD) + target
        if not 0 <= target < self.players or target == self.table.seat:
            raise IllegalMove(f"{move}: a hint must go to another seat of 0 to {self.players - 1}")
        if kind == Kind.COLOUR and not 0 <= value < self.settings.suits:
            raise IllegalMove(f"{move}: there are only {self.settings.suits} colours")
        if kind == Kind.RANK and not 1 <= value <= self.settings.ranks:
            raise IllegalMove(f"{move}: there are only the ranks 1 to {self.settings.ranks}")
        return int(tell(self.table, target, value if kind == Kind.COLOUR else COLOURS + value - 1))

    def __str__(self) -> str:
        return picture(self, self.mover)


class Seen(NamedTuple):
    """A move that a seat has seen: what it saw before, who moved, the move's number, and what it showed."""

    tables: np.ndarray
    mover: int
    move: int
    shown: int

    def is_same(self, other: "Seen") -> bool:
        """Whether another one is the same move, seen at the same table."""
        return self[1:] == other[1:] and bool((self.tables == other.tables).all())

    @staticmethod
    def by(seat: int, tables: np.ndarray, move: int) -> "Seen":
        """What a seat sees of a move that is made at a table."""
        before = np.zeros(1, TABLE)
        knowledge.look(before, tables, seat)
        return Seen(before, int(tables[0].seat), move, int(engine.shown_by(tables[0], move)))


class View(Position):
    """What one seat sees: everything but its own cards and the deck."""

    def __init__(
        self, settings: Settings, tables: np.ndarray, seat: int, seed: int = 0, past: Sequence[Seen] = ()
    ) -> None:
        super().__init__(settings, np.zeros(1, TABLE))
        knowledge.look(self.tables, tables, seat)
        self.seat = seat
        self.seed = seed
        self._mover = int(tables[0].seat)
        self.past = past
        """The moves made so far, as this seat saw them."""

    @property
    def mover(self) -> int:
        """Whose turn it is."""
        return self._mover

    @functools.cached_property
    def random(self) -> random.Random:
        """A random generator that gives the same numbers in the same decision of the same game."""
        return random.Random(self.seed)

    @property
    def legal_moves(self) -> list[Move]:
        """The legal moves, none when it is not this seat's turn."""
        return self._legal_moves() if self.mover == self.seat and not self.is_over else []

    def probability(self, slot: int, cards: Iterable[Card]) -> float:
        """The chance that the own card of a slot is one of some cards, all unseen cards being equally likely."""
        return self._chance(slot, sum(1 << card.number for card in set(cards)))

    def _chance(self, slot: int, mask: int) -> float:
        if not 0 <= slot < len(self.hands[self.seat]):
            raise IndexError(f"there is no card in slot {slot}")
        return float(knowledge.probability(self.table, slot, mask))

    def probability_playable(self, slot: int) -> float:
        """The chance that the own card of a slot can be played now."""
        return self._chance(slot, self.table.playable)

    def probability_useless(self, slot: int) -> float:
        """The chance that the own card of a slot never can be played."""
        return self._chance(slot, self.table.useless)

    def is_playable(self, card: Card) -> bool:
        """Whether a card can be played now."""
        return bool(int(self.table.playable) >> card.number & 1)

    def is_useless(self, card: Card) -> bool:
        """Whether a card never can be played any more."""
        return bool(int(self.table.useless) >> card.number & 1)
