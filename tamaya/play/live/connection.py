"""The connection to the site: opened, opened again when it is lost, and never flooded."""

import time
from collections.abc import Iterable
from typing import Any

import msgspec

from tamaya.play.live.bot_account import BotAccount
from tamaya.play.live.login import Unreachable, log_in, socket_address
from tamaya.play.live.site_commands import read_frame
from tamaya.play.rate_limit import Allowance

BURST, PER_SECOND = 20, 5.0
"""How many commands are sent at once, and per second in the long run; the site bans who sends 100 per second."""

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
"""Seconds before a lost connection is opened again; the pause doubles while that fails."""

LARGEST = 1 << 24
"""How many bytes a command of the site may have."""


class Connection:
    """An account at a site, and its connection."""

    def __init__(self, account: BotAccount, site: str, user: str, password: str, delay: float = 0.0) -> None:
        self.account, self.site, self.user, self.password = account, site, user, password
        self.delay = delay
        """How long it waits before a move, so that people can follow."""
        self.allowance = Allowance(BURST, PER_SECOND)
        self.pause = FIRST_PAUSE

    def run(self, games: int = 0) -> None:
        """Plays until some games are over, or for ever; raises if the site cannot be reached or does not let it in."""
        self.visit(games)
        while not self.is_done(games):
            self.account.chat.note(f"the connection is lost; tries again in {self.pause:g} s")
            time.sleep(self.pause)
            self.pause = min(LONGEST_PAUSE, 2 * self.pause)
            try:
                self.visit(games)
            except Unreachable as error:
                self.account.chat.note(str(error))

    def is_done(self, games: int) -> bool:
        """Whether some games, if that is not 0, are over and left."""
        return 0 < games <= self.account.games.finished and not self.account.games.by_table

    def visit(self, games: int) -> None:
        """Logs in and plays until the connection is lost, or all games are over."""
        from websockets.exceptions import WebSocketException
        from websockets.sync.client import connect

        cookie = log_in(self.site, self.user, self.password)
        try:
            with connect(socket_address(self.site), additional_headers={"Cookie": cookie}, max_size=LARGEST) as wire:
                try:
                    self.listen(wire, games)
                except KeyboardInterrupt:
                    self.send_all(wire, self.account.part_all())
                    raise
        except (WebSocketException, OSError) as error:
            self.account.chat.note(f"{type(error).__name__}: {error}")

    def listen(self, wire: Any, games: int) -> None:
        """Does what the commands of the site ask for."""
        for text in wire:
            self.pause = FIRST_PAUSE
            try:
                name, data = read_frame(text)
            except msgspec.MsgspecError as error:
                self.account.chat.note(f"the site sent something that is not a command: {error}")
                continue
            self.send_all(wire, self.account.hear(name, data))
            if self.is_done(games):
                self.send_all(wire, self.account.part_all())
                return

    def send_all(self, wire: Any, frames: Iterable[str]) -> None:
        """Sends commands, no faster than is allowed; before a move it waits a while."""
        for text in frames:
            if text.startswith("action "):
                time.sleep(self.delay)
            self.allowance.wait()
            wire.send(text)
