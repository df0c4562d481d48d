"""The rules of the game as options of commands."""

import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any, get_args

import typer

from tamaya.engine.settings import Multicolour

PANEL = "Rules of the game"


def option(kind: Any, *names: str, help: str, **more: Any) -> Any:
    """Returns the type of an option among the rules."""
    return Annotated[kind, typer.Option(*names, help=help, rich_help_panel=PANEL, **more)]


SIZE = "Cards in a hand, 2 to 6. [default: 5, or 4 with 4 and 5 players]"
RULES: dict[str, tuple[Any, Any]] = {
    "hand_size": (option(int | None, metavar="N", help=SIZE), None),
    "colours": (option(int, metavar="N", help="Colours, 1 to 6."), 5),
    "ranks": (option(int, metavar="N", help="Ranks, 1 to 5."), 5),
    "hint_tokens": (option(int, metavar="N", help="Hint tokens."), 8),
    "lives": (option(int, metavar="N", help="Lives."), 3),
    "multicolour": (option(str, metavar="KIND", help=f"An extra suit: {', '.join(get_args(Multicolour))}."), "none"),
    "discard_at_limit": (
        option(bool, "--discard-at-limit", help="Allow discards while all hint tokens are available."),
        False,
    ),
    "empty_hints": (option(bool, "--empty-hints", help="Allow hints that touch no card."), False),
}
"""The rules that can be chosen, each with its option and its default."""


def takes_rules(command: Callable[..., None]) -> Callable[..., None]:
    """Gives a command the rules of the game as options; it gets those that were chosen as ``rules``."""
    signature = inspect.signature(command)
    others = [one for name, one in signature.parameters.items() if name != "rules"]
    options = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)
        for name, (kind, default) in RULES.items()
    ]

    @functools.wraps(command)
    def with_rules(*arguments: Any, **given: Any) -> None:
        rules = chosen_rules({name: given.pop(name) for name in RULES})
        command(*arguments, rules=rules, **given)

    with_rules.__signature__ = signature.replace(parameters=[*others, *options])  # type: ignore[attr-defined]
    return with_rules


def chosen_rules(rules: dict[str, Any]) -> dict[str, Any]:
    """Returns the rules that were chosen; without a size of hands, that is the official one."""
    if rules["hand_size"] == 0:
        raise ValueError("--hand-size must be from 2 to 6, not 0")
    return {name: value for name, value in rules.items() if value is not None}
