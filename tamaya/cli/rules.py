"""The rules of the game as options of commands."""

from typing import Annotated, Any, get_args

import typer

from tamaya.core.settings import Multicolour

PANEL = "Rules of the game"

HandSize = Annotated[
    int | None,
    typer.Option(
        metavar="N", help="Cards in a hand, 2 to 6. [default: 5, or 4 with 4 and 5 players]", rich_help_panel=PANEL
    ),
]
Colours = Annotated[int, typer.Option(metavar="N", help="Colours, 1 to 6.", rich_help_panel=PANEL)]
Ranks = Annotated[int, typer.Option(metavar="N", help="Ranks, 1 to 5.", rich_help_panel=PANEL)]
HintTokens = Annotated[int, typer.Option(metavar="N", help="Hint tokens.", rich_help_panel=PANEL)]
Lives = Annotated[int, typer.Option(metavar="N", help="Lives.", rich_help_panel=PANEL)]
ExtraSuit = Annotated[
    str,
    typer.Option(metavar="KIND", help=f"An extra suit: {', '.join(get_args(Multicolour))}.", rich_help_panel=PANEL),
]
DiscardAtLimit = Annotated[
    bool,
    typer.Option(
        "--discard-at-limit", help="Allow discards while all hint tokens are available.", rich_help_panel=PANEL
    ),
]
EmptyHints = Annotated[
    bool, typer.Option("--empty-hints", help="Allow hints that touch no card.", rich_help_panel=PANEL)
]


def chosen_rules(hand_size: int | None, **others: Any) -> dict[str, Any]:
    """The rules that were chosen; without a size of hands, that is the official one."""
    if hand_size == 0:
        raise ValueError("--hand-size must be from 2 to 6, not 0")
    return others if hand_size is None else {**others, "hand_size": hand_size}
