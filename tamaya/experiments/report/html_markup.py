"""Tables of a page, which a click or a key on a head sorts, and which scroll, and say so, where they are too wide."""

import html
import re
from collections.abc import Iterable, Sequence

from tamaya.engine.text import in_markdown, plain

SIGN = "Scroll sideways to see all columns →"

MANY_COLUMNS = 10
"""Tables with more columns than this are set smaller."""

MARKS = "✓≠"
"""Marks at the end of a cell that its colour repeats."""


def html_cell(text: str) -> str:
    """A cell of a page; where there is little room, it breaks after a slash and before ± and a bracket."""
    mark = f' data-mark="{text[-1]}"' if text[-1:] and text[-1] in MARKS else ""
    parts = re.split(r"(?<=/) | (?=[±(])", html.escape(plain(text)))
    return f"<td{mark}>{' '.join(f'<span>{part}</span>' for part in parts) if len(parts) > 1 else parts[0]}</td>"


def breakable(name: str) -> str:
    """A name in a page, which breaks where its parameters begin and between the members of a team."""
    return re.sub(r"([(,+])(?=\S)", r"\1<wbr>", html.escape(plain(name)))


def html_row(name: str, cells: Iterable[str]) -> str:
    """A row of a page: its name and its cells."""
    return f'<tr><th scope="row">{breakable(name)}</th>{"".join(cells)}</tr>\n'


def html_table(label: str, heads: Sequence[str], rows: Iterable[str], kind: str = "") -> str:
    """A table of a page, in a box of its own that can be scrolled sideways."""
    buttons = (
        f'<th scope="col"><button type="button">{breakable(name)}</button></th>' if name else "<th></th>"
        for name in heads
    )
    size = "many" if len(heads) > MANY_COLUMNS else ""
    return (
        f'<div class="table"><p class="sign">{SIGN}</p>'
        f'<div class="wide" role="region" tabindex="0" aria-label="{html.escape(plain(label))}">'
        f'<table class="{f"{kind} {size}".strip()}"><thead><tr>{"".join(buttons)}</tr></thead><tbody>\n'
        f"{''.join(rows)}</tbody></table></div></div>\n"
    )


def in_lines(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """The lines of a table in Markdown; the first column is text, the others are figures."""
    lines = [f"| {' | '.join(map(in_markdown, heads))} |", "| --- |" + " ---: |" * (len(heads) - 1)]
    return [*lines, *(f"| {' | '.join(map(in_markdown, row))} |" for row in rows)]
