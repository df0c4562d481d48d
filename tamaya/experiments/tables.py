"""Tables of a page, which a click or a key on a head sorts, and which scroll where they are too wide."""

import html
from collections.abc import Iterable, Sequence

from tamaya.core.text import in_markdown, plain

SCRIPT = """
const number = text => parseFloat(text.replaceAll(",", ""));
for (const button of document.querySelectorAll("th button")) button.onclick = () => {
  const head = button.parentElement, body = head.closest("table").tBodies[0], sorted = head.getAttribute("aria-sort");
  const text = row => row.cells[head.cellIndex].textContent.replace("not played", "");
  const texts = new Map([...body.rows].map(row => [row, text(row)]));
  const isNumeric = [...texts.values()].every(one => !one || !isNaN(number(one)));
  const isFalling = sorted ? sorted == "ascending" : isNumeric;
  const order = (one, two) => isNumeric ? number(one) - number(two) : one.localeCompare(two, "en", {numeric: true});
  for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", isFalling ? "descending" : "ascending");
  const rows = [...texts].sort(([, one], [, two]) => !one - !two || (isFalling ? order(two, one) : order(one, two)));
  for (const [row] of rows) body.append(row);
};
"""
"""Numbers are sorted as numbers, the highest first at the first click; empty cells stay below."""

MARKS = "✓≠"
"""Marks at the end of a cell that its colour repeats."""


def cell(text: str) -> str:
    """A cell of a page."""
    mark = f' data-mark="{text[-1]}"' if text[-1:] and text[-1] in MARKS else ""
    return f"<td{mark}>{html.escape(plain(text))}</td>"


def row_of(name: str, cells: Iterable[str]) -> str:
    """A row of a page: its name and its cells."""
    return f'<tr><th scope="row">{html.escape(plain(name))}</th>{"".join(cells)}</tr>\n'


def table_of(label: str, heads: Sequence[str], rows: Iterable[str], kind: str = "") -> str:
    """A table of a page, in a box of its own that can be scrolled."""
    buttons = (
        f'<th scope="col"><button type="button">{html.escape(plain(name))}</button></th>' if name else "<th></th>"
        for name in heads
    )
    return (
        f'<div class="wide" role="region" tabindex="0" aria-label="{html.escape(plain(label))}"><table class="{kind}">'
        f"<thead><tr>{''.join(buttons)}</tr></thead><tbody>\n{''.join(rows)}</tbody></table></div>\n"
    )


def in_lines(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """The lines of a table in Markdown; the first column is text, the others are figures."""
    lines = [f"| {' | '.join(map(in_markdown, heads))} |", "| --- |" + " ---: |" * (len(heads) - 1)]
    return [*lines, *(f"| {' | '.join(map(in_markdown, row))} |" for row in rows)]
