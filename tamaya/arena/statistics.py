"""What a match says: means with intervals, rates, errors, and paired differences."""

import math
from collections.abc import Iterable

import msgspec
import numpy as np

from tamaya.arena.game_loop import FORFEITED, NO_RULE, PERFECT, STRUCK_OUT

NORMAL_95 = 1.959964
STUDENT_95 = (math.nan, 12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469)
"""Standard errors to either side of a 95 % interval: for a known spread, and for one estimated from 2 to 7 values."""

SUMMED = ("lives", "hint_tokens", "misplays", "wasted", "length", "searched", "iterations", "depth")
COLUMNS = ("ending", "score", *SUMMED)
"""The fields of an outcome that statistics need."""


class Difference(msgspec.Struct, frozen=True):
    """The mean difference of two agents on the same decks, with its 95 % interval."""

    to: str
    mean: float
    low: float
    high: float
    games_needed: int | None
    """How many games would make a difference of this size significant; none if there is no difference."""

    @property
    def text(self) -> str:
        """The difference with half of its interval; a single game has none."""
        return f"{self.mean:+.3f}" + ("" if math.isnan(self.high) else f" ± {self.high - self.mean:.3f}")


class Summary(msgspec.Struct, frozen=True):
    """The games of one agent or team at one number of players."""

    agent: str
    """Who played: the name of an agent, of a team, or of an agent with its partner."""
    players: int
    """The number of players."""
    games: int
    """How many games were played."""
    mean: float
    """The mean score; points are kept when the last life is lost."""
    standard_error: float
    """The standard error of the mean; not a number for a single game."""
    low: float
    """The lower end of the 95 % interval of the mean."""
    high: float
    """The upper end of the 95 % interval of the mean."""
    strict_mean: float
    """The mean when a game counts as zero once the last life is lost."""
    strict_standard_error: float
    """The standard error of the strict mean."""
    perfect: int
    """Games with full score."""
    strike_outs: int
    """Games in which the last life was lost."""
    no_rule: int
    """Games that ended because the agent had no move; their points stand."""
    moves: float
    """Moves per game."""
    lives: float
    """Lives left at the end, per game."""
    hint_tokens: float
    """Hint tokens left at the end, per game."""
    errors: float
    """Lives lost, and discards of cards that could still have been played (Monis et al.), per game."""
    errors_per_move: float
    """Errors per move, over all moves of all games."""
    misplays: float
    """Lives lost, per game."""
    wasted: float
    """Discards of cards that could still have been played, per game."""
    histogram: list[int]
    """How many games had each score, from 0."""
    seconds: float
    """The time that the games took by the clock, without the time to compile."""
    games_per_second: float
    """Games per second on all threads."""
    milliseconds: float
    """Time per move, on one core."""
    iterations: float | None = None
    """Iterations per decision, if the agent reports a search."""
    depth: float | None = None
    """The mean depth of the deepest node of a decision, if the agent reports a search."""
    forfeits: int = 0
    """Games that ended because a bot failed; by the strict count they are zero."""
    difference: Difference | None = None
    """The difference to the first agent at this number of players, on the same decks; the first itself has none."""


class Tally:
    """Counts and sums over any number of outcomes, in constant space."""

    def __init__(self) -> None:
        self.scores = np.zeros(128, dtype=np.int64)
        self.strict_scores = np.zeros(128, dtype=np.int64)
        self.endings = np.zeros(8, dtype=np.int64)
        self.sums = dict.fromkeys(SUMMED, 0)

    def add(self, outcomes: np.ndarray) -> None:
        """Counts some outcomes."""
        zero = np.where(outcomes["lives"] > 0, outcomes["score"], 0)
        self.scores += np.bincount(outcomes["score"], minlength=len(self.scores))
        self.strict_scores += np.bincount(zero, minlength=len(self.strict_scores))
        self.endings += np.bincount(outcomes["ending"], minlength=len(self.endings))
        for name in SUMMED:
            self.sums[name] += int(outcomes[name].sum(dtype=np.int64))

    @property
    def games(self) -> int:
        """The number of outcomes counted."""
        return int(self.scores.sum())

    def average(self, name: str) -> float:
        """The mean of a column."""
        return self.sums[name] / self.games

    def a_decision(self, name: str) -> float | None:
        """The mean of a column over the decisions that were searched, if any were."""
        return self.sums[name] / self.sums["searched"] if self.sums["searched"] else None


class DifferenceTally:
    """Sums over differences of scores on the same decks."""

    def __init__(self) -> None:
        self.count = self.sum = self.squares = 0

    def add(self, scores: np.ndarray, reference: np.ndarray) -> None:
        """Counts the differences of some scores."""
        gains = scores.astype(np.int64) - reference
        self.count += len(gains)
        self.sum += int(gains.sum())
        self.squares += int((gains * gains).sum())

    def result(self, to: str) -> Difference:
        """The mean difference and its interval."""
        return difference(to, self.count, self.sum, self.squares)


def difference(to: str, count: int, total: float, squares: float) -> Difference:
    """The mean difference to another agent and its interval, from the number, sum and sum of squares of differences."""
    mean, error = mean_and_error(count, total, squares)
    margin = student_95(count) * error
    needed = math.ceil(count * (margin / mean) ** 2) if mean and count > 1 else None
    return Difference(to, mean, mean - margin, mean + margin, needed)


def compared(summary: Summary, to: str, pairs: Iterable[tuple[np.ndarray, np.ndarray]]) -> Summary:
    """A summary with its difference to another agent, from pairs of their scores in the same games, if any."""
    tally = DifferenceTally()
    for scores, reference in pairs:
        tally.add(scores, reference)
    return msgspec.structs.replace(summary, difference=tally.result(to)) if tally.count else summary


def mean_and_error(count: int, total: float, squares: float) -> tuple[float, float]:
    """A mean and its standard error; the error of a single value is not a number."""
    mean = total / count
    variance = (squares - total * mean) / (count - 1) if count > 1 else math.nan
    return mean, math.sqrt(max(variance, 0.0) / count) if count > 1 else math.nan


def student_95(count: int) -> float:
    """By how many standard errors the 95 % interval of the mean of so many values reaches to either side."""
    freedom = count - 1
    if freedom < len(STUDENT_95):
        return STUDENT_95[freedom]
    z, square = NORMAL_95, NORMAL_95**2
    first, second = (square + 1) / 4, ((5 * square + 16) * square + 3) / 96
    third = (((3 * square + 19) * square + 17) * square - 15) / 384
    return z * (1 + ((third / freedom + second) / freedom + first) / freedom)


def mean_interval(mean: float, error: float, count: int, highest: float) -> tuple[float, float]:
    """The 95 % interval of a mean score, by Student's t.

    Where all scores are equal, others may be as rare as the rule of three says and as far away as the rules allow.
    """
    if error == 0.0:
        rare = 1 - 0.05 ** (1 / count)
        return mean - rare * mean, mean + rare * (highest - mean)
    margin = student_95(count) * error
    return (
        (mean - margin, mean + margin) if math.isnan(margin) else (max(0.0, mean - margin), min(highest, mean + margin))
    )


def with_interval(mean: float, low: float, high: float) -> str:
    """A mean with half of its interval, or with both ends where it is lopsided; a single game has none."""
    if math.isnan(low):
        return f"{mean:.3f}"
    if math.isclose(mean - low, high - mean, abs_tol=1e-9):
        return f"{mean:.3f} ± {high - mean:.3f}"
    return f"{mean:.3f} ({low:.2f} to {high:.2f})"


def wilson(count: int, games: int) -> tuple[float, float]:
    """The 95 % interval of a share, by Wilson's formula."""
    share, squared = count / games, NORMAL_95**2 / games
    centre = (share + squared / 2) / (1 + squared)
    margin = math.sqrt(share * (1 - share) * squared + squared**2 / 4) / (1 + squared)
    return max(0.0, centre - margin), min(1.0, centre + margin)


def of_histogram(counts: np.ndarray) -> tuple[float, float]:
    """The mean and standard error of values that were counted."""
    values = np.arange(len(counts))
    return mean_and_error(int(counts.sum()), int((counts * values).sum()), int((counts * values * values).sum()))


def summarise(agent: str, players: int, max_score: int, tally: Tally, seconds: float, core_seconds: float) -> Summary:
    """The summary of the games of a tally, with the time they took by the clock and on one core."""
    mean, error = of_histogram(tally.scores)
    low, high = mean_interval(mean, error, tally.games, max_score)
    strict_mean, strict_error = of_histogram(tally.strict_scores)
    return Summary(
        agent=agent,
        players=players,
        games=tally.games,
        mean=mean,
        standard_error=error,
        low=low,
        high=high,
        strict_mean=strict_mean,
        strict_standard_error=strict_error,
        perfect=int(tally.endings[PERFECT]),
        strike_outs=int(tally.endings[STRUCK_OUT]),
        no_rule=int(tally.endings[NO_RULE]),
        moves=tally.average("length"),
        lives=tally.average("lives"),
        hint_tokens=tally.average("hint_tokens"),
        errors=tally.average("misplays") + tally.average("wasted"),
        errors_per_move=(tally.sums["misplays"] + tally.sums["wasted"]) / max(1, tally.sums["length"]),
        misplays=tally.average("misplays"),
        wasted=tally.average("wasted"),
        histogram=tally.scores[: max_score + 1].tolist(),
        seconds=seconds,
        games_per_second=tally.games / seconds if seconds > 0 else 0.0,
        milliseconds=1000 * core_seconds / max(1, tally.sums["length"]),
        iterations=tally.a_decision("iterations"),
        depth=tally.a_decision("depth"),
        forfeits=int(tally.endings[FORFEITED]),
    )
