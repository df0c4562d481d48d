"""The documentation: its examples run (as doctests too), its links lead somewhere, it keeps to itself."""

import importlib
import pathlib
import re

import architecture
import pytest
from conftest import several

from tamaya import Settings, make_agent
from tamaya.arena.seating import Seating, game_seeds

ROOT = pathlib.Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize("name", ["bold:bold", "patient:Patient"])
def test_the_examples_play(name, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    outcomes = Seating([make_agent(name)] * 3, Settings(players=3)).play(game_seeds(1, 0, several(4, 1)))
    assert outcomes["score"].mean() > 5


def test_the_readme_shows_the_example():
    source = (ROOT / "examples" / "bold.py").read_text().split('"""\n\n', 1)[1]
    lines = [line for line in source.splitlines() if line]
    readme = [line for line in (ROOT / "README.md").read_text().splitlines() if line]
    assert any(readme[start : start + len(lines)] == lines for start in range(len(readme)))


def test_pages_document_every_column_of_a_summary():
    from tamaya.arena.statistics import Summary

    page = (ROOT / "docs" / "matches.md").read_text()
    for name in Summary.__struct_fields__:
        assert f"`{name}`" in page, name


def test_pages_document_every_field_of_a_view():
    from tamaya.core.table import TABLE

    page = (ROOT / "docs" / "policies.md").read_text()
    internal = {"discard_at_limit", "empty_hints", "all_cards", "wild_cards", "hints", "spent"}
    for name in set(TABLE.names) - internal:
        assert re.search(rf"`{name}[`\[]", page), name


def test_every_promise_names_a_test_that_exists():
    page = (ROOT / "docs" / "trust.md").read_text()
    rows = [line for line in page.splitlines() if line.startswith("| ") and not line.startswith(("| promise", "| ---"))]
    assert len(rows) >= 25
    for row in rows:
        named = re.findall(r"`(test_\w+)\.(test_\w+)`", row)
        assert named, row
        for module, name in named:
            assert f"\ndef {name}(" in (ROOT / "tests" / f"{module}.py").read_text(), name


def test_the_page_of_the_house_names_functions_and_rooms_that_exist():
    page = (ROOT / "docs" / "architecture.md").read_text()
    named = re.findall(r"`([a-z_]+(?:\.[a-z_]+)+\.\w+)`", page)
    assert len(named) >= 35
    for place in named:
        module, _, name = place.rpartition(".")
        if module != "tamaya":
            assert hasattr(importlib.import_module(f"tamaya.{module.removeprefix('tamaya.')}"), name), place
    assert re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE) == architecture.ORDER
