"""Clients: browsers at a table or at a study, how they are told what is new, and how much they may say."""

import abc
import asyncio
from collections.abc import Iterator

from starlette.websockets import WebSocket

from tamaya.engine.text import plain
from tamaya.game.replay import link_if_any
from tamaya.play.rate_limit import Allowance
from tamaya.play.tables.bots import Bots
from tamaya.play.tables.game_table import Table
from tamaya.play.tables.messages import News, Over, Refused, ServerMessage, Sitting, to_text
from tamaya.play.tables.study import Study
from tamaya.play.tables.study_messages import LineGone, LineNews, Studying
from tamaya.play.tables.visibility import NOTHING, events_for, face_up, legal_for, room_for

BURST, PER_SECOND = 40, 10.0
"""How many messages a browser may send at once, and how many per second in the long run."""

MOST_CLIENTS = 2000
MOST_AT_PLACE = 200
"""How many browsers can be connected, to the server and to one table or study."""


class Client(abc.ABC):
    """A browser at a place, which is a table or a study."""

    def __init__(self, socket: WebSocket, place: str) -> None:
        self.socket, self.place = socket, place
        self.allowance = Allowance(BURST, PER_SECOND)
        self.wake = asyncio.Event()
        self.wake.set()
        self.aside: list[ServerMessage] = []
        """Answers that only this client is given."""

    @abc.abstractmethod
    def news(self) -> Iterator[ServerMessage]:
        """What everybody may know and the client has not been told yet."""

    def tell(self, message: ServerMessage) -> None:
        """Says something to this client only."""
        self.aside.append(message)
        self.wake.set()

    def all_news(self) -> Iterator[ServerMessage]:
        """All that the client has not been told yet."""
        yield from self.news()
        while self.aside:
            yield self.aside.pop(0)

    async def listen(self) -> None:
        """Tells the client everything new; one who is slow gets more at once, and keeps nobody waiting."""
        while True:
            await self.wake.wait()
            self.wake.clear()
            for message in list(self.all_news()):
                await self.socket.send_text(to_text(message))


class Clients:
    """All clients of a server, by their places."""

    def __init__(self) -> None:
        self.by_place: dict[str, set[Client]] = {}

    def check(self, place: str) -> None:
        """Refuses another client if there are too many."""
        if len(self.at(place)) >= MOST_AT_PLACE or sum(map(len, self.by_place.values())) >= MOST_CLIENTS:
            raise Refused("too many browsers are connected; try again later")

    def at(self, place: str) -> set[Client]:
        """The clients of a place."""
        return self.by_place.get(place, set())

    def join(self, client: Client) -> None:
        """A client comes."""
        self.by_place.setdefault(client.place, set()).add(client)

    def leave(self, client: Client) -> None:
        """A client leaves."""
        here = self.by_place[client.place]
        here.discard(client)
        if not here:
            del self.by_place[client.place]

    def announce(self, place: str) -> None:
        """Lets all clients of a place look for what is new."""
        for client in self.at(place):
            client.wake.set()


class StudyClient(Client):
    """A browser at a study."""

    def __init__(self, socket: WebSocket, study: Study, bots: Bots) -> None:
        super().__init__(socket, study.id)
        self.study, self.bots = study, bots
        self.about = ""
        self.turns: dict[int, int] = {}
        self.stages: dict[int, tuple[int, int]] = {}
        """What it was told last: the study itself, and how much of each line and of its analysis."""

    def news(self) -> Iterator[ServerMessage]:
        """What the client has not been told yet."""
        about = study_message(self.study, self.bots)
        if (text := to_text(about)) != self.about:
            self.about = text
            yield about
        for number in [*self.turns]:
            if number not in self.study.lines:
                del self.turns[number]
                self.stages.pop(number, None)
                yield LineGone(number)
        for number, line in self.study.lines.items():
            since = self.turns.get(number, NOTHING)
            if since < line.game.turn:
                self.turns[number] = line.game.turn
                events, makers = face_up(line.game, since), line.makers[max(0, since) :]
                yield LineNews(number, line.parent, line.turn, since, events, makers)
        for number, found in self.study.analyses.items():
            since, _ = before = self.stages.get(number, (0, 0))
            if before != found.stage:
                self.stages[number] = found.stage
                yield found.message(number, self.study.lines[number].game, since)


def study_message(study: Study, bots: Bots) -> Studying:
    """A study as all its clients know it."""
    wording, rules = study.wording, study.rules
    return Studying(
        id=study.id,
        rules={name: getattr(rules, name) for name in rules.__struct_fields__},
        seats=[sitting_in_study(study, seat, bots) for seat in range(rules.players)],
        colours=list(wording.colours[: rules.suits]),
        letters=wording.letters[: rules.suits],
        record=study.record,
        busy=study.busy,
    )


def sitting_in_study(study: Study, seat: int, bots: Bots) -> Sitting:
    """Who sat in a seat of the game, as far as its record says."""
    offered = bots.offered.get(study.agents[seat])
    name = plain(study.wording.players[seat])[:24]
    if offered is None:
        return Sitting(name, is_persons=True)
    return Sitting(name, offered.agent, bots.title(offered.agent), offered.convention)


class TableClient(Client):
    """A browser at a table."""

    def __init__(self, socket: WebSocket, table: Table, seat: int, bots: Bots) -> None:
        super().__init__(socket, table.id)
        self.table, self.seat, self.bots = table, seat, bots
        self.room, self.game, self.turn, self.has_all = "", 0, NOTHING, False
        """What it was told last: the room, the game, the turn, and whether all that was hidden."""

    def news(self) -> Iterator[ServerMessage]:
        """What the client has not been told yet."""
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
