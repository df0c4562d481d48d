"""``tamaya play``: people and bots at a table, in the browser or in the terminal."""

import errno
import itertools
import os
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tamaya.cli.game_options import takes_rules
from tamaya.cli.options import LONGEST_DELAY, agent_names
from tamaya.cli.printing import console
from tamaya.engine.settings import SEATS
from tamaya.engine.text import count_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tamaya.game.hanab_live import Record
    from tamaya.play.tables.bots import Bots
    from tamaya.play.tables.lobby import Lobby
    from tamaya.play.tables.messages import Order

EXAMPLES = (
    "play",
    "play information",
    "play --replay games.jsonl",
    "play --host 0.0.0.0",
    "play --terminal --players 4",
    "play --terminal piers ally",
)

PORT = 7425
"""Where the page is, if nothing else is there."""

LOOPBACK = "127.0.0.1"

TERMINAL = "In the terminal"
PLAYERS = 3
"""How many play if nothing else is said."""


@takes_rules
def play(
    context: typer.Context,
    bots: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[AGENT]...",
            help="Agents to offer first, before the short list; with --terminal, who plays: one for all, or one each.",
            autocompletion=agent_names,
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
        typer.Option(
            metavar="FILE", help="Recorded games to look at: a file, a folder of runs, or a share link of hanab.live."
        ),
    ] = None,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
    terminal: Annotated[bool, typer.Option("--terminal", help="Play here, without a browser.")] = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the game that was left last.", rich_help_panel=TERMINAL)
    ] = False,
    players: Annotated[
        int | None,
        typer.Option(
            "--players",
            "-p",
            metavar="N",
            help=f"Players, 2 to 5. [default: {PLAYERS}, or you and the agents]",
            rich_help_panel=TERMINAL,
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option("--seed", "-s", metavar="N", help="The deal. [default: a new one]", rich_help_panel=TERMINAL),
    ] = None,
    delay: Annotated[
        float, typer.Option(metavar="SECONDS", help="How long bots wait before they move.", rich_help_panel=TERMINAL)
    ] = 0.5,
    *,
    rules: dict[str, Any],
) -> None:
    """Play with bots and people in the browser, or with bots in the terminal."""
    given = [name for name in context.params if context.get_parameter_source(name).name == "COMMANDLINE"]  # type: ignore[union-attr]
    check_given({*given} - {"bots", "folder", "terminal"}, terminal, resume)
    if not terminal:
        serve_page(bots or [], host, port, folder or default_folder(), replay, browser)
        return
    from tamaya.play.terminal.terminal_session import play_new, resume_game

    if resume:
        if bots:
            raise ValueError("--resume goes on with a game and its bots; it does not go with agents")
        resume_game(folder or default_folder(), console.out)
        return
    order, offered = order_of(bots or [], players, seed, delay, rules)
    play_new(order, offered, folder or default_folder(), console.out)


PAGE_ONLY = {"host", "port", "replay", "browser"}


def check_given(given: set[str], is_terminal: bool, is_resumed: bool) -> None:
    """Refuses options that would have no effect."""
    wrong = given & PAGE_ONLY if is_terminal else given - PAGE_ONLY
    if wrong:
        place = "page, not for --terminal" if is_terminal else "terminal: add --terminal; the page asks for it"
        raise ValueError(f"{option_names(wrong)} is for the {place}")
    if is_resumed and given - {"resume"}:
        raise ValueError(
            f"--resume goes on with a game as it was; it does not go with {option_names(given - {'resume'})}"
        )


def option_names(names: set[str]) -> str:
    """Returns the options with some names, as they are written."""
    return ", ".join(sorted(f"--{name.replace('_', '-')}" for name in names))


def order_of(
    agents: list[str], players: int | None, seed: int | None, delay: float, rules: dict[str, Any]
) -> tuple["Order", "Bots"]:
    """Returns the table that somebody wants, and the bots at it."""
    from tamaya.game.game import check_seed
    from tamaya.play.tables.bots import Bots
    from tamaya.play.tables.messages import Order, Place

    count = players if players is not None else len(agents) + 1 if len(agents) > 1 else PLAYERS
    if not 2 <= count <= SEATS:
        raise ValueError(f"--players must be from 2 to {SEATS}, not {count}")
    if len(agents) > 1 and len(agents) != count - 1:
        raise ValueError(f"{len(agents)} agents for {count - 1} seats; name one for all seats, or one each")
    if not 0 <= delay <= LONGEST_DELAY:
        raise ValueError(f"--delay must be from 0 to {LONGEST_DELAY} seconds, not {delay:g}")
    bots = Bots(agents)
    named = agents or [next(iter(bots.offered))]
    seats = [Place(), *(Place(agent=agent) for agent in (named * (count - 1))[: count - 1])]
    return Order(seats, 0, rules, "" if seed is None else str(check_seed(seed)), delay), bots


def serve_page(bots: list[str], host: str, port: int | None, folder: Path, replay: str | None, browser: bool) -> None:
    """Serves the page until it is stopped."""
    import webbrowser

    try:
        import starlette  # noqa: F401
        import uvicorn
        import websockets  # noqa: F401
    except ImportError as error:
        words = "pip install 'tamaya[web]', or play here with --terminal"
        raise ValueError(f"the page needs {error.name}: {words}") from error
    from tamaya.play.tables.bot_moves import warm_up_bots
    from tamaya.play.tables.bots import Bots
    from tamaya.play.tables.lobby import Lobby
    from tamaya.play.tables.messages import LONGEST
    from tamaya.play.tables.study_library import Library
    from tamaya.play.web.server import make_app
    from tamaya.play.web.table_sessions import TableSessions

    games = list(games_of(replay))
    with listen(host, port) as listening:
        lobby = Lobby(folder, Bots(bots))
        library = Library(lobby.folder, lobby.bots, games)
        page = f"study/{library.of_offered(1).id}" if len(games) == 1 else ""
        warm_up_bots(lobby.bots)
        address = f"http://{shown_host(host)}:{listening.getsockname()[1]}/"

        def when_ready() -> None:
            print_address(address + page, lobby, host != LOOPBACK)
            if browser:
                webbrowser.open(address + page)

        config = uvicorn.Config(
            make_app(TableSessions(lobby), when_ready, host, library),
            log_level="warning",
            ws="websockets-sansio",
            ws_max_size=LONGEST,
            timeout_graceful_shutdown=1,
        )
        uvicorn.Server(config).run(sockets=[listening])


def games_of(source: str | None) -> "Iterator[Record]":
    """Yields the games to look at, as many as are listed, checked."""
    from tamaya.game.replay import game_in, records
    from tamaya.play.tables.study_library import MOST_LISTED

    if not source:
        return
    for number, record in enumerate(itertools.islice(records(source), MOST_LISTED), 1):
        game_in(source, number, record)
        yield record


def print_address(address: str, lobby: "Lobby", is_open: bool) -> None:
    """Prints where the page and the games are, and which of them cannot be read."""
    going_on = sum(not table.game.is_over for table in lobby.tables.values())
    console.say(f"the table is at {address}   (Ctrl-C ends)")
    console.say(f"{count_of(going_on, 'unfinished game')} in {lobby.folder}")
    if is_open:
        console.out.print("everybody who can reach this address can open tables", soft_wrap=True)
    for complaint in lobby.unreadable:
        console.note(f"tamaya: {complaint}")


def default_folder() -> Path:
    """Returns the folder where games are kept."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "tamaya"


def shown_host(host: str) -> str:
    """Returns how a browser reaches an address to which the server listens."""
    if host in ("0.0.0.0", "::"):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect(("192.0.2.1", 9))  # nothing is sent: it only asks which address would be used
                return str(probe.getsockname()[0])
            except OSError:
                return LOOPBACK
    return f"[{host}]" if ":" in host else host


def listen(host: str, port: int | None) -> socket.socket:
    """Opens a socket at an address; any free port if none is asked for and the usual one is taken."""
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
