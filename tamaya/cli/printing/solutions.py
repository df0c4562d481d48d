"""What the solver finds, printed: a line, the shares of deals, the lost moves of games."""

from typing import TYPE_CHECKING, Any

import msgspec

from tamaya.cli.printing import console
from tamaya.cli.printing.tables import figure_lines
from tamaya.engine.text import count_of, duration

if TYPE_CHECKING:
    from tamaya.solver.solve import Solution, SolvedShare


def json_of_solution(solution: "Solution") -> dict[str, Any]:
    """Returns a solution for a program."""
    return {
        "score": solution.score,
        "bound": solution.bound,
        "max_score": solution.max_score,
        "is_winnable": solution.is_winnable,
        "moves": [str(move) for move in solution.moves],
        "positions": solution.positions,
        "seconds": solution.seconds,
    }


def highest_score(solution: "Solution") -> str:
    """Returns the highest score, or the scores between which it lies."""
    return str(solution.score) if solution.is_exact else f"{solution.score} to {solution.bound}"


def sentence(solution: "Solution", turn: int) -> str:
    """Returns what a solution says, in a sentence."""
    effort = f"{count_of(solution.positions, 'position')}, {duration(solution.seconds)}"
    when = f"After {count_of(turn, 'move')}, with" if turn else "With"
    if not solution.is_exact:
        more = "; the search was cut short, and --positions makes it longer"
    else:
        more = "" if solution.is_winnable else ", and no more"
    points = f"{highest_score(solution)} of {solution.max_score} points"
    return f"{when} all cards face up, {points} can be reached{more} ({effort})."


def print_shares(shares: "list[SolvedShare]", seed: int, json: bool) -> None:
    """Prints how many deals can be won, even when the command was cut short."""
    from tamaya.arena.statistics import wilson

    rows = []
    for one in shares:
        low, high = wilson(one.winnable, one.deals)
        rows.append(
            {
                "players": str(one.players),
                "deals": f"{one.deals:,}",
                "winnable": f"{one.winnable / one.deals:.1%} ({100 * low:.1f} to {100 * high:.1f})",
                "open": f"{one.undecided:,}",
                "mean": f"{one.mean:.3f}",
                "in 1 s": f"{one.within_second / one.deals:.1%}",
                "median": duration(one.median_seconds),
                "longest": duration(one.longest_seconds),
            }
        )
    if json:
        results = [
            msgspec.to_builtins(one) | dict(zip(("low", "high"), wilson(one.winnable, one.deals), strict=True))
            for one in shares
        ]
        console.print_json({"seed": seed, "results": results})
    elif rows:
        console.print_lines(figure_lines(rows, console.out.width))


def shown_row(row: dict[str, Any]) -> dict[str, str]:
    """Returns a row as a person reads it."""
    winnable, lost = row["winnable_after"], row["lost_after"]
    if row["score"] == row["max_score"]:
        words = "never"
    elif lost is None:
        words = "not yet" if winnable == row["moves"] else f"not before move {(winnable or 0) + 1}"
    elif lost == 0:
        words = "the deal"
    elif row["lost_by"] is None:
        words = f"one of the moves {(0 if winnable is None else winnable) + 1} to {lost}"
    else:
        words = f"move {lost}: {row['lost_by']['player']}, {row['lost_by']['move']}"
    highest = str(row["highest"]) if row["highest"] == row["bound"] else f"{row['highest']} to {row['bound']}"
    return {
        "game": f"{row['game']}",
        "players": f"{row['players']}",
        "score": f"{row['score']} of {row['max_score']}",
        "face up": highest,
        "lost by": words,
    }
