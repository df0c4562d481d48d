"""``tamaya bot``: an agent that plays for another program, over standard input and output."""

import sys
from typing import Annotated

import typer

from tamaya.cli.options import agent_names
from tamaya.cli.printing import console

EXAMPLES = ("bot piers", "match piers 'pipe(tamaya bot piers)' --games 100")


def bot(
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="An agent.", autocompletion=agent_names)],
    seed: Annotated[
        int, typer.Option("--seed", "-s", metavar="N", help="The seed of its random choices, if it is not told any.")
    ] = 1,
) -> None:
    """Let an agent play for another program, over standard input and output."""
    from tamaya.agents.registry import make_agent
    from tamaya.bridges.bot_server import serve
    from tamaya.game.game import check_seed

    outgoing = sys.stdout.buffer
    with console.prints_aside():
        serve(make_agent(agent), sys.stdin.buffer, outgoing, check_seed(seed))
