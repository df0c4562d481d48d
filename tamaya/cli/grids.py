"""Results as tables that a person can read in a terminal."""

import math
from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table as Grid

from tamaya.core.text import plain

if TYPE_CHECKING:
    from tamaya.arena.statistics import Summary
    from tamaya.game.notation import Wording
    from tamaya.papers.reproduce import Verdict
    from tamaya.policies.thoughts import Thoughts


def as_cell(value: object) -> str:
    """What stands in a cell: a text that means nothing but itself."""
    return escape(plain(str(value)))


def grid_of(rows: list[dict[str, str]]) -> Grid:
    """A table of rows with the same keys; the first column is text, the others are figures."""
    grid = Grid(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    first, *others = rows[0]
    grid.add_column(first, overflow="fold", min_width=min(24, max(len(row[first]) for row in rows)))
    for name in others:
        grid.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        grid.add_row(*map(as_cell, row.values()))
    return grid


def score_row(one: "Summary", has_difference: bool) -> dict[str, str]:
    """The scores of a summary."""
    from tamaya.arena.statistics import with_interval

    row = {
        "agent": one.agent,
        "players": str(one.players),
        "mean ± 95 %": with_interval(one.mean, one.low, one.high),
        "strict": f"{one.strict_mean:.3f}",
        "perfect": f"{one.perfect / one.games:.1%}",
        "struck out": f"{one.strike_outs / one.games:.1%}",
    }
    if has_difference:
        gain = one.difference
        row["to the first"] = f"{gain.mean:+.3f} ± {(gain.high - gain.low) / 2:.3f}" if gain else ""
    return row


def detail_row(one: "Summary", has_no_rule: bool, has_search: bool) -> dict[str, str]:
    """What else happened in the games of a summary, a game."""
    row = {
        "agent": one.agent,
        "players": str(one.players),
        "games": f"{one.games:,}",
        "moves": f"{one.moves:.1f}",
        "lives": f"{one.lives:.2f}",
        "hints": f"{one.hint_tokens:.2f}",
        "misplays": f"{one.misplays:.2f}",
        "wasted": f"{one.wasted:.2f}",
        "games/s": f"{one.games_per_second:,.0f}" if one.games_per_second > 10 else f"{one.games_per_second:.2f}",
        "ms/move": f"{one.milliseconds:.2g}" if one.milliseconds < 10 else f"{one.milliseconds:,.0f}",
    }
    if has_search:
        row["iterations"] = "" if one.iterations is None else f"{one.iterations:,.0f}"
        row["depth"] = "" if one.depth is None else f"{one.depth:.1f}"
    if has_no_rule:
        row["no move"] = f"{one.no_rule / one.games:.1%}"
    return row


def result_grids(results: "list[Summary]") -> list[Grid | str]:
    """The scores of a match, and below them what else happened."""
    has_difference = any(one.difference for one in results)
    has_no_rule = any(one.no_rule for one in results)
    scores = grid_of([score_row(one, has_difference) for one in results])
    has_search = any(one.iterations for one in results)
    details = grid_of([detail_row(one, has_no_rule, has_search) for one in results])
    note = ["", "no move: no rule fired, which ends a game; its points stand."] if has_no_rule else []
    return [scores, "", details, *note]


def verdict_grid(verdicts: "list[Verdict]") -> Grid:
    """Published figures beside measured ones."""
    rows = [
        {
            "": one.row,
            "of": one.column,
            "published": "" if one.published is None else f"{one.published:g}",
            "measured": one.measured_text,
            "games": f"{one.games:,}" if one.games else "",
            "verdict": one.verdict,
        }
        for one in verdicts
    ]
    return listing(rows)


def spoken(move: str, wording: "Wording") -> str:
    """A move in the words of a game, which may have colours of its own."""
    from tamaya.game.notation import Move

    return wording.move(Move.parse(move))


def thought_grid(thoughts: "Thoughts", made: str, wording: "Wording") -> Grid:
    """The moves that a search considered; the one that was made in the game is marked, and that of its policy."""
    marks = {"chosen": thoughts.move, "of the policy": thoughts.policy_move, "made": made}
    rows = [
        {
            "move": spoken(one.move, wording),
            "visits": f"{one.visits:,}",
            "value": f"{one.value:.2f}"
            if math.isnan(one.standard_error)
            else f"{one.value:.2f} ± {one.standard_error:.2f}",
            "": ", ".join(word for word, move in marks.items() if move == one.move),
        }
        for one in thoughts.candidates
    ]
    return grid_of(rows)


def listing(rows: list[dict[str, str]]) -> Grid:
    """A table of texts."""
    grid = Grid(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for key in rows[0]:
        grid.add_column(key, overflow="fold")
    for row in rows:
        grid.add_row(*map(as_cell, row.values()))
    return grid
