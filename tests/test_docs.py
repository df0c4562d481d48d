"""The documentation: its commands and blocks run (some as doctests), its links lead somewhere, its figures are ours."""

import importlib
import re
import shlex
import tomllib

import architecture
import blocks
import cells
import public_names
import pytest
import shown
from blocks import PAGES, ROOT, blocks_of
from conftest import compiled_only, several

import tamaya
from tamaya import Policy, Settings, make_agent
from tamaya.arena.seating import Seating, game_seeds
from tamaya.experiments.experiment import read_experiment


def pages(language):
    """The pages with a block of a language, as parameters of a test."""
    found = [page for page in PAGES if any(block.language == language for block in blocks_of(page.read_text()))]
    return pytest.mark.parametrize("page", found, ids=lambda page: page.name)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for target, anchor in re.findall(r"\]\(([^):#]+)(?:#([^)]*))?\)", page.read_text()):
        place = page.parent / target
        assert place.exists(), target
        heads = re.findall(r"^#+ (.*)$", place.read_text(), re.MULTILINE) if anchor else []
        assert not anchor or anchor in [re.sub(r"[^a-z0-9 -]", "", head.lower()).replace(" ", "-") for head in heads]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_tests_know_what_to_do_with_every_block(page):
    text = page.read_text()
    found = blocks_of(text)
    assert text.count("\n```") == 2 * len(found)
    outputs = {blocks.output_after(found, index, text) for index in range(len(found))}
    for block in found:
        assert block.language in {"sh", "python", "toml", "text", "bibtex"}, block.text
        assert block.language != "text" or block in outputs or page == shown.CLI, block.text


@compiled_only
@pages("sh")
def test_the_commands_of_a_page_run_and_print_what_it_shows(page, tmp_path):
    for block, printed in blocks.run_page(page.read_text(), tmp_path):
        assert printed == block.text


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_in_the_text_are_understood(page):
    for command in re.findall(r"`tamaya ([a-z][^`]*)`", page.read_text()):
        complaint = blocks.complaint_of(shlex.split(command))
        assert not complaint or re.search("Missing parameter|requires an argument", complaint), command


def test_what_is_not_run_has_a_reason_and_the_rest_is_small():
    assert all(blocks.NOT_RUN.values())
    assert blocks.small(["match", "search(piers, ms=40)"]) == ["match", "search(piers, ms=1)", "--games", "10"]
    assert blocks.small(["match", "piers", "--games", "5"]) == ["match", "piers", "--games", "5"]
    assert "--playrs" in blocks.complaint_of(["match", "piers", "--playrs", "3"])


@compiled_only
@pages("python")
def test_python_on_a_page_runs_and_its_policies_play(page, tmp_path, monkeypatch):
    if page in (shown.TUTORIAL, shown.LEARNING):
        return  # files, which have tests below; a training, which test_learn_ppo runs where PyTorch is
    sources = [block.text for block in blocks_of(page.read_text()) if block.language == "python"]
    monkeypatch.syspath_prepend(str(tmp_path))
    for number, source in enumerate(source for source in sources if ">>>" not in source):
        module = f"{page.stem.lower()}_{number}"
        (tmp_path / f"{module}.py").write_text(source)
        names = [name for name, value in vars(importlib.import_module(module)).items() if isinstance(value, Policy)]
        assert names
        for name in names:
            outcomes = Seating([make_agent(f"{module}:{name}")] * 3, Settings(players=3)).play(game_seeds(1, 0, 4))
            assert (outcomes["length"] > 3).all()


@pages("toml")
def test_toml_on_a_page_is_an_experiment(page, tmp_path):
    for block in blocks_of(page.read_text()):
        if block.language == "toml":
            (tmp_path / "experiment.toml").write_text(block.text)
            assert read_experiment(tmp_path / "experiment.toml").lineup


def test_the_help_on_the_page_is_that_of_the_commands():
    assert shown.CLI.read_text() == shown.help_page(), "python docs/generate.py quick writes it"


def test_the_page_of_observations_is_that_of_the_layout():
    assert shown.OBSERVATION.read_text() == shown.observation_page(), "python docs/generate.py quick writes it"


@compiled_only
def test_the_tutorial_shows_its_programs_and_their_scores(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "examples" / "tutorial"))
    assert shown.TUTORIAL.read_text() == shown.tutorial(), "python docs/generate.py quick writes it"


@compiled_only
def test_the_agent_of_the_tutorial_gets_better_and_beats_piers(monkeypatch):
    """On 5,000 decks that were not used to choose it: ahead by ten standard errors with 2 to 5 players, paired."""
    monkeypatch.syspath_prepend(str(ROOT / "examples" / "tutorial"))
    totals = [sum(one.mean for one in summaries) for summaries in shown.scores().values()]
    assert totals[1:] == sorted(totals[1:])
    for one in shown.scores(shown.FRESH_SEED)["step4:fourth"]:
        standard_error = (one.difference.high - one.difference.mean) / 1.96
        assert one.difference.mean > 10 * standard_error, one.players


@compiled_only
def test_the_notebook_has_the_outputs_of_its_cells():
    stored = cells.read()
    assert cells.texts(stored) == cells.texts(cells.executed(stored)), "python docs/generate.py quick writes it"
    text, pictures = cells.as_markdown(cells.NOTEBOOK)
    assert len(pictures) == 2
    assert all(picture.startswith(b"\x89PNG") for picture in pictures.values())
    assert text.startswith("# ")


EXAMPLES = sorted((ROOT / "examples").rglob("*.py"))
OF_USERS = [*(page for page in PAGES if page.name != "CHANGELOG.md"), *EXAMPLES, cells.NOTEBOOK]
"""What shows users how to import tamaya; the changelog tells of names that were."""


@pytest.mark.parametrize("page", OF_USERS, ids=lambda page: page.name)
def test_pages_and_examples_import_public_names_only(page):
    text = page.read_text()
    if page == cells.NOTEBOOK:
        text = "\n".join("".join(cell["source"]) for cell in cells.read()["cells"])
    named = {*public_names.imported_in(text), *(public_names.named_in(text) if page.suffix == ".md" else ())}
    named -= {"tamaya.agents"}  # the group of entry points, which packages declare
    assert [name for name in sorted(named) if not public_names.is_public(name)] == []


def test_an_import_that_is_not_public_is_found():
    text = (
        ">>> from tamaya.solver.hindsight import lost_by\n    import tamaya.engine\n"
        "from tamaya import (\n    Game,\n    nonsense,\n)\nfrom tamaya.rules import LegalRandom as one, fire\n"
    )
    found = [name for name in public_names.imported_in(text) if not public_names.is_public(name)]
    assert found == ["tamaya.solver.hindsight.lost_by", "tamaya.engine", "tamaya.nonsense", "tamaya.rules.fire"]
    mentioned = [*public_names.named_in("see `tamaya.solver.solve(game)` and `tamaya.environments.gym`")]
    assert [name for name in mentioned if not public_names.is_public(name)] == ["tamaya.solver.solve"]


def test_the_reference_has_every_public_module():
    documented = {name for page in PAGES for name in re.findall(r"^::: (\S+)", page.read_text(), re.MULTILINE)}
    assert documented == {
        "tamaya",
        *(f"tamaya.{name}" for name in (*architecture.DOORS, "environments")),
    }


def test_the_citation_is_of_this_version():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    citation, page = (ROOT / "CITATION.cff").read_text(), (ROOT / "docs" / "citing.md").read_text()
    assert f"\nversion: {project['version']}\n" in citation
    assert f'\nrepository-code: "{project["urls"]["Repository"]}"\n' in citation
    assert f"{{{project['version']}}}" in page
    assert f"{{{project['urls']['Repository']}}}" in page
    assert tamaya.__version__ == project["version"]


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
    from tamaya.engine.table import TABLE

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


def test_the_page_of_the_house_names_functions_that_exist():
    page = (ROOT / "docs" / "architecture.md").read_text()
    named = [one for one in re.findall(r"`(\w+(?:\.\w+)+)`", page) if not one.startswith("tamaya.")]
    assert len(named) >= 90
    assert [one for one in named if not architecture.is_defined(one)] == []
    in_the_page = re.findall(r"`(\w+)` of `(play/web/page/\w+\.js)`", page)
    assert len(in_the_page) >= 3
    for name, file in in_the_page:
        assert re.search(rf"^export (?:function|const) {name}\b", (ROOT / "tamaya" / file).read_text(), re.MULTILINE), (
            name
        )


def test_the_page_of_the_house_lists_all_rooms_in_the_order_of_imports():
    page = (ROOT / "docs" / "architecture.md").read_text()
    rooms = [
        name
        for room in architecture.ORDER
        for name in (room, *(f"{room}/{one}" for one in architecture.inner_rooms(room)))
    ]
    assert re.findall(r"^ *- `([a-z/]+)`: ", page, re.MULTILINE) == rooms


@pytest.mark.parametrize(
    "place", ["engine.gameplay.nothing", "nowhere.apply", "arena.seating.Seating.nothing", "engine"]
)
def test_a_function_that_does_not_exist_is_noticed(place):
    assert not architecture.is_defined(place)
