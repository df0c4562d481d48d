"""The library: games that people bring, by a file or a link, and the studies of them."""

import io
import itertools
import re
import secrets
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tamaya.engine.text import count_of, plain
from tamaya.game import links
from tamaya.game.hanab_live import MAGIC, GameFileError, Record
from tamaya.game.replay import dumps, from_record, records_from
from tamaya.game.story import in_short
from tamaya.play.tables.bots import Bots
from tamaya.play.tables.game_table import Table
from tamaya.play.tables.journal import Journal, Studied
from tamaya.play.tables.messages import Refused
from tamaya.play.tables.study import Study

LARGEST = 1 << 20
"""How many bytes a file has at most, also when it is unpacked."""

LARGEST_GAME = 1 << 16
"""How many bytes a game has at most that is studied."""

MOST_LISTED = 100
"""How many games of a file are listed."""

MOST_STUDIES = 300
"""How many studies are kept in memory; all of them are in files."""


class Library:
    """The studies of a server, with their journals in a folder, and the games that it offers."""

    def __init__(self, folder: Path, bots: Bots, offered: Iterable[Record] = ()) -> None:
        self.folder, self.bots = folder, bots
        self.studies: dict[str, Study] = {}
        self.offered = list(itertools.islice(offered, MOST_LISTED))
        self.listed = game_list(self.offered)

    def find(self, study_id: str) -> Study:
        """A study, from memory or from its journal."""
        if study_id not in self.studies:
            path = self.path_of(study_id)
            if not re.fullmatch(r"[\w-]{11}", study_id) or not path.exists():
                raise Refused("there is no such study")
            self.remember(Study.resumed(Journal(path)))
        return self.studies[study_id]

    def path_of(self, study_id: str) -> Path:
        """The journal of a study."""
        return self.folder / f"{study_id}.study"

    def remember(self, study: Study) -> None:
        """Keeps a study in memory, and forgets the oldest one that is idle; its file stays."""
        self.studies[study.id] = study
        if len(self.studies) > MOST_STUDIES:
            oldest = next((one for one in self.studies.values() if not one.busy), None)
            if oldest is not None:
                del self.studies[oldest.id]

    def begin(self, record: Record, makers: list[str] | None = None) -> Study:
        """A new study of a game."""
        if len(dumps(record)) > LARGEST_GAME:
            raise Refused(f"a game to study has at most {LARGEST_GAME:,} bytes")
        study_id = secrets.token_urlsafe(8)
        makers = self.makers_of(record) if makers is None else makers
        study = Study.begun(Studied(study_id, record, makers), self.path_of(study_id))
        self.remember(study)
        return study

    def makers_of(self, record: Record) -> list[str]:
        """The agent that made each move of a record, as far as it is one that this server offers."""
        named = record.tamaya.agents if record.tamaya else []
        agents = [text if text in self.bots.offered else "" for text in named] or [""]
        return [agents[turn % len(agents)] for turn in range(len(from_record(record).moves))]

    def of_table(self, table: Table) -> Study:
        """A new study of the game of a table, which must be over."""
        if not table.game.is_over:
            raise Refused("a game can be studied when it is over")
        return self.begin(table.record(), list(table.makers))

    def of_offered(self, number: int) -> Study:
        """A new study of a game that the server offers."""
        return self.begin(chosen_game(self.offered, number))


def chosen_game(games: Iterable[Record], number: int) -> Record:
    """The game with a number, counted from 1."""
    record = next(itertools.islice(games, number - 1, None), None) if number > 0 else None
    if record is None:
        raise Refused(f"there is no game {number}")
    return record


def read_games(content: bytes) -> list[Record]:
    """The games in a share link, or in the content of a file, as all commands read it."""
    content = unpacked(content)
    text = content[:2000].decode("utf-8", "replace")
    if links.looks_like_link(text):
        return [links.decode_link(text)]
    found = list(itertools.islice(records_from(io.BufferedReader(io.BytesIO(content)), "the file"), MOST_LISTED))
    if not found:
        raise GameFileError("the file holds no game")
    return found


def unpacked(content: bytes) -> bytes:
    """The content of a file; what gzip has compressed is unpacked, unless it is too large."""
    if not content.startswith(MAGIC):
        return content
    try:
        unpacking = zlib.decompressobj(wbits=31)
        whole = unpacking.decompress(content, LARGEST)
    except zlib.error as error:
        raise GameFileError("what gzip has compressed is damaged") from error
    if not unpacking.eof:
        raise GameFileError(f"the file is cut short, or has more than {LARGEST:,} bytes when it is unpacked")
    return whole


def game_list(found: Iterable[Record]) -> list[dict[str, Any]]:
    """The games of a file as people choose among them."""
    return [{"game": number, **game_summary(record)} for number, record in enumerate(found, 1)]


def game_summary(record: Record) -> dict[str, Any]:
    """A game in short, or what is wrong with it."""
    names = record.tamaya.agents if record.tamaya and record.tamaya.agents else record.players
    who = plain(names[0] if len(set(names)) == 1 else "+".join(names))[:80] if names else ""
    try:
        game = from_record(record)
    except GameFileError as error:
        return {"names": who, "trouble": plain(str(error))[:200]}
    ending = f"{game.score} of {game.max_score} points, {count_of(len(game.moves), 'move')}"
    return {"names": who, "players": game.players, "ending": ending, "how": in_short(game)}
