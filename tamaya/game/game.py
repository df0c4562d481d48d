"""A game for Python users: push and undo moves, look at it from any seat, print it."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from tamaya.engine.cards import NO_CARD, card_name
from tamaya.engine.gameplay import apply_at, deal, deal_seeded
from tamaya.engine.randomness import derive_seed, lots_of
from tamaya.engine.settings import CARDS, Settings
from tamaya.engine.table import fresh_deck, fresh_table
from tamaya.game.notation import Card, Kind, Move
from tamaya.game.position import IllegalMove, Position
from tamaya.game.view import Seen, View


class Game(Position):
    """A game of Hanabi, from a seed or from a given deck."""

    origin: Any = None
    """The record from which the game was read, if any."""

    def __init__(
        self,
        players: int | Settings = 2,
        seed: int = 0,
        *,
        deck: Sequence[Card | str] | None = None,
        **options: Any,
    ) -> None:
        if isinstance(players, Settings) and options:
            raise TypeError(f"{', '.join(options)}: these options belong in the Settings")
        settings = players if isinstance(players, Settings) else Settings(players=players, **options)
        super().__init__(settings, fresh_table(settings))
        self.deck_array = fresh_deck(settings)
        self.moves: list[Move] = []
        self._past: list[tuple[np.ndarray, int]] = []
        self._seen: dict[int, list[Seen]] = {}
        self.lots = int(lots_of(np.uint64(check_seed(seed))))
        self.seed: int | None = int(seed) if deck is None else None
        if deck is None:
            deal_seeded(self.table, self.deck_array, np.uint64(seed))
        else:
            cards = [Card.parse(card) if isinstance(card, str) else card for card in deck]
            self.deck_array[:] = check_deck(cards, settings)
            deal(self.table, self.deck_array)

    @property
    def mover(self) -> int:
        """Whose turn it is."""
        return int(self.read("seat"))

    seat = mover

    @property
    def deck(self) -> list[Card]:
        """All cards in the order in which they are dealt and drawn."""
        return [Card.of(int(card)) for card in self.deck_array]

    @property
    def legal_moves(self) -> list[Move]:
        """The legal moves of the seat to move."""
        return self._legal_moves()

    @property
    def orders(self) -> list[list[int]]:
        """The place in the deck of each card of each seat, oldest first, which identifies the card."""
        return [[int(order) for order in row if order != NO_CARD] for row in self.table.orders[: self.players]]

    def history(self) -> Iterator[tuple[Any, Move]]:
        """The moves made so far, each with the table as it was before."""
        for (tables, _), move in zip(self._past, self.moves, strict=True):
            yield tables[0], move

    @property
    def last(self) -> tuple[np.ndarray, int] | None:
        """The table before the last move, and the kernel number of that move; None at the start."""
        return self._past[-1] if self._past else None

    @property
    def discard_pile(self) -> list[Card]:
        """The discarded and misplayed cards, in the order in which they were lost."""
        pile = []
        for table, move in self.history():
            if move.kind in (Kind.PLAY, Kind.DISCARD):
                card = Card.of(int(table.hands[table.seat, move.target]))
                if move.kind is Kind.DISCARD or not int(table.playable) >> card.number & 1:
                    pile.append(card)
        return pile

    def is_legal(self, move: Move) -> bool:
        """Whether a move is legal now."""
        try:
            self.verify(move)
        except IllegalMove:
            return False
        return True

    def push(self, move: Move | str) -> None:
        """Makes a move, given as a Move or as text."""
        move = Move.parse(move) if isinstance(move, str) else move
        if not isinstance(move, Move):
            raise IllegalMove(f"{move!r} is not a move: give a Move, or a text such as 'play 0'")
        self.advance(self.verify(move))

    def advance(self, code: int) -> None:
        """Makes a legal move, given by its kernel number."""
        self._past.append((self.tables.copy(), code))
        self.moves.append(self.decode(code))
        apply_at(self.tables, self.deck_array, code)

    def undo(self) -> Move:
        """Takes the last move back."""
        if not self.moves:
            raise IndexError("there is no move to undo")
        before, _ = self._past.pop()
        self.tables = before.copy()  # a copy of the game may share this past
        for seen in self._seen.values():
            del seen[len(self._past) :]
        return self.moves.pop()

    def copy(self) -> "Game":
        """An independent copy."""
        twin = object.__new__(Game)
        vars(twin).update(vars(self))
        twin.tables, twin.deck_array = self.tables.copy(), self.deck_array.copy()
        twin.moves, twin._past = self.moves.copy(), self._past.copy()
        twin._seen = {seat: seen.copy() for seat, seen in self._seen.items()}
        return twin

    def view(self, seat: int | None = None, seed: int | None = None) -> View:
        """What a seat sees, by default the seat to move.

        Agents take their random numbers from the seed, by default that of this turn of the game, as in a match.
        """
        seat = self.seat if seat is None else seat
        seed = int(derive_seed(np.uint64(self.lots), self.turn)) if seed is None else seed
        if not 0 <= seat < self.players:
            raise ValueError(f"there is no seat {seat} at a table of {self.players}")
        seen = self._seen.setdefault(seat, [])
        seen += [Seen.by(seat, tables, move) for tables, move in self._past[len(seen) :]]
        view = View(self.settings, self.tables, seat, seed, tuple(seen))
        view.wording = self.wording
        return view

    def __repr__(self) -> str:
        return f"<Game players={self.players} seed={self.seed} turn={self.turn} score={self.score}>"


def check_seed(seed: int) -> int:
    """A seed, if it is valid."""
    if not isinstance(seed, (int, np.integer)) or not 0 <= seed < 1 << 64:
        raise ValueError(f"a seed is a whole number from 0 to 2**64 - 1, not {seed}")
    return int(seed)


def check_deck(deck: Sequence[Card], settings: Settings) -> list[int]:
    """The numbers of the cards of a deck, if it is complete."""
    for colour, rank in deck:
        if not (0 <= colour < settings.suits and 1 <= rank <= settings.ranks):
            raise ValueError(f"there is no card with colour {colour} and rank {rank} in this game")
    numbers = [Card(*card).number for card in deck]
    if sorted(numbers) != settings.cards:
        wrong = [card for card in range(CARDS) if numbers.count(card) != settings.copies(card)]
        names = ", ".join(f"{card_name(card)} {numbers.count(card)} of {settings.copies(card)}" for card in wrong[:5])
        raise ValueError(f"the deck has {len(numbers)} of {settings.deck_size} cards" + (f"; {names}" if names else ""))
    return numbers
