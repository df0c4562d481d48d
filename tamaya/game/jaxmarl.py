"""Games as JaxMARL has them: decks as pairs of numbers, and moves by the numbers of the Hanabi Learning Environment.

The games of people that AH2AC2 collected are such a file of arrays, in the format safetensors.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tamaya.engine.settings import Settings
from tamaya.game.hanab_live import Action, CardJson, Extension, GameFileError, Record, opened
from tamaya.game.hle.layout import count_moves
from tamaya.game.hle.move_numbers import numbered_move
from tamaya.game.notation import NAMES, Card, Kind

TYPES = {"BOOL": "?", "U8": "u1", "I8": "i1", "U16": "<u2", "I16": "<i2", "U32": "<u4", "I32": "<i4", "I64": "<i8"}
"""The names of whole numbers in a file of safetensors."""

LARGEST = 1 << 30
"""How many bytes a file of arrays may have."""


def looks_like_arrays(head: bytes) -> bool:
    """Whether a file begins as one of safetensors does: with the length of a header, and with that header."""
    return len(head) > 8 and head[8:9] == b"{" and int.from_bytes(head[:8], "little") < LARGEST


def read_arrays(content: bytes) -> dict[str, np.ndarray]:
    """The arrays in a file of safetensors; those that are not whole numbers are left out."""
    try:
        start = 8 + int.from_bytes(content[:8], "little")
        arrays = {}
        for name, about in json.loads(content[8:start]).items():
            if name != "__metadata__" and about["dtype"] in TYPES:
                first, end = about["data_offsets"]
                values = np.frombuffer(content[start + first : start + end], TYPES[about["dtype"]])
                arrays[name] = values.reshape(about["shape"])
        return arrays
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise GameFileError(f"not a file of safetensors: {error}") from error


def from_arrays(arrays: dict[str, Any]) -> Iterator[Record]:
    """The records of all games of some arrays, or of lists that are alike."""
    for name in ("decks", "actions"):
        if name not in arrays:
            raise GameFileError(f"a file of JaxMARL's games has decks and actions, but this one has no {name}")
    decks, actions = arrays["decks"], arrays["actions"]
    if len(decks) != len(actions):
        raise GameFileError(f"there are {len(decks)} decks, but the actions of {len(actions)} games")
    lengths = arrays.get("num_actions", [None] * len(decks))
    players = arrays.get("num_players")
    ids = arrays.get("game_ids", [None] * len(decks))
    for number, (deck, moves, length, one) in enumerate(zip(decks, actions, lengths, ids, strict=True), 1):
        game = {"deck": deck, "actions": moves if length is None else moves[: int(length)], "num_players": players}
        try:
            yield from_game(game, None if one is None else int(one))
        except GameFileError as error:
            raise GameFileError(f"game {number}: {error}") from error


def from_game(game: dict[str, Any], number: int | None = None) -> Record:
    """The record of one game: its deck, its actions, and perhaps its number of players, which is otherwise 2."""
    is_assumed = False
    try:
        rows = np.asarray(game["actions"]).tolist()
        players = game.get("num_players")
        if players is None:
            is_assumed = not (rows and isinstance(rows[0], list))
            players = 2 if is_assumed else len(rows[0])
        settings = Settings(players=int(np.max(players)))
        deck = [
            card_from(card) for card in (game["deck"].tolist() if hasattr(game["deck"], "tolist") else game["deck"])
        ]
        moves = [row[turn % settings.players] if isinstance(row, list) else row for turn, row in enumerate(rows)]
        actions = actions_of([int(move) for move in moves], settings)
    except GameFileError:
        raise
    except (ValueError, TypeError, KeyError, IndexError) as error:
        assumed = "; it does not say num_players, so 2 players are assumed" if is_assumed else ""
        raise GameFileError(f"not a game as JaxMARL has it: {error}{assumed}") from error
    cards = [CardJson(card.colour, card.rank) for card in deck]
    return Record(list(NAMES[: settings.players]), cards, actions, tamaya=Extension(), id=number)


def card_from(card: Any) -> Card:
    """A card, written as a colour and a rank that count from 0, or as a text such as R1."""
    if isinstance(card, str):
        return Card.parse(card)
    colour, rank = card
    return Card(int(colour), int(rank) + 1)


def actions_of(numbers: Sequence[int], settings: Settings) -> list[Action]:
    """The actions of hanab.live for the numbers of moves; where nobody moves, the game has ended."""
    hands = [
        list(range(seat * settings.hand_size, (seat + 1) * settings.hand_size)) for seat in range(settings.players)
    ]
    drawn, actions = settings.players * settings.hand_size, []
    for turn, number in enumerate(numbers):
        seat = turn % settings.players
        if number == count_moves(settings):  # to make no move comes after all moves of HLE
            break
        action = action_of(number, settings, seat, hands[seat])
        actions.append(action)
        if action.type in (Kind.PLAY, Kind.DISCARD):
            hands[seat].remove(action.target)
            hands[seat] += [drawn] if drawn < settings.deck_size else []
            drawn += 1
    return actions


def action_of(number: int, settings: Settings, seat: int, hand: Sequence[int]) -> Action:
    """The action of hanab.live for the number of a move by a seat whose cards have some orders."""
    kind, target, value = numbered_move(settings, seat, number)
    if kind in (Kind.COLOUR, Kind.RANK):
        return Action(int(kind), target, value)
    if target >= len(hand):
        raise GameFileError(f"move {number} is about slot {target} of a hand of {len(hand)}")
    return Action(int(kind), hand[target])


def from_json(content: Any, path: Path) -> Iterator[Record]:
    """The records of a decoded file: of lists of decks and actions, or of decks with a file of actions beside it."""
    if isinstance(content, dict):
        yield from from_arrays(content)
        return
    beside = actions_beside(path)
    if beside == path or not beside.exists():
        raise GameFileError("there are decks only; their moves are in a file actions.json beside decks.json")
    try:
        with opened(beside) as file:
            arrays = {"decks": [one["deck"] for one in content], "actions": json.loads(file.read(LARGEST))}
    except (json.JSONDecodeError, UnicodeError, RecursionError, KeyError, TypeError) as error:
        raise GameFileError(f"not games as JaxMARL has them, with the moves in {beside.name}: {error}") from error
    yield from from_arrays(arrays)


def actions_beside(path: Path) -> Path:
    """The file of moves that belongs to a file of decks, by their names; the path itself if it has no decks."""
    return path.with_name(path.name.replace("deck", "action"))


def is_collection(content: Any) -> bool:
    """Whether decoded JSON has many of JaxMARL's games."""
    if isinstance(content, dict):
        return "decks" in content
    return isinstance(content, list) and bool(content) and isinstance(content[0], dict) and "deck" in content[0]
