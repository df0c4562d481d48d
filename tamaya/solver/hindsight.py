"""What a recorded game could still reach at each of its turns, with all cards face up."""

import msgspec

from tamaya.game.game import Game
from tamaya.solver.solve import at_turn, solve

POSITIONS = 200_000
"""How many positions are looked at, for each question, before it is left open: a fraction of a second."""


class Reach(msgspec.Struct, frozen=True):
    """The highest score that a position allows with all cards face up: at least one score, at most another."""

    score: int
    bound: int

    @property
    def is_exact(self) -> bool:
        """Whether the highest score is known."""
        return self.score == self.bound


def reach_by_turn(game: Game, positions: int = POSITIONS) -> list[Reach]:
    """The highest scores in reach after 0, 1, 2 and so on moves of a game; zero if all lives are lost.

    What is lost stays lost. So turns between two with the same highest score need not be solved, and a score that was
    left open is narrowed down by those before and after it.
    """
    last = len(game.moves)
    found = {turn: reach_at(game, turn, positions) for turn in {0, last}}

    def fill(low: int, high: int) -> None:
        if high - low < 2:
            return
        middle = (low + high) // 2
        is_between = found[low].bound == found[high].score
        found[middle] = found[high] if is_between else reach_at(game, middle, positions)
        fill(low, middle)
        fill(middle, high)

    fill(0, last)
    scores, bounds = ([getattr(found[turn], name) for turn in range(last + 1)] for name in ("score", "bound"))
    for turn in range(last):
        bounds[turn + 1] = min(bounds[turn + 1], bounds[turn])
        scores[last - turn - 1] = max(scores[last - turn - 1], scores[last - turn])
    return [Reach(score, bound) for score, bound in zip(scores, bounds, strict=True)]


def reach_at(game: Game, turn: int, positions: int) -> Reach:
    """The highest score in reach after some moves of a game."""
    solution = solve(at_turn(game, turn), positions)
    return Reach(solution.score, solution.bound)


def lost_by(reach: list[Reach], score: int) -> int | None:
    """The move, counted from 1, that put a score out of reach; 0 if it never was, None if no move is known to."""
    lost = next((turn for turn, one in enumerate(reach) if one.bound < score), None)
    return lost if not lost or reach[lost - 1].score >= score else None
