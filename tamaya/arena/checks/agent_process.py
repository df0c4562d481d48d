"""An agent in a process of its own, which plays or answers there and may print, hang or crash."""

import contextlib
import multiprocessing
import multiprocessing.connection
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from typing import Any, Self

import msgspec
import numpy as np

from tamaya.arena.game_loop import OUTCOME
from tamaya.engine.settings import Settings
from tamaya.engine.text import seconds_of
from tamaya.game.view import View
from tamaya.policies.contract import PolicyError
from tamaya.policies.language import AgentError

MOST_BYTES = 1 << 28
"""The most bytes that a reply may have."""


class ProcessGone(PolicyError):
    """An agent whose process crashed or exited."""


class ProcessLate(ProcessGone):
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


class AgentProcess:
    """An agent in a process of its own, asked over a private channel; what it prints is discarded.

    Each request has a time-out, including the first one, which imports the agent.
    """

    def __init__(self, agent: str, timeout: float, **environment: str) -> None:
        self.timeout = timeout
        self.channel, theirs = multiprocessing.Pipe()
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115 (it is closed with the process)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tamaya.arena.checks.child_program", str(theirs.fileno()), agent],
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
            raise ProcessGone("it does not say what it is")
        return facts

    def play(
        self, settings: Settings, seeds: np.ndarray, among_strangers: bool = False, separate: bool = False
    ) -> np.ndarray:
        """The games of some seeds, played by a team of the agent alone, or by one such agent among random players."""
        reply = self._ask("play", settings, seeds, among_strangers, separate)
        if len(reply.outcomes) != len(seeds) * OUTCOME.itemsize:
            raise ProcessGone("it reports other games than it was asked for")
        outcomes = np.frombuffer(reply.outcomes, OUTCOME).view(np.recarray)
        if (outcomes["seed"] != seeds).any():
            raise ProcessGone("it reports other games than it was asked for")
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
                raise ProcessLate(f"not done within {seconds_of(self.timeout)}: {words}")
            reply = msgspec.msgpack.decode(self.channel.recv_bytes(MOST_BYTES), type=Reply)
        except (OSError, EOFError, msgspec.MsgspecError) as problem:
            self._kill()
            raise ProcessGone(self._last_words()) from problem
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
