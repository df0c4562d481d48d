"""Recorded games in hanab.live's JSON: written, read back, and checked move by move."""

import contextlib
import itertools
import os
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from tamaya.engine.settings import Settings
from tamaya.engine.text import in_words
from tamaya.game import jaxmarl, links
from tamaya.game.game import Game
from tamaya.game.hanab_live import (
    ENDINGS,
    Action,
    CardJson,
    Extension,
    GameFileError,
    Record,
    opened,
    options_of,
    options_say_all,
    settings_of_record,
    wording_of,
)
from tamaya.game.notation import NAMES, Card, Kind, Move
from tamaya.game.position import IllegalMove

LONGEST_LINE = 1 << 24
"""How many bytes a game takes at most."""


def to_record(game: Game, agents: Sequence[str] = ()) -> Record:
    """The record of a game, with the names of the agents, seat by seat.

    A game that was read from a file keeps everything else that the file said.
    """
    actions = [to_action(before, move) for before, move in game.history()]
    if game.origin is None or agents:
        made = make_record(game.settings, game.deck, actions, agents, game.seed)
        made.players = list(game.wording.players[: game.players])
        return made
    before = game.origin.actions
    is_same = actions == before[: len(actions)] and len(actions) == sum(one.type not in ENDINGS for one in before)
    record: Record = msgspec.structs.replace(game.origin, actions=before if is_same else actions)
    return record


def make_record(
    settings: Settings, deck: Sequence[Card], actions: list[Action], agents: Sequence[str], seed: int | None
) -> Record:
    """The record of a deck and the actions taken with it."""
    if agents and len(agents) != settings.players:
        raise ValueError(f"{len(agents)} agents for {settings.players} seats")
    return Record(
        players=list(NAMES[: settings.players]),
        deck=[CardJson(colour, rank) for colour, rank in deck],
        actions=actions,
        options=options_of(settings),
        tamaya=Extension(agents=list(agents), seed=seed, settings=None if options_say_all(settings) else settings),
    )


def to_action(table: Any, move: Move) -> Action:
    """The action for a move made at a table."""
    if move.kind in (Kind.PLAY, Kind.DISCARD):
        return Action(int(move.kind), int(table.orders[table.seat, move.target]))
    return Action(int(move.kind), move.target, move.value)


def from_record(record: Record) -> Game:
    """The game in a record; raises GameFileError at the first move that breaks the rules."""
    try:
        settings = settings_of_record(record)
        extension = record.tamaya or Extension()
        if extension.agents and len(extension.agents) != settings.players:
            raise GameFileError(f"{len(extension.agents)} agents for {settings.players} seats")
        game = Game(settings, extension.seed or 0, deck=[Card(card.suit, card.rank) for card in record.deck])
        game.seed, game.origin, game.wording = extension.seed, record, wording_of(record)
    except GameFileError:
        raise
    except ValueError as error:
        raise GameFileError(str(error)) from error
    for number, action in enumerate(record.actions, 1):
        if action.type in ENDINGS:
            if number < len(record.actions):
                raise GameFileError(f"action {number} ends the game, but others follow")
            break
        try:
            game.push(from_action(game, action))
        except ValueError as error:
            raise GameFileError(f"action {number}: {error}") from error
    return game


def from_action(game: Game, action: Action) -> Move:
    """The move for an action by the seat to move."""
    if action.type not in list(Kind):
        raise GameFileError(f"there is no action of type {action.type}")
    kind = Kind(action.type)
    if kind in (Kind.COLOUR, Kind.RANK):
        return Move(kind, action.target, action.value)
    if action.value:
        raise IllegalMove(f"a play or a discard has no value, but {action.value} is given")
    held = game.orders[game.seat]
    if action.target not in held:
        raise IllegalMove(f"{game.wording.player(game.seat)} does not hold card {action.target} of the deck")
    return Move(kind, held.index(action.target))


def dumps(record: Record) -> bytes:
    """A record as one line of JSON."""
    return msgspec.json.encode(record)


def loads(text: bytes | str) -> Record:
    """The record in a JSON text."""
    try:
        return msgspec.json.decode(text, type=Record)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        with contextlib.suppress(msgspec.MsgspecError, UnicodeError, RecursionError):
            content = msgspec.json.decode(text)
            if isinstance(content, dict) and "deck" in content and "players" not in content:
                return jaxmarl.from_game(content)
        raise GameFileError(f"not a game in hanab.live's format: {in_words(error)}") from error


def save(game: Game, path: str | Path, agents: Sequence[str] = ()) -> None:
    """Writes a game to a file."""
    Path(path).write_bytes(dumps(to_record(game, agents)) + b"\n")


def link(game: Game) -> str:
    """The share link of hanab.live for a game, checked by reading it; raises GameFileError if there is none.

    It holds neither the names of the players nor their notes.
    """
    text = links.encode_link(to_record(game))
    if from_record(links.decode_link(text)).moves != game.moves:
        raise GameFileError("a link of hanab.live cannot hold this game")
    return text


def link_if_any(game: Game) -> str:
    """The share link of hanab.live for a game; empty if there is none."""
    try:
        return link(game)
    except GameFileError:
        return ""


def records(source: str | Path) -> Iterator[Record]:
    """The records in a file: a game, a list of them or one per line; or arrays of JaxMARL; perhaps compressed.

    A file with one game per line may be of any size. Instead of a file, a share link or the JSON of a game will do, or
    a folder: the games of all runs in it, or else of all its files of games.
    """
    text = str(source)
    if text.lstrip().startswith("{"):
        yield loads(text)
    elif links.looks_like_link(text) and not os.path.exists(text):
        yield links.decode_link(text)
    elif os.path.isdir(text):
        for path in files_of_games(Path(text)):
            yield from records_of_file(path)
    else:
        yield from records_of_file(source)


def files_of_games(folder: Path) -> list[Path]:
    """The games of all runs in a folder, or else all files in it that may be of games."""
    files = sorted(folder.rglob("games.jsonl")) or sorted(
        path for path in folder.iterdir() if path.suffix in (".json", ".jsonl", ".gz", ".safetensors")
    )
    beside = {jaxmarl.actions_beside(path) for path in files if jaxmarl.actions_beside(path) != path}
    files = [path for path in files if path not in beside]
    if (folder / "games.sqlite").exists() and not list(folder.rglob("games.jsonl")):
        words = f"{folder} is a run without games.jsonl, and its other files hold no moves"
        raise GameFileError(f'{words}; runs keep moves with keep = "moves", and `tamaya report` writes them')
    if not files:
        raise GameFileError(f'{folder} holds no games; runs keep them with keep = "moves", and reports write them')
    return files


def records_of_file(path: str | Path) -> Iterator[Record]:
    """The records in a file."""
    with opened(path) as file:
        yield from records_from(file, path)


def records_from(file: BinaryIO, path: str | Path) -> Iterator[Record]:
    """The records in an open file, which is called by its path if something is wrong with it."""
    if jaxmarl.looks_like_arrays(file.peek(9)[:9]):  # type: ignore[attr-defined]
        yield from naming_the_file(path, lambda: jaxmarl.from_arrays(jaxmarl.read_arrays(file.read(jaxmarl.LARGEST))))
        return
    if file.peek(len(BOM_UTF8)).startswith(BOM_UTF8):  # type: ignore[attr-defined]
        file.read(len(BOM_UTF8))
    first = file.readline(LONGEST_LINE)
    rest = b"" if is_a_game(first) else file.read(LONGEST_LINE)
    if len(first) == LONGEST_LINE or len(rest) == LONGEST_LINE:
        raise GameFileError(f"{path} is not a file of games: a game takes less than {LONGEST_LINE:,} bytes")
    if not (first + rest).strip():
        raise GameFileError(f"{path} is empty")
    whole = None if is_a_game(first) else whole_file(first + rest, Path(path))
    if whole is not None:
        yield from naming_the_file(path, lambda: whole)
        return
    lines = itertools.chain([first], rest.splitlines(keepends=True), iter(lambda: file.readline(LONGEST_LINE), b""))
    yield from records_in(lines, path)


def naming_the_file(path: str | Path, read: Callable[[], Iterable[Record]]) -> Iterator[Record]:
    """Records, or what is wrong with them, with the name of the file."""
    try:
        yield from read()
    except GameFileError as error:
        raise GameFileError(f"{path}, {error}") from error


def whole_file(text: bytes, path: Path) -> Iterable[Record] | None:
    """The records of a text that is one piece of JSON: a game, or many of them; nothing if it is not."""
    if is_a_game(text):
        return [loads(text)]
    try:
        content = msgspec.json.decode(text)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None
    if isinstance(content, list) and content and isinstance(content[0], dict) and "actions" in content[0]:
        return listed(content)
    return jaxmarl.from_json(content, path) if jaxmarl.is_collection(content) else None


def listed(games: list[Any]) -> Iterator[Record]:
    """The records of a list of games."""
    for number, game in enumerate(games, 1):
        try:
            yield loads(msgspec.json.encode(game))
        except GameFileError as error:
            raise GameFileError(f"game {number}: {error}") from error


def is_a_game(text: bytes) -> bool:
    """Whether a text is the record of a game."""
    try:
        loads(text)
    except GameFileError:
        return False
    return True


def records_in(lines: Iterable[bytes], path: str | Path) -> Iterator[Record]:
    """The records of lines that are not empty."""
    for number, line in enumerate((line for line in lines if line.strip()), 1):
        try:
            yield loads(line)
        except GameFileError as error:
            raise GameFileError(f"{path}, line {number}: {error}") from error


def game_in(source: str | Path, number: int, record: Record) -> Game:
    """The game of a record that has a number in a file; what is wrong with it is told with both."""
    try:
        return from_record(record)
    except GameFileError as error:
        place = f"{source}, game {number}: " if os.path.exists(source) else ""  # a link would be too long
        raise GameFileError(f"{place}{error}") from error


def load(path: str | Path) -> Game:
    """The first game in a file."""
    return game_in(path, 1, next(records(path)))
