"""Cards and moves for Python users, with their text forms."""

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from tamaya.engine.cards import COLOUR_LETTERS, COLOUR_NAMES, card_name, parse_card
from tamaya.engine.settings import COLOURS, RANKS
from tamaya.engine.text import plain


class Kind(IntEnum):
    """The kinds of moves, numbered as on hanab.live."""

    PLAY = 0
    DISCARD = 1
    COLOUR = 2
    RANK = 3


class Card(NamedTuple):
    """A card: a colour from 0 to 5 and a rank from 1 to 5."""

    colour: int
    rank: int

    @classmethod
    def parse(cls, name: str) -> "Card":
        """The card with a short name such as ``R1``."""
        return cls.of(parse_card(name))

    @classmethod
    def of(cls, number: int) -> "Card":
        """The card with a kernel number."""
        return cls(number // RANKS, number % RANKS + 1)

    @property
    def number(self) -> int:
        """The kernel number of the card."""
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
        """Play the card in a slot; slot 0 is the oldest."""
        return cls(Kind.PLAY, slot)

    @classmethod
    def discard(cls, slot: int) -> "Move":
        """Discard the card in a slot."""
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
        """The move written as a text such as ``play 0``, ``discard 4``, ``tell 1 red`` or ``tell 1 5``."""
        match text.lower().split():
            case ["play", slot] if slot.isdigit():
                return cls.play(int(slot))
            case ["discard", slot] if slot.isdigit():
                return cls.discard(int(slot))
            case ["tell", seat, rank] if seat.isdigit() and rank.isdigit():
                return cls.tell_rank(int(seat), int(rank))
            case ["tell", seat, colour] if seat.isdigit() and colour in COLOUR_NAMES:
                return cls.tell_colour(int(seat), COLOUR_NAMES.index(colour))
        raise ValueError(f"{text!r} is not a move; write moves as in: play 0, discard 4, tell 1 red, tell 1 5")

    def __str__(self) -> str:
        if self.kind == Kind.COLOUR:
            return f"tell {self.target} {COLOUR_NAMES[self.value] if self.value in range(COLOURS) else self.value}"
        if self.kind == Kind.RANK:
            return f"tell {self.target} {self.value}"
        return f"{Kind(self.kind).name.lower()} {self.target}"

    def __repr__(self) -> str:
        return f"<{self}>"


ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
"""What the cards of a hand are called, oldest first."""

NAMES = ("Alice", "Bob", "Cathy", "Donald", "Emily")


@dataclass(frozen=True)
class Wording:
    """What the players and the suits of a game are called."""

    players: tuple[str, ...] = NAMES
    colours: tuple[str, ...] = COLOUR_NAMES
    letters: str = COLOUR_LETTERS

    def player(self, seat: int) -> str:
        """The name of a player, made safe to show."""
        return plain(self.players[seat])

    def card(self, card: Card | None) -> str:
        """A card in short: ``R1``."""
        return "??" if card is None else f"{self.letters[card.colour]}{card.rank}"

    def full_card(self, card: Card) -> str:
        """A card in words: ``red 1``."""
        return f"{self.colours[card.colour]} {card.rank}"

    def say(self, move: Move) -> str:
        """A move in words: ``play the first card``, ``tell Bob red``."""
        if move.kind in (Kind.PLAY, Kind.DISCARD):
            return f"{move.kind.name.lower()} the {ORDINALS[move.target]} card"
        what = self.colours[move.value] if move.kind == Kind.COLOUR else str(move.value)
        return f"tell {self.player(move.target)} {what}"

    def move(self, move: Move) -> str:
        """A move in its text form, with the colour names of the game."""
        return f"tell {move.target} {self.colours[move.value]}" if move.kind == Kind.COLOUR else str(move)
