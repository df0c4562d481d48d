"""Bots of others as agents: a program per seat, which is told what its seat sees and answers with moves."""

import operator
import os
import shutil
import threading
import time
import weakref
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from tamaya.bridges.events import choices, code_of, game_over, news, opening
from tamaya.bridges.processes import Failure, Program, end_programs
from tamaya.bridges.protocol import (
    BROKEN_OFF,
    PROTOCOL,
    Act,
    Choice,
    GameOver,
    Hello,
    ProtocolError,
    read_line,
    to_lines,
)
from tamaya.engine.jit import digest
from tamaya.engine.text import suggestion
from tamaya.game.game import Game
from tamaya.game.position import IllegalMove
from tamaya.game.view import Seen, View
from tamaya.policies.agent import Agent, BuiltOnce, Forfeit, Player, WrongAnswer
from tamaya.policies.contract import ask_python
from tamaya.policies.language import AgentError, Call, Command, show, words_of

FAILING = ("stop", "forfeit")
"""What happens when a bot fails: the match stops, or the bot's team forfeits the game."""

LONGEST = 1e6
SETTINGS: dict[str, Any] = {"deadline": 10.0, "start": 60.0, "fail": "stop", "log": ""}
"""The settings of a pipe and their defaults: the times are in seconds, per move and until the bot says hello."""


class Crew:
    """The programs of one agent, one per seat; they stay for the next game."""

    def __init__(self, agent: "PipeAgent") -> None:
        self.command, self.log, self.seconds = agent.command, agent.log, agent.start
        self.lock = threading.Lock()
        self.owner = os.getpid()
        self.idle: dict[int, list[Program]] = {}
        self.living: list[Program] = []
        weakref.finalize(self, end_if_mine, self.living, self.owner)

    def take(self, seat: int) -> Program:
        """A program for a seat: the one that had it before, or a new one."""
        with self.lock:
            waiting = self.idle.get(seat)
            if waiting and self.owner == os.getpid():
                return waiting.pop()
        try:
            program = Program(self.command, self.log)
        except Failure as error:
            raise WrongAnswer(str(error)) from error
        self.living.append(program)
        try:
            self.greet(program)
        except BaseException:
            program.end(0)
            raise
        return program

    def greet(self, program: Program) -> None:
        """Exchanges the first lines, and compares the versions of the protocol."""
        try:
            line = program.ask(to_lines([Hello(PROTOCOL, "tamaya", version("tamaya"))]), self.seconds)
            answer = read_line(line, Hello)
        except (Failure, ProtocolError) as error:
            words = f"answered {error}" if isinstance(error, ProtocolError) else str(error)
            raise WrongAnswer(f"did not say hello: it {words}") from error
        if answer.protocol != PROTOCOL:
            raise WrongAnswer(f"speaks version {answer.protocol} of the protocol, not {PROTOCOL}")

    def give_back(self, seat: int, program: Program) -> None:
        """Takes a program back that is ready for another game; one per seat is enough."""
        with self.lock:
            waiting = self.idle.setdefault(seat, [])
            is_welcome = not waiting and not program.has_ended and self.owner == os.getpid()
            if is_welcome:
                waiting.append(program)
        if not is_welcome:
            program.end()
        self.living[:] = [one for one in self.living if not one.has_ended]


def end_if_mine(programs: list[Program], owner: int) -> None:
    """Ends programs, unless this process is only a copy of the one that started them."""
    if owner == os.getpid():
        end_programs(programs)


@dataclass(frozen=True)
class PipeAgent(Agent):
    """A bot that runs in a process of its own: its command and its settings."""

    name: str
    command: tuple[str, ...]
    deadline: float = SETTINGS["deadline"]
    start: float = SETTINGS["start"]
    fail: str = SETTINGS["fail"]
    log: str = SETTINGS["log"]

    policy = ask_python
    params = np.zeros(0)

    @property
    def is_compiled(self) -> bool:
        """False: it must be asked."""
        return False

    @property
    def code(self) -> str:
        """A stamp of the files that its command names."""
        files = [Path(word) for word in self.command if Path(word).is_file()]
        return digest([path.read_bytes() for path in files])[:16] if files else ""

    @BuiltOnce
    def crew(self) -> Crew:
        """The programs that are running."""
        return Crew(self)

    def sit_down(self) -> "PipePlayer":
        """Takes a seat for one game."""
        return PipePlayer(self)


class PipePlayer(Player):
    """A bot at one seat of one game."""

    agent: PipeAgent

    def __init__(self, agent: PipeAgent) -> None:
        super().__init__(agent)
        self.program: Program | None = None
        self.seat = -1
        self.is_new = True
        self._return: Any = None

    def answer(self, view: View) -> int:
        """The number of the bot's move; raises if it fails, with what it did."""
        program = self.program or self.begin(view.seat)
        act = Act(round(self.agent.deadline * 1000), str(view.seed), choices(view))
        text = to_lines([*self.tidings(view), act])
        line = b""
        try:
            line = program.ask(text, self.agent.deadline)
            return code_of(view, read_line(line, Choice))
        except (Failure, ProtocolError, IllegalMove) as error:
            program.end(0)
            words = str(error)
            if isinstance(error, ProtocolError):
                words = f"answered {error}"
            elif isinstance(error, IllegalMove):
                words = f"answered {line.decode(errors='replace')}, which is illegal here: {error}"
            raise (Forfeit if self.agent.fail == "forfeit" else WrongAnswer)(words) from error
        except BaseException:  # nobody knows what it would answer next
            program.end(0)
            raise

    def begin(self, seat: int) -> Program:
        """Takes a program for the seat; when the player is gone, the crew has it back."""
        crew = self.agent.crew
        self.seat, self.program = seat, crew.take(seat)
        self._return = weakref.finalize(self, crew.give_back, seat, self.program)
        return self.program

    def tidings(self, view: View) -> list[Any]:
        """What the bot must be told: what has happened since it was last asked, or else the whole game."""
        is_same = all(map(operator.is_, self.seen, view.past)) or all(map(Seen.is_same, self.seen, view.past))
        is_new = self.is_new or not is_same or len(self.seen) > len(view.past)
        told = [*opening(view), *news(view, 0)] if is_new else list(news(view, len(self.seen)))
        self.seen, self.is_new = list(view.past), False
        return told

    def leave(self, game: Game, is_broken_off: bool) -> None:
        """Tells the bot how the game has ended, and leaves its program to the next player."""
        if self.program is None:
            return
        if not self.program.has_ended:
            view, seconds = game.view(self.seat), self.agent.deadline
            end = GameOver(BROKEN_OFF, game.seat) if is_broken_off else game_over(view)
            try:
                self.program.send(to_lines([*self.tidings(view), end]), time.monotonic() + seconds, seconds)
            except Failure:  # the game was played to its end; the next one gets a new program
                self.program.end(0)
        self._return()


def from_command(call: Call) -> PipeAgent:
    """The agent of a command, such as ``pipe(./mybot --flag, deadline=2)``."""
    command = call.arguments[0] if call.arguments else None
    if not isinstance(command, Command) or not command.words:
        raise AgentError(f"{call.name} needs a command, as in pipe(./mybot --flag)")
    if shutil.which(command.words[0]) is None:
        raise AgentError(f"{call}: {command.words[0]!r} is not a program that can be run")
    settings = dict(SETTINGS)
    for key, value in call.keywords:
        if key not in SETTINGS:
            raise AgentError(
                f"{call}: there is no setting {key!r}; it has {', '.join(SETTINGS)}{suggestion(key, SETTINGS)}"
            )
        settings[key] = value if isinstance(value, float) else words_of(value)
    for key in ("deadline", "start"):
        if not isinstance(settings[key], float) or not 0 < settings[key] <= LONGEST:
            raise AgentError(f"{call}: {key} must be a number of seconds, up to {LONGEST:,.0f}")
    if settings["fail"] not in FAILING:
        raise AgentError(f"{call}: fail must be {' or '.join(FAILING)}, not {show_setting(settings['fail'])}")
    log = settings["log"]
    if log != "" and not (isinstance(log, str) and log.endswith(".log")):
        raise AgentError(
            f"{call}: log must be the name of a file that ends in .log, such as bot.log, not {show_setting(log)}"
        )
    return PipeAgent(str(call), command.words, **settings)


def show_setting(value: Any) -> str:
    """A setting as it was written."""
    return show(value) if isinstance(value, float) else str(value)
