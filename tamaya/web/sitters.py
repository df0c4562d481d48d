"""Sitters: browsers at a table, in a seat or watching, and what each has been told."""

from collections.abc import Iterator

from starlette.websockets import WebSocket

from tamaya.game.replay import link_if_any
from tamaya.web.bots import Bots
from tamaya.web.guests import Guest
from tamaya.web.messages import News, Over, Said, to_text
from tamaya.web.table import Table
from tamaya.web.telling import NOTHING, events_for, legal_for, room_for


class Sitter(Guest):
    """A browser at a table."""

    def __init__(self, socket: WebSocket, table: Table, seat: int, bots: Bots) -> None:
        super().__init__(socket, table.id)
        self.table, self.seat, self.bots = table, seat, bots
        self.room, self.game, self.turn, self.has_all = "", 0, NOTHING, False
        """What it was told last: the room, the game, the turn, and whether all that was hidden."""

    def news(self) -> Iterator[Said]:
        """What the guest has not been told yet."""
        table, game = self.table, self.table.game
        room = room_for(table, self.seat, self.bots)
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
            yield Over(self.game, table.record(), link_if_any(game))
