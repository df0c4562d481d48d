"""Recorded games in hanab.live's JSON: written, read back, and checked move by move."""

import functools
import itertools
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from tamaya.core.settings import OFFICIAL_HAND, Settings
from tamaya.core.sizes import RANKS
from tamaya.core.spelling import in_words
from tamaya.game.game import Game
from tamaya.game.notation import NAMES, Card, Kind, Move, Wording
from tamaya.game.position import IllegalMove

END_GAME = 4
"""hanab.live's action for a game that was broken off; its value 4 means by a player."""
ENDINGS = (END_GAME, 5)
"""The actions that break a game off: by a player, or by a vote."""


LONGEST_LINE = 1 << 24
"""How many bytes a game takes at most."""


class GameFileError(ValueError):
    """A file that holds no game, or one that breaks the rules."""


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

    variant: str = "No Variant"
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


COLOURS = ("red", "yellow", "green", "blue", "purple", "teal")
LETTERS = "RYGBPT"
"""What hanab.live calls the suits; an extra suit comes after the colours of a game."""

EXTRA_SUITS = {"none": ("", ""), "suit": ("teal", "T"), "single": ("black", "K"), "wild": ("rainbow", "M")}

SUIT_NAMES = {"none": "", "suit": "", "single": "Black", "wild": "Rainbow"}


def variant_of(settings: Settings) -> str:
    """hanab.live's name for the suits of a game."""
    name = SUIT_NAMES[settings.multicolour]
    if name:
        return f"{name} ({settings.suits} Suits)"
    return "No Variant" if settings.suits == 5 else f"{settings.suits} Suits"


def suits_of(variant: str) -> dict[str, Any]:
    """The settings for hanab.live's name of the suits."""
    for suits in range(3, 7):
        for multicolour, name in SUIT_NAMES.items():
            if name and variant == f"{name} ({suits} Suits)":
                return {"colours": suits - 1, "multicolour": multicolour}
        if variant == f"{suits} Suits" or (variant == "No Variant" and suits == 5):
            return {"colours": suits}
    raise GameFileError(f"the hanab.live variant {variant!r} is not supported")


def is_on_hanab_live(settings: Settings) -> bool:
    """Whether hanab.live supports these rules."""
    return (
        (5 if settings.multicolour == "single" else 3) <= settings.suits <= 6
        and abs(settings.hand_size - OFFICIAL_HAND[settings.players]) <= 1
        and (settings.ranks, settings.hint_tokens, settings.lives, settings.discard_at_limit) == (RANKS, 8, 3, False)
    )


def options_of(settings: Settings) -> Options:
    """hanab.live's options for some settings."""
    extra = settings.hand_size - OFFICIAL_HAND[settings.players]
    return Options(
        variant=variant_of(settings) if is_on_hanab_live(settings) else "No Variant",
        empty_clues=settings.empty_hints,
        one_extra_card=extra > 0,
        one_less_card=extra < 0,
    )


@functools.lru_cache
def options_say_all(settings: Settings) -> bool:
    """Whether hanab.live's options can express all of the settings."""
    return is_on_hanab_live(settings) and from_options(settings.players, options_of(settings)) == settings


def settings_of(record: Record) -> Settings:
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
        **suits_of(options.variant),
    )


def wording_of(record: Record, settings: Settings) -> Wording:
    """What the players and suits of a record are called; hanab.live's suits have other names than ours."""
    if record.tamaya is not None:
        return Wording(players=tuple(record.players))
    name, letter = EXTRA_SUITS[settings.multicolour]
    colours, letters = COLOURS[: settings.colours], LETTERS[: settings.colours]
    return Wording(tuple(record.players), (*colours, name) if name else colours, letters + letter)


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
        settings = settings_of(record)
        extension = record.tamaya or Extension()
        if extension.agents and len(extension.agents) != settings.players:
            raise GameFileError(f"{len(extension.agents)} agents for {settings.players} seats")
        game = Game(settings, extension.seed or 0, deck=[Card(card.suit, card.rank) for card in record.deck])
        game.seed, game.origin, game.wording = extension.seed, record, wording_of(record, settings)
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
        raise GameFileError(f"not a game in hanab.live's format: {in_words(error)}") from error


def save(game: Game, path: str | Path, agents: Sequence[str] = ()) -> None:
    """Writes a game to a file."""
    Path(path).write_bytes(dumps(to_record(game, agents)) + b"\n")


def records(path: str | Path) -> Iterator[Record]:
    """The records in a file: a single game, or one per line; a file of any size is read line by line."""
    try:
        with Path(path).open("rb") as file:
            first = file.readline(LONGEST_LINE)
            rest = b"" if is_a_game(first) else file.read(LONGEST_LINE)
            if len(first) == LONGEST_LINE or len(rest) == LONGEST_LINE:
                raise GameFileError(f"{path} is not a file of games: a game takes less than {LONGEST_LINE:,} bytes")
            if not (first + rest).strip():
                raise GameFileError(f"{path} is empty")
            if rest.strip() and is_a_game(first + rest):
                yield loads(first + rest)
                return
            lines = itertools.chain(
                [first], rest.splitlines(keepends=True), iter(lambda: file.readline(LONGEST_LINE), b"")
            )
            yield from records_in(lines, path)
    except OSError as error:
        raise GameFileError(f"{path} cannot be read: {error.strerror or error}") from error


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


def load(path: str | Path) -> Game:
    """The first game in a file."""
    return from_record(next(records(path)))
