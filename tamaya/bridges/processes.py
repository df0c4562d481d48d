"""Programs of others: started, asked line by line within a time, and ended with all that they have started."""

import contextlib
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import BinaryIO

from tamaya.engine.text import seconds_of

CHUNK = 1 << 16
LONGEST_LINE = 1 << 20
"""How many bytes are read at once, and how many bytes a line may have."""

LAST_WORDS = 1 << 12
"""How much is kept of what a program writes to its error stream."""

GRACE = 1.0
"""How many seconds a program may take to end by itself once its input is closed."""

GUARD = Path(__file__).with_name("process_guard.py")
"""The program that ends what this process has started, once it is gone."""


class Failure(ValueError):
    """A program that crashed, is late, or says what it must not; the text says what it did."""


class ProcessGuard:
    """A process that ends all programs that are left when this process is gone, however it ended."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.process: subprocess.Popen[bytes] | None = None
        self.owner = 0

    def tell(self, sign: str, group: int) -> None:
        """Says that a group of processes was started, or has ended."""
        with self.lock, contextlib.suppress(OSError):
            if self.process is None or self.owner != os.getpid():
                command = [sys.executable, "-I", "-S", str(GUARD)]
                nowhere = subprocess.DEVNULL
                self.process = subprocess.Popen(
                    command, stdin=subprocess.PIPE, stdout=nowhere, stderr=nowhere, bufsize=0, start_new_session=True
                )
                self.process.returncode = 0  # it outlives this process, so nobody waits for it
                self.owner = os.getpid()
            assert self.process.stdin is not None
            self.process.stdin.write(f"{sign}{group}\n".encode())


guard = ProcessGuard()


class Program:
    """A running program and the lines that it exchanges."""

    def __init__(self, command: Sequence[str], log: str = "") -> None:
        self.log = open_log(log) if log else None
        try:
            self.child = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            if self.log is not None:
                self.log.close()
            raise Failure(f"cannot be started: {error.strerror or error}") from error
        guard.tell("+", self.child.pid)
        streams = (self.child.stdin, self.child.stdout, self.child.stderr)
        self.input, self.output, self.errors = (stream.fileno() for stream in streams if stream is not None)
        self.poller = select.poll()
        for place in (self.input, self.output, self.errors):
            os.set_blocking(place, False)
        self.poller.register(self.output, select.POLLIN)
        self.poller.register(self.errors, select.POLLIN)
        self.heard = bytearray()
        self.last_words = b""
        self.has_ended = False

    def ask(self, text: bytes, seconds: float) -> bytes:
        """Sends lines and returns the line that the program answers; raises Failure with the reason."""
        end = time.monotonic() + seconds
        self.listen(0)
        if self.heard:
            raise Failure(f"wrote {shorten(self.heard)} without being asked")
        self.send(text, end, seconds)
        at = 0
        while (found := self.heard.find(b"\n", at)) < 0:
            at = len(self.heard)
            if at > LONGEST_LINE:
                raise Failure(f"wrote {at:,} bytes without ending a line")
            if not self.listen(end - time.monotonic()):
                raise Failure(f"did not answer within {seconds_of(seconds)}")
        line = bytes(self.heard[:found])
        del self.heard[: found + 1]
        self.note(b"< ", line)
        return line

    def note(self, sign: bytes, lines: bytes) -> None:
        """Writes to the log, if there is one, what was said, with a sign for who said it."""
        if self.log is not None:
            self.log.write(b"".join(sign + line + b"\n" for line in lines.splitlines()))

    def send(self, text: bytes, end: float, seconds: float) -> None:
        """Sends lines until a time, and listens meanwhile, so that neither side waits for the other."""
        self.note(b"> ", text)
        rest = memoryview(text)
        while True:
            try:
                rest = rest[os.write(self.input, rest) :]
            except BlockingIOError:
                pass
            except BrokenPipeError as error:
                raise Failure(self.obituary("closed its input")) from error
            if not rest:
                return
            self.poller.register(self.input, select.POLLOUT)
            is_in_time = self.listen(end - time.monotonic())
            self.poller.unregister(self.input)
            if not is_in_time:
                raise Failure(f"did not read its input within {seconds_of(seconds)}")
            if len(self.heard) > LONGEST_LINE:
                raise Failure(f"wrote {shorten(self.heard)} without being asked")

    def listen(self, seconds: float) -> bool:
        """Reads what the program has written, or waits for it for some time; false if the time is over."""
        if seconds < 0:
            return False
        ready = self.poller.poll(seconds * 1000)
        for place, _ in ready:
            if place == self.output:
                chunk = os.read(place, CHUNK)
                if not chunk:
                    raise Failure(self.obituary("closed its output"))
                self.heard += chunk
            elif place == self.errors:
                self.note_errors()
        return bool(ready)

    def note_errors(self) -> bool:
        """Reads what the program has written to its error stream; false if there is nothing more."""
        try:
            chunk = os.read(self.errors, CHUNK)
        except BlockingIOError:
            return False
        if not chunk:
            with contextlib.suppress(KeyError):
                self.poller.unregister(self.errors)
            return False
        self.last_words = (self.last_words + chunk)[-LAST_WORDS:]
        if self.log is not None:
            self.log.write(chunk)
        return True

    def obituary(self, otherwise: str) -> str:
        """How the program ended, with the last line that it wrote to its error stream."""
        try:
            code = self.child.wait(GRACE)
        except subprocess.TimeoutExpired:
            return otherwise
        end = time.monotonic() + GRACE
        while self.note_errors() and time.monotonic() < end:
            pass
        lines = self.last_words.decode(errors="replace").strip().splitlines()
        said = f": {lines[-1][:200]}" if lines else ""
        how = f"was killed by signal {-code}" if code < 0 else f"exited with code {code}"
        return f"{how}{said}"

    def end(self, grace: float = GRACE) -> None:
        """Ends the program and all that it has started, now or when it has had time to end by itself."""
        end_programs([self], grace)


def open_log(path: str) -> BinaryIO:
    """A file to which is appended as long as a program runs; raises Failure with its name if it cannot be written."""
    try:
        return open(path, "ab", buffering=0)
    except OSError as error:
        raise Failure(f"cannot write its log {path}: {error.strerror or error}") from error


def end_programs(programs: Iterable[Program], grace: float = GRACE) -> None:
    """Ends programs and all that they have started; first their input is closed, and they get some time."""
    open_ones = [program for program in programs if not program.has_ended]
    for program in open_ones:
        program.has_ended = True
        with contextlib.suppress(OSError):
            program.child.stdin.close()  # type: ignore[union-attr]
    until = time.monotonic() + grace
    for program in open_ones:
        with contextlib.suppress(Failure, OSError, ValueError):
            while program.listen(until - time.monotonic()):
                program.heard.clear()
        bury(program)


def bury(program: Program) -> None:
    """Kills a program and its group, and closes what is open."""
    child = program.child
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    child.kill()
    child.wait()
    guard.tell("-", child.pid)
    for stream in (child.stdout, child.stderr, program.log):
        if stream is not None:
            stream.close()


def shorten(text: bytes | bytearray) -> str:
    """The beginning of what a program wrote, as text."""
    return repr(bytes(text[:80]).decode(errors="replace").strip()) + ("..." if len(text) > 80 else "")
