"""The server: its pages, its tables over HTTP and websockets, and who may speak to it."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect

from tamaya.bridges.rate_limit import Allowance
from tamaya.engine.settings import Settings
from tamaya.play.tables.library import Library
from tamaya.play.tables.messages import SPECTATOR, BadMessage, Heard, Order, Sit, read
from tamaya.play.web.guard import Guard
from tamaya.play.web.sockets import as_json, body_of, converse, text_from, turn_away
from tamaya.play.web.static_files import Files
from tamaya.play.web.study_routes import StudyDoors
from tamaya.play.web.study_sessions import Studies
from tamaya.play.web.table_sessions import Host

SECONDS_TO_SIT = 10
"""How long a browser may take to say who it is."""

NEW_TABLES, NEW_TABLES_PER_SECOND = 30, 0.5
"""How many tables and studies may be opened at once, and in the long run."""


class Doors:
    """What the server answers."""

    def __init__(self, host: Host, library: Library, allowance: Allowance) -> None:
        self.host, self.library, self.allowance = host, library, allowance
        self.files = Files()

    async def page(self, request: Request) -> Response:
        """The page, which is the same for every table."""
        return self.files.answer(request, "index.html")

    async def file(self, request: Request) -> Response:
        """A part of the page."""
        return self.files.answer(request, request.path_params["name"])

    async def lobby(self, request: Request) -> Response:
        """Whom one can play with, by which rules, and which games can be studied."""
        rules = {name: getattr(Settings(), name) for name in Settings.__struct_fields__}
        bots = list(self.host.hall.bots.offered.values())
        return as_json({"bots": bots, "rules": rules, "games": self.library.listed})

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
            await turn_away(socket, error)
            return
        except WebSocketDisconnect:
            return

        async def hear(text: str | bytes) -> None:
            await self.host.hear(guest, read(text, Heard))

        try:
            await converse(guest, hear)
        finally:
            self.host.part(guest)


def routes(doors: Doors, studies: StudyDoors) -> Iterator[Any]:
    """What can be asked for."""
    yield Route("/", doors.page)
    yield Route("/table/{id}", doors.page)
    yield Route("/study/{id}", doors.page)
    yield Route("/page/{name:path}", doors.file)
    yield Route("/lobby", doors.lobby)
    yield Route("/tables", doors.open_table, methods=["POST"])
    yield Route("/studies", studies.bring, methods=["POST"])
    yield WebSocketRoute("/table/{id}", doors.table)
    yield WebSocketRoute("/study/{id}", studies.study)


def make_app(
    host: Host, when_ready: Callable[[], None] = lambda: None, name: str = "", library: Library | None = None
) -> ASGIApp:
    """The server of a host and a library, under a name; a function is called when it is ready."""
    library = library or Library(host.hall.folder, host.hall.bots)
    allowance = Allowance(NEW_TABLES, NEW_TABLES_PER_SECOND)
    studies = StudyDoors(host.hall, Studies(library, host.audience), allowance)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        when_ready()
        yield

    doors = Doors(host, library, allowance)
    return Guard(Starlette(routes=list(routes(doors, studies)), lifespan=lifespan), name)
