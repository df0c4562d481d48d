"""What the pages show of tamaya that is quick to make, so that a test compares it: help, examples, scores, outputs.

A text stands in its page between two marks of one name, such as ``<!-- step1 -->``; the page docs/cli.md is made whole.
"""

import pathlib
import tempfile
from functools import cache
from typing import Any

from blocks import PAGES, ROOT, blocks_of, output_after, run_page

PLAYERS = (2, 3, 4, 5)
STEPS = {"step1": "first", "step2": "second", "step3": "third", "step4": "fourth"}
GAMES, FRESH_SEED = 5000, 2
CLI = ROOT / "docs" / "cli.md"
TUTORIAL = ROOT / "docs" / "tutorial.md"
LEARNING = ROOT / "docs" / "learning.md"

OBSERVATION = ROOT / "docs" / "observation.md"

CLI_HEAD = """# Command line

This page is the help of each command as the terminal shows it; `python docs/generate.py quick` writes it. Options can
be given in any order, before or after the arguments. A command that fails prints one line that begins with `tamaya:` on
the error stream, and its exit code is not zero.
"""


def filled(page: str, mark: str, text: str) -> str:
    """A page with a text between the two marks of a name."""
    sign = f"<!-- {mark} -->"
    before, _, after = page.split(sign)
    return f"{before}{sign}\n\n{text}\n\n{sign}{after}"


def fenced(language: str, text: str) -> str:
    """A text as a block of a language."""
    return f"```{language}\n{text.rstrip()}\n```"


def markdown_table(heads: tuple[str, ...], rows: list[list[str]]) -> str:
    """A table; the first column is text, the others are figures."""
    lines = [f"| {' | '.join(heads)} |", "| --- |" + " ---: |" * (len(heads) - 1)]
    return "\n".join(lines + [f"| {' | '.join(row)} |" for row in rows])


def help_page() -> str:
    """The help of every command."""
    import typer
    from typer.testing import CliRunner

    from tamaya.cli.app import app

    def help_of(*names: str) -> str:
        answer = CliRunner().invoke(
            app, [*names, "--help"], prog_name="tamaya", env={"COLUMNS": "80"}, terminal_width=80
        )
        assert answer.exit_code == 0, names
        return "\n".join(line.rstrip() for line in answer.output.splitlines())

    commands: Any = typer.main.get_command(app)
    sections = [CLI_HEAD, fenced("text", help_of())]
    for name, command in commands.commands.items():
        sections.append(f"\n## tamaya {name}\n\n{fenced('text', help_of(name))}")
        for part in getattr(command, "commands", {}):
            sections.append(f"\n### tamaya {name} {part}\n\n{fenced('text', help_of(name, part))}")
    return "\n".join(sections) + "\n"


def observation_page() -> str:
    """The page of observations with where everything stands in them, and with the numbers of the actions."""
    from tamaya import Settings, hle

    games = [Settings(players=players) for players in PLAYERS]
    tables = [hle.sections(settings) for settings in games]
    rows = []
    for same in zip(*tables, strict=True):
        rows.append([f"`{same[0].name}`", same[0].meaning, *(span(one.start, one.length) for one in same)])
    rows.append(["", "all", *(str(hle.observation_length(settings)) for settings in games)])
    heads = ("section", "meaning", *(f"{players} players" for players in PLAYERS))
    bits = markdown_table(heads, rows).replace("| --- | ---: |", "| --- | --- |", 1)
    page = filled(OBSERVATION.read_text(), "bits", bits)
    return filled(page, "actions", markdown_table(("action", *heads[2:]), action_rows(games)))


def span(start: int, length: int) -> str:
    """The first and the last number of a range."""
    return f"{start} to {start + length - 1}"


def action_rows(games: list[Any]) -> list[list[str]]:
    """The numbers of the actions, with a column for each game."""
    rows = [["discard, oldest card first"], ["play, oldest card first"]]
    rows += [["tell a colour, target by target"], ["tell a rank, target by target"], ["all"]]
    for one in games:
        others, start = one.players - 1, 0
        for row, length in zip(
            rows, (one.hand_size, one.hand_size, others * one.suits, others * one.ranks), strict=False
        ):
            row.append(span(start, length))
            start += length
        rows[-1].append(str(start))
    return rows


@cache
def scores(seed: int = 1) -> dict[str, list[Any]]:
    """The summaries of the tutorial's agents, and of piers, by name."""
    from tamaya import run_match

    names = ["piers", *(f"{module}:{name}" for module, name in STEPS.items())]
    summaries: dict[str, list[Any]] = {}
    for one in run_match(names, list(PLAYERS), GAMES, seed):
        summaries.setdefault(one.agent, []).append(one)
    return summaries


def score_table(agent: str, seed: int = 1) -> str:
    """The scores of an agent, and their differences to piers on the same decks."""
    cells = scores(seed)[agent]
    means = [f"{one.mean:.2f} ± {one.high - one.mean:.2f}" for one in cells]
    gaps = [one.difference for one in cells]
    differences = [f"{gap.mean:+.2f} ± {gap.high - gap.mean:.2f}" for gap in gaps]
    heads = ("", *(f"{players} players" for players in PLAYERS))
    return markdown_table(heads, [[f"`{agent}`", *means], ["compared with `piers`", *differences]])


def tutorial() -> str:
    """The page of the tutorial with its programs and scores."""
    page = TUTORIAL.read_text()
    for module, name in STEPS.items():
        source = (ROOT / "examples" / "tutorial" / f"{module}.py").read_text().split('"""\n\n', 1)[1]
        page = filled(page, module, fenced("python", source))
        page = filled(page, f"{module} scores", score_table(f"{module}:{name}"))
    return filled(page, "fresh scores", score_table("step4:fourth", FRESH_SEED))


def with_outputs(page: str) -> str:
    """A page with what its commands print now, in the blocks that show it."""
    if not any(output_after(blocks_of(page), index, page) for index in range(len(blocks_of(page)))):
        return page
    with tempfile.TemporaryDirectory() as folder:
        shown = run_page(page, pathlib.Path(folder))
    for block, text in reversed(shown):
        page = page[: block.start] + text + page[block.end :]
    return page


def write_quick() -> None:
    """Writes everything that this module makes."""
    CLI.write_text(help_page())
    OBSERVATION.write_text(observation_page())
    TUTORIAL.write_text(tutorial())
    for path in PAGES:
        path.write_text(with_outputs(path.read_text()))
