"""Tables in the browser: welcomes browsers, does what they ask, and lets bots move in threads of their own."""

import asyncio
import logging
import os
import time
from concurrent.futures import ThreadPoolExecutor

from starlette.websockets import WebSocket

from tamaya.play.tables.bot_moves import bot_move, reason_for
from tamaya.play.tables.bots import STAND_IN
from tamaya.play.tables.game_table import Table
from tamaya.play.tables.journal import Made, Paced, Replaced
from tamaya.play.tables.lobby import Lobby
from tamaya.play.tables.messages import (
    SPECTATOR,
    Again,
    MakeMove,
    Pace,
    Refused,
    Replace,
    Return,
    TableRequest,
    Trouble,
    Why,
)
from tamaya.play.web.clients import Clients, TableClient

log = logging.getLogger(__name__)


class TableSessions:
    """All tables of a server and the browsers at them."""

    def __init__(self, lobby: Lobby) -> None:
        self.lobby = lobby
        self.clients = Clients()
        self.playing: dict[str, asyncio.Task[None]] = {}
        self.with_people, self.alone = ThreadPoolExecutor(max(2, os.cpu_count() or 2)), ThreadPoolExecutor(1)
        """Where bots think: tables of bots alone never keep a person waiting."""

    def admit(self, socket: WebSocket, table: Table, token: str) -> TableClient:
        """A new client at a table."""
        self.clients.check(table.id)
        client = TableClient(socket, table, table.sit(token), self.lobby.bots)
        self.clients.join(client)
        if client.seat != SPECTATOR:
            table.seats[client.seat].browsers += 1
        self.send_news(table)
        return client

    def leave(self, client: TableClient) -> None:
        """A client leaves; the seat stays its own."""
        self.clients.leave(client)
        if client.seat != SPECTATOR:
            client.table.seats[client.seat].browsers -= 1
        self.clients.announce(client.table.id)

    def send_news(self, table: Table) -> None:
        """Tells what is new, keeps a finished game, and lets the bots play if it is their turn."""
        self.clients.announce(table.id)
        self.keep(table)
        if table.bot and table.id not in self.playing:
            self.playing[table.id] = asyncio.create_task(self.play_bots(table))

    def keep(self, table: Table) -> None:
        """Adds a finished game to the file of games; if that fails, the next change or start tries again."""
        try:
            self.lobby.keep(table)
        except OSError as error:
            log.warning("table %s: %s", table.id, error)

    async def play_bots(self, table: Table) -> None:
        """Lets bots move until it is a person's turn or the game is over."""
        try:
            while table.bot:
                await self.play_bot(table)
                self.clients.announce(table.id)
            self.keep(table)
        except Exception as error:  # whatever it is, other tables go on
            log.exception("table %s stands still", table.id)
            for client in self.clients.at(table.id):
                client.tell(Trouble(f"the bots cannot move: {error}; reload the page to try again"))
        finally:
            del self.playing[table.id]

    async def play_bot(self, table: Table) -> None:
        """Lets one bot move, unless somebody changes the table meanwhile."""
        game, turn, number = table.game, table.game.turn, table.game.seat
        seat, agent = table.seats[number], table.bot
        start, view = time.monotonic(), game.view()
        pool = self.with_people if table.has_person else self.alone
        try:
            seat.player = seat.player or self.lobby.bots.agent(agent).sit_down()
            move = await asyncio.get_running_loop().run_in_executor(pool, bot_move, seat.player, view)
            await asyncio.sleep(table.delay - (time.monotonic() - start))
        except ValueError as error:
            log.warning("table %s: %s; %s goes on", table.id, error, STAND_IN)
            move = None
        if table.game is game and game.turn == turn and seat.agent == agent:
            table.enter(Replaced(number, STAND_IN) if move is None else Made(move))

    async def receive(self, client: TableClient, message: TableRequest) -> None:
        """Does what a client asks; raises with the reason if that cannot be done."""
        if isinstance(message, Why):
            await self.explain(client, message.turn)
            return
        if client.seat == SPECTATOR:
            raise Refused("you only watch this table")
        table = client.table
        match message:
            case MakeMove():
                table.play(client.seat, message.turn, message.move)
            case Replace():
                self.lobby.bots.check(message.agent, table.rules)
                table.let_bot_play(client.seat, message.seat, message.agent)
            case Return():
                table.take_back(client.seat)
            case Pace():
                table.enter(Paced(message.seconds))
            case Again():
                table.again(message.fresh)
            case _:
                raise Refused("you sit already")
        self.send_news(table)

    async def explain(self, client: TableClient, turn: int) -> None:
        """Tells a client why a bot made a move: only after the game, for bots have seen the hands of others."""
        table = client.table
        if not table.game.is_over:
            raise Refused("bots explain their moves when the game is over")
        if not 0 <= turn < len(table.makers):
            raise Refused(f"there is no move {turn}")
        if not table.makers[turn]:
            raise Refused("a person made that move")
        known, what = table.reasons, (self.lobby.bots.agent(table.makers[turn]), table.game.copy(), turn, table.dealt)
        if turn not in known:
            loop = asyncio.get_running_loop()
            known[turn] = await loop.run_in_executor(self.with_people, reason_for, *what)
        client.tell(known[turn])
