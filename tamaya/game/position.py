"""What can be read off a table, seen whole or from one seat."""

import functools
from typing import Any

import numpy as np

from tamaya.engine import knowledge
from tamaya.engine.cards import HIDDEN, HINTS, NO_CARD, members
from tamaya.engine.gameplay import is_legal_at, is_over_at, legal_at
from tamaya.engine.moves import DISCARD, PLAY, TELL
from tamaya.engine.settings import CARDS, COLOURS, Settings
from tamaya.game.notation import Card, Kind, Move, Wording

CARDS_BY_NUMBER = tuple(Card.of(number) for number in range(CARDS))
KINDS = frozenset(Kind)


@functools.cache
def decoded_move(code: int, seat: int, players: int) -> Move:
    """The move with a kernel number, for a seat."""
    if code < TELL:
        return Move.play(code - PLAY) if code < DISCARD else Move.discard(code - DISCARD)
    target, hint = (seat + 1 + (code - TELL) // HINTS) % players, (code - TELL) % HINTS
    return Move.tell_colour(target, hint) if hint < COLOURS else Move.tell_rank(target, hint - COLOURS + 1)


class IllegalMove(ValueError):
    """A move that the rules forbid, with the reason."""

    def __init__(self, reason: str, move: str = "") -> None:
        super().__init__(f"{move}: {reason}" if move else reason)
        self.reason = reason
        self.move = move
        """The move as text, as far as it is one."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Travels between processes with its fields."""
        return type(self), (self.reason, self.move)


class UntouchedHand(IllegalMove):
    """A hint that touches no card."""

    def __init__(self, seat: int, move: str = "") -> None:
        super().__init__(f"it touches no card of seat {seat}", move)
        self.seat = seat

    def __reduce__(self) -> tuple[Any, ...]:
        """Travels between processes with its fields."""
        return type(self), (self.seat, self.move)


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

    def read(self, name: str) -> Any:
        """A field of the table, read far faster than from the record."""
        return self.tables[name][0]

    @property
    def players(self) -> int:
        """The number of players."""
        return self.settings.players

    @property
    def turn(self) -> int:
        """The number of moves made."""
        return int(self.read("turn"))

    @property
    def lives(self) -> int:
        """The lives left."""
        return int(self.read("lives"))

    @property
    def hint_tokens(self) -> int:
        """The hint tokens left."""
        return int(self.read("hint_tokens"))

    @property
    def deck_left(self) -> int:
        """The cards left to draw."""
        return int(knowledge.deck_left(self.table))

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(is_over_at(self.tables))

    @property
    def score(self) -> int:
        """The points on the table, kept when all lives are lost."""
        return int(self.read("score"))

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
        return [int(top) for top in self.read("fireworks")[: self.settings.suits]]

    @property
    def hands(self) -> list[list[Card | None]]:
        """The cards of each seat, oldest first; None for a card that cannot be seen."""
        return [
            [None if card == HIDDEN else CARDS_BY_NUMBER[card] for card in hand if card != NO_CARD]
            for hand in self.read("hands")[: self.players].tolist()
        ]

    @property
    def possible(self) -> list[list[frozenset[Card]]]:
        """What each card of each seat can be, given what its holder was told."""
        return [
            [
                frozenset(map(CARDS_BY_NUMBER.__getitem__, members(mask)))
                for mask in self.read("knowledge")[seat][: len(hand)].tolist()
            ]
            for seat, hand in enumerate(self.hands)
        ]

    @property
    def hinted(self) -> list[list[tuple[int | None, int | None]]]:
        """The colour and rank of each card that hints have named, None where none has."""
        return [
            [self._named(int(told)) for told in self.read("told")[seat][: len(hand)]]
            for seat, hand in enumerate(self.hands)
        ]

    def _named(self, told: int) -> tuple[int | None, int | None]:
        colours, ranks = told & ((1 << COLOURS) - 1), told >> COLOURS
        return (colours.bit_length() - 1 if colours else None, ranks.bit_length() if ranks else None)

    @property
    def discards(self) -> list[Card]:
        """The discarded and misplayed cards, sorted."""
        return [
            card
            for card, count in zip(CARDS_BY_NUMBER, self.read("discards").tolist(), strict=True)
            for _ in range(count)
        ]

    def _legal_moves(self) -> list[Move]:
        mask = int(legal_at(self.tables))
        return [self.decode(code) for code in members(mask)]

    def decode(self, code: int) -> Move:
        """The move with a kernel number, for the seat to move."""
        return decoded_move(code, int(self.read("seat")), self.players)

    def encode(self, move: Move) -> int:
        """The kernel number of a move, for the seat to move; raises with the reason if it cannot be legal."""
        kind, target, value = move
        if kind not in KINDS:
            raise IllegalMove(f"there is no move of kind {kind!r}")
        if not isinstance(target, (int, np.integer)) or not isinstance(value, (int, np.integer)):
            raise IllegalMove(f"a move is made of whole numbers, not of {target!r} and {value!r}")
        if kind in (Kind.PLAY, Kind.DISCARD):
            if not 0 <= target < self.settings.hand_size:
                raise IllegalMove(f"there is no slot {target} in a hand of {self.settings.hand_size}", str(move))
            return (PLAY if kind == Kind.PLAY else DISCARD) + target
        seat = int(self.read("seat"))
        if not 0 <= target < self.players or target == seat:
            raise IllegalMove(f"a hint must go to another seat, from 0 to {self.players - 1}", str(move))
        if kind == Kind.COLOUR and not 0 <= value < self.settings.suits:
            raise IllegalMove(f"there are only {self.settings.suits} colours", str(move))
        if kind == Kind.RANK and not 1 <= value <= self.settings.ranks:
            raise IllegalMove(f"there are only the ranks 1 to {self.settings.ranks}", str(move))
        hint = value if kind == Kind.COLOUR else COLOURS + value - 1
        return int(TELL + ((target - seat) % self.players - 1) * HINTS + hint)

    def verify(self, move: Move) -> int:
        """The number of a legal move; raises IllegalMove with the reason otherwise."""
        if self.is_over:
            raise IllegalMove("the game is over", self.wording.move(move))
        code = self.encode(move)
        if not is_legal_at(self.tables, code):
            raise self._illegal(move)
        return code

    def _illegal(self, move: Move) -> IllegalMove:
        """Why a well-formed move is illegal now."""
        text = self.wording.move(move)
        if move.kind in (Kind.PLAY, Kind.DISCARD):
            tokens = self.settings.hint_tokens
            return IllegalMove(f"a discard is not allowed while all {tokens} hint tokens are available", text)
        if not self.hint_tokens:
            return IllegalMove("there is no hint token left", text)
        if self.settings.multicolour == "wild" and move.kind == Kind.COLOUR and move.value == self.settings.suits - 1:
            return IllegalMove("the wild suit cannot be named", text)
        return UntouchedHand(move.target, text)

    def __str__(self) -> str:
        return picture(self, self.mover)


def known(possible: frozenset[Card], wording: Wording) -> str:
    """What the hints say about a card: its colour and rank, with a dot for what is still open."""
    colours, ranks = {card.colour for card in possible}, {card.rank for card in possible}
    colour = wording.letters[min(colours)] if len(colours) == 1 else "·"
    rank = str(min(ranks)) if len(ranks) == 1 else "·"
    return colour + rank


def picture(position: Position, mover: int) -> str:
    """The table as text, one line per seat: its cards, and what it knows of them."""
    wording = position.wording
    state = "game over" if position.is_over else f"{wording.player(mover)} to move"
    fireworks = " ".join(f"{letter}{top}" for letter, top in zip(wording.letters, position.fireworks, strict=False))
    width = max(6, *(len(wording.player(seat)) for seat in range(position.players)))
    lines = [
        f"turn {position.turn}, {state}: score {position.score} of {position.max_score}, "
        f"lives {position.lives}, hints {position.hint_tokens}, deck {position.deck_left}",
        f"  fireworks {fireworks}",
        f"  discarded {' '.join(map(wording.card, position.discards)) or '-'}",
    ]
    for seat, (hand, masks) in enumerate(zip(position.hands, position.possible, strict=True)):
        cards = " ".join(map(wording.card, hand))
        knows = " ".join(known(mask, wording) for mask in masks)
        sign = ">" if seat == mover and not position.is_over else " "
        lines.append(f"{sign} {wording.player(seat):<{width}}    {cards:<18} knows {knows}")
    return "\n".join(lines)
