"""The package itself: its layers, its cache, its first start."""

import ast
import os
import pathlib
import shutil
import subprocess
import sys

from conftest import compiled_only

import tamaya

ROOT = pathlib.Path(tamaya.__file__).parent

# In the order of dependence: a module imports only from those before it.
LAYERS = """
    jit cards randomness settings table moves engine knowledge notation picture position game hle replay story
    expression policies worlds rules.playing rules.discarding rules.mixed rules.telling rules rules.catalogue rules.text
    search search.plan players search.crew search.sampling search.flat search.tree search.loop search.policies recipes
    seers conventions conventions.tables conventions.codes conventions.hands conventions.questions conventions.classes
    conventions.hats conventions.information_code conventions.information conventions.recommendation conventions.targets
    conventions.confidence conventions.smartbot_code conventions.smartbot agents thoughts loop arena
    statistics matches experiment store runs cluster plots export report papers
    reproduce comparison tables check console laboratory cli
""".split()  # noqa: SIM905


def imports_of(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("tamaya"):
            yield from ([node.module] if node.module != "tamaya" else [f"tamaya.{name.name}" for name in node.names])
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)


def test_imports_go_one_way():
    modules = {}
    for path in ROOT.rglob("*.py"):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        if name != "__init__":
            modules[name] = path
    assert sorted(modules) == sorted(LAYERS)
    for name, path in modules.items():
        typing_only = {"position"} if name == "picture" else set()
        for imported in imports_of(path):
            if imported.startswith("tamaya."):
                layer = imported.removeprefix("tamaya.")
                if layer not in typing_only:
                    assert LAYERS.index(layer) < LAYERS.index(name), f"{name} imports {layer}"
            elif name != "jit":
                assert not imported.startswith("numba"), f"{name} imports numba"


@compiled_only
def test_a_change_in_another_module_leaves_no_stale_kernel(tmp_path):
    """``discard`` of moves.py holds a constant of cards.py; numba alone would keep the old one."""
    package = tmp_path / "tamaya"
    shutil.copytree(ROOT, package, ignore=shutil.ignore_patterns("__pycache__"))
    (package / "__init__.py").write_text("")
    code = "from tamaya.moves import discard; print(discard(0), sum(discard.stats.cache_hits.values()))"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    environment.pop("NUMBA_CACHE_DIR", None)

    def ask():
        child = subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
        )
        return child.stdout.split(), child.stderr

    answer, words = ask()
    assert answer == ["6", "0"]
    assert "compiling" in words
    answer, words = ask()
    assert answer == ["6", "1"]
    assert "compiling" not in words
    cards = package / "cards.py"
    cards.write_text(cards.read_text().replace("SLOTS = 6", "SLOTS = 5"))
    answer, _ = ask()
    assert answer == ["5", "0"]


@compiled_only
def test_a_change_in_another_file_of_the_user_leaves_no_stale_policy(tmp_path):
    (tmp_path / "parts").mkdir()
    helper = tmp_path / "parts" / "helper.py"
    helper.write_text("from tamaya.jit import kernel\n\n\n@kernel\ndef choice():\n    return 0\n")
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
def test_a_policy_typed_at_a_prompt_works_without_a_cache(tmp_path):
    code = (
        "from tamaya import Game, policy\n"
        "from tamaya.players import Agent\n"
        "import numpy as np\n"
        "@policy\ndef mine(view, memory, params, rng):\n    return 2\n"
        "print(Agent('mine', mine, np.zeros(0)).sit_down().act(Game(2).view()))"
    )
    child = subprocess.run([sys.executable, "-"], input=code, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert child.stdout == "play 2\n", child.stderr
