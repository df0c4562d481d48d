"""Recorded games: hanab.live's JSON, written, read back, and checked move by move."""

from tamaya.game.hanab_live import GameFileError, Record
from tamaya.game.replay import dumps, from_record, link, load, loads, records, save, to_record

__all__ = ["GameFileError", "Record", "dumps", "from_record", "link", "load", "loads", "records", "save", "to_record"]
