"""A report as Markdown, and as one page that needs no other file and runs no script but its own."""

import base64
import hashlib
import html
import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.resources import files

from tamaya.engine.text import in_markdown, plain
from tamaya.experiments.report import heatmaps
from tamaya.experiments.report.heatmaps import Heatmap
from tamaya.experiments.report.html_markup import html_cell, html_row, html_table, in_lines

FOLDER = files("tamaya.experiments.report")
STYLE = FOLDER.joinpath("report.css").read_text(encoding="utf-8")
SCRIPT = FOLDER.joinpath("report.js").read_text(encoding="utf-8")
"""What stands in every page: how it looks, and how its tables are sorted and scrolled."""


@dataclass
class ReportSection:
    """A section of a report: heat maps, plots, which only a page shows, a table, and a note in words."""

    title: str
    heads: Sequence[str] = ()
    rows: list[list[str]] = field(default_factory=list)
    plots: list[str] = field(default_factory=list)
    text: str = ""
    has_words: bool = False
    """Whether the last column of the table is text."""
    heatmaps: list[Heatmap] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show."""
        return not (self.rows or self.plots or self.text or self.heatmaps)


@dataclass
class Page:
    """What a report says; what stands between backticks in its texts is code."""

    title: str
    summary: Sequence[str]
    sections: Sequence[ReportSection]
    foot: Sequence[str] = ()
    date: str = ""
    """When it was written; Markdown leaves it out, so that two reports of the same run are equal."""
    experiment: str = ""


def with_code(text: str, is_page: bool) -> str:
    """A text with its markup escaped and its code marked as such."""
    parts = []
    for part, is_code in zip(plain(text).split("`"), itertools.cycle((False, True))):
        if is_page:
            parts.append(f"<code>{html.escape(part)}</code>" if is_code else html.escape(part))
        else:
            parts.append(f"`{part}`" if is_code else in_markdown(part))
    return "".join(parts)


def page_markdown(page: Page) -> str:
    """A report as Markdown."""
    lines = [f"# {in_markdown(page.title)}"]
    lines += [line for text in page.summary for line in ("", with_code(text, is_page=False))]
    for section in page.sections:
        if section.rows or section.text or section.heatmaps:
            lines += ["", f"## {in_markdown(section.title)}"]
        for one in section.heatmaps:
            lines += ["", *in_lines((one.title, *one.columns), heatmaps.matrix(one))]
        if section.rows:
            lines += ["", *in_lines(section.heads, section.rows)]
        if section.text:
            lines += ["", with_code(section.text, is_page=False)]
    lines += [line for text in page.foot for line in ("", with_code(text, is_page=False))]
    return "\n".join(lines) + "\n"


def section_html(section: ReportSection) -> str:
    """A section of a page."""
    parts = [f"<section><h2>{html.escape(plain(section.title))}</h2>\n"]
    pictures = [
        *map(heatmaps.heatmap_html, section.heatmaps),
        *(f'<div class="plot">{one}</div>\n' for one in section.plots),
    ]
    if section.heatmaps:
        parts.append(heatmaps.bar_of(section.heatmaps))
    if pictures:
        parts.append(f'<div class="plots">{"".join(pictures)}</div>\n')
    if section.rows:
        rows = (html_row(row[0], map(html_cell, row[1:])) for row in section.rows)
        parts.append(html_table(section.title, section.heads, rows, "words" if section.has_words else ""))
    if section.text:
        parts.append(f"<p>{with_code(section.text, is_page=True)}</p>\n")
    return "".join([*parts, "</section>\n"])


def page_html(page: Page) -> str:
    """A report as one page; whatever stands in it, a browser runs no script but ours and loads nothing."""
    stamp = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{stamp}'"
    title = html.escape(plain(page.title))
    foot = [*page.foot, f"Written on {page.date}."] if page.date else page.foot
    summary, footer = (
        "".join(f"<p>{with_code(text, is_page=True)}</p>\n" for text in texts) for texts in (page.summary, foot)
    )
    experiment = f"<details><summary>The experiment</summary><pre>{html.escape(page.experiment)}</pre></details>\n"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style></head>\n<body><h1>{title}</h1>\n{summary}"
        f"{''.join(section_html(section) for section in page.sections if not section.is_empty)}"
        f"<footer>{footer}{experiment if page.experiment else ''}</footer>\n"
        f'<script type="module">{SCRIPT}</script></body></html>\n'
    )
