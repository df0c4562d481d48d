"""The commands together, and how they end."""

import contextlib
import os
import re
import sys
from collections.abc import Callable
from typing import Annotated, Any

import typer

from tamaya.cli import (
    agents,
    agreement,
    analysing,
    console,
    evolving,
    experiments,
    games,
    learning,
    live,
    matches,
    playing,
    practising,
    solving,
)
from tamaya.cli.help import Command, Group, examples

app = typer.Typer(
    cls=Group,
    help="The laboratory for Hanabi.",
    epilog="`tamaya COMMAND -h` explains a command and shows examples.",
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

COMMANDS: dict[str, list[Callable[..., None]]] = {
    "Play": [playing.play, matches.match, experiments.run, experiments.report, experiments.reproduce],
    "Agents": [agents.agents, agents.check, agents.bot, live.live],
    "Learn": [evolving.evolve],
    "Recorded games": [games.show, analysing.analyse, games.think, agreement.agree, solving.solve],
}
EXAMPLES = {
    "play": [
        "play",
        "play information",
        "play --replay games.jsonl",
        "play --host 0.0.0.0",
        "play --terminal --players 4",
        "play --terminal piers ally",
    ],
    "match": [
        "match piers",
        'match piers "risky(0.6)" --players 2-3 --games 50000',
        "match piers+iggi+vdb --save games.jsonl",
        'match "ris(rules=goodman, rollout=vdb, ms=40)" -p 4 -g 100',
    ],
    "run": ["run experiment.toml --dry-run", "run experiment.toml", "run experiment.run"],
    "report": ["report experiment.run", "report experiment.run --parquet"],
    "reproduce": ["reproduce --list", "reproduce walton-rivers/table-2", "reproduce goodman/table-3 --quick"],
    "agents": ["agents", "agents --rules"],
    "check": ["check piers", "check mymodule:mypolicy --games 1000", "check piers --saved games.jsonl"],
    "bot": ["bot piers", "match piers 'pipe(tamaya bot piers)' --games 100"],
    "live": ["live smartbot --user Bot-Tamaya", "live smartbot --user Bot-Tamaya --table 1234 --games 1"],
    "evolve": [
        "evolve --to evolved --generations 100",
        'evolve --to mixed --fitness mixed --partners "iggi, vdb"',
        "evolve --to elites --map-elites 10 --generations 100",
    ],
    "show": ["show games.jsonl", "show games.jsonl --game 3", "show games.jsonl --game 3 --turn 10"],
    "analyse": [
        "analyse games.jsonl",
        "analyse games.jsonl --game 3 --moves 40-",
        'analyse games.jsonl --by "search(piers)" --plot game.svg',
    ],
    "agree": ["agree piers iggi games.jsonl", "agree information games.safetensors --games 100 --asks 1"],
    "solve": [
        "solve",
        "solve --deals 1000 --players 2-5",
        "solve games.jsonl",
        "solve games.jsonl --game 3 --turn 20",
        "solve games.jsonl --game 3 --turn 60 --chances",
    ],
    "think": ["think games.jsonl", 'think games.jsonl --game 3 --turn 12 --agent "flat(piers, deals=500)"'],
}

for panel, commands in COMMANDS.items():
    for command in commands:
        epilog = examples(*EXAMPLES[command.__name__])
        app.command(cls=Command, epilog=epilog, rich_help_panel=panel)(command)
PRACTICE = ["learn ppo --to small --players 2 --colours 2", "learn ppo --to full --device cuda --minutes 30"]
learning.app.command(cls=Command, epilog=examples(*PRACTICE))(practising.ppo)
app.add_typer(learning.app, name="learn", cls=Group, rich_help_panel="Learn")


@app.callback(invoke_without_command=True)
def version(
    context: typer.Context,
    show_version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """The laboratory for Hanabi."""
    if show_version:
        from importlib.metadata import version as version_of

        print(f"tamaya {version_of('tamaya')}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(context.get_help())


def complaint(error: Exception) -> str:
    """What an error says, with the file instead of the error number."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename or 'the output cannot be written'}: {error.strerror}"
    return str(error)


def usage(error: Any) -> str:
    """What is wrong with the arguments of a command."""
    words = error.format_message()
    if words.startswith("Missing argument"):  # of several, the parser does not know which one was left out
        command = error.ctx.command
        wanted = [one.metavar or one.name for one in command.params if one.param_type_name == "argument"]
        return f"Missing argument: {command.name} takes {' '.join(wanted)}"
    words = re.sub(r"Input should be a valid integer.*", "it must be a whole number", words)
    return re.sub(r"Input should be a valid number.*", "it must be a number", words)


def run_command() -> None:
    """Runs the command line; errors that a user can mend are printed in one line."""
    try:
        code = app(standalone_mode=False)
    except BrokenPipeError:
        code = 141  # as the shell says of a program whose reader has left
    except (ValueError, OSError) as error:
        console.err.print(f"tamaya: {complaint(error)}", style="red", markup=False, soft_wrap=True)
        code = 1
    except typer.Exit as error:
        code = error.exit_code
    except (KeyboardInterrupt, typer.Abort):
        code = 130
    except Exception as error:
        if not hasattr(error, "format_message"):
            raise
        console.err.print(f"tamaya: {usage(error)}", style="red", markup=False, soft_wrap=True)
        code = 2
    if code == 130:
        console.err.print("tamaya: stopped", style="red")
    with contextlib.suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code or 0)  # a policy that never returns would keep its thread, and so the process, alive
