"""The command that lets people play."""

import errno
import itertools
import os
import socket
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tamaya.cli import console
from tamaya.cli.matches import agent_names
from tamaya.core.text import count_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tamaya.game.hanab_live import Record
    from tamaya.web.hall import Hall

PORT = 7425
"""Where the page is, if nothing else is there."""

LOOPBACK = "127.0.0.1"


def play(
    bots: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[AGENT]...", help="Agents to offer first, before the short list.", autocompletion=agent_names
        ),
    ] = None,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where to listen; 0.0.0.0 lets the local network in.")
    ] = LOOPBACK,
    port: Annotated[
        int | None, typer.Option(metavar="N", help=f"The port. [default: {PORT}, or any other if that is taken]")
    ] = None,
    folder: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where games are kept. [default: ~/.local/share/tamaya]")
    ] = None,
    replay: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Recorded games to look at: a file, or a share link of hanab.live."),
    ] = None,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
) -> None:
    """Play with bots and people in the browser."""
    try:
        import starlette  # noqa: F401
        import uvicorn
        import websockets  # noqa: F401
    except ImportError as error:
        raise ValueError(f"the page needs {error.name}: pip install 'tamaya[web]'") from error
    from tamaya.web.app import make_app
    from tamaya.web.bots import Bots
    from tamaya.web.hall import Hall
    from tamaya.web.hosting import Host, warm_up
    from tamaya.web.library import Library
    from tamaya.web.messages import LONGEST

    games = list(games_of(replay))
    with listen(host, port) as listening:
        hall = Hall(folder or default_folder(), Bots(bots or []))
        library = Library(hall.folder, hall.bots, games)
        page = f"study/{library.of_offered(1).id}" if len(games) == 1 else ""
        warm_up(hall.bots)
        address = f"http://{shown_host(host)}:{listening.getsockname()[1]}/"

        def when_ready() -> None:
            say_where(address + page, hall, host != LOOPBACK)
            if browser:
                webbrowser.open(address + page)

        config = uvicorn.Config(
            make_app(Host(hall), when_ready, host, library),
            log_level="warning",
            ws="websockets-sansio",
            ws_max_size=LONGEST,
            timeout_graceful_shutdown=1,
        )
        uvicorn.Server(config).run(sockets=[listening])


def games_of(source: str | None) -> "Iterator[Record]":
    """The games to look at, as many as are listed, checked."""
    from tamaya.game.replay import from_record, records
    from tamaya.web.library import MOST_LISTED

    for record in itertools.islice(records(source), MOST_LISTED) if source else ():
        from_record(record)
        yield record


def say_where(address: str, hall: "Hall", is_open: bool) -> None:
    """Prints where the page and the games are, and which of them cannot be read."""
    going_on = sum(not table.game.is_over for table in hall.tables.values())
    console.out.print(f"the table is at {address}   (Ctrl-C ends)", markup=False, soft_wrap=True)
    console.out.print(f"{count_of(going_on, 'unfinished game')} in {hall.folder}", markup=False, soft_wrap=True)
    if is_open:
        console.out.print("everybody who can reach this address can open tables", soft_wrap=True)
    for complaint in hall.unreadable:
        console.err.print(f"tamaya: {complaint}", markup=False, soft_wrap=True)


def default_folder() -> Path:
    """Where games are kept."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "tamaya"


def shown_host(host: str) -> str:
    """How a browser reaches an address to which the server listens."""
    if host in ("0.0.0.0", "::"):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect(("192.0.2.1", 9))  # nothing is sent: it only asks which address would be used
                return str(probe.getsockname()[0])
            except OSError:
                return LOOPBACK
    return f"[{host}]" if ":" in host else host


def listen(host: str, port: int | None) -> socket.socket:
    """A socket at an address; any free port if none is asked for and the usual one is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    if port is not None and not 0 <= port < 1 << 16:
        raise ValueError(f"--port must be from 0 to 65535, not {port}")
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        try:
            listening.bind((host, PORT if port is None else port))
        except OSError as error:
            if error.errno != errno.EADDRINUSE or port is not None:
                raise
            listening.bind((host, 0))
        listening.listen()  # a browser may come before the server is ready, and waits
    except OSError as error:
        listening.close()
        raise ValueError(f"cannot listen at {host}, port {PORT if port is None else port}: {error.strerror}") from error
    return listening
