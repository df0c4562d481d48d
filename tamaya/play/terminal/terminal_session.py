"""How a game in the terminal begins: a new table, or the last one that was left; its journal is in the usual folder."""

import contextlib
import errno
import fcntl
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console

from tamaya.engine.text import plain, plain_lines
from tamaya.play.tables.bot_moves import warm_up_bots
from tamaya.play.tables.bots import Bots
from tamaya.play.tables.game_table import Table
from tamaya.play.tables.journal import Journal, Kept
from tamaya.play.tables.lobby import GAMES, keep_game, open_table
from tamaya.play.tables.messages import Order
from tamaya.play.terminal.key_play import play_by_keys
from tamaya.play.terminal.line_play import LinePlay
from tamaya.play.terminal.person import Person

SUFFIX = ".terminal"
"""How the names of journals end: a server of pages leaves these alone."""

RESUME = "tamaya play --terminal --resume"


@contextlib.contextmanager
def held(path: Path) -> Iterator[bool]:
    """Keeps other processes away from a journal; says whether that could be done."""
    with contextlib.closing(os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
            return
        yield True


def unfinished(folder: Path) -> list[Path]:
    """The journals of games that were left and that nobody plays, the latest first."""
    paths = sorted(folder.glob(f"*{SUFFIX}"), key=lambda path: path.stat().st_mtime, reverse=True)
    return [path for path in paths if is_waiting(path, folder / GAMES)]


def is_waiting(path: Path, games: Path) -> bool:
    """Whether a journal is of a game that can go on; one that was over, but not kept, is kept."""
    with held(path) as is_free:
        if not is_free:
            return False
        try:
            entries = list(Journal(path).entries())
            if not entries or isinstance(entries[-1], Kept):
                return False
            table = Table.resumed(Journal(path))
            keep_game(table, games)
        except ValueError:
            return False
        return not table.game.is_over and table.game.turn > 0


def seat_at(table: Table, bots: Bots, folder: Path, notice: str = "") -> Person:
    """The person of a table, with everything compiled that its bots need."""
    warm_up_bots(bots, [seat.agent for seat in table.seats if seat.agent], table.rules)
    return Person(table, bots, folder / GAMES, notice)


def play_new(order: Order, bots: Bots, folder: Path, console: Console) -> None:
    """Plays at a new table."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    notice = f"a game of yours is not finished; {RESUME} goes on with it" if unfinished(folder) else ""
    table = open_table(order, bots, folder, SUFFIX)
    with held(table.journal.path):
        play_at_table(seat_at(table, bots, folder, notice), console)


def resume_game(folder: Path, console: Console) -> None:
    """Goes on with the game that was left last."""
    paths = unfinished(folder)
    if not paths:
        raise ValueError(f"there is no unfinished game in {folder}")
    with held(paths[0]) as is_free:
        if not is_free:
            raise ValueError("somebody else has just gone on with that game")
        table = Table.resumed(Journal(paths[0]))
        bots = Bots(list(dict.fromkeys(seat.agent for seat in table.seats if seat.agent)))
        play_at_table(seat_at(table, bots, folder), console)


def play_at_table(person: Person, console: Console) -> None:
    """Plays by keys on a terminal that can draw, else by lines, until the person leaves; then says how to go on."""
    for line in person.conventions:
        console.print(plain(line), markup=False, soft_wrap=True)
    by_keys = sys.stdin.isatty() and console.is_terminal and os.environ.get("TERM", "dumb") != "dumb"
    try:
        (play_by_keys if by_keys else play_by_lines)(person, console)
    except EOFError:
        pass
    except OSError as error:
        is_terminal_gone = by_keys and error.errno == errno.EIO and not sys.stdin.isatty()
        if not is_terminal_gone:
            raise
    finally:
        person.pool.shutdown(wait=False, cancel_futures=True)
        with contextlib.suppress(OSError):
            leave(person, console)


def play_by_lines(person: Person, console: Console) -> None:
    """Plays by the lines of the standard input; what agents print goes to the error stream."""
    file = console.file
    with contextlib.redirect_stdout(sys.stderr):
        LinePlay(person, lambda text: print(plain_lines(text), file=file, flush=True)).play(sys.stdin)


def leave(person: Person, console: Console) -> None:
    """Says how to go on with a game; where nothing was played, nothing is kept."""
    table = person.table
    if table.game.turn == 0 and table.dealt == 1:
        table.journal.path.unlink(missing_ok=True)
    elif table.game.turn and not table.game.is_over:
        console.print(f"the game is kept; {RESUME} goes on with it", markup=False, soft_wrap=True)
