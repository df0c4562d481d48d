"""Help that fits a screen: commands and options in groups, each command with examples."""

from types import ModuleType
from typing import Any

from typer.core import TyperCommand, TyperGroup

Rows = dict[str, list[tuple[str, str]]]


def argument_name(param: Any) -> str:
    """Returns how an argument is written in the usage line."""
    name = param.metavar or param.name.upper()
    return name if param.required else f"[{name}]"


def write_sections(sections: Rows, formatter: Any) -> None:
    """Writes lists of names with their explanations."""
    for title, rows in sections.items():
        with formatter.section(title):
            formatter.write_dl(rows)


class CommandHelp(TyperCommand):
    """A command whose options stand in groups."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Returns the options and the arguments."""
        arguments = [param for param in self.params if param.param_type_name == "argument"]
        return [self.options_metavar or "", *map(argument_name, arguments)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Writes the arguments, and the options group by group."""
        sections: Rows = {}
        for param in self.get_params(ctx):
            if param.param_type_name == "argument":
                name = param.metavar or (param.name or "").upper()
                sections.setdefault("Arguments", []).append((name, getattr(param, "help", "") or ""))
            elif record := param.get_help_record(ctx):
                sections.setdefault(getattr(param, "rich_help_panel", None) or "Options", []).append(record)
        write_sections(sections, formatter)


class GroupHelp(TyperGroup):
    """The commands, group by group, in the order in which they were added."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Returns the names of the commands."""
        return list(self.commands)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Writes what each command does."""
        sections: Rows = {}
        for name, command in self.commands.items():
            if not command.hidden:
                panel = getattr(command, "rich_help_panel", None) or "Commands"
                sections.setdefault(panel, []).append((name, command.get_short_help_str(200)))
        write_sections(sections, formatter)


def add_command(app: Any, module: ModuleType, panel: str | None = None) -> None:
    """Adds the command of a module: the function that is named like it, with its examples."""
    name = module.__name__.rpartition(".")[2]
    examples = "\b\nExamples:\n" + "\n".join(f"  tamaya {line}" for line in module.EXAMPLES)
    app.command(cls=CommandHelp, epilog=examples, rich_help_panel=panel)(getattr(module, name))
