"""Where everything stands in an observation, for any settings."""

import functools
from typing import Any, NamedTuple

import numpy as np

from tamaya.engine.jit import record
from tamaya.engine.settings import CARDS, Settings

TYPES = ("minimal", "card_knowledge", "seer")
MINIMAL, CARD_KNOWLEDGE, SEER = range(3)
"""What an observation tells of the hints: nothing, what they say of each card, or instead every card itself."""

LAYOUT = record(
    type="i8",
    length="i8",  # the bits of an observation
    cards="i8",  # the different cards of the game
    # where each section begins
    hands="i8",
    missing="i8",
    deck="i8",
    fireworks="i8",
    hint_tokens="i8",
    lives="i8",
    discards=("i8", CARDS),
    mover="i8",
    kind="i8",
    target="i8",
    colour="i8",
    rank="i8",
    touched="i8",
    slot="i8",
    card="i8",
    scored="i8",
    knowledge="i8",
)


class Section(NamedTuple):
    """A part of an observation: its name, its first bit, how many bits it has, and what they mean."""

    name: str
    start: int
    length: int
    meaning: str


def lengths(settings: Settings) -> dict[str, tuple[int, str]]:
    """The sections of an observation in order, each with its bits and what they mean."""
    players, hand, suits, ranks = settings.players, settings.hand_size, settings.suits, settings.ranks
    cards, deck = suits * ranks, settings.deck_size
    return {
        "hands": ((players - 1) * hand * cards, "the cards of the others, next seat first, oldest card first: one bit"),
        "missing": (players, "whose hand lacks a card, observer first"),
        "deck": (deck - players * hand, "the cards left to draw: as many ones, then zeros"),
        "fireworks": (suits * ranks, "the height of each firework: one bit, none while it is empty"),
        "hint_tokens": (settings.hint_tokens, "the hint tokens left: as many ones, then zeros"),
        "lives": (settings.lives, "the lives left: as many ones, then zeros"),
        "discards": (deck, "the copies of each card that were discarded or misplayed: as many ones, then zeros"),
        "mover": (players, "who made the last move, observer first; all bits of the last move are zero at the start"),
        "kind": (4, "what it was: play, discard, colour hint, rank hint"),
        "target": (players, "whom it told something, observer first"),
        "colour": (suits, "the colour that was told"),
        "rank": (ranks, "the rank that was told"),
        "touched": (hand, "the cards that it touched, oldest first"),
        "slot": (hand, "the place of the card that was played or discarded"),
        "card": (cards, "that card"),
        "scored": (2, "whether it was a play that scored, and whether that play gave a hint token back"),
        "knowledge": (
            players * hand * (cards + suits + ranks),
            "what hints say of each card, observer first: the cards it can be, the colour told of it, the rank told",
        ),
    }


def sections(settings: Settings, observation_type: str = "card_knowledge") -> list[Section]:
    """The sections of an observation, in order."""
    found, start = [], 0
    for name, (length, meaning) in lengths(settings).items():
        if name != "knowledge" or check_type(observation_type) != MINIMAL:
            found.append(Section(name, start, length, meaning))
            start += length
    return found


def check_type(observation_type: str) -> int:
    """The number of a type of observation, if it is one."""
    if observation_type not in TYPES:
        raise ValueError(f"observation_type must be {', '.join(TYPES[:-1])} or {TYPES[-1]}, not {observation_type!r}")
    return TYPES.index(observation_type)


@functools.lru_cache
def observation_length(settings: Settings, observation_type: str = "card_knowledge") -> int:
    """The bits of an observation."""
    last = sections(settings, observation_type)[-1]
    return last.start + last.length


def count_moves(settings: Settings) -> int:
    """How many moves HLE numbers in a game."""
    return 2 * settings.hand_size + (settings.players - 1) * (settings.suits + settings.ranks)


@functools.lru_cache
def layout_of(settings: Settings, observation_type: str = "card_knowledge") -> np.ndarray:
    """The layout of observations, as an array of one record."""
    layouts = np.zeros(1, LAYOUT)
    layout: Any = layouts[0]
    layout.type = check_type(observation_type)
    layout.length, layout.cards = observation_length(settings, observation_type), settings.suits * settings.ranks
    for section in sections(settings, observation_type):
        if section.name == "discards":
            layout.discards[:] = section.start + discards_before(settings)
        else:
            layout[section.name] = section.start
    return layouts


def discards_before(settings: Settings) -> np.ndarray:
    """How many bits of the discards come before those of each card."""
    copies = np.array([settings.copies(card) for card in range(CARDS)], dtype=np.int64)
    return np.array(np.cumsum(copies) - copies)
