"""How many of some deals can be won."""

import statistics
from collections.abc import Sequence

import msgspec

from tamaya.solver.solve import Solution


class Share(msgspec.Struct, frozen=True):
    """How many deals can be won, how many cannot, and how long that took."""

    players: int
    deals: int
    winnable: int
    lost: int
    undecided: int
    """Deals of which it was not found out."""
    mean: float
    """The mean of the highest scores, as far as they are known."""
    within_second: int
    """Deals that were decided within a second."""
    median_seconds: float
    longest_seconds: float


def share_of(players: int, solutions: Sequence[Solution]) -> Share:
    """What the solutions of some deals have in common."""
    answers = [one.is_winnable for one in solutions]
    times = [one.seconds for one in solutions]
    return Share(
        players=players,
        deals=len(answers),
        winnable=answers.count(True),
        lost=answers.count(False),
        undecided=answers.count(None),
        mean=statistics.mean(one.score for one in solutions),
        within_second=sum(
            one.seconds <= 1 and answer is not None for one, answer in zip(solutions, answers, strict=True)
        ),
        median_seconds=statistics.median(times),
        longest_seconds=max(times),
    )
