"""A report as Markdown, and as one page that needs no other file and runs no script but its own."""

import base64
import hashlib
import html
import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

from tamaya.engine.text import in_markdown, plain
from tamaya.experiments.report import heatmaps
from tamaya.experiments.report.heatmaps import Heatmap
from tamaya.experiments.report.html_tables import SCRIPT, cell, in_lines, row_of, table_of

STYLE = """
:root { color-scheme: light dark; --paper: #fff; --ink: #1b1b1b; --line: #c9c9c9; --good: #dcefdc; --bad: #fbdcd2; }
@media (prefers-color-scheme: dark) { :root { --paper: #15171b; --ink: #e4e4e4; --line: #454b55; --good: #1d3b26;
  --bad: #55281d; } }
body { font: 15px/1.45 system-ui, sans-serif; margin: 0; padding: 1em; color: var(--ink); background: var(--paper);
  overflow-wrap: anywhere; }
h1 { font-size: 1.6em; } h2 { font-size: 1.25em; } p { max-width: 50em; }
svg { max-width: 100%; height: auto; fill: currentColor; }
figure { margin: 0; } figcaption { font-weight: 600; }
.plots { display: flex; flex-wrap: wrap; gap: 1em 1.5em; align-items: flex-start; margin: 1em 0; }
.plots > * { min-width: 0; max-width: 100%; } .plots > .plot { overflow-x: auto; }
.table { position: relative; width: fit-content; max-width: 100%; margin: 0.5em 0 1em; }
.wide { overflow-x: auto; } .fits > .wide { overflow: visible; }
.sign { margin: 0 0 0.3em; font-size: 0.87em; font-style: italic; } .fits > .sign { display: none; }
.table::after { content: ""; position: absolute; inset: 0 0 0 auto; width: 0.9em; z-index: 3; pointer-events: none;
  background: linear-gradient(to left, #0008, #0000); } .fits::after, .end::after { display: none; }
table { border-collapse: separate; border-spacing: 0; font-size: 0.87em; font-variant-numeric: tabular-nums;
  overflow-wrap: break-word; }
th, td { padding: 0.15em 0.6em; text-align: right; white-space: nowrap; } th { white-space: normal; }
td:has(span) { white-space: normal; } td span { white-space: nowrap; }
th { font-weight: 600; background: var(--paper); } tbody th { font-weight: 400; }
tr > :first-child { position: sticky; left: 0; text-align: left; max-width: min(36em, 38vw); }
thead th { position: sticky; top: 0; z-index: 1; border-bottom: 1px solid var(--line); vertical-align: bottom; }
thead tr > :first-child { z-index: 2; }
th button { font: inherit; color: inherit; background: none; border: 0; padding: 0; cursor: pointer;
  text-align: inherit; }
th[aria-sort=ascending] button::after { content: " ▲"; } th[aria-sort=descending] button::after { content: " ▼"; }
.many { font-size: 0.8em; } .many th, .many td { padding: 0.15em 0.3em; }
.words tr > :nth-child(2), .words tr > :last-child { text-align: left; }
.words tr > :last-child { white-space: normal; min-width: 18em; max-width: 34em; }
td[data-mark="✓"] { background: var(--good); } td[data-mark="≠"] { background: var(--bad); }
.map td { text-align: center; color: #000; print-color-adjust: exact; } .map td.dark { color: #fff; }
.map thead th { text-align: center; max-width: 11em; }
.upright { font-size: 0.75em; } .upright td { padding: 0.15em 0.3em; } .upright thead th { padding: 0.3em 0; }
.upright thead button { writing-mode: vertical-rl; transform: rotate(180deg); max-height: 18em; text-align: left; }
.gap { background: repeating-linear-gradient(45deg, #8888 0 2px, transparent 2px 6px); }
.bar { font-size: 0.87em; } .bar i, .bar div { max-width: 24em; }
.bar div { display: flex; justify-content: space-between; }
.bar p { margin: 0.3em 0; } .bar .gap { display: inline-block; width: 2em; height: 0.9em; }
.bar i { display: block; height: 0.9em; background: linear-gradient(to right, STOPS); print-color-adjust: exact; }
footer { border-top: 1px solid var(--line); margin-top: 2em; font-size: 0.9em; } pre { overflow-x: auto; }
@media print { .wide { overflow: visible; } .sign, .table::after { display: none; } }
""".replace("STOPS", ", ".join(heatmaps.COLOURS))


@dataclass
class Section:
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
    sections: Sequence[Section]
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


def as_markdown(page: Page) -> str:
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


def section_html(section: Section) -> str:
    """A section of a page."""
    parts = [f"<section><h2>{html.escape(plain(section.title))}</h2>\n"]
    pictures = [
        *map(heatmaps.as_html, section.heatmaps),
        *(f'<div class="plot">{one}</div>\n' for one in section.plots),
    ]
    if section.heatmaps:
        parts.append(heatmaps.bar_of(section.heatmaps))
    if pictures:
        parts.append(f'<div class="plots">{"".join(pictures)}</div>\n')
    if section.rows:
        rows = (row_of(row[0], map(cell, row[1:])) for row in section.rows)
        parts.append(table_of(section.title, section.heads, rows, "words" if section.has_words else ""))
    if section.text:
        parts.append(f"<p>{with_code(section.text, is_page=True)}</p>\n")
    return "".join([*parts, "</section>\n"])


def as_html(page: Page) -> str:
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
