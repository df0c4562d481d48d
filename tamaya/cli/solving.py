"""The command that solves deals and recorded games with all cards face up."""

from typing import Annotated

import typer

from tamaya.cli.games import game_at
from tamaya.cli.matches import Json, check_threads, parse_players
from tamaya.cli.solutions import show_chances, solve_deals, solve_file, solve_one

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
