"""The share links of hanab.live: a whole game in the address of a page.

Such a text has three parts with commas between them: the players and the deck, the actions, and the number of the
variant. A hyphen after every 20 characters lets it be wrapped. The names and notes of the players do not travel, nor do
options such as larger hands.
"""

import re
from collections.abc import Iterator, Sequence

from tamaya.engine.settings import OFFICIAL_HAND
from tamaya.game.hanab_live import (
    END_GAME,
    VARIANTS,
    Action,
    CardJson,
    GameFileError,
    Options,
    Record,
    is_on_hanab_live,
    settings_of_record,
    variant_of,
)
from tamaya.game.notation import NAMES, Kind

SITE = "https://hanab.live/shared-replay-json/"
ADDRESS = re.compile(r"(?:https?:/{1,2})?(?:www\.)?hanab\.live/(?P<page>[^/?#]*)/?(?P<rest>[^?#]*).*", re.DOTALL)
PAGES = ("shared-replay-json", "replay-json")
BARE = re.compile(r"[2-9]-?[0-9]-?[0-9][0-9A-Za-z-]+,[0-9]-?[0-9][0-9A-Za-z-]*,[0-9-]+")
WHOLE = re.compile(r"([0-9])([0-9])([0-9])([0-9A-Za-z]+),([0-9])([0-9])([0-9A-Za-z]*),([0-9]{1,9})")

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""Numbers below 62 as one character each."""

WIDTH = 20
"""How many characters stand between two hyphens."""


def looks_like_link(text: str) -> bool:
    """Whether a text is meant as a link of hanab.live, or as the part of one that holds the game."""
    return bool(ADDRESS.fullmatch(text.strip()) or BARE.fullmatch(text.strip()))


def decode_link(link: str) -> Record:
    """The record in a share link, or in the part of one that holds the game."""
    found = ADDRESS.fullmatch(link.strip())
    if found and found["page"] not in PAGES:
        number = re.match(r"[0-9]+", found["rest"])
        file = f"https://hanab.live/export/{number[0] if number else 'NUMBER'}"
        raise GameFileError(
            f"the link names a game that only hanab.live has; save {file} as a file and give that, "
            "or take a share link, as /copy makes it in a replay"
        )
    parts = WHOLE.fullmatch((found["rest"] if found else link.strip()).replace("-", ""))
    if not parts:
        raise GameFileError("the link is damaged: it is not made of players, deck, actions and a variant")
    players, low, high, deck, first, last, actions, variant = parts.groups()
    name = next((name for name, one in VARIANTS.items() if one.number == int(variant)), None)
    if name is None:
        raise GameFileError(f"the hanab.live variant with the number {int(variant)} is not supported")
    return Record(
        players=[*NAMES, "Frank"][: int(players)],
        deck=[*cards_from(deck, int(low), int(high))],
        actions=[*actions_from(actions, int(first), int(last))],
        options=Options(variant=name),
    )


def cards_from(text: str, low: int, high: int) -> Iterator[CardJson]:
    """The cards of a deck, whose ranks lie between two numbers."""
    if low > high:
        raise GameFileError(f"the link is damaged: its ranks go from {low} to {high}")
    for letter in text:
        suit, rank = divmod(LETTERS.index(letter), high - low + 1)
        yield CardJson(suit, rank + low)


def actions_from(text: str, first: int, last: int) -> Iterator[Action]:
    """Actions, whose types lie between two numbers."""
    if first > last or len(text) % 2:
        raise GameFileError("the link is damaged: its actions are not complete")
    for letter, target in zip(text[::2], text[1::2], strict=True):
        value, kind = divmod(LETTERS.index(letter), last - first + 1)
        if value == 0 and kind + first in (Kind.COLOUR, Kind.RANK):
            raise GameFileError("the link is damaged: it has a hint that says nothing")
        yield Action(kind + first, LETTERS.index(target), max(0, value - 1))


def encode_link(record: Record) -> str:
    """The share link of a record; raises GameFileError if a link cannot hold its rules."""
    settings = settings_of_record(record)
    if not is_on_hanab_live(settings):
        raise GameFileError("hanab.live does not know the rules of this game")
    if settings.hand_size != OFFICIAL_HAND[settings.players]:
        raise GameFileError(f"a link of hanab.live has no place for hands of {settings.hand_size} cards")
    actions = [action for action in record.actions if action.type <= END_GAME]  # a vote has no player who ends the game
    text = (
        f"{len(record.players)}{deck_text(record.deck)},{actions_text(actions)},{VARIANTS[variant_of(settings)].number}"
    )
    return SITE + "-".join(text[start : start + WIDTH] for start in range(0, len(text), WIDTH))


def deck_text(deck: Sequence[CardJson]) -> str:
    """A deck with the lowest and the highest rank before it."""
    ranks = [card.rank for card in deck]
    low, high = min(ranks), max(ranks)
    return f"{low}{high}" + "".join(LETTERS[card.suit * (high - low + 1) + card.rank - low] for card in deck)


def actions_text(actions: Sequence[Action]) -> str:
    """Actions with the lowest and the highest type before them; a play or a discard has no value."""
    kinds = [action.type for action in actions] or [0]
    low, high = min(kinds), max(kinds)
    text = f"{low}{high}"
    for action in actions:
        value = 0 if action.type in (Kind.PLAY, Kind.DISCARD) else action.value + 1
        text += LETTERS[value * (high - low + 1) + action.type - low] + LETTERS[action.target]
    return text
