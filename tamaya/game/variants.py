"""The variants of hanab.live that our rules can play, with their numbers and suits."""

from typing import Any, NamedTuple

EXTRA_SUITS = {"K": "single", "M": "wild"}
"""Our names for the suits that are not plain: black has one card of each rank, and all colours touch rainbow."""


class Variant(NamedTuple):
    """A variant: its number on hanab.live, and the letters of its suits."""

    number: int
    letters: str

    @property
    def settings(self) -> dict[str, Any]:
        """Our settings for its suits."""
        extra = EXTRA_SUITS.get(self.letters[-1])
        return {"colours": len(self.letters) - 1, "multicolour": extra} if extra else {"colours": len(self.letters)}

    @property
    def colours(self) -> tuple[str, ...]:
        """What its suits are called."""
        return tuple(SUITS[letter] for letter in self.letters)


NO_VARIANT = "No Variant"

VARIANTS = {
    NO_VARIANT: Variant(0, "RYGBP"),
    "6 Suits": Variant(1, "RYGBPT"),
    "4 Suits": Variant(15, "RYGB"),
    "3 Suits": Variant(18, "RGB"),
    "Black (6 Suits)": Variant(2, "RYGBPK"),
    "Black (5 Suits)": Variant(21, "RYGBK"),
    "Rainbow (6 Suits)": Variant(3, "RYGBPM"),
    "Rainbow (5 Suits)": Variant(16, "RYGBM"),
    "Rainbow (4 Suits)": Variant(17, "RGBM"),
    "Rainbow (3 Suits)": Variant(19, "RBM"),
}

SUITS = {
    "R": "red",
    "Y": "yellow",
    "G": "green",
    "B": "blue",
    "P": "purple",
    "T": "teal",
    "K": "black",
    "M": "rainbow",
}
