"""Draws docs/architecture.svg, the map of the package, from its imports: python docs/architecture.py."""

import ast
import html
import pathlib
import textwrap
from collections.abc import Iterator
from typing import NamedTuple

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
    """Lists the modules of the package by name, without its own name in front."""
    paths = sorted(ROOT.rglob("*.py"))
    names = [".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in paths]
    return {name: path for name, path in zip(names, paths, strict=True) if name not in ("__init__", "__main__")}


def is_for_types(node: ast.AST) -> bool:
    """Says whether a statement is read by type checkers only."""
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def imports_of(node: ast.AST, is_late: bool = False) -> Iterator[tuple[str, bool]]:
    """Yields the modules that a tree of code imports, and whether only when a function is called."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ImportFrom) and child.module:
            yield child.module, is_late
            yield from ((f"{child.module}.{name.name}", is_late) for name in child.names)
        elif isinstance(child, ast.Import):
            yield from ((name.name, is_late) for name in child.names)
        elif not is_for_types(child):
            yield from imports_of(child, is_late or isinstance(child, ast.FunctionDef))


def inner_rooms(room: str) -> list[str]:
    """Lists the folders of modules in a room."""
    return sorted(path.parent.name for path in (ROOT / room).glob("*/__init__.py"))


def is_defined(place: str) -> bool:
    """Says whether a dotted name is a function, class or constant of a module, or a method of one of its classes."""
    parts = place.split(".")
    known = modules()
    depth = next((one for one in range(len(parts) - 1, 0, -1) if ".".join(parts[:one]) in known), 0)
    if not depth:
        return False
    body = ast.parse(known[".".join(parts[:depth])].read_text()).body
    for name in parts[depth:]:
        found = next((node for node in body if name in names_of(node)), None)
        if found is None:
            return False
        body = getattr(found, "body", [])
    return True


def names_of(node: ast.stmt) -> list[str]:
    """Lists the names that a statement binds."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return [one.id for one in targets if isinstance(one, ast.Name)]


def graph() -> dict[str, dict[str, bool]]:
    """Finds the modules of the package that each one imports, and whether only late."""
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
    """Returns the room of a module."""
    return module.partition(".")[0]


def imported_rooms() -> dict[str, set[str]]:
    """Finds the rooms that each room imports."""
    found: dict[str, set[str]] = {room: set() for room in ORDER}
    for module, targets in graph().items():
        room = package_of(module)
        if room in ORDER:
            found[room] |= {package_of(target) for target in targets} - {room}
    return found


def reachable(rooms: dict[str, set[str]], start: str) -> set[str]:
    """Finds the rooms that a room imports, directly or through others."""
    return rooms[start].union(*(reachable(rooms, room) for room in rooms[start]))


def arrows() -> list[tuple[str, str]]:
    """Finds which room imports which, without the pairs that follow from others."""
    rooms = imported_rooms()
    through = {room: set().union(*(reachable(rooms, used) for used in rooms[room])) for room in ORDER}
    return [(room, used) for room in ORDER for used in ORDER if used in rooms[room] - through[room]]


WIDTH, LEFT, PAD, GAP, LINE, LANE = 1200, 116, 14, 16, 19, 17
"""Pixels: the picture, the boxes' left edge, inside a box, between boxes, a line of text, an arrow's lane."""

CHARACTERS = 128
"""A line of text in a box holds so many."""


class Box(NamedTuple):
    """A room on the map: its name, its lines of text as pieces of SVG, and where it stands."""

    name: str
    lines: list[str]
    top: int

    @property
    def height(self) -> int:
        """As high as its lines need."""
        return LINE * len(self.lines) + PAD + 4


def summary_of(room: str) -> str:
    """Returns the first line of what a room says of itself."""
    text = ast.get_docstring(ast.parse((ROOT / room / "__init__.py").read_text())) or ""
    return text.partition("\n")[0].rstrip(".")


def wrapped(label: str, names: list[str]) -> list[str]:
    """Writes the names of files behind a label, on as many lines as they need."""
    lines = textwrap.wrap(f"{label} {', '.join(names)}".strip(), CHARACTERS)
    first = html.escape(lines[0])
    if label:
        first = first.replace(label, f'<tspan class="r">{label}</tspan>', 1)
    return [first, *map(html.escape, lines[1:])]


def lines_of(room: str) -> list[str]:
    """Writes the texts of a box: what the room is, its files, and its inner rooms with theirs."""
    inside = [module.split(".")[1:] for module in modules() if module.startswith(f"{room}.")]
    inner = inner_rooms(room)
    files = [path[0] for path in inside if len(path) == 1 and path[0] not in (*inner, "__main__")]
    found = [f'<tspan class="p">{room}</tspan><tspan dx="10">{html.escape(summary_of(room))}</tspan>']
    found += wrapped("", files) if files else []
    for name in inner:
        found += wrapped(f"{name}/", [path[1] for path in inside if path[0] == name and len(path) == 2])
    return found


def lines_of_doors() -> list[str]:
    """Writes the texts of the box of the public modules."""
    title = "What programs of users import, with environments, its hanabi_v0 and gym"
    found = [f'<tspan class="p">public</tspan><tspan dx="10">{title}</tspan>']
    return found + wrapped("", ["tamaya", *(f"tamaya.{door}" for door in DOORS)])


def stacked() -> list[Box]:
    """Stacks the boxes of all rooms, from the top, and that of the public modules."""
    boxes = []
    top = GAP
    for room in ORDER:
        boxes.append(Box(room, lines_of(room), top))
        top += boxes[-1].height + GAP
    return [*boxes, Box("public", lines_of_doors(), top)]


def drawn_box(box: Box) -> str:
    """A box with its texts."""
    look = ' class="d"' if box.name == "public" else ""
    texts = "".join(
        f'<text x="{LEFT + PAD}" y="{box.top + PAD // 2 + LINE * (number + 1) - 4}">{text}</text>'
        for number, text in enumerate(box.lines)
    )
    size = f'width="{WIDTH - LEFT - GAP}" height="{box.height}"'
    return f'<rect x="{LEFT}" y="{box.top}" {size} rx="6"{look}/>{texts}'


def lanes() -> dict[tuple[str, str], int]:
    """Chooses the lane beside the boxes in which each arrow runs, the shortest ones next to them."""
    taken: list[list[tuple[int, int]]] = []
    found = {}
    for user, used in sorted(arrows(), key=lambda pair: ORDER.index(pair[0]) - ORDER.index(pair[1])):
        start, end = ORDER.index(used), ORDER.index(user)
        free = (number for number, lane in enumerate(taken) if all(end <= low or high <= start for low, high in lane))
        number = next(free, len(taken))
        if number == len(taken):
            taken.append([])
        taken[number].append((start, end))
        found[user, used] = number
    return found


def ports(boxes: dict[str, Box], found: dict[tuple[str, str], int]) -> dict[tuple[str, str, str], float]:
    """Chooses the height at which each arrow meets each of its boxes: those to rooms above in its upper half.

    Above, the arrows in outer lanes leave further down, and below they arrive further up, so that they do not cross.
    """
    places = {}
    for room in ORDER:
        up = sorted((lane, pair) for pair, lane in found.items() if pair[0] == room)
        down = sorted(((lane, pair) for pair, lane in found.items() if pair[1] == room), reverse=True)
        box = boxes[room]
        for number, (_, pair) in enumerate([*up, *down], 1):
            places[*pair, room] = box.top + box.height * number / (len(up) + len(down) + 1)
    return places


def drawn_arrow(start: float, end: float, lane: int) -> str:
    """Draws an arrow from a room up to one that it imports, with rounded corners."""
    x = LEFT - 22 - LANE * lane
    edge = 8
    return (
        f'<path d="M {LEFT} {start:.1f} H {x + edge} Q {x} {start:.1f} {x} {start - edge:.1f} V {end + edge:.1f} '
        f'Q {x} {end:.1f} {x + edge} {end:.1f} H {LEFT - 3}" marker-end="url(#a)"/>'
    )


def picture() -> str:
    """Draws the map as SVG."""
    boxes = stacked()
    found = lanes()
    places = ports({box.name: box for box in boxes}, found)
    height = boxes[-1].top + boxes[-1].height + GAP
    style = (
        "svg{background:#fff}rect{fill:#f4f4f0;stroke:#222}text{font:14px system-ui,sans-serif;fill:#222}"
        ".p{font-size:16px;font-weight:700}.r{font-weight:600}.d{stroke-dasharray:6 4;fill:#fff}"
        "path{fill:none;stroke:#444;stroke-width:1.6}marker path{fill:#444;stroke:none}"
    )
    head = '<marker id="a" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="9" markerHeight="9" orient="auto"'
    head += ' markerUnits="userSpaceOnUse"><path d="M0 0L8 4L0 8z"/></marker>'
    drawn = [
        drawn_arrow(places[user, used, user], places[user, used, used], lane)
        for (user, used), lane in sorted(found.items())
    ]
    content = "\n".join([*drawn, *map(drawn_box, boxes)])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">'
        f"<title>The rooms of tamaya; arrows point at what is imported</title><style>{style}</style>"
        f"<defs>{head}</defs>\n{content}\n</svg>\n"
    )


if __name__ == "__main__":
    (ROOT.parent / "docs" / "architecture.svg").write_text(picture())
