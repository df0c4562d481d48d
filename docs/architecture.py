"""Draws docs/architecture.svg, the map of the package, from its imports: python docs/architecture.py."""

import ast
import html
import pathlib
from collections.abc import Iterator

ROOT = pathlib.Path(__file__).parent.parent / "tamaya"

ORDER = [
    *("engine", "game", "solver", "policies", "bridges", "networks", "search", "agents", "arena", "environments"),
    *("experiments", "learn", "play", "cli"),
]
"""The rooms, each of which imports only from those before it."""

DOORS = ("hle", "knowledge", "moves", "openspiel", "ppo", "randomness", "replay", "rules", "training")
"""The public modules beside the rooms; nothing in the package imports them."""

PRIVATE = ("moved_names",)
"""A module beside the rooms that is not public."""


def modules() -> dict[str, pathlib.Path]:
    """The modules of the package by name, without its own name in front."""
    paths = sorted(ROOT.rglob("*.py"))
    names = [".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in paths]
    return {name: path for name, path in zip(names, paths, strict=True) if name not in ("__init__", "__main__")}


def is_for_types(node: ast.AST) -> bool:
    """Whether a statement is read by type checkers only."""
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def imports_of(node: ast.AST, is_late: bool = False) -> Iterator[tuple[str, bool]]:
    """The modules that a tree of code imports, and whether only when a function is called."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ImportFrom) and child.module:
            yield child.module, is_late
            yield from ((f"{child.module}.{name.name}", is_late) for name in child.names)
        elif isinstance(child, ast.Import):
            yield from ((name.name, is_late) for name in child.names)
        elif not is_for_types(child):
            yield from imports_of(child, is_late or isinstance(child, ast.FunctionDef))


def graph() -> dict[str, dict[str, bool]]:
    """The modules of the package that each one imports, and whether only late."""
    known = modules()
    found: dict[str, dict[str, bool]] = {}
    for name, path in known.items():
        targets = found.setdefault(name, {})
        for imported, is_late in imports_of(ast.parse(path.read_text())):
            target = imported.removeprefix("tamaya.")
            if imported.startswith("tamaya.") and target in known and target != name:
                targets[target] = targets.get(target, True) and is_late
    return found


def package_of(module: str) -> str:
    """The package of a module."""
    return module.partition(".")[0]


def arrows() -> dict[tuple[str, str], int]:
    """How many modules of a package import from another package."""
    counted: dict[tuple[str, str], int] = {}
    for module, targets in graph().items():
        for package in {package_of(target) for target in targets} - {package_of(module)}:
            if package_of(module) in ORDER and package in ORDER:
                pair = (package_of(module), package)
                counted[pair] = counted.get(pair, 0) + 1
    return counted


WIDTH, ROW, LEFT, GAP = 960, 44, 250, 14


def box(row: int, name: str) -> str:
    """A package, with its summary and its modules."""
    top = GAP + row * (ROW + GAP)
    inside = [module.partition(".")[2] for module in modules() if module.startswith(f"{name}.")]
    inside = [module for module in inside if module != "__main__"]
    lines, line = [], ""
    for word in ", ".join(inside).split(" "):
        if len(line) + len(word) > 84:
            lines.append(line)
            line = ""
        line = f"{line} {word}".strip()
    lines.append(line)
    texts = "".join(
        f'<text x="{LEFT + 130}" y="{top + (27 if len(lines) == 1 else 19 + 16 * index)}" class="m">'
        f"{html.escape(text)}</text>"
        for index, text in enumerate(lines)
    )
    return (
        f'<rect x="{LEFT}" y="{top}" width="{WIDTH - LEFT - GAP}" height="{ROW}" rx="6"/>'
        f'<text x="{LEFT + 12}" y="{top + 27}" class="p">{name}</text>{texts}'
    )


def arc(user: str, used: str, count: int) -> str:
    """An arrow from a package to one that it imports; the thicker, the more of its modules do."""
    start, end = (GAP + ORDER.index(name) * (ROW + GAP) + ROW / 2 for name in (user, used))
    reach = LEFT - 12 - 17 * (ORDER.index(user) - ORDER.index(used))
    width = 0.8 + min(count, 8) * 0.25
    return (
        f'<path d="M {LEFT} {start - 6:.0f} C {reach} {start - 6:.0f} {reach} {end + 6:.0f} {LEFT - 6} {end + 6:.0f}" '
        f'stroke-width="{width:.1f}" marker-end="url(#a)"/>'
    )


def picture() -> str:
    """The map as SVG."""
    height = GAP + len(ORDER) * (ROW + GAP)
    style = (
        "svg{background:#fff}rect{fill:#f4f4f0;stroke:#222}text{font-family:system-ui,sans-serif;fill:#111}"
        ".p{font-size:15px;font-weight:600}.m{font-size:12px}path{fill:none;stroke:#555;opacity:.75}"
        "marker path{fill:#555;stroke:none;opacity:1}"
    )
    head = '<marker id="a" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" markerHeight="7" orient="auto"'
    head += ' markerUnits="userSpaceOnUse"><path d="M0 0L8 4L0 8z"/></marker>'
    arcs = "\n".join(arc(user, used, count) for (user, used), count in sorted(arrows().items()))
    boxes = "\n".join(box(row, name) for row, name in enumerate(ORDER))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">'
        f"<title>The packages of tamaya; arrows point at what is imported</title><style>{style}</style>"
        f"<defs>{head}</defs>\n{arcs}\n{boxes}\n</svg>\n"
    )


if __name__ == "__main__":
    (ROOT.parent / "docs" / "architecture.svg").write_text(picture())
