"""Runs docs/notebook.ipynb in this process and keeps its outputs; turns it into a page of the site."""

import ast
import base64
import contextlib
import io
import json
import pathlib
from typing import Any

NOTEBOOK = pathlib.Path(__file__).parent / "notebook.ipynb"


def read(path: pathlib.Path = NOTEBOOK) -> dict[str, Any]:
    """A notebook as it is stored."""
    return json.loads(path.read_text())


def executed(notebook: dict[str, Any]) -> dict[str, Any]:
    """A notebook with the outputs that its cells have now."""
    names: dict[str, Any] = {"__name__": "__main__"}
    cells, count = [], 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            count += 1
            cell = cell | {"execution_count": count, "outputs": outputs_of("".join(cell["source"]), count, names)}
        cells.append(cell)
    return notebook | {"cells": cells}


def outputs_of(source: str, count: int, names: dict[str, Any]) -> list[dict[str, Any]]:
    """What a cell prints, what its last expression is, and its plots."""
    import matplotlib.pyplot as plt

    plt.switch_backend("Agg")
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, f"<cell {count}>", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), f"<cell {count}>", "eval"), names)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": lines_of(printed.getvalue())})
    if value is not None:
        data = {"text/plain": lines_of(repr(value))}
        outputs.append({"output_type": "execute_result", "execution_count": count, "data": data, "metadata": {}})
    for number in plt.get_fignums():
        file = io.BytesIO()
        plt.figure(number).savefig(file, format="png", dpi=100, metadata={"Software": None})
        data = {"image/png": base64.b64encode(file.getvalue()).decode(), "text/plain": ["<Figure>"]}
        outputs.append({"output_type": "display_data", "data": data, "metadata": {}})
    plt.close("all")
    return outputs


def lines_of(text: str) -> list[str]:
    """A text as notebooks store it."""
    return text.splitlines(keepends=True)


def texts(notebook: dict[str, Any]) -> list[list[Any]]:
    """The outputs of each cell without the pixels of its plots, to be compared."""
    return [
        [one.get("text") or one["data"]["text/plain"] for one in cell["outputs"]]
        for cell in notebook["cells"]
        if cell["cell_type"] == "code"
    ]


def write() -> None:
    """Runs the notebook and stores its outputs."""
    NOTEBOOK.write_text(json.dumps(executed(read()), indent=1, ensure_ascii=False) + "\n")


def as_markdown(path: pathlib.Path) -> tuple[str, dict[str, bytes]]:
    """A notebook as a page, and its pictures by name."""
    parts: list[str] = []
    pictures: dict[str, bytes] = {}
    for cell in read(path)["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        for output in cell["outputs"]:
            data = output.get("data", {})
            if "image/png" in data:
                name = f"{path.stem}-{len(pictures) + 1}.png"
                pictures[name] = base64.b64decode(data["image/png"])
                parts.append(f"![the plot of the cell above]({name})")
            else:
                text = "".join(output.get("text") or data["text/plain"]).rstrip("\n")
                parts.append(f"```text\n{text}\n```")
    return "\n\n".join(parts) + "\n", pictures
