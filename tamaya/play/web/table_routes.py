"""What the server answers about tables: whom one can play with, an order for a table, and a browser at a table."""

import asyncio

from starlette.requests import Request
from starlette.responses import Response
from starlette.websockets import WebSocket, WebSocketDisconnect

from tamaya.engine.settings import Settings
from tamaya.play.rate_limit import Allowance
from tamaya.play.tables.messages import SPECTATOR, BadMessage, Order, Sit, TableRequest, read_message
from tamaya.play.tables.study_library import Library
from tamaya.play.web.sockets import body_of, converse, json_response, refuse, text_from
from tamaya.play.web.table_sessions import TableSessions

SECONDS_TO_SIT = 10
"""How long a browser may take to say who it is."""


class TableRoutes:
    """What the server answers about tables."""

    def __init__(self, sessions: TableSessions, library: Library, allowance: Allowance) -> None:
        self.sessions, self.library, self.allowance = sessions, library, allowance

    async def lobby(self, request: Request) -> Response:
        """Whom one can play with, by which rules, and which games can be studied."""
        rules = {name: getattr(Settings(), name) for name in Settings.__struct_fields__}
        bots = list(self.sessions.lobby.bots.offered.values())
        return json_response({"bots": bots, "rules": rules, "games": self.library.listed})

    async def open_table(self, request: Request) -> Response:
        """Opens a table; whoever ordered it is told the secret of their seat."""
        try:
            order = read_message(await body_of(request), Order)
            if not self.allowance.spend():
                return json_response({"error": "too many tables were opened just now; try again in a minute"}, 429)
            table = await asyncio.to_thread(self.sessions.lobby.open, order)
        except ValueError as error:
            return json_response({"error": str(error)}, 400)
        except OSError as error:
            return json_response({"error": f"the table cannot be written down: {error.strerror}"}, 507)
        seat = order.mine if 0 <= order.mine < len(table.seats) else SPECTATOR
        token = table.seats[seat].token if seat != SPECTATOR else ""
        invitations = [one.holder.invitation for one in table.seats]
        return json_response({"id": table.id, "token": token, "invitations": invitations})

    async def table(self, socket: WebSocket) -> None:
        """A browser at a table, until it leaves."""
        table = self.sessions.lobby.tables.get(socket.path_params["id"])
        await socket.accept()
        try:
            first = read_message(await asyncio.wait_for(text_from(socket), SECONDS_TO_SIT))
            if table is None or not isinstance(first, Sit):
                raise BadMessage("there is no such table" if table is None else "say who you are first")
            client = self.sessions.admit(socket, table, first.token)
        except (ValueError, OSError, TimeoutError) as error:
            await refuse(socket, error)
            return
        except WebSocketDisconnect:
            return

        async def receive(text: str | bytes) -> None:
            await self.sessions.receive(client, read_message(text, TableRequest))

        try:
            await converse(client, receive)
        finally:
            self.sessions.leave(client)
