"""Tables that fit a terminal: of figures, where no column is lost, and of texts."""

from collections.abc import Iterator

from rich.markup import escape
from rich.table import Table as Grid
from rich.text import Text

from tamaya.cli.printing.characters import shown
from tamaya.engine.text import plain


def blocks_of(rows: list[dict[str, str]], width: int) -> tuple[dict[str, int], list[list[str]]]:
    """Returns the widths of columns, and which stand side by side; where there is no room, the names are left out."""
    name, *others = rows[0]
    sizes = {key: max(len(key), *(len(row[key]) for row in rows)) for key in rows[0]}
    if sum(sizes.values()) + 2 * len(others) <= width:
        return sizes, [[name, *others]]
    key, *figures = others
    blocks = [[key]]
    for figure in figures:
        if sum(sizes[one] + 2 for one in [*blocks[-1], figure]) > width:
            blocks.append([key])
        blocks[-1].append(figure)
    return sizes, blocks


def figure_lines(rows: list[dict[str, str]], width: int) -> Iterator[Text]:
    """Lays out a table of figures that loses no column.

    The first column is a name. It stands on lines of its own where the table is too wide for it, and what is then still
    too wide goes into a second table below.
    """
    rows = [{shown(key): shown(plain(value)) for key, value in row.items()} for row in rows]
    name = next(iter(rows[0]))
    sizes, blocks = blocks_of(rows, width)
    for number, block in enumerate(blocks):
        if number:
            yield Text()
        aligned = [f"{one:<{sizes[one]}}" if one == name else f"{one:>{sizes[one]}}" for one in block]
        yield Text(("" if name in block else "  ") + "  ".join(aligned).rstrip(), style="bold")
        last = ""
        for row in rows:
            cells = [f"{row[one]:<{sizes[one]}}" if one == name else f"{row[one]:>{sizes[one]}}" for one in block]
            if name not in block and row[name] != last:
                last = row[name]
                yield Text(last)
            yield Text(("" if name in block else "  ") + "  ".join(cells).rstrip())


def text_table(rows: list[dict[str, str]], shortened: str = "", width: int = 0) -> Grid:
    """Lays out a table of texts; one column may be cut short so that each row fits into one line of a width."""
    grid = Grid(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    rows = [{key: shown(plain(text)) for key, text in row.items()} for row in rows]
    room = width - sum(2 + max(len(row[key]) for row in [*rows, {key: key}]) for key in rows[0] if key != shortened)
    for key in rows[0]:
        grid.add_column(key, overflow="fold")
    for row in rows:
        cells = {key: fit(text, room) if key == shortened else text for key, text in row.items()}
        grid.add_row(*map(escape, cells.values()))
    return grid


def fit(text: str, width: int) -> str:
    """Returns a text cut to at most this many characters."""
    dots = shown("…")
    return text if len(text) <= width else f"{text[: max(1, width - len(dots))]}{dots}"
