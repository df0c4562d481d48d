"""Agents apart: an agent in a process of its own, which plays or answers there and may print, hang or crash."""

import contextlib
import ctypes
import multiprocessing
import multiprocessing.connection
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from typing import Any, Self

import msgspec
import numpy as np

from tamaya.agents.registry import make_agent
from tamaya.arena.game_loop import OUTCOME
from tamaya.arena.seating import Seating
from tamaya.engine.settings import Settings
from tamaya.engine.text import seconds_of
from tamaya.game.view import View
from tamaya.policies.agent import Agent, Player, blame
from tamaya.policies.contract import PolicyError
from tamaya.policies.language import AgentError

MOST_BYTES = 1 << 28
"""The most bytes that a reply may have."""


class Gone(PolicyError):
    """An agent whose process crashed or exited."""


class Late(Gone):
    """An agent that did not answer in time."""


class Facts(msgspec.Struct, frozen=True):
    """What the process of an agent says about it."""

    is_compiled: bool
    is_timed: bool
    sees: str
    shares: bool
    tables: list[Settings]
    """Those of the tables that were named at which it can play."""

    @property
    def players(self) -> list[int]:
        """The numbers of players with which it plays by the official rules."""
        return [table.players for table in self.tables if table == Settings(players=table.players)]


class Reply(msgspec.Struct, omit_defaults=True):
    """What comes back: all that this process accepts from one that runs the code of others."""

    facts: Facts | None = None
    outcomes: bytes = b""
    answer: int = 0
    error: str = ""
    is_unknown: bool = False
    """Whether the error is that there is no such agent."""


class Apart:
    """An agent in a process of its own, asked over a private channel; what it prints is discarded.

    Each request has a time-out, including the first one, which imports the agent.
    """

    def __init__(self, agent: str, timeout: float, **environment: str) -> None:
        self.timeout = timeout
        self.channel, theirs = multiprocessing.Pipe()
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115 (it is closed with the process)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tamaya.arena.checks.own_process", str(theirs.fileno()), agent],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self.errors,
            pass_fds=[theirs.fileno()],
            env=os.environ | environment,
            start_new_session=True,
        )
        theirs.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.channel.close()
        self._kill()
        self.errors.close()

    def _kill(self) -> None:
        """Ends the process and all that it has started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def facts(self, tables: Sequence[Settings]) -> Facts:
        """What the agent is, and at which of some tables it can play; raises AgentError if there is no such agent."""
        facts = self._ask("introduce", tables).facts
        if facts is None:
            raise Gone("it does not say what it is")
        return facts

    def play(
        self, settings: Settings, seeds: np.ndarray, among_strangers: bool = False, separate: bool = False
    ) -> np.ndarray:
        """The games of some seeds, played by a team of the agent alone, or by one such agent among random players."""
        reply = self._ask("play", settings, seeds, among_strangers, separate)
        if len(reply.outcomes) != len(seeds) * OUTCOME.itemsize:
            raise Gone("it reports other games than it was asked for")
        outcomes = np.frombuffer(reply.outcomes, OUTCOME).view(np.recarray)
        if (outcomes["seed"] != seeds).any():
            raise Gone("it reports other games than it was asked for")
        return outcomes

    def sit_down(self) -> None:
        """Gives the agent a new seat, in a new game."""
        self._ask("sit_down")

    def answer(self, view: View) -> int:
        """The answer of the player to what it sees; nothing that comes later has been sent yet."""
        return self._ask("answer", view).answer

    def _ask(self, request: str, *arguments: Any) -> Reply:
        """The reply to a request; raises the error that it reports, or the one that ended the process."""
        try:
            self.channel.send((request, arguments))
            if not self.channel.poll(self.timeout):
                self._kill()
                words = "it never returns, or is too slow for --games and --timeout"
                raise Late(f"not done within {seconds_of(self.timeout)}: {words}")
            reply = msgspec.msgpack.decode(self.channel.recv_bytes(MOST_BYTES), type=Reply)
        except (OSError, EOFError, msgspec.MsgspecError) as problem:
            self._kill()
            raise Gone(self._last_words()) from problem
        if reply.error:
            raise (AgentError if reply.is_unknown else PolicyError)(reply.error)
        return reply

    def _last_words(self) -> str:
        """Why the process gave no reply."""
        self.errors.seek(0)
        return last_words(self.process.wait(), self.errors.read().decode(errors="replace"))


def last_words(code: int, errors: str) -> str:
    """What a process said when it died."""
    if code < 0:
        return f"it crashed the process (signal {-code}); look for an index out of bounds"
    found = re.search(r"^tamaya\.[\w.]+: (.*)", errors, re.MULTILINE | re.DOTALL)
    lines = errors.strip().splitlines() or ["no message"]
    return f"it ended the process before it was done: {found.group(1).strip() if found else lines[-1]}"


def introduce(agent: Agent, tables: Sequence[Settings]) -> Reply:
    """What an agent is, once it is compiled."""
    if agent.is_compiled:
        agent.policy.compiled("mover")
    fitting = [settings for settings in tables if can_sit(agent, settings)]
    return Reply(Facts(agent.is_compiled, agent.is_timed, agent.sees, agent.policy.shares, fitting))


def can_sit(agent: Agent, settings: Settings) -> bool:
    """Whether an agent can sit at such a table."""
    try:
        agent.check_table(settings)
    except AgentError:
        return False
    return True


def play(agent: Agent, settings: Settings, seeds: np.ndarray, among_strangers: bool, separate: bool) -> Reply:
    """The outcomes of games, played in this process; raises an error if one of them is forfeited."""
    others = make_agent("legal-random") if among_strangers else agent
    seating = Seating([agent, *[others] * (settings.players - 1)], settings)
    outcomes = (seating.separate() if separate else seating).play(seeds)
    for seed, reason in seating.forfeits.items():
        raise PolicyError(f"the game of seed {seed} is forfeited: {reason}")
    return Reply(outcomes=outcomes.tobytes())


PLAYERS: list[Player] = []
"""Who sits in this process: the player of one seat of one game."""


def sit_down(agent: Agent) -> Reply:
    """Takes a new seat."""
    PLAYERS[:] = [agent.sit_down()]
    return Reply()


def answer(agent: Agent, view: View) -> Reply:
    """The answer of the player who sits in this process, which holds no game."""
    return Reply(answer=PLAYERS[0].answer(view))


REQUESTS: dict[str, Callable[..., Reply]] = {
    "introduce": introduce,
    "play": play,
    "sit_down": sit_down,
    "answer": answer,
}


def reply_to(agent: Agent, request: str, arguments: tuple[Any, ...]) -> Reply:
    """The reply to a request about an agent."""
    try:
        return REQUESTS[request](agent, *arguments)
    except (Exception, SystemExit) as error:
        return Reply(error=str(error) if isinstance(error, PolicyError) else blame(error))


def die_with_the_parent() -> None:
    """Asks Linux to end this process when its parent is gone, whatever the agent is doing then."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def main() -> None:
    """Replies to requests until there are no more; the arguments are the channel and the agent."""
    die_with_the_parent()
    channel = multiprocessing.connection.Connection(int(sys.argv[1]))
    os.set_inheritable(channel.fileno(), False)
    with contextlib.suppress(EOFError):
        request, arguments = channel.recv()
        try:
            agent = make_agent(sys.argv[2])
        except AgentError as error:
            channel.send_bytes(msgspec.msgpack.encode(Reply(error=str(error), is_unknown=True)))
            return
        while True:
            channel.send_bytes(msgspec.msgpack.encode(reply_to(agent, request, arguments)))
            request, arguments = channel.recv()


if __name__ == "__main__":
    main()
