"""Results as tables that a person can read in a terminal."""

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table as Grid
from rich.text import Text

from tamaya.cli.letters import shown
from tamaya.engine.text import digits, duration, plain

if TYPE_CHECKING:
    from tamaya.arena.statistics import Summary
    from tamaya.experiments.papers.verdicts import JudgedFigure
    from tamaya.experiments.report.rankings import Ranking
    from tamaya.game.notation import Wording
    from tamaya.policies.agent import Thoughts


MOST_RANKS = 30
"""How many agents a ranking in a terminal shows."""


def as_cell(value: object) -> str:
    """What stands in a cell: a text with its markup escaped."""
    return escape(shown(plain(str(value))))


def blocks_of(rows: list[dict[str, str]], width: int) -> tuple[dict[str, int], list[list[str]]]:
    """The widths of the columns, and which stand side by side; where there is no room, the names are left out."""
    name, *others = rows[0]
    sizes = {key: max(len(key), *(len(row[key]) for row in rows)) for key in rows[0]}
    if sum(sizes.values()) + 2 * len(others) <= width:
        return sizes, [[name, *others]]
    key, *figures = others
    blocks = [[key]]
    for figure in figures:
        if sum(sizes[one] + 2 for one in [*blocks[-1], figure]) > width:
            blocks.append([key])
        blocks[-1].append(figure)
    return sizes, blocks


def figure_lines(rows: list[dict[str, str]], width: int) -> Iterator[Text]:
    """A table of figures that loses no column.

    The first column is a name. It stands on lines of its own where the table is too wide for it, and what is then still
    too wide goes into a second table below.
    """
    rows = [{shown(key): shown(plain(value)) for key, value in row.items()} for row in rows]
    name = next(iter(rows[0]))
    sizes, blocks = blocks_of(rows, width)
    for number, block in enumerate(blocks):
        if number:
            yield Text()
        aligned = [f"{one:<{sizes[one]}}" if one == name else f"{one:>{sizes[one]}}" for one in block]
        yield Text(("" if name in block else "  ") + "  ".join(aligned).rstrip(), style="bold")
        last = ""
        for row in rows:
            cells = [f"{row[one]:<{sizes[one]}}" if one == name else f"{row[one]:>{sizes[one]}}" for one in block]
            if name not in block and row[name] != last:
                last = row[name]
                yield Text(last)
            yield Text(("" if name in block else "  ") + "  ".join(cells).rstrip())


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
        row["to the first"] = one.difference.text if one.difference else ""
    return row


def detail_row(one: "Summary", has_no_rule: bool, has_forfeits: bool, has_search: bool) -> dict[str, str]:
    """What else happened in the games of a summary, per game."""
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


def result_lines(results: "list[Summary]", width: int) -> Iterator[Text]:
    """The scores of a match, and below them what else happened."""
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


def ranking_lines(ranking: "Ranking", width: int) -> Iterator[Text]:
    """The agents of a kind of line-ups, the best first, up to a limit."""
    rows = []
    for number, one in enumerate(ranking.standings[:MOST_RANKS], 1):
        row = {
            "agent": f"{number if one.is_ranked else '-'} {one.name}",
            "games": f"{one.games:,}",
            "mean ± 95 %": one.text,
            "to the first": one.gain.text if one.gain else "",
        }
        if len(ranking.tables) > 1:
            row |= {
                table.replace(" players", "p"): f"{part.mean:.2f}" if part.games else ""
                for table, part in one.by_table.items()
            }
        rows.append(row)
    yield from figure_lines(rows, width)
    if len(ranking.standings) > MOST_RANKS:
        yield Text(f"... and {len(ranking.standings) - MOST_RANKS:,} more")
    if ranking.note:
        yield Text(f"\n{ranking.note}")


STYLES = {"✓": "green", "≠": "red"}
"""The colours of verdicts by their marks."""


def verdict_grid(verdicts: "list[JudgedFigure]") -> Grid:
    """Published figures beside measured ones, each with its verdict."""
    grid = Grid(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for head in ("", "of"):
        grid.add_column(head, overflow="fold")
    for head in ("published", "measured", "games"):
        grid.add_column(head, justify="right", no_wrap=True)
    grid.add_column("verdict", overflow="fold")
    for one in verdicts:
        published = "" if one.published is None else f"{one.published:g}"
        games = f"{one.games:,}" if one.games else ""
        cells = (one.row, one.column, published, one.measured_text, games)
        verdict = shown(plain(f"{one.verdict.mark} {one.words}".strip()))
        grid.add_row(*map(as_cell, cells), Text(verdict, style=STYLES.get(one.verdict.mark, "")))
    return grid


def reason_lines(verdicts: "list[JudgedFigure]") -> Iterator[str]:
    """Why figures differ or are not compared, each reason once."""
    rows: dict[str, dict[str, None]] = {}
    for one in verdicts:
        if one.reason:
            rows.setdefault(f"{one.verdict.mark} {one.reason}", {})[one.row] = None
    for reason, names in rows.items():
        yield f"{reason}: {', '.join(names)}"


def spoken(move: str, wording: "Wording") -> str:
    """A move in the words of a game, which may have names and colours of its own."""
    from tamaya.game.notation import Move

    return wording.say(Move.parse(move))


def thought_lines(thoughts: "Thoughts", made: str, wording: "Wording", width: int) -> Iterator[Text]:
    """The moves that a search considered; marks show its choice, that of its policy, and the move made in the game."""
    marks = {"chosen": thoughts.move, "of the policy": thoughts.policy_move, "made in the game": made}
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
    return figure_lines(rows, width)


def listing(rows: list[dict[str, str]], shortened: str = "", width: int = 0) -> Grid:
    """A table of texts; one column may be cut short so that each row fits into one line of a width."""
    grid = Grid(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    rows = [{key: shown(plain(text)) for key, text in row.items()} for row in rows]
    room = width - sum(2 + max(len(row[key]) for row in [*rows, {key: key}]) for key in rows[0] if key != shortened)
    for key in rows[0]:
        grid.add_column(key, overflow="fold")
    for row in rows:
        cells = {key: fit(text, room) if key == shortened else text for key, text in row.items()}
        grid.add_row(*map(escape, cells.values()))
    return grid


def fit(text: str, width: int) -> str:
    """A text cut to at most this many characters."""
    dots = shown("…")
    return text if len(text) <= width else f"{text[: max(1, width - len(dots))]}{dots}"
