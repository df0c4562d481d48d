"""The settings of a game of Hanabi, checked when they are made."""

from typing import Literal, get_args

import msgspec

Multicolour = Literal["none", "suit", "single", "wild"]
"""The extra suit of Walton-Rivers et al., section VII: absent, a plain suit, one card of each rank, or wild."""

OFFICIAL_HAND = {2: 5, 3: 5, 4: 4, 5: 4}
MAX_TOKENS = 30
MAX_LIVES = 10


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The rules of a game; the defaults are the official ones."""

    players: int = 2
    hand_size: int = 0
    """2 to 6 cards; 0 stands for the official size: five, or four with 4 or 5 players."""
    colours: int = 5
    ranks: int = 5
    hint_tokens: int = 8
    lives: int = 3
    discard_at_limit: bool = False
    """Whether a player may discard while all hint tokens are available, gaining none."""
    empty_hints: bool = False
    """Whether a hint may touch no card, as in Bouzy's rules."""
    multicolour: Multicolour = "none"
    """A suit added to the colours; ``wild`` is touched by every colour hint and cannot be named."""

    def __post_init__(self) -> None:
        self._check("players", self.players, 2, SEATS)
        if self.hand_size == 0:
            msgspec.structs.force_setattr(self, "hand_size", OFFICIAL_HAND[self.players])
        self._check("hand_size", self.hand_size, 2, SLOTS)
        if self.multicolour not in get_args(Multicolour):
            raise ValueError(f"multicolour must be one of {', '.join(get_args(Multicolour))}, not {self.multicolour!r}")
        self._check("colours", self.colours, 1, COLOURS - (self.multicolour != "none"))
        self._check("ranks", self.ranks, 1, RANKS)
        self._check("hint_tokens", self.hint_tokens, 1, MAX_TOKENS)
        self._check("lives", self.lives, 1, MAX_LIVES)
        for name in ("discard_at_limit", "empty_hints"):
            if not isinstance(getattr(self, name), bool):
                raise ValueError(f"{name} must be True or False, not {getattr(self, name)!r}")
        if self.players * self.hand_size > self.deck_size:
            raise ValueError(
                f"{self.players} players with hands of {self.hand_size} need {self.players * self.hand_size} cards, "
                f"but {self.suits} suits of {self.ranks} ranks have {self.deck_size}; "
                "take smaller hands, fewer players or a larger deck"
            )

    @staticmethod
    def _check(name: str, value: int, low: int, high: int) -> None:
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise ValueError(f"{name} must be a whole number from {low} to {high}, not {value!r}")

    @property
    def suits(self) -> int:
        """The number of fireworks: the colours and the extra suit."""
        return self.colours + (self.multicolour != "none")

    @property
    def max_score(self) -> int:
        """The score of a perfect game."""
        return self.suits * self.ranks

    def copies(self, card: int) -> int:
        """How many copies of a card there are in the deck."""
        colour, rank = divmod(card, RANKS)
        if colour >= self.suits or rank >= self.ranks:
            return 0
        if self.multicolour == "single" and colour == self.suits - 1:
            return 1
        if rank == 0:
            return 3
        return 1 if rank == self.ranks - 1 else 2

    @property
    def cards(self) -> list[int]:
        """Every card of the deck, sorted."""
        return [card for card in range(COLOURS * RANKS) for _ in range(self.copies(card))]

    @property
    def deck_size(self) -> int:
        """The number of cards in the deck."""
        return len(self.cards)


def differing(one: msgspec.Struct, other: msgspec.Struct) -> tuple[str, str]:
    """The fields in which two games, or other records of one kind, differ, with the values of each."""
    mine, theirs = msgspec.structs.asdict(one), msgspec.structs.asdict(other)
    names = [name for name, value in mine.items() if value != theirs[name]]
    return ", ".join(f"{name}={mine[name]}" for name in names), ", ".join(f"{name}={theirs[name]}" for name in names)


COLOURS = 6
RANKS = 5
CARDS = COLOURS * RANKS
SEATS = 5
SLOTS = 6
