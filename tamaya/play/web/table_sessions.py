"""The host: welcomes browsers, does what they ask, and lets bots move in threads of their own."""

import asyncio
import logging
import os
import time
from concurrent.futures import ThreadPoolExecutor

from starlette.websockets import WebSocket

from tamaya.play.tables.bot_moves import decide, reason_for
from tamaya.play.tables.bots import STAND_IN
from tamaya.play.tables.journal import Made, Paced, Replaced
from tamaya.play.tables.lobby import Hall
from tamaya.play.tables.messages import SPECTATOR, Act, Again, Heard, Pace, Refused, Replace, Return, Trouble, Why
from tamaya.play.tables.table import Table
from tamaya.play.web.clients import Audience, Sitter

log = logging.getLogger(__name__)


class Host:
    """All tables and guests of a server."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.audience = Audience()
        self.playing: dict[str, asyncio.Task[None]] = {}
        self.with_people, self.alone = ThreadPoolExecutor(max(2, os.cpu_count() or 2)), ThreadPoolExecutor(1)
        """Where bots think: tables of bots alone never keep a person waiting."""

    def welcome(self, socket: WebSocket, table: Table, token: str) -> Sitter:
        """A new guest at a table."""
        self.audience.check(table.id)
        guest = Sitter(socket, table, table.sit(token), self.hall.bots)
        self.audience.join(guest)
        if guest.seat != SPECTATOR:
            table.seats[guest.seat].guests += 1
        self.stir(table)
        return guest

    def part(self, guest: Sitter) -> None:
        """A guest leaves; the seat stays its own."""
        self.audience.part(guest)
        if guest.seat != SPECTATOR:
            guest.table.seats[guest.seat].guests -= 1
        self.audience.announce(guest.table.id)

    def stir(self, table: Table) -> None:
        """Tells what is new, keeps a finished game, and lets the bots play if it is their turn."""
        self.audience.announce(table.id)
        self.keep(table)
        if table.bot and table.id not in self.playing:
            self.playing[table.id] = asyncio.create_task(self.play_bots(table))

    def keep(self, table: Table) -> None:
        """Adds a finished game to the file of games; if that fails, the next change or start tries again."""
        try:
            self.hall.keep(table)
        except OSError as error:
            log.warning("table %s: %s", table.id, error)

    async def play_bots(self, table: Table) -> None:
        """Lets bots move until it is a person's turn or the game is over."""
        try:
            while table.bot:
                await self.play_bot(table)
                self.audience.announce(table.id)
            self.keep(table)
        except Exception as error:  # whatever it is, other tables go on
            log.exception("table %s stands still", table.id)
            for guest in self.audience.at(table.id):
                guest.tell(Trouble(f"the bots cannot move: {error}; reload the page to try again"))
        finally:
            del self.playing[table.id]

    async def play_bot(self, table: Table) -> None:
        """Lets one bot move, unless somebody changes the table meanwhile."""
        game, turn, number = table.game, table.game.turn, table.game.seat
        seat, agent = table.seats[number], table.bot
        start, view = time.monotonic(), game.view()
        pool = self.with_people if table.has_person else self.alone
        try:
            seat.player = seat.player or self.hall.bots.agent(agent).sit_down()
            move = await asyncio.get_running_loop().run_in_executor(pool, decide, seat.player, view)
            await asyncio.sleep(table.delay - (time.monotonic() - start))
        except ValueError as error:
            log.warning("table %s: %s; %s goes on", table.id, error, STAND_IN)
            move = None
        if table.game is game and game.turn == turn and seat.agent == agent:
            table.enter(Replaced(number, STAND_IN) if move is None else Made(move))

    async def hear(self, guest: Sitter, message: Heard) -> None:
        """Does what a guest asks; raises with the reason if that cannot be done."""
        if isinstance(message, Why):
            await self.explain(guest, message.turn)
            return
        if guest.seat == SPECTATOR:
            raise Refused("you only watch this table")
        table = guest.table
        match message:
            case Act():
                table.play(guest.seat, message.turn, message.move)
            case Replace():
                self.hall.bots.check(message.agent, table.rules)
                table.let_bot_play(guest.seat, message.seat, message.agent)
            case Return():
                table.take_back(guest.seat)
            case Pace():
                table.enter(Paced(message.seconds))
            case Again():
                table.again(message.fresh)
            case _:
                raise Refused("you sit already")
        self.stir(table)

    async def explain(self, guest: Sitter, turn: int) -> None:
        """Tells a guest why a bot made a move: only after the game, for bots have seen the hands of others."""
        table = guest.table
        if not table.game.is_over:
            raise Refused("bots explain their moves when the game is over")
        if not 0 <= turn < len(table.makers):
            raise Refused(f"there is no move {turn}")
        if not table.makers[turn]:
            raise Refused("a person made that move")
        known, what = table.reasons, (self.hall.bots.agent(table.makers[turn]), table.game.copy(), turn, table.dealt)
        if turn not in known:
            loop = asyncio.get_running_loop()
            known[turn] = await loop.run_in_executor(self.with_people, reason_for, *what)
        guest.tell(known[turn])
