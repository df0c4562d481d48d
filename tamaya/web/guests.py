"""Guests: browsers at a table, what each has been told, and how much it may say."""

import asyncio
from collections.abc import Iterator

from starlette.websockets import WebSocket

from tamaya.bridges.allowance import Allowance
from tamaya.web.bots import Bots
from tamaya.web.messages import News, Over, Said, to_text
from tamaya.web.table import Table
from tamaya.web.telling import NOTHING, events_for, legal_for, room_for

BURST, PER_SECOND = 40, 10.0
"""How many messages a browser may send at once, and how many per second in the long run."""


class Guest:
    """A browser at a table."""

    def __init__(self, socket: WebSocket, table: Table, seat: int) -> None:
        self.socket, self.table, self.seat = socket, table, seat
        self.allowance = Allowance(BURST, PER_SECOND)
        self.wake = asyncio.Event()
        self.wake.set()
        self.aside: list[Said] = []
        """Answers that only this guest is given."""
        self.room, self.game, self.turn, self.has_all = "", 0, NOTHING, False
        """What it was told last: the room, the game, the turn, and whether all that was hidden."""

    def tell(self, message: Said) -> None:
        """Says something to this guest only."""
        self.aside.append(message)
        self.wake.set()

    def news(self, bots: Bots) -> Iterator[Said]:
        """What the guest has not been told yet."""
        table, game = self.table, self.table.game
        room = room_for(table, self.seat, bots)
        if (text := to_text(room)) != self.room:
            self.room = text
            yield room
        if self.game != table.dealt:
            self.game, self.turn, self.has_all = table.dealt, NOTHING, False
        if self.turn < game.turn:
            since, self.turn = self.turn, game.turn
            yield News(self.game, since, events_for(table, self.seat, since), legal_for(game, self.seat))
        if game.is_over and not self.has_all:
            self.has_all = True
            yield Over(self.game, table.record())
        while self.aside:
            yield self.aside.pop(0)

    async def listen(self, bots: Bots) -> None:
        """Tells the guest everything new; one who is slow gets more at once, and keeps nobody waiting."""
        while True:
            await self.wake.wait()
            self.wake.clear()
            for message in list(self.news(bots)):
                await self.socket.send_text(to_text(message))
