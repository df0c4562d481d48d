"""The format of hanab.live: a recorded game as its JSON has it, its options as settings, its names of the suits."""

import contextlib
import functools
import gzip
import io
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import msgspec

from tamaya.engine.settings import OFFICIAL_HAND, RANKS, Settings
from tamaya.engine.text import suggestion
from tamaya.game.notation import Wording

END_GAME = 4
"""hanab.live's action for a game that was broken off; its value 4 means by a player."""
ENDINGS = (END_GAME, 5)
"""The actions that break a game off: by a player, or by a vote."""


class GameFileError(ValueError):
    """A file that holds no game, or one that breaks the rules."""


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


class CardJson(msgspec.Struct, rename={"suit": "suitIndex"}):
    """A card of a deck."""

    suit: int
    rank: int


class Action(msgspec.Struct, omit_defaults=True):
    """A move; the target is a card's place in the deck or, for a hint, a player."""

    type: int
    target: int
    value: int = 0


class Options(msgspec.Struct, omit_defaults=True, rename="camel"):
    """hanab.live's options."""

    variant: str = NO_VARIANT
    timed: bool = False
    time_base: int = 0
    time_per_turn: int = 0
    speedrun: bool = False
    empty_clues: bool = False
    one_extra_card: bool = False
    one_less_card: bool = False
    deck_plays: bool = False
    all_or_nothing: bool = False
    detrimental_characters: bool = False
    card_cycle: bool = False
    starting_player: int = 0
    variant_name: str = ""
    """Another name for the variant, which hanab.live uses where a game begins."""

    def __post_init__(self) -> None:
        if self.variant_name:
            self.variant, self.variant_name = self.variant_name, ""


class Extension(msgspec.Struct, omit_defaults=True):
    """What tamaya adds: who played, the seed, and settings that hanab.live does not have."""

    agents: list[str] = []
    seed: int | None = None
    settings: Settings | None = None
    forfeit: str = ""
    """Who failed, and how, if the game was forfeited."""


class Record(msgspec.Struct, omit_defaults=True):
    """A game as hanab.live writes it."""

    players: list[str]
    deck: list[CardJson]
    actions: list[Action]
    options: Options = msgspec.field(default_factory=Options)
    tamaya: Extension | None = None
    id: int | None = None
    seed: str | None = None
    notes: list[list[str | None]] | None = None
    characters: list[Any] | None = None


def variant_of(settings: Settings) -> str:
    """hanab.live's name for the suits of a game; empty if it has none."""
    extra = {} if settings.multicolour in ("none", "suit") else {"multicolour": settings.multicolour}
    suits = {"colours": settings.suits - len(extra), **extra}
    return next((name for name, one in VARIANTS.items() if one.settings == suits), "")


def suits_of(name: str) -> Variant:
    """The variant with a name of hanab.live."""
    if name not in VARIANTS:
        raise GameFileError(f"the hanab.live variant {name!r} is not supported{suggestion(name, VARIANTS)}")
    return VARIANTS[name]


def is_on_hanab_live(settings: Settings) -> bool:
    """Whether hanab.live supports these rules."""
    return (
        variant_of(settings) != ""
        and abs(settings.hand_size - OFFICIAL_HAND[settings.players]) <= 1
        and (settings.ranks, settings.hint_tokens, settings.lives, settings.discard_at_limit) == (RANKS, 8, 3, False)
    )


def options_of(settings: Settings) -> Options:
    """hanab.live's options for some settings."""
    extra = settings.hand_size - OFFICIAL_HAND[settings.players]
    return Options(
        variant=variant_of(settings) if is_on_hanab_live(settings) else NO_VARIANT,
        empty_clues=settings.empty_hints,
        one_extra_card=extra > 0,
        one_less_card=extra < 0,
    )


@functools.lru_cache
def options_say_all(settings: Settings) -> bool:
    """Whether hanab.live's options can express all of the settings."""
    return is_on_hanab_live(settings) and from_options(settings.players, options_of(settings)) == settings


def settings_of_record(record: Record) -> Settings:
    """The settings of a record."""
    if record.characters:
        raise GameFileError("the players have hanab.live's characters, which change the rules and are not supported")
    if record.tamaya is not None and record.tamaya.settings is not None:
        settings = record.tamaya.settings
        if settings.players != len(record.players):
            raise GameFileError(f"{len(record.players)} names for a game of {settings.players} players")
        return settings
    return from_options(len(record.players), record.options)


def from_options(players: int, options: Options) -> Settings:
    """The settings for hanab.live's options."""
    for name in ("deck_plays", "all_or_nothing", "detrimental_characters", "card_cycle", "starting_player"):
        if getattr(options, name):
            raise GameFileError(f"hanab.live's option {name!r} is not supported")
    if players not in OFFICIAL_HAND:
        raise GameFileError(f"a game has 2 to 5 players, not {players}")
    hand_size = OFFICIAL_HAND[players] + options.one_extra_card - options.one_less_card
    return Settings(
        players=players,
        hand_size=hand_size,
        empty_hints=options.empty_clues,
        **suits_of(options.variant).settings,
    )


def wording_of(record: Record) -> Wording:
    """What the players and suits of a record are called; hanab.live's suits have other names than ours."""
    if record.tamaya is not None:
        return Wording(players=tuple(record.players))
    variant = suits_of(record.options.variant)
    return Wording(tuple(record.players), variant.colours, variant.letters)


MAGIC = b"\x1f\x8b"


@contextlib.contextmanager
def opened(path: str | Path) -> Iterator[BinaryIO]:
    """A file for reading; what gzip has compressed is read as what it was. What goes wrong is a GameFileError."""
    if "\0" in str(path):
        raise GameFileError("the name of a file cannot have a null character in it")
    try:
        with Path(path).open("rb") as file:
            if file.peek(2)[:2] == MAGIC:
                with gzip.GzipFile(fileobj=file) as inside:
                    yield io.BufferedReader(inside)  # type: ignore[arg-type]
            else:
                yield file
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise GameFileError(f"{path} cannot be read: what gzip has compressed is damaged or cut short") from error
    except OSError as error:
        raise GameFileError(f"{path} cannot be read: {error.strerror or error}") from error
