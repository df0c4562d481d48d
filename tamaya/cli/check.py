"""``tamaya check``: whether an agent plays by the rules and sees no hidden card."""

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from tamaya.cli.options import Json, agent_names
from tamaya.cli.printing import console
from tamaya.engine.text import plain, plain_lines

EXAMPLES = ("check piers", "check mymodule:mypolicy --games 1000", "check piers --saved games.jsonl")


def check(
    agent: Annotated[
        str, typer.Argument(metavar="AGENT", help="An agent, such as mymodule:mypolicy.", autocompletion=agent_names)
    ],
    games: Annotated[int, typer.Option("--games", "-g", metavar="N", help="Games per setting that is tried.")] = 200,
    timeout: Annotated[
        float,
        typer.Option(metavar="SECONDS", help="Give up on an agent that has not answered after this many seconds."),
    ] = 120.0,
    saved: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Only check that the agent makes the moves of games that match --save wrote."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Check that an agent plays by the rules, sees no hidden card, and depends on nothing but view, memory and seed."""
    from tamaya.arena.checks.conformance import inspect_agent

    if not console.err.is_terminal:
        console.note(f"checking {agent} ...")
    findings = []
    with console.err.status(Text(plain(f"checking {agent}, which may take minutes"))):
        for finding in inspect_agent(agent, games, timeout, saved):
            findings.append(finding)
            mark = Text("ok  ", style="green") if finding.is_fine else Text("FAIL", style="bold red")
            if not json:
                console.out.print(Text.assemble(mark, f"  {plain_lines(finding.text)}"), soft_wrap=True)
    if json:
        console.print_json({"agent": agent, "findings": findings})
    if not all(finding.is_fine for finding in findings):
        raise typer.Exit(1)
