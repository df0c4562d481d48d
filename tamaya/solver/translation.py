"""Between games and positions of the solver: a game as a position, and the moves found as moves of the game."""

from collections.abc import Sequence

import numpy as np

from tamaya.game.game import Game
from tamaya.game.notation import Move
from tamaya.game.position import IllegalMove
from tamaya.solver.deals import needed_for
from tamaya.solver.positions import DISCARD, STALL


def write_position(game: Game, goals: Sequence[int], positions: np.ndarray) -> None:
    """Writes a game and its goal, a rank for each firework, as the first of some positions."""
    table, position = game.table, positions[0]
    position.needed = needed_for(game.fireworks, goals)
    position.seat, position.drawn, position.turns_left = table.seat, table.drawn, table.turns_left
    position.tokens, position.spare = table.hint_tokens, table.lives - 1
    position.counts[:] = 0
    for seat in range(game.players):
        has_moved = game.deck_left == 0 and (seat - game.seat) % game.players >= table.turns_left
        hand = zip(game.orders[seat], table.hands[seat], strict=False)
        latest = {} if has_moved else {int(card): order for order, card in hand}
        kept = sorted(latest.values())
        position.counts[seat] = len(kept)
        position.orders[seat, : len(kept)] = kept
        position.limits[seat, : len(kept)] = range(1, len(kept) + 1)


def play_line(game: Game, line: Sequence[int]) -> list[Move] | None:
    """The moves of a line of the solver, played in the game; None if the rules forbid one of them.

    Of the cards that a seat does not play later, it discards the oldest. Where it may not discard, it misplays it.
    """
    moves, plays = [], {move for move in line if move not in (DISCARD, STALL)}
    for number in line:
        held = game.orders[game.seat]
        if number == STALL:
            move = passing_hint(game)
        elif number == DISCARD:
            slot = next(slot for slot, order in enumerate(held) if order not in plays)
            move = Move.discard(slot) if game.is_legal(Move.discard(slot)) else Move.play(slot)
        else:
            move = Move.play(held.index(number))
        try:
            game.push(move)
        except IllegalMove:
            return None
        moves.append(move)
    return moves


def passing_hint(game: Game) -> Move:
    """A hint to the next player, which only passes the turn."""
    target = (game.seat + 1) % game.players
    card = game.hands[target][0]
    assert card is not None
    return Move.tell_rank(target, card.rank)
