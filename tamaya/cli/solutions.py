"""What the solver finds, printed: a line, the shares of deals, the lost moves of games."""

import time
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from tamaya.cli import console
from tamaya.cli.games import link_of, print_link, print_story
from tamaya.cli.grids import figure_lines, listing
from tamaya.engine.text import count_of, duration

if TYPE_CHECKING:
    from tamaya.game.game import Game
    from tamaya.game.notation import Move
    from tamaya.solver.solve import Solution, SolvedShare


def solve_one(game: "Game", most: int, json: bool) -> None:
    """Solves a position and tells the line."""
    from tamaya.solver.solve import solve

    turn, solution = game.turn, solve(game, most)
    for move in solution.moves:
        game.push(move)
    link = link_of(game)
    if json:
        console.print_json(
            {"players": game.players, "seed": game.seed, "turn": turn, **as_json(solution), "link": link}
        )
        return
    print_story(game)
    print_link(game)
    console.out.print(f"\n{verdict(solution, turn)}", soft_wrap=True)


def show_chances(game: "Game", most: int, json: bool) -> None:
    """Shows what each move of a position leaves in reach for all that its player knows."""
    from tamaya.game.notation import Kind
    from tamaya.play.terminal.colours import coloured
    from tamaya.solver.endgame import prospects

    found = prospects(game, most)
    if json:
        moves = [{"move": str(one.move), "perfect": one.perfect, "points": one.points} for one in found]
        console.print_json({"players": game.players, "turn": game.turn, "moves": moves})
        return
    console.out.print(coloured(f"{game.view()}\n", game.wording), soft_wrap=True)
    rows = [
        {
            "move": "any hint" if one.move.kind in (Kind.COLOUR, Kind.RANK) else game.wording.say(one.move),
            "perfect": f"{one.perfect:.1%}",
            "points": f"{one.points:.2f}",
        }
        for one in found
    ]
    console.print_lines(figure_lines(rows, console.out.width))


def as_json(solution: "Solution") -> dict[str, Any]:
    """A solution for a program."""
    return {
        "score": solution.score,
        "bound": solution.bound,
        "max_score": solution.max_score,
        "is_winnable": solution.is_winnable,
        "moves": [str(move) for move in solution.moves],
        "positions": solution.positions,
        "seconds": solution.seconds,
    }


def reach(solution: "Solution") -> str:
    """The highest score, or the scores between which it lies."""
    return str(solution.score) if solution.is_exact else f"{solution.score} to {solution.bound}"


def verdict(solution: "Solution", turn: int) -> str:
    """What a solution says, in a sentence."""
    effort = f"{count_of(solution.positions, 'position')}, {duration(solution.seconds)}"
    when = f"After {count_of(turn, 'move')}, with" if turn else "With"
    if not solution.is_exact:
        more = "; the search was cut short, and --positions makes it longer"
    else:
        more = "" if solution.is_winnable else ", and no more"
    points = f"{reach(solution)} of {solution.max_score} points"
    return f"{when} all cards face up, {points} can be reached{more} ({effort})."


def in_threads(
    games: "Iterable[Game]", total: int, threads: int | None, work: "Callable[[Game], Any]"
) -> Iterator[Any]:
    """The results of work on games, in order, with a progress bar."""
    from tamaya.arena.batches import in_order

    start, done = time.monotonic(), 0

    def seconds_left() -> float:
        return (time.monotonic() - start) / max(1, done) * (total - done)

    with console.progress_bar("solving", total, seconds_left) as advance:
        for result in in_order(work, games, threads):
            done += 1
            advance(1)
            yield result


def solve_deals(counts: list[int], deals: int, seed: int, most: int, threads: int | None, json: bool) -> None:
    """Solves random deals, those of a match with the same seed: one is told, of several the shares are counted."""
    from tamaya.arena.seating import game_seeds
    from tamaya.game.game import Game
    from tamaya.solver.solve import solve, solved_share

    if deals == 1 and len(counts) == 1:
        solve_one(Game(counts[0], int(game_seeds(seed, 0, 1)[0])), most, json)
        return
    found: dict[int, list[Solution]] = {players: [] for players in counts}
    try:
        for players in counts:
            games = (Game(players, int(one)) for one in game_seeds(seed, 0, deals))
            found[players].extend(in_threads(games, deals, threads, lambda game: solve(game, most)))
    finally:
        print_shares(
            [solved_share(players, solutions) for players, solutions in found.items() if solutions], seed, json
        )


def print_shares(shares: "list[SolvedShare]", seed: int, json: bool) -> None:
    """How many deals can be won, even when the command was cut short."""
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


def solve_file(file: str, most: int, threads: int | None, json: bool) -> None:
    """Says of each game of a file what its deal allowed, and which move put a perfect score out of reach."""
    from tamaya.game.replay import game_in, records

    def games() -> "Iterator[Game]":
        return (game_in(file, number, record) for number, record in enumerate(records(file), 1))

    total = sum(1 for _ in games())
    rows: list[dict[str, Any]] = []
    try:
        for row in in_threads(games(), total, threads, lambda game: game_row(game, most)):
            rows.append({"game": len(rows) + 1} | row)
    finally:
        if json:
            console.print_json({"games": rows})
        elif rows:
            console.out.print(listing([shown_row(row) for row in rows], "lost by", console.out.width))


def game_row(game: "Game", most: int) -> dict[str, Any]:
    """What was possible in a game, and where it was lost."""
    from tamaya.solver.solve import at_turn, find_loss, solve

    deal, loss = solve(at_turn(game, 0), most), find_loss(game, most)
    row: dict[str, Any] = {
        "players": game.players,
        "score": game.strict_score,
        "max_score": game.max_score,
        "highest": deal.score,
        "bound": deal.bound,
        "moves": len(game.moves),
        "winnable_after": loss.winnable,
        "lost_after": loss.lost,
        "lost_by": None,
    }
    if loss.move:
        before, move = at_turn(game, loss.move - 1), game.moves[loss.move - 1]
        row["lost_by"] = {"player": before.wording.player(before.seat), "move": with_card(before, move)}
    return row


def with_card(game: "Game", move: "Move") -> str:
    """A move in words, with the card that is played or discarded."""
    from tamaya.game.notation import Kind

    words = game.wording.say(move)
    if move.kind not in (Kind.PLAY, Kind.DISCARD):
        return words
    return f"{words}, {game.wording.card(game.hands[game.seat][move.target])}"


def shown_row(row: dict[str, Any]) -> dict[str, str]:
    """A row as a person reads it."""
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
