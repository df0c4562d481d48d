"""Recorded games: hanab.live's JSON, written, read back, and checked move by move."""

from tamaya.game.replay import GameFileError, Record, dumps, from_record, load, loads, records, save, to_record

__all__ = ["GameFileError", "Record", "dumps", "from_record", "load", "loads", "records", "save", "to_record"]
