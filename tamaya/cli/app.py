"""The commands together, and how they end."""

import contextlib
import os
import sys
from typing import Annotated

import typer

from tamaya.cli import agents, console, experiments, games, learning, matches

app = typer.Typer(
    help="The laboratory for Hanabi.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

for command in (
    matches.match,
    experiments.run,
    experiments.report,
    experiments.reproduce,
    agents.agents,
    games.show,
    games.think,
    agents.check,
):
    app.command()(command)
app.add_typer(learning.app, name="learn")


@app.callback(invoke_without_command=True)
def version(show_version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    """The laboratory for Hanabi."""
    if show_version:
        from importlib.metadata import version as version_of

        print(f"tamaya {version_of('tamaya')}")
        raise typer.Exit


def complaint(error: Exception) -> str:
    """What an error says, of a file without its number."""
    return f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.filename else str(error)


def run_command() -> None:
    """Runs the command line; errors that a user can mend are told in a line."""
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
        console.err.print(f"tamaya: {error.format_message()}", style="red", markup=False, soft_wrap=True)
        code = 2
    if code == 130:
        console.err.print("tamaya: stopped", style="red")
    with contextlib.suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code or 0)  # a policy that never returns would keep its thread, and so the process, alive
