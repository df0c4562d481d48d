"""``tamaya analyse``: the moves of a recorded game, compared with those of a search."""

import re
from pathlib import Path
from typing import Annotated

import typer

from tamaya.cli.options import Json, Threads, agent_names, check_threads
from tamaya.cli.printing import console
from tamaya.cli.printing.analysis import Analysed, print_analysis
from tamaya.cli.printing.progress import progress_bar
from tamaya.cli.recorded_games import GameFile, game_at

EXAMPLES = (
    "analyse games.jsonl",
    "analyse games.jsonl --game 3 --moves 40-",
    'analyse games.jsonl --by "search(piers)" --plot game.svg',
)


def analyse(
    file: GameFile,
    game: Annotated[int, typer.Option("--game", "-g", metavar="N", help="Which game of the file, from 1.")] = 1,
    moves: Annotated[
        str | None, typer.Option("--moves", metavar="N", help="Only these moves: 12, 10-20 or 50-. [default: all]")
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(
            "--by",
            "-b",
            metavar="AGENT",
            help="Whose moves are compared with those made. [default: a search with the convention of the agents that "
            "played, if that is known, or else search(information, literal=yes)]",
            autocompletion=agent_names,
        ),
    ] = None,
    iterations: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Imagined games per move for its cost, and twice as many to choose another. [default: 1000]",
        ),
    ] = None,
    ms: Annotated[
        float | None,
        typer.Option(metavar="N", help="Milliseconds per move for its cost instead, and again twice as many."),
    ] = None,
    threshold: Annotated[
        float, typer.Option(metavar="POINTS", help="From which cost on a move is a mistake, if that is certain.")
    ] = 0.25,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the curve into a new file: SVG, PNG or PDF.")
    ] = None,
    threads: Threads = None,
    json: Json = False,
) -> None:
    """Compare the moves of a recorded game with those of a search: what each has cost, and where it was lost."""
    from tamaya.arena.analysis.game_analysis import ITERATIONS, agents_of, make_analyst

    if iterations is not None and ms is not None:
        raise ValueError("--iterations and --ms are two ways to give a budget; choose one")
    for name, value, least in (("--iterations", iterations, 2), ("--threshold", threshold, 0)):
        if value is not None and not least <= value < 1e9:
            raise ValueError(f"{name} must be at least {least}, not {value}")
    if ms is not None and not 0 < ms < 1e9:
        raise ValueError(f"--ms must be above 0, not {ms:g}")
    check_threads(threads)
    if plot is not None:
        check_plot(plot)
    played, _, _ = game_at(file, game, None)
    asked = parse_moves(moves, len(played.moves))
    with console.prints_aside():
        budget = {"iterations": iterations or ITERATIONS, "ms": ms or 0.0, "threshold": threshold}
        analyst = make_analyst(by, agents_of(played), **budget)
        analyst.agent.check_table(played.settings)
    found = Analysed(played, analyst)
    try:
        analyse_with_progress(found, asked, threads)
    finally:
        print_analysis(found, file, game, json)
        if plot is not None and found.turns:
            draw_curve(found, plot)


def analyse_with_progress(found: Analysed, asked: range, threads: int | None) -> None:
    """Analyses some moves, with a progress bar, while another thread turns all cards face up."""
    from concurrent.futures import ThreadPoolExecutor

    from tamaya.arena.analysis.game_analysis import analyse
    from tamaya.solver.hindsight import reach_by_turn

    pool = ThreadPoolExecutor(1)
    face_up = pool.submit(reach_by_turn, found.game)
    try:
        with progress_bar("analysing", len(asked), noun="move") as advance:
            for one in analyse(found.game, found.analyst, asked, threads):
                found.turns.append(one)
                advance(1)
            face_up.result()
    finally:
        found.reach = face_up.result() if face_up.done() else []
        pool.shutdown(wait=False, cancel_futures=True)


def parse_moves(text: str | None, moves: int) -> range:
    """Returns the turns of the moves ``12``, ``10-20`` or ``50-``, which count from 1."""
    if not moves:
        raise ValueError("the game has no moves; there is nothing to analyse")
    if text is None:
        return range(moves)
    parts = re.fullmatch(r"\s*([0-9]+)\s*(-\s*([0-9]+)?)?\s*", text)
    if parts is None:
        raise ValueError(f"--moves must be written like 12, 10-20 or 50-, not {text!r}")
    first = int(parts[1])
    last = int(parts[3]) if parts[3] else moves if parts[2] else first
    if not 1 <= first <= last <= moves:
        raise ValueError(f"--moves must be from 1 to {moves}, the number of moves, not {text.strip()}")
    return range(first - 1, last)


def check_plot(path: Path) -> None:
    """Refuses a file that cannot be drawn, before anything else is done."""
    from tamaya.experiments.report.plots import new_figure

    figure, _ = new_figure(1.0)
    formats = figure.canvas.get_supported_filetypes()
    if path.suffix[1:].lower() not in formats:
        raise ValueError(
            f"{path}: a plot is written as one of {', '.join(sorted(formats))}, named by how the file ends"
        )
    if path.exists():
        raise ValueError(f"{path} already exists; choose another name, or remove it")
    if not path.parent.is_dir():
        raise ValueError(f"{path}: there is no folder {path.parent}")


def draw_curve(found: Analysed, path: Path) -> None:
    """Draws the curve of a game into a file."""
    from tamaya.experiments.report.plots import game_curve

    game_curve(found.game, found.turns, found.final, found.reach).savefig(path, dpi=150)
