"""The commands together, and how they end."""

import contextlib
import os
import re
import sys
from typing import Annotated, Any

import typer

from tamaya.cli import (
    agents,
    agree,
    analyse,
    bot,
    check,
    evolve,
    learn,
    live,
    match,
    play,
    report,
    reproduce,
    run,
    show,
    solve,
    think,
)
from tamaya.cli.help import GroupHelp, add_command
from tamaya.cli.printing import console

app = typer.Typer(
    cls=GroupHelp,
    help="The laboratory for Hanabi.",
    epilog="`tamaya COMMAND -h` explains a command and shows examples.",
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

COMMANDS = {
    "Play": (play, match, run, report, reproduce),
    "Agents": (agents, check, bot, live),
    "Learn": (evolve,),
    "Recorded games": (show, analyse, think, agree, solve),
}
for panel, modules in COMMANDS.items():
    for module in modules:
        add_command(app, module, panel)
app.add_typer(learn.app, name="learn", cls=GroupHelp, rich_help_panel="Learn")


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
    """Returns what an error says, with the file instead of the error number."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename or 'the output cannot be written'}: {error.strerror}"
    return str(error)


def usage(error: Any) -> str:
    """Returns what is wrong with the arguments of a command."""
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
        console.note(f"tamaya: {complaint(error)}", style="red")
        code = 1
    except typer.Exit as error:
        code = error.exit_code
    except (KeyboardInterrupt, typer.Abort):
        code = 130
    except Exception as error:
        if not hasattr(error, "format_message"):
            raise
        console.note(f"tamaya: {usage(error)}", style="red")
        code = 2
    if code == 130:
        console.err.print("tamaya: stopped", style="red")
    with contextlib.suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code or 0)  # a policy that never returns would keep its thread, and so the process, alive
