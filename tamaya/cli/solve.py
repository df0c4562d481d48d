"""``tamaya solve``: deals and recorded games with all cards face up."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tamaya.cli.options import Json, check_threads, parse_players
from tamaya.cli.printing import console
from tamaya.cli.printing.games import link_of, print_link, print_story, with_card
from tamaya.cli.printing.progress import progress_bar
from tamaya.cli.printing.solutions import json_of_solution, print_shares, sentence, shown_row
from tamaya.cli.printing.tables import figure_lines, text_table
from tamaya.cli.recorded_games import game_at

if TYPE_CHECKING:
    from tamaya.game.game import Game
    from tamaya.solver.solve import Solution

EXAMPLES = (
    "solve",
    "solve --deals 1000 --players 2-5",
    "solve games.jsonl",
    "solve games.jsonl --game 3 --turn 20",
    "solve games.jsonl --game 3 --turn 60 --chances",
)

MOST_DEALS = 10_000_000


def solve(
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="[FILE]",
            help="Recorded games, of hanab.live or JaxMARL: a file, or a share link of hanab.live. "
            "[default: random deals]",
        ),
    ] = None,
    game: Annotated[
        int | None, typer.Option("--game", "-g", metavar="N", help="Which game of the file, from 1. [default: all]")
    ] = None,
    turn: Annotated[
        int | None, typer.Option("--turn", "-t", metavar="N", help="Solve the game after this many moves. [default: 0]")
    ] = None,
    deals: Annotated[
        int, typer.Option("--deals", "-d", metavar="N", help="How many random deals per number of players.")
    ] = 1,
    players: Annotated[
        str | None,
        typer.Option("--players", "-p", metavar="N", help="Numbers of players: 3, 2-5 or 2,4. [default: 2]"),
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", "-s", metavar="N", help="The seed of the deals. [default: 1]")
    ] = None,
    positions: Annotated[
        int | None,
        typer.Option(
            "--positions", metavar="N", help="Leave a question open after this many positions. [default: 30,000,000]"
        ),
    ] = None,
    threads: Annotated[
        int | None, typer.Option("--threads", metavar="N", help="Threads for many deals. [default: all cores]")
    ] = None,
    chances: Annotated[
        bool, typer.Option("--chances", help="Show what each move leaves in reach for all that its player knows.")
    ] = False,
    json: Json = False,
) -> None:
    """Find the highest score with all cards face up, and the move that put a perfect one out of reach."""
    from tamaya.game.game import check_seed
    from tamaya.solver.solve import POSITIONS

    most = POSITIONS if positions is None else positions
    if most < 1:
        raise ValueError(f"--positions must be at least 1, not {most}")
    check_threads(threads)
    if file is None:
        if game is not None or turn is not None or chances:
            raise ValueError("--game, --turn and --chances need a file of games")
        if not 1 <= deals <= MOST_DEALS:
            raise ValueError(f"--deals must be from 1 to {MOST_DEALS:,}, not {deals:,}")
        counts = parse_players("2" if players is None else players)
        solve_deals(counts, deals, check_seed(1 if seed is None else seed), most, threads, json)
        return
    if deals != 1 or players is not None or seed is not None:
        raise ValueError("--deals, --players and --seed are for random deals; they do not go with a file")
    if chances:
        if turn is None:
            raise ValueError("--chances needs --turn: after how many moves?")
        played, _, _ = game_at(file, 1 if game is None else game, turn)
        show_chances(played, most, json)
    elif game is None and turn is None:
        solve_file(file, most, threads, json)
    else:
        played, _, _ = game_at(file, 1 if game is None else game, 0 if turn is None else turn)
        solve_one(played, most, json)


def solve_one(game: "Game", most: int, json: bool) -> None:
    """Solves a position and tells the line."""
    from tamaya.solver.solve import solve

    turn, solution = game.turn, solve(game, most)
    for move in solution.moves:
        game.push(move)
    link = link_of(game)
    if json:
        console.print_json(
            {"players": game.players, "seed": game.seed, "turn": turn, **json_of_solution(solution), "link": link}
        )
        return
    print_story(game)
    print_link(game)
    console.out.print(f"\n{sentence(solution, turn)}", soft_wrap=True)


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


def in_threads(
    games: "Iterable[Game]", total: int, threads: int | None, work: "Callable[[Game], Any]"
) -> Iterator[Any]:
    """Yields the results of work on games, in order, with a progress bar."""
    from tamaya.arena.batches import in_order

    with progress_bar("solving", total) as advance:
        for result in in_order(work, games, threads):
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
            console.out.print(text_table([shown_row(row) for row in rows], "lost by", console.out.width))


def game_row(game: "Game", most: int) -> dict[str, Any]:
    """Returns what was possible in a game, and where it was lost."""
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
