"""The fenced blocks of the pages, and how tests run the commands in them: in a scratch folder, with small budgets."""

import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
from typing import NamedTuple

ROOT = pathlib.Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]

NOT_RUN = {
    "pip": "installs into the environment that runs the tests; the extras that it names must exist",
    "pytest": "is the test suite itself",
    "dask": "starts a cluster",
    "--cluster": "needs a cluster; the command line is parsed",
    "tamaya learn": "takes minutes, and training needs PyTorch; the command line is parsed",
    "tamaya play": "serves until it is stopped; the command line is parsed",
    "tamaya live": "needs an account of hanab.live; the command line is parsed",
    "node": "may not be there; the command line is parsed if it is not",
    "mine.json": "needs weights that were trained; the command line is parsed",
    ".npz": "needs weights that were trained; the command line is parsed",
    "ppo.py": "needs PyTorch, and takes minutes; the file must be there",
}
"""What is not run, and why. Everything else in a block of shell commands is."""

FEW_GAMES = 10
SHIM = """#!{python}
import sys
sys.path[:0] = [{root!r}, {docs!r}]
import blocks
blocks.{function}(sys.argv[1:])
"""


class Block(NamedTuple):
    """A fenced block: its language, its text, and where its text begins and ends in the page."""

    language: str
    text: str
    start: int
    end: int


def blocks_of(page: str) -> list[Block]:
    """The fenced blocks of a page in order."""
    found = re.finditer(r"^```(\w*)\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    return [Block(one[1], one[2], one.start(2), one.end(2)) for one in found]


def output_after(blocks: list[Block], index: int, page: str) -> Block | None:
    """The block that shows the output of a block of commands: plain text with nothing in between."""
    if blocks[index].language != "sh" or index + 1 == len(blocks) or blocks[index + 1].language != "text":
        return None
    between = page[blocks[index].end : blocks[index + 1].start]
    return blocks[index + 1] if between.split() == ["```", "```text"] else None


def run_page(page: str, folder: pathlib.Path) -> list[tuple[Block, str]]:
    """Runs the shell blocks of a page one after the other; the blocks that show output, with what was printed."""
    blocks = blocks_of(page)
    shown = {index: output_after(blocks, index, page) for index, one in enumerate(blocks) if one.language == "sh"}
    prepare(folder)
    script = ["set -eu"]
    for index, output in shown.items():
        script += [f"export EXACT={int(output is not None)}", "{", blocks[index].text, f"}} > {folder}/{index}.out"]
    environment = os.environ | {"PATH": f"{folder}/bin{os.pathsep}{os.environ['PATH']}", "COLUMNS": "100"}
    child = subprocess.run(
        ["bash", "-c", "\n".join(script)],
        cwd=folder / "work",
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if child.returncode:
        done = [index for index in shown if (folder / f"{index}.out").exists()]
        raise AssertionError(f"{blocks[done[-1]].text if done else script}\n{child.stderr}")
    return [(output, (folder / f"{index}.out").read_text()) for index, output in shown.items() if output is not None]


def prepare(folder: pathlib.Path) -> None:
    """A folder like that of the package with small experiments, and the programs that the pages call."""
    work, programs = folder / "work", folder / "bin"
    ignored = shutil.ignore_patterns("__pycache__", "*.run")
    for name in ("examples", "docs"):
        shutil.copytree(ROOT / name, work / name, ignore=ignored)
    for source in (ROOT / "examples", ROOT / "examples" / "tutorial"):  # where their compiled policies are kept
        (source / "__pycache__").mkdir(exist_ok=True)
        (work / source.relative_to(ROOT) / "__pycache__").symlink_to(source / "__pycache__")
    for experiment in work.rglob("*.toml"):
        experiment.write_text(
            re.sub(r"^games = \d+", f"games = {FEW_GAMES}", experiment.read_text(), flags=re.MULTILINE)
        )
    programs.mkdir()
    for name in ("tamaya", "python", "pip", "pytest", "dask"):
        text = SHIM.format(python=sys.executable, root=str(ROOT), docs=str(ROOT / "docs"), function=f"run_{name}")
        (programs / name).write_text(text)
        (programs / name).chmod(stat.S_IRWXU)


def small(arguments: list[str]) -> list[str]:
    """A command with so small a budget that a test can run it."""
    few = [re.sub(r"\bms=\d+", "ms=1", one) for one in arguments]
    few = [re.sub(r"\b(iterations|deals)=\d+", r"\1=20", one) for one in few]
    if "--games" in few:
        place = few.index("--games") + 1
        few[place] = str(min(FEW_GAMES, int(few[place])))
    elif few[:1] in (["match"], ["check"]) and "--help" not in few:
        few += ["--games", str(FEW_GAMES)]
    if "--deals" in few:
        few[few.index("--deals") + 1] = str(FEW_GAMES)
    if few[:1] == ["evolve"]:
        few += ["--generations", "1", "--population", "6", "--fresh", str(FEW_GAMES)]
    if few[:1] == ["reproduce"] and not {"--quick", "--list"} & {*few}:
        few.append("--quick")
    return few


def complaint_of(arguments: list[str]) -> str:
    """What the program would say against a command line, if anything; it plays nothing."""
    import typer

    from tamaya.cli.app import app

    group = typer.main.get_command(app)
    context = group.make_context("tamaya", ["--version"], resilient_parsing=True)
    try:
        name, command, rest = group.resolve_command(context, arguments)  # type: ignore[attr-defined]
        command.make_context(name, rest, parent=context)
    except Exception as error:
        return str(error)
    return ""


def run_tamaya(arguments: list[str]) -> None:
    """Runs a command of tamaya, exactly where its output is shown, else with a small budget."""
    has_node = shutil.which("node") or "node " not in " ".join(arguments)
    is_trained = re.search(r"mine\.json|\.npz", " ".join(arguments))
    if not has_node or "--cluster" in arguments or arguments[0] in ("learn", "play", "live") or is_trained:
        sys.exit(complaint_of(arguments) or 0)
    if os.environ.get("EXACT") != "1":
        arguments = small(arguments)
        if arguments[0] == "reproduce":
            from tamaya.experiments.papers import paper_tables

            paper_tables.QUICK_SECONDS = 0.5
        if arguments[0] == "check":
            from tamaya.arena.checks import conformance

            conformance.ALL = (conformance.check_games, conformance.check_order)  # the tests of the check do the rest
    sys.argv = ["tamaya", *arguments]
    from tamaya.cli import main

    main()


def run_python(arguments: list[str]) -> None:
    """Runs a program, unless it needs PyTorch."""
    if pathlib.Path(arguments[0]).name != "ppo.py":
        os.execv(sys.executable, [sys.executable, *arguments])
    sys.exit(not pathlib.Path(arguments[0]).exists())


def run_pip(arguments: list[str]) -> None:
    """Refuses extras that the package does not have."""
    import tomllib

    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    named = re.findall(r"\[(.*?)\]", " ".join(arguments))
    sys.exit(not (arguments[0] == "install" and {*",".join(named).split(",")} <= {*extras, ""}))


def run_pytest(arguments: list[str]) -> None:
    """Does nothing: these are the tests already."""


def run_dask(arguments: list[str]) -> None:
    """Does nothing: there is no cluster."""
