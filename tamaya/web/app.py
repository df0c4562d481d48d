"""The server: its pages, its tables over HTTP and websockets, and who may speak to it."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect

from tamaya.bridges.allowance import Allowance
from tamaya.core.settings import Settings
from tamaya.web.files import Files
from tamaya.web.guard import NOT_ALLOWED, Guard
from tamaya.web.guests import Guest
from tamaya.web.hosting import Host
from tamaya.web.messages import LONGEST, SPECTATOR, BadMessage, Heard, Order, Sit, Trouble, read, to_text

SECONDS_TO_SIT = 10
"""How long a browser may take to say who it is."""

NEW_TABLES, NEW_TABLES_PER_SECOND = 30, 0.5
"""How many tables may be opened at once, and in the long run."""

TRY_AGAIN, TOO_BIG = 1013, 1009
"""Why a websocket is closed, by its codes."""


def as_json(content: Any, status: int = 200) -> Response:
    """An answer in JSON."""
    return Response(msgspec.json.encode(content), status, {"cache-control": "no-store"}, "application/json")


class Doors:
    """What the server answers."""

    def __init__(self, host: Host) -> None:
        self.host, self.files = host, Files()
        self.allowance = Allowance(NEW_TABLES, NEW_TABLES_PER_SECOND)

    async def page(self, request: Request) -> Response:
        """The page, which is the same for every table."""
        return self.files.answer(request, "index.html")

    async def file(self, request: Request) -> Response:
        """A part of the page."""
        return self.files.answer(request, request.path_params["name"])

    async def lobby(self, request: Request) -> Response:
        """Whom one can play with, and by which rules."""
        rules = {name: getattr(Settings(), name) for name in Settings.__struct_fields__}
        return as_json({"bots": list(self.host.hall.bots.offered.values()), "rules": rules})

    async def open_table(self, request: Request) -> Response:
        """Opens a table; whoever ordered it is told the secret of their seat."""
        try:
            order = read(await body_of(request), Order)
            if not self.allowance.spend():
                return as_json({"error": "too many tables were opened just now; try again in a minute"}, 429)
            table = await asyncio.to_thread(self.host.hall.open, order)
        except ValueError as error:
            return as_json({"error": str(error)}, 400)
        except OSError as error:
            return as_json({"error": f"the table cannot be written down: {error.strerror}"}, 507)
        seat = order.mine if 0 <= order.mine < len(table.seats) else SPECTATOR
        token = table.seats[seat].token if seat != SPECTATOR else ""
        return as_json({"id": table.id, "token": token, "invitations": [one.holder.invitation for one in table.seats]})

    async def table(self, socket: WebSocket) -> None:
        """A browser at a table, until it leaves."""
        table = self.host.hall.tables.get(socket.path_params["id"])
        await socket.accept()
        try:
            first = read(await asyncio.wait_for(text_from(socket), SECONDS_TO_SIT))
            if table is None or not isinstance(first, Sit):
                raise BadMessage("there is no such table" if table is None else "say who you are first")
            guest = self.host.welcome(socket, table, first.token)
        except (ValueError, OSError, TimeoutError) as error:
            with contextlib.suppress(RuntimeError, WebSocketDisconnect):
                await socket.send_text(to_text(Trouble(str(error))))
                await socket.close(NOT_ALLOWED)
            return
        except WebSocketDisconnect:
            return
        telling = asyncio.create_task(guest.listen(self.host.hall.bots))
        try:
            await self.hear_all(socket, guest)
        except WebSocketDisconnect:
            pass
        finally:
            telling.cancel()
            self.host.part(guest)
            await asyncio.gather(telling, return_exceptions=True)

    async def hear_all(self, socket: WebSocket, guest: Guest) -> None:
        """Does what a browser asks; what makes no sense is answered with the reason."""
        while True:
            text = await text_from(socket)
            if not guest.allowance.spend():
                await socket.close(TRY_AGAIN, "too many messages")
                return
            if len(text) > LONGEST:
                await socket.close(TOO_BIG, "too long a message")
                return
            try:
                await self.host.hear(guest, read(text, Heard))
            except ValueError as error:
                guest.tell(Trouble(str(error)))
            except OSError as error:
                guest.tell(Trouble(f"the game cannot be written down: {error.strerror}"))


async def text_from(socket: WebSocket) -> str | bytes:
    """The next message of a browser."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    text: str | bytes | None = message.get("text")
    return text if text is not None else message.get("bytes") or b""


async def body_of(request: Request) -> bytes:
    """The body of a request, if it is not too long."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LONGEST:
            raise BadMessage(f"a message has at most {LONGEST:,} bytes")
    return body


def routes(doors: Doors) -> Iterator[Any]:
    """What can be asked for."""
    yield Route("/", doors.page)
    yield Route("/table/{id}", doors.page)
    yield Route("/page/{name:path}", doors.file)
    yield Route("/lobby", doors.lobby)
    yield Route("/tables", doors.open_table, methods=["POST"])
    yield WebSocketRoute("/table/{id}", doors.table)


def make_app(host: Host, when_ready: Callable[[], None] = lambda: None, name: str = "") -> ASGIApp:
    """The server of a host, under a name; a function is called when it is ready."""

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        when_ready()
        yield

    return Guard(Starlette(routes=list(routes(Doors(host))), lifespan=lifespan), name)
