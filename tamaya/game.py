"""A game for Python users: push and undo moves, look at it from any seat, print it."""

import functools
import random
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from tamaya import engine, knowledge
from tamaya.cards import CARDS, COLOUR_NAMES, COLOURS, HIDDEN, NO_CARD, RANKS, card_name, parse_card
from tamaya.moves import DISCARD, PLAY, TELL, hint_of, target_of, tell
from tamaya.picture import picture
from tamaya.settings import Settings
from tamaya.table import TABLE, fresh_deck, fresh_table


class Kind(IntEnum):
    """The kinds of moves, numbered as on hanab.live."""

    PLAY = 0
    DISCARD = 1
    COLOUR = 2
    RANK = 3


class IllegalMove(ValueError):
    """A move that the rules forbid, with the reason."""


class Card(NamedTuple):
    """A card: a colour of 0..5 and a rank of 1..5."""

    colour: int
    rank: int

    @classmethod
    def parse(cls, name: str) -> "Card":
        """The card of a short name such as ``R1``."""
        return cls.of(parse_card(name))

    @classmethod
    def of(cls, number: int) -> "Card":
        """The card of a kernel's number."""
        return cls(number // RANKS, number % RANKS + 1)

    @property
    def number(self) -> int:
        """The number of the card in kernels."""
        return self.colour * RANKS + self.rank - 1

    def __str__(self) -> str:
        return card_name(self.number)

    def __repr__(self) -> str:
        return str(self)


class Move(NamedTuple):
    """A move: play or discard a slot, or tell a seat about a colour or rank."""

    kind: Kind
    target: int
    value: int = 0

    @classmethod
    def play(cls, slot: int) -> "Move":
        """Play the card of a slot; slot 0 is the oldest."""
        return cls(Kind.PLAY, slot)

    @classmethod
    def discard(cls, slot: int) -> "Move":
        """Discard the card of a slot."""
        return cls(Kind.DISCARD, slot)

    @classmethod
    def tell_colour(cls, seat: int, colour: int) -> "Move":
        """Tell a seat which of its cards have a colour."""
        return cls(Kind.COLOUR, seat, colour)

    @classmethod
    def tell_rank(cls, seat: int, rank: int) -> "Move":
        """Tell a seat which of its cards have a rank."""
        return cls(Kind.RANK, seat, rank)

    @classmethod
    def parse(cls, text: str) -> "Move":
        """The move of a text such as ``play 0``, ``discard 4``, ``tell 1 red`` or ``tell 1 5``."""
        match text.lower().split():
            case ["play", slot] if slot.isdigit():
                return cls.play(int(slot))
            case ["discard", slot] if slot.isdigit():
                return cls.discard(int(slot))
            case ["tell", seat, rank] if seat.isdigit() and rank.isdigit():
                return cls.tell_rank(int(seat), int(rank))
            case ["tell", seat, colour] if seat.isdigit() and colour in COLOUR_NAMES:
                return cls.tell_colour(int(seat), COLOUR_NAMES.index(colour))
        raise ValueError(f"{text!r} is no move; moves read as in: play 0, discard 4, tell 1 red, tell 1 5")

    def __str__(self) -> str:
        if self.kind is Kind.COLOUR:
            return f"tell {self.target} {COLOUR_NAMES[self.value]}"
        if self.kind is Kind.RANK:
            return f"tell {self.target} {self.value}"
        return f"{self.kind.name.lower()} {self.target}"

    def __repr__(self) -> str:
        return f"<{self}>"


class Position:
    """What Game and View have in common: reading a table."""

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

    players = property(lambda self: int(self.table.players), doc="The number of players.")
    turn = property(lambda self: int(self.table.turn), doc="The number of moves made.")
    lives = property(lambda self: int(self.table.lives), doc="The lives left.")
    hint_tokens = property(lambda self: int(self.table.hint_tokens), doc="The hint tokens left.")
    deck_left = property(lambda self: int(knowledge.deck_left(self.table)), doc="The cards left to draw.")
    is_over = property(lambda self: bool(engine.is_over(self.table)), doc="Whether the game has ended.")
    score = property(lambda self: int(self.table.score), doc="The points on the table, kept when all lives are lost.")
    score_zero = property(
        lambda self: self.score if self.lives else 0, doc="The score that is zero when all lives are lost."
    )
    max_score = property(lambda self: self.settings.max_score, doc="The score of a perfect game.")

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


class View(Position):
    """What one seat sees: everything but its own cards and the deck."""

    def __init__(self, settings: Settings, tables: np.ndarray, seat: int, seed: int = 0) -> None:
        super().__init__(settings, np.zeros(1, TABLE))
        knowledge.look(self.tables, tables, seat)
        self.seat = seat
        self.seed = seed
        self._mover = int(tables[0].seat)

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
        mask = sum(1 << card.number for card in set(cards))
        return float(knowledge.probability(self.table, slot, mask))

    def probability_playable(self, slot: int) -> float:
        """The chance that the own card of a slot can be played now."""
        return float(knowledge.probability(self.table, slot, self.table.playable))

    def probability_useless(self, slot: int) -> float:
        """The chance that the own card of a slot never can be played."""
        return float(knowledge.probability(self.table, slot, self.table.useless))

    def is_playable(self, card: Card) -> bool:
        """Whether a card can be played now."""
        return bool(int(self.table.playable) >> card.number & 1)

    def is_useless(self, card: Card) -> bool:
        """Whether a card never can be played any more."""
        return bool(int(self.table.useless) >> card.number & 1)


class Game(Position):
    """A game of Hanabi, from a seed or from a given deck."""

    def __init__(
        self,
        players: int | Settings = 2,
        seed: int = 0,
        *,
        deck: Sequence[Card] | None = None,
        **options: Any,
    ) -> None:
        settings = players if isinstance(players, Settings) else Settings(players=players, **options)
        super().__init__(settings, fresh_table(settings))
        self.deck_array = fresh_deck(settings)
        self.moves: list[Move] = []
        self._past: list[np.ndarray] = []
        if deck is None:
            self.seed: int | None = check_seed(seed)
            engine.deal_seeded(self.table, self.deck_array, np.uint64(seed))
        else:
            self.seed = None
            self.deck_array[:] = check_deck(deck, settings)
            engine.deal(self.table, self.deck_array)

    @property
    def mover(self) -> int:
        """Whose turn it is."""
        return int(self.table.seat)

    seat = mover

    @property
    def deck(self) -> list[Card]:
        """All cards in the order in which they are dealt and drawn."""
        return [Card.of(int(card)) for card in self.deck_array]

    @property
    def legal_moves(self) -> list[Move]:
        """The legal moves of the seat to move."""
        return [] if self.is_over else self._legal_moves()

    @property
    def orders(self) -> list[list[int]]:
        """The place in the deck of each card of each seat, oldest first: a card's identity."""
        return [[int(order) for order in row if order != NO_CARD] for row in self.table.orders[: self.players]]

    def history(self) -> Iterator[tuple[Any, Move]]:
        """The moves made so far, each with the table before it."""
        for tables, move in zip(self._past, self.moves, strict=True):
            yield tables[0], move

    @property
    def discard_pile(self) -> list[Card]:
        """The discarded and misplayed cards in the order in which they fell."""
        pile = []
        for table, move in self.history():
            if move.kind in (Kind.PLAY, Kind.DISCARD):
                card = Card.of(int(table.hands[table.seat, move.target]))
                if move.kind is Kind.DISCARD or not int(table.playable) >> card.number & 1:
                    pile.append(card)
        return pile

    def verify(self, move: Move) -> int:
        """The number of a legal move; raises IllegalMove with the reason otherwise."""
        if self.is_over:
            raise IllegalMove(f"{move}: the game is over")
        code = self.encode(move)
        if not engine.is_legal(self.table, code):
            raise IllegalMove(f"{move}: {self._reason(move)}")
        return code

    def _reason(self, move: Move) -> str:
        """Why a well-formed move is illegal now."""
        if move.kind in (Kind.PLAY, Kind.DISCARD):
            return f"no discard is allowed while all {self.settings.hint_tokens} hint tokens are there"
        if not self.hint_tokens:
            return "there is no hint token left"
        if self.settings.multicolour == "wild" and move.kind == Kind.COLOUR and move.value == self.settings.suits - 1:
            return "the wild suit cannot be named"
        return f"it touches no card of seat {move.target}"

    def is_legal(self, move: Move) -> bool:
        """Whether a move is legal now."""
        try:
            self.verify(move)
        except IllegalMove:
            return False
        return True

    def push(self, move: Move | str) -> None:
        """Makes a move, given as such or as text."""
        move = Move.parse(move) if isinstance(move, str) else move
        code = self.verify(move)
        self._past.append(self.tables.copy())
        self.moves.append(move)
        engine.apply(self.table, self.deck_array, code)

    def undo(self) -> Move:
        """Takes the last move back."""
        if not self.moves:
            raise IndexError("there is no move to undo")
        self.tables = self._past.pop()
        return self.moves.pop()

    def copy(self) -> "Game":
        """An independent copy."""
        twin = object.__new__(Game)
        vars(twin).update(vars(self))
        twin.tables, twin.deck_array = self.tables.copy(), self.deck_array.copy()
        twin.moves, twin._past = self.moves.copy(), self._past.copy()
        return twin

    def view(self, seat: int | None = None, seed: int = 0) -> View:
        """What a seat sees, by default the seat to move; an agent that draws lots draws them from the seed."""
        seat = self.seat if seat is None else seat
        if not 0 <= seat < self.players:
            raise ValueError(f"there is no seat {seat} at a table of {self.players}")
        return View(self.settings, self.tables, seat, seed)

    def __repr__(self) -> str:
        return f"<Game players={self.players} seed={self.seed} turn={self.turn} score={self.score}>"


def check_seed(seed: int) -> int:
    """A seed, if it is one."""
    if not 0 <= seed < 1 << 64:
        raise ValueError(f"a seed is a whole number from 0 to 2**64 - 1, not {seed}")
    return seed


def check_deck(deck: Sequence[Card], settings: Settings) -> list[int]:
    """The numbers of the cards of a deck, if it is a complete one."""
    numbers = [Card(*card).number for card in deck]
    if sorted(numbers) != settings.cards:
        wrong = [card for card in range(CARDS) if numbers.count(card) != settings.copies(card)]
        names = ", ".join(f"{card_name(card)} {numbers.count(card)} of {settings.copies(card)}" for card in wrong[:5])
        raise ValueError(f"the deck has {len(numbers)} of {settings.deck_size} cards" + (f"; {names}" if names else ""))
    return numbers
