"""How a table begins and ends: it is opened for an order, and its finished games are added to a file."""

import os
import secrets
from pathlib import Path

import msgspec

from tamaya.engine.settings import Settings
from tamaya.engine.text import plain
from tamaya.game.game import check_seed
from tamaya.game.notation import NAMES
from tamaya.game.replay import dumps
from tamaya.play.tables.bots import Bots
from tamaya.play.tables.journal import Holder, Kept, Opened
from tamaya.play.tables.messages import Order, Place, Refused
from tamaya.play.tables.table import Table

GAMES = "games.jsonl"
"""The file of all finished games of a folder, in hanab.live's format."""


def open_table(order: Order, bots: Bots, folder: Path, suffix: str) -> Table:
    """A new table for an order, with its journal in a folder."""
    table_id = secrets.token_urlsafe(8)
    opened = Opened(table_id, rules_of(order), holders_of(order, bots), seed_of(order), order.delay)
    return Table.begun(opened, folder / f"{table_id}{suffix}")


def keep(table: Table, games: Path) -> None:
    """Adds a finished game to a file of games, once."""
    if table.game.is_over and not table.is_kept:
        place = os.open(games, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(place, dumps(table.record()) + b"\n")
        finally:
            os.close(place)
        table.enter(Kept())


def rules_of(order: Order) -> Settings:
    """The rules of an order."""
    try:
        rules: Settings = msgspec.convert({**order.rules, "players": len(order.seats)}, Settings)
    except msgspec.ValidationError as error:
        raise Refused(f"these rules cannot be played: {error}") from error
    return rules


def holders_of(order: Order, bots: Bots) -> list[Holder]:
    """Who holds the seats of an order; whoever ordered it has a seat at once, other people are invited."""
    for place in order.seats:
        if place.agent:
            bots.check(place.agent, rules_of(order))
    holders = []
    for number, place in enumerate(order.seats):
        secret = "" if place.agent else secrets.token_urlsafe(16)
        is_mine = number == order.mine
        holders.append(
            Holder(
                name_of(place, number),
                place.agent,
                token=secret if is_mine else "",
                invitation="" if is_mine else secret,
            )
        )
    return holders


def name_of(place: Place, number: int) -> str:
    """The name of whoever sits in a seat."""
    return plain(place.name).strip()[:24] or NAMES[number]


def seed_of(order: Order) -> int:
    """The seed of an order: its own, or one that nobody can guess and that fits a browser's numbers."""
    return check_seed(int(order.seed)) if order.seed else secrets.randbits(53)
