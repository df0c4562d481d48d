"""The results of matches: a table of scores, and one of what else happened."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rich.text import Text

from tamaya.cli.printing import console
from tamaya.cli.printing.tables import figure_lines
from tamaya.engine.text import digits, duration

if TYPE_CHECKING:
    from tamaya.arena.statistics import Summary


def print_results(results: list[Any], seed: int, json: bool, rules: Any = None) -> None:
    """Prints what was played, even when it was cut short."""
    if json:
        console.print_json({"seed": seed, "rules": rules or {}, "results": results})
    elif results:
        console.print_lines(result_lines(results, console.out.width))


def result_lines(results: "list[Summary]", width: int) -> Iterator[Text]:
    """Shows the scores of a match, and below them what else happened."""
    has_difference = any(one.difference for one in results)
    has_no_rule = any(one.no_rule for one in results)
    has_forfeits = any(one.forfeits for one in results)
    has_search = any(one.iterations for one in results)
    yield from figure_lines([score_row(one, has_difference) for one in results], width)
    yield Text()
    yield from figure_lines([detail_row(one, has_no_rule, has_forfeits, has_search) for one in results], width)
    if has_no_rule:
        yield Text("\nno move: games that ended because a player made no move; their points count")
    if has_forfeits:
        yield Text("\nforfeited: games that ended because a bot failed; by the strict count they are zero")


def score_row(one: "Summary", has_difference: bool) -> dict[str, str]:
    """Returns the scores of a summary."""
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
        row["to the first"] = one.difference.text if one.difference else ""
    return row


def detail_row(one: "Summary", has_no_rule: bool, has_forfeits: bool, has_search: bool) -> dict[str, str]:
    """Returns what else happened in the games of a summary, per game."""
    row = {
        "agent": one.agent,
        "players": str(one.players),
        "games": f"{one.games:,}",
        "moves": f"{one.moves:.1f}",
        "lives": f"{one.lives:.2f}",
        "hints": f"{one.hint_tokens:.2f}",
        "misplays": f"{one.misplays:.2f}",
        "wasted": f"{one.wasted:.2f}",
    }
    if has_no_rule:
        row["no move"] = f"{one.no_rule / one.games:.1%}"
    if has_forfeits:
        row["forfeited"] = f"{one.forfeits / one.games:.1%}"
    if has_search:
        row["iterations"] = "" if one.iterations is None else f"{one.iterations:,.0f}"
        row["depth"] = "" if one.depth is None else f"{one.depth:.1f}"
    row["games/s"] = digits(one.games_per_second)
    row["per move"] = duration(one.milliseconds / 1000)
    return row
