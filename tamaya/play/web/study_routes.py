"""What the server answers about studies: a game is brought, and a study is read."""

import asyncio

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.websockets import WebSocket, WebSocketDisconnect

from tamaya.engine.text import in_words
from tamaya.play.rate_limit import Allowance
from tamaya.play.tables.lobby import Lobby
from tamaya.play.tables.messages import BadMessage, Number, Refused, Word, read_message
from tamaya.play.tables.study_library import LARGEST, chosen_game, game_list, read_games
from tamaya.play.tables.study_messages import StudyRequest
from tamaya.play.web.sockets import body_of, converse, json_response, refuse
from tamaya.play.web.study_sessions import StudySessions


class Wanted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game that somebody wants to study: that of a table, one that the server offers, or one of the file sent."""

    table: Word = ""
    offered: Number = 0
    game: Number = 0


class StudyRoutes:
    """What the server answers about studies."""

    def __init__(self, lobby: Lobby, studies: StudySessions, allowance: Allowance) -> None:
        self.lobby, self.studies, self.allowance = lobby, studies, allowance

    async def bring(self, request: Request) -> Response:
        """Begins the study of a game; of a file with several games, one must be chosen from the list."""
        try:
            wanted = wanted_by(request)
            content = await body_of(request, LARGEST)
            if not self.allowance.spend():
                return json_response({"error": "too many games were brought just now; try again in a minute"}, 429)
            return json_response(await self.begin(wanted, content))
        except (ValueError, RecursionError) as error:
            return json_response({"error": str(error)}, 400)
        except OSError as error:
            return json_response({"error": f"the study cannot be written down: {error.strerror}"}, 507)

    async def begin(self, wanted: Wanted, content: bytes) -> dict[str, object]:
        """The study of the game that is wanted, or the games of a file to choose from."""
        library = self.studies.library
        if wanted.table:
            if wanted.table not in self.lobby.tables:
                raise Refused("there is no such table")
            return {"id": library.of_table(self.lobby.tables[wanted.table]).id}
        if wanted.offered:
            return {"id": library.of_offered(wanted.offered).id}
        found = await asyncio.to_thread(read_games, content)
        if len(found) > 1 and not wanted.game:
            return {"games": await asyncio.to_thread(game_list, found)}
        return {"id": library.begin(chosen_game(found, wanted.game or 1)).id}

    async def study(self, socket: WebSocket) -> None:
        """A browser at a study, until it leaves."""
        await socket.accept()
        try:
            client = self.studies.admit(socket, socket.path_params["id"])
        except (ValueError, OSError) as error:
            await refuse(socket, error)
            return
        except WebSocketDisconnect:
            return

        async def receive(text: str | bytes) -> None:
            await self.studies.receive(client, read_message(text, StudyRequest))

        try:
            await converse(client, receive)
        finally:
            self.studies.leave(client)


def wanted_by(request: Request) -> Wanted:
    """What the address of a request asks for."""
    try:
        wanted: Wanted = msgspec.convert(dict(request.query_params), Wanted, strict=False)
    except msgspec.ValidationError as error:
        raise BadMessage(f"not a game to study: {in_words(error)[:200]}") from error
    return wanted
