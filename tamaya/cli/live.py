"""``tamaya live``: an agent that plays on hanab.live."""

import os
import sys
import time
from typing import Annotated

import typer

from tamaya.cli.options import LONGEST_DELAY, agent_names
from tamaya.cli.printing import console

EXAMPLES = ("live smartbot --user Bot-Tamaya", "live smartbot --user Bot-Tamaya --table 1234 --games 1")

SITE = "https://hanab.live"
PASSWORD = "TAMAYA_LIVE_PASSWORD"
"""The environment variable with the password of the account."""


def live(
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="Who plays.", autocompletion=agent_names)],
    user: Annotated[str, typer.Option("--user", "-u", metavar="NAME", help="The account, by custom named Bot-...")],
    site: Annotated[str, typer.Option(metavar="URL", help="The address of the site.")] = SITE,
    table: Annotated[
        int | None, typer.Option("--table", "-t", metavar="N", help="Join this table. [default: wait to be invited]")
    ] = None,
    obey: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Obey only this person; can be repeated.")
    ] = None,
    games: Annotated[
        int,
        typer.Option(
            "--games", "-g", metavar="N", help="Stop after this many games. [default: never]", show_default=False
        ),
    ] = 0,
    delay: Annotated[float, typer.Option(metavar="SECONDS", help="Wait this long before each move.")] = 1.0,
    seed: Annotated[int, typer.Option("--seed", "-s", metavar="N", help="The seed of its random choices.")] = 1,
) -> None:
    """Let an agent play on hanab.live, or on another site with its programs.

    The password is read from TAMAYA_LIVE_PASSWORD, or else asked for. The agent joins whoever sends it the private
    message /join, and leaves on /leave.
    """
    try:
        import websockets  # noqa: F401
    except ImportError as error:
        raise ValueError(f"the connection needs {error.name}: pip install 'tamaya[web]'") from error
    from tamaya.agents.registry import make_agent
    from tamaya.bridges.bot_server import warm_up
    from tamaya.game.game import check_seed
    from tamaya.play.live.bot_account import BotAccount
    from tamaya.play.live.chat import Chat
    from tamaya.play.live.connection import Connection
    from tamaya.play.live.live_games import LiveGames
    from tamaya.play.live.login import check_site
    from tamaya.policies.language import AgentError

    check_site(site)
    if games < 0:
        raise ValueError(f"--games must be 0 or more, not {games}")
    if not 0 <= delay <= LONGEST_DELAY:
        raise ValueError(f"--delay must be from 0 to {LONGEST_DELAY} seconds, not {delay:g}")
    with console.prints_aside():
        player = make_agent(agent)
        if player.sees:
            raise AgentError(f"{player} sees hidden cards, which the site shows to nobody")
        warm_up(player)
    password = password_of(user)
    chat = Chat(print_with_time)
    account = BotAccount(LiveGames(player, check_seed(seed), chat), chat, table, obey or ())
    Connection(account, site, user, password, delay).run(games)


def password_of(user: str) -> str:
    """Returns the password of a user: from the environment, or else asked for, never from the command line."""
    import getpass

    password = os.environ.get(PASSWORD, "")
    if not password and sys.stdin.isatty():
        password = getpass.getpass(f"password of {user}: ")
    if not password:
        raise ValueError(f"there is no password: put it into the environment variable {PASSWORD}")
    return password


def print_with_time(words: str) -> None:
    """Prints what happens, with the time."""
    console.say(f"{time.strftime('%H:%M:%S')} {words}")
