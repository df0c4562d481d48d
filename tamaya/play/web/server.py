"""The server: its pages, its tables and studies over HTTP and websockets, and who may speak to it."""

import contextlib
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

from starlette.applications import Starlette
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp

from tamaya.play.rate_limit import Allowance
from tamaya.play.tables.study_library import Library
from tamaya.play.web.same_origin import SameOrigin
from tamaya.play.web.static_files import StaticFiles
from tamaya.play.web.study_routes import StudyRoutes
from tamaya.play.web.study_sessions import StudySessions
from tamaya.play.web.table_routes import TableRoutes
from tamaya.play.web.table_sessions import TableSessions

NEW_TABLES, NEW_TABLES_PER_SECOND = 30, 0.5
"""How many tables and studies may be opened at once, and in the long run."""


def routes(files: StaticFiles, tables: TableRoutes, studies: StudyRoutes) -> Iterator[Any]:
    """What can be asked for."""
    yield Route("/", files.page)
    yield Route("/table/{id}", files.page)
    yield Route("/study/{id}", files.page)
    yield Route("/page/{name:path}", files.file)
    yield Route("/lobby", tables.lobby)
    yield Route("/tables", tables.open_table, methods=["POST"])
    yield Route("/studies", studies.bring, methods=["POST"])
    yield WebSocketRoute("/table/{id}", tables.table)
    yield WebSocketRoute("/study/{id}", studies.study)


def make_app(
    sessions: TableSessions,
    when_ready: Callable[[], None] = lambda: None,
    name: str = "",
    library: Library | None = None,
) -> ASGIApp:
    """The server of tables and of a library of studies, under a name; a function is called when it is ready."""
    library = library or Library(sessions.lobby.folder, sessions.lobby.bots)
    allowance = Allowance(NEW_TABLES, NEW_TABLES_PER_SECOND)
    tables = TableRoutes(sessions, library, allowance)
    studies = StudyRoutes(sessions.lobby, StudySessions(library, sessions.clients), allowance)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        when_ready()
        yield

    app = Starlette(routes=list(routes(StaticFiles(), tables, studies)), lifespan=lifespan)
    return SameOrigin(app, name)
