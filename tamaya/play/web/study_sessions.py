"""Studies in the browser: welcomes their clients, does what they ask, and lets bots try lines in a thread."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor

from starlette.websockets import WebSocket

from tamaya.game.replay import link_if_any
from tamaya.play.tables.bot_moves import bot_move, reason_for
from tamaya.play.tables.journal import Tried
from tamaya.play.tables.messages import Refused, Trouble
from tamaya.play.tables.study import Study
from tamaya.play.tables.study_analysis import analyse_move, analyst_for, what_was_in_reach
from tamaya.play.tables.study_library import Library
from tamaya.play.tables.study_messages import (
    Analyse,
    Continue,
    Drop,
    Explain,
    Shared,
    ShareLine,
    Shown,
    Stop,
    StudyRequest,
    Try,
)
from tamaya.play.web.clients import Clients, StudyClient

log = logging.getLogger(__name__)

MOST_BUSY = 30
"""For how many studies the server works at the same time; all of them share one thread, move by move."""


class StudySessions:
    """All studies of a server, the browsers at them, and what it works out for them."""

    def __init__(self, library: Library, clients: Clients) -> None:
        self.library, self.clients = library, clients
        self.jobs: dict[str, asyncio.Task[None]] = {}
        self.thread = ThreadPoolExecutor(1)
        """Where bots think about studies: they never keep the people at a table waiting."""

    def admit(self, socket: WebSocket, study_id: str) -> StudyClient:
        """A new client of a study."""
        study = self.library.find(study_id)
        self.clients.check(study.id)
        client = StudyClient(socket, study, self.library.bots)
        self.clients.join(client)
        return client

    def leave(self, client: StudyClient) -> None:
        """A client leaves; nothing more is worked out if it was the last one."""
        self.clients.leave(client)
        if not self.clients.at(client.study.id):
            self.stop(client.study)

    def stop(self, study: Study) -> None:
        """Ends what is being worked out for a study."""
        if study.id in self.jobs:
            self.jobs[study.id].cancel()

    async def receive(self, client: StudyClient, message: StudyRequest) -> None:
        """Does what a client asks; raises with the reason if that cannot be done."""
        study = client.study
        match message:
            case Try():
                self.check_idle(study)
                line = study.try_move(message.line, message.turn, message.move)
                client.tell(Shown(line, message.turn + 1))
            case Continue():
                self.play_on(client, message)
            case Drop():
                self.check_idle(study)
                study.give_up(message.line)
            case Explain():
                await self.explain(client, message.line, message.turn)
            case Analyse():
                self.analyse(study, message.line)
            case ShareLine():
                client.tell(Shared(message.line, link_if_any(study.line(message.line).game)))
            case Stop():
                self.stop(study)
        self.clients.announce(study.id)

    def check_idle(self, study: Study) -> None:
        """Refuses changes while something is worked out for a study."""
        if study.busy:
            raise Refused(f"the server is {study.busy} here; stop that first")

    def start(self, study: Study, doing: str, job: Callable[[], Awaitable[None]]) -> None:
        """Lets a job work for a study, in the background."""
        study.busy = doing
        self.jobs[study.id] = asyncio.create_task(self.work(study, job))
        self.jobs[study.id].add_done_callback(lambda task: self.end(study))

    async def work(self, study: Study, job: Callable[[], Awaitable[None]]) -> None:
        """Does a job until it is done, stopped or impossible."""
        try:
            await job()
        except (ValueError, OSError) as error:
            self.complain(study, str(error))
        except Exception:  # whatever it is, other studies go on
            log.exception("study %s", study.id)
            self.complain(study, "the server cannot work this out")

    def complain(self, study: Study, text: str) -> None:
        """Tells all clients of a study what went wrong."""
        for client in self.clients.at(study.id):
            client.tell(Trouble(text))

    def end(self, study: Study) -> None:
        """Notes that nothing is being worked out for a study any more."""
        study.busy = ""
        del self.jobs[study.id]
        self.clients.announce(study.id)

    def check_free(self, study: Study) -> None:
        """Refuses a job if one is being done for the study, or if there are too many."""
        self.check_idle(study)
        if len(self.jobs) >= MOST_BUSY:
            raise Refused("the server is busy with other studies; try again later")

    def play_on(self, client: StudyClient, asked: Continue) -> None:
        """Lets bots play on after a turn of a line."""
        study = client.study
        self.check_free(study)
        if len(asked.agents) not in (1, study.rules.players):
            raise Refused(f"name one bot, or one for each of the {study.rules.players} seats")
        for agent in asked.agents:
            self.library.bots.check(agent, study.rules)
        if study.game_at(asked.line, asked.turn).is_over:
            raise Refused("the game is over")
        line = study.line_from(asked.line, asked.turn)
        client.tell(Shown(line, asked.turn))
        self.start(study, "playing on", lambda: self.play_line(study, line, asked.agents, asked.moves))

    async def play_line(self, study: Study, number: int, agents: list[str], moves: int) -> None:
        """Lets bots make some moves in a line."""
        game = study.lines[number].game
        names = [agents[seat % len(agents)] for seat in range(game.players)]
        players = [self.library.bots.agent(name).sit_down() for name in names]
        for _ in range(moves):
            if game.is_over:
                return
            seat = game.seat
            loop = asyncio.get_running_loop()
            move = await loop.run_in_executor(self.thread, bot_move, players[seat], game.view())
            study.enter(Tried(number, move, names[seat]))
            self.clients.announce(study.id)

    def analyse(self, study: Study, number: int) -> None:
        """Lets the moves of a line be analysed."""
        study.line(number)
        self.check_free(study)
        self.start(study, "analysing", lambda: self.judge_line(study, number))

    async def judge_line(self, study: Study, number: int) -> None:
        """Analyses the moves of a line that were not analysed yet, one by one."""
        game, offered = study.lines[number].game.copy(), self.library.bots.offered
        agents = [agent if agent in offered else "" for agent in study.agents]
        loop = asyncio.get_running_loop()
        analyst = await loop.run_in_executor(self.thread, analyst_for, agents, study.rules)
        found = study.analysis(number, analyst)
        found.reach = await loop.run_in_executor(self.thread, what_was_in_reach, game)
        self.clients.announce(study.id)
        for turn in range(len(found.moves), game.turn):
            found.moves.append(await loop.run_in_executor(self.thread, analyse_move, analyst, game, turn))
            self.clients.announce(study.id)

    async def explain(self, client: StudyClient, number: int, turn: int) -> None:
        """Tells a client why a bot made a move."""
        line = client.study.line(number)
        if not 0 <= turn < len(line.makers):
            raise Refused(f"there is no move {turn}")
        if not line.makers[turn]:
            raise Refused("a person made that move, or it is not known who did")
        if turn not in line.reasons:
            what = (self.library.bots.agent(line.makers[turn]), line.game.copy(), turn, number)
            loop = asyncio.get_running_loop()
            line.reasons[turn] = await loop.run_in_executor(self.thread, reason_for, *what)
        client.tell(line.reasons[turn])
