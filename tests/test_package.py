"""The package itself: its layers, its cache, its first start."""

import ast
import graphlib
import importlib
import inspect
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter

import architecture
import public_names
import pytest
from conftest import compiled_only

import tamaya
from tamaya.arena import statistics
from tamaya.engine.jit import popcount
from tamaya.moved_names import MOVED

ROOT = pathlib.Path(tamaya.__file__).parent


def test_imports_go_one_way():
    order = architecture.ORDER
    for module, targets in architecture.graph().items():
        package = architecture.package_of(module)
        for target in targets:
            used = architecture.package_of(target)
            assert used not in architecture.DOORS, f"{module} imports {target}"
            if package not in architecture.DOORS:
                assert order.index(used) <= order.index(package), f"{module} imports {target}"
    rooms = {architecture.package_of(module) for module in architecture.modules()}
    assert rooms == {*order, *architecture.DOORS, *architecture.PRIVATE}


def test_no_modules_import_each_other():
    early = {
        name: [one for one, is_late in targets.items() if not is_late] for name, targets in architecture.graph().items()
    }
    assert list(graphlib.TopologicalSorter(early).static_order())


def test_only_one_package_knows_numba():
    for name, path in architecture.modules().items():
        if not name.startswith("engine.jit"):
            text = path.read_text()
            assert "import numba" not in text, name
            assert "from numba" not in text, name


def test_the_map_is_that_of_the_package():
    assert (ROOT.parent / "docs" / "architecture.svg").read_text() == architecture.picture()


def test_the_map_has_an_arrow_for_every_import_and_none_that_follows_from_others():
    imported = architecture.imported_rooms()
    drawn = {room: {used for user, used in architecture.arrows() if user == room} for room in architecture.ORDER}
    for room in architecture.ORDER:
        assert drawn[room] <= imported[room] <= architecture.reachable(drawn, room)
        for used in drawn[room]:
            others = drawn | {room: drawn[room] - {used}}
            assert used not in architecture.reachable(others, room)


def test_the_map_shows_every_file_and_no_line_is_clipped():
    boxes = {box.name: re.sub("<[^>]*>", " ", " ".join(box.lines)) for box in architecture.stacked()}
    for module in architecture.modules():
        room, _, name = module.partition(".")
        if room in architecture.ORDER and name:
            assert re.search(rf"\b{name.rpartition('.')[2]}\b", boxes[room]), module
    for box in architecture.stacked():
        assert box.height >= architecture.LINE * len(box.lines) + architecture.PAD // 2
        assert all(len(re.sub("<[^>]*>", "", line)) <= architecture.CHARACTERS for line in box.lines)


def test_every_file_that_is_not_python_is_packaged():
    project = tomllib.loads((ROOT.parent / "pyproject.toml").read_text())
    patterns = project["tool"]["setuptools"]["package-data"]["tamaya"]
    packaged = {path for pattern in patterns for path in ROOT.glob(pattern) if path.is_file()}
    there = {
        path for path in ROOT.rglob("*") if path.is_file() and path.suffix != ".py" and "__pycache__" not in path.parts
    }
    assert there - packaged == set()
    assert {"report.css", "report.js", "py.typed"} < {path.name for path in packaged}


SCRIPTS = [path for path in sorted(ROOT.rglob("*.js")) if "vendor" not in path.parts]


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_scripts_of_pages_are_sound_javascript(script, tmp_path):
    is_module = "page" in script.parts
    copy = tmp_path / script.with_suffix(".mjs" if is_module else ".cjs").name
    copy.write_text(script.read_text())
    child = subprocess.run(["node", "--check", copy], capture_output=True, text=True, check=False)
    assert child.returncode == 0, child.stderr


@pytest.mark.parametrize("module", [*architecture.DOORS, "environments/__init__"])
def test_public_doors_are_thin(module):
    statements = ast.parse((ROOT / f"{module}.py").read_text()).body
    assert all(isinstance(one, (ast.ImportFrom, ast.Expr, ast.Assign)) for one in statements)
    named = {alias.asname or alias.name for one in statements if isinstance(one, ast.ImportFrom) for alias in one.names}
    (listed,) = (one.value for one in statements if isinstance(one, ast.Assign))
    assert named == set(ast.literal_eval(listed))


def test_public_modules_are_attributes_of_the_package():
    assert set(tamaya.DOORS) == {*architecture.DOORS, "environments"}
    names = [f"tamaya.{name}" for name in tamaya.DOORS if name not in ("openspiel", "ppo")]
    subprocess.run([sys.executable, "-c", f"import tamaya; {', '.join(names)}"], check=True)


def test_help_on_the_package_works_where_only_the_core_is_installed():
    code = (
        "import sys\nfor name in ('torch', 'pyspiel'):\n    sys.modules[name] = None\n"
        "import pydoc, tamaya\nassert 'run_match' in pydoc.plain(pydoc.render_doc(tamaya))\n"
        "assert not hasattr(tamaya, 'ppo')\n"
        "try:\n    import tamaya.ppo\nexcept ImportError as error:\n    print(error)\n"
        "try:\n    import tamaya.openspiel\nexcept ImportError as error:\n    print(error)\n"
    )
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert [line.partition(" is ")[0].partition(" needs ")[0] for line in child.stdout.splitlines()] == [
        "self-play",
        "OpenSpiel",
    ]


def test_every_public_name_has_its_home():
    assert set(tamaya.__all__) == set(tamaya.HOMES)
    for name in tamaya.__all__:
        assert getattr(tamaya, name) is getattr(importlib.import_module(f"tamaya.{tamaya.HOMES[name]}"), name)


def test_a_training_from_a_program_needs_no_library_of_the_command_line():
    code = (
        "import sys\n"
        "for name in ('typer', 'rich', 'torch', 'polars', 'matplotlib'):\n    sys.modules[name] = None\n"
        "import tamaya.training"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("from tamaya.jit import kernel", "tamaya.jit has moved: use tamaya.kernel"),
        ("from tamaya import jit", "tamaya.jit has moved: use tamaya.kernel"),
        ("import tamaya.core.moves", "use tamaya.Settings, tamaya.knowledge, tamaya.moves and tamaya.randomness"),
        ("from tamaya.core.settings import Settings", "tamaya.core has moved"),
        ("import tamaya.conventions", "use tamaya.make_agent"),
        ("from tamaya.evaluation.archives import PolicyNetwork", "tamaya.evaluation has moved: use tamaya.training"),
        ("from tamaya.evolution.evolving import evolve", "use tamaya.training, where Plan is EvolutionPlan"),
        ("from tamaya.learn.course import fitted", "use tamaya.ppo, where fitted is course_with"),
        ("from tamaya.learn.practice import begin", "use tamaya.ppo, where begin is begin_training"),
        ("from tamaya.policies import policy", "tamaya.policies.policy has moved: use tamaya.policy"),
        ("import tamaya; tamaya.policies.policy", "tamaya.policies has moved: use tamaya.policy"),
        ("import tamaya; tamaya.jit", "tamaya.jit has moved: use tamaya.kernel"),
    ],
)
def test_importing_an_old_public_name_fails_with_the_new_one(code, words):
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert child.returncode == 1
    assert words in child.stderr.splitlines()[-1]


def test_names_that_never_were_fail_as_usual():
    with pytest.raises(ModuleNotFoundError, match=r"No module named 'tamaya\.never'") as raised:
        importlib.import_module("tamaya.never")
    assert raised.value.name == "tamaya.never"
    with pytest.raises(AttributeError, match="has no attribute 'never'"):
        _ = tamaya.never


@pytest.mark.parametrize("old", MOVED)
def test_names_that_moved_are_gone_and_the_new_ones_are_public(old):
    places = re.findall(r"tamaya(?:\.\w+)+", MOVED[old])
    assert places or MOVED[old].startswith("tamaya ")
    assert all(public_names.is_public(place) for place in places)
    still_rooms = {"tamaya.policies", "tamaya.search"}  # rooms as before, which are no longer public
    assert old in still_rooms or not list(ROOT.parent.glob(f"{old.replace('.', '/')}*"))


PAGES = [path for path in sorted(ROOT.rglob("__init__.py")) if path.parent not in (ROOT, ROOT / "engine" / "jit")]
"""The first pages of all rooms; that of the compiler is its README."""


def test_a_file_is_named_by_one_idea_of_the_package():
    """Public doors share the names of what they lead to, and commands those of what they do."""
    named = [path.stem for path in ROOT.rglob("*.py") if path.parent not in (ROOT, ROOT / "cli")]
    assert [name for name, count in Counter(named).items() if count > 1] == ["__init__"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.relative_to(ROOT).as_posix())
def test_the_first_page_of_a_room_names_all_its_files(page):
    listed = [line for line in page.read_text().splitlines() if line.startswith("- ")]
    named = {name for line in listed for name in re.findall("``(.+?)``", line.partition(":")[0])}
    inside = page.parent.iterdir()
    rooms = {f"{path.name}/" for path in inside if (path / "__init__.py").exists()}
    files = {path.stem for path in page.parent.glob("*.py")} - {"__init__"}
    assert named == rooms | files


@compiled_only
def test_kernels_take_keywords_from_python():
    from tamaya import Game
    from tamaya.knowledge import probability

    table = Game(2, 1).view().table
    assert probability(table, slot=0, cards=table.all_cards) == 1


@pytest.mark.parametrize(("mask", "count"), [(0, 0), (5, 2), (-1, 64), (-2, 63), (1 << 62, 1), (-(1 << 63), 1)])
def test_bits_are_counted_of_negative_numbers_too_compiled_or_not(mask, count):
    assert popcount(mask) == count


@compiled_only
def test_a_change_in_another_module_leaves_no_stale_kernel(tmp_path):
    """``discard`` of moves.py holds a constant of settings.py; numba alone would keep the old one."""
    package = tmp_path / "tamaya"
    shutil.copytree(ROOT, package, ignore=shutil.ignore_patterns("__pycache__"))
    (package / "__init__.py").write_text("")
    code = "from tamaya.engine.moves import discard; print(discard(0), sum(discard.outer.stats.cache_hits.values()))"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    environment.pop("NUMBA_CACHE_DIR", None)

    def ask():
        child = subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
        )
        return child.stdout.split(), child.stderr

    assert ask() == (["6", "0"], "")
    assert ask() == (["6", "1"], "")
    sizes = package / "engine" / "settings.py"
    sizes.write_text(sizes.read_text().replace("SLOTS = 6", "SLOTS = 5"))
    answer, _ = ask()
    assert answer == ["5", "0"]


@compiled_only
def test_a_change_in_another_file_of_the_user_leaves_no_stale_policy(tmp_path):
    (tmp_path / "parts").mkdir()
    helper = tmp_path / "parts" / "helper.py"
    helper.write_text("from tamaya import kernel\n\n\n@kernel\ndef choice():\n    return 0\n")
    (tmp_path / ".#mine.py").symlink_to("nowhere")
    (tmp_path / "mine.py").write_text(
        "from parts.helper import choice\nfrom tamaya import policy\n\n\n"
        "@policy\ndef mine(view, memory, params, rng):\n    return choice()\n"
    )
    code = "from tamaya import Game, make_agent; print(make_agent('mine:mine').sit_down().act(Game(2).view()))"

    def ask():
        child = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
        return child.stdout.strip()

    assert ask() == "play 0"
    helper.write_text(helper.read_text().replace("return 0", "return 3"))
    assert ask() == "play 3"


@compiled_only
def test_a_constant_that_a_module_reads_from_a_file_is_never_stale(tmp_path):
    """Of the policy itself, of a kernel that it calls, of another module, and in an array."""
    (tmp_path / "numbers.json").write_text("[0, 0, 0, 0]")
    (tmp_path / "shared.py").write_text(
        "import json\nimport numpy as np\n"
        "NUMBERS = json.load(open('numbers.json'))\nOTHER = NUMBERS[2]\nARRAY = np.array(NUMBERS)\n"
    )
    (tmp_path / "mine.py").write_text(
        "import shared\nfrom shared import ARRAY, NUMBERS\nfrom tamaya import kernel, policy\n\n"
        "FIRST, SECOND = NUMBERS[:2]\n\n\n"
        "@kernel\ndef inner():\n    return SECOND\n\n\n"
        "@policy\ndef mine(view, memory, params, rng):\n    return FIRST + inner() + shared.OTHER + ARRAY[3]\n"
    )
    code = "from tamaya import Game, make_agent; print(make_agent('mine:mine').sit_down().act(Game(2).view()))"

    def ask(numbers):
        (tmp_path / "numbers.json").write_text(numbers)
        child = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
        return child.stdout.strip()

    for numbers, move in (("[0, 0, 0, 0]", 0), ("[1, 0, 0, 0]", 1), ("[1, 1, 0, 0]", 2), ("[1, 1, 1, 1]", 4)):
        assert ask(numbers) == f"play {move}"
    assert ask("[0, 0, 0, 0]") == "play 0"


@compiled_only
def test_a_policy_typed_at_a_prompt_works_without_a_cache(tmp_path):
    code = (
        "from tamaya import Game, policy\n"
        "from tamaya.policies.agent import PolicyAgent\n"
        "@policy\ndef mine(view, memory, params, rng):\n    return 2\n"
        "print(PolicyAgent('mine', mine).sit_down().act(Game(2).view()))"
    )
    child = subprocess.run([sys.executable, "-"], input=code, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert child.stdout == "play 2\n", child.stderr


def test_every_field_of_a_summary_is_explained():
    """The reference shows the text below each field."""
    tree = ast.parse(inspect.getsource(statistics))
    (summary,) = [one for one in tree.body if isinstance(one, ast.ClassDef) and one.name == "Summary"]
    for field, text in zip(summary.body[1::2], summary.body[2::2], strict=True):
        assert isinstance(field, ast.AnnAssign)
        assert isinstance(text, ast.Expr), field.target.id
