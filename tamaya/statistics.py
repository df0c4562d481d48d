"""What a match says: means with intervals, rates, errors, and paired differences."""

import math

import msgspec
import numpy as np

from tamaya.loop import NO_RULE, PERFECT, STRUCK_OUT

NORMAL_95 = 1.959964

COLUMNS = ("ending", "score", "lives", "hint_tokens", "misplays", "wasted", "length")
"""The fields of an outcome that statistics need."""


class Difference(msgspec.Struct, frozen=True):
    """The mean difference of two agents on the same decks, with its 95 % interval."""

    to: str
    mean: float
    low: float
    high: float


class Summary(msgspec.Struct, frozen=True):
    """The games of one agent or team at one number of players."""

    agent: str
    players: int
    games: int
    mean: float
    standard_error: float
    low: float
    high: float
    mean_zero: float
    """The mean when a game counts nothing after the last life is lost."""
    standard_error_zero: float
    perfect: int
    strike_outs: int
    no_rule: int
    """Games that ended because the agent had no move; their points stand."""
    moves: float
    lives: float
    hint_tokens: float
    errors: float
    """Lives lost, and discards of cards that could still have been played (Monis et al.), a game."""
    misplays: float
    wasted: float
    histogram: list[int]
    """How many games had each score, from 0."""
    seconds: float
    games_per_second: float
    difference: Difference | None = None


def compact(outcomes: np.ndarray) -> np.ndarray:
    """Outcomes without their moves, to keep many."""
    kept = np.empty(len(outcomes), [(name, outcomes.dtype[name]) for name in COLUMNS])
    for name in COLUMNS:
        kept[name] = outcomes[name]
    return kept


def zero_scores(outcomes: np.ndarray) -> np.ndarray:
    """The scores when a lost last life costs all points."""
    return np.where(outcomes["lives"] > 0, outcomes["score"], 0)


def standard_error(values: np.ndarray) -> float:
    """The standard error of the mean; not a number for a single value."""
    return float(values.std(ddof=1) / math.sqrt(len(values))) if len(values) > 1 else math.nan


def difference(agent: str, scores: np.ndarray, reference: np.ndarray) -> Difference:
    """How much better some scores are than the reference's on the same decks."""
    gains = scores.astype(np.float64) - reference
    mean, margin = float(gains.mean()), NORMAL_95 * standard_error(gains)
    return Difference(agent, mean, mean - margin, mean + margin)


def summarise(agent: str, players: int, max_score: int, outcomes: np.ndarray, seconds: float) -> Summary:
    """The summary of some outcomes."""
    scores, zero = outcomes["score"].astype(np.float64), zero_scores(outcomes)
    error = standard_error(scores)
    mean = float(scores.mean())

    def average(name: str) -> float:
        return float(outcomes[name].mean())

    def count(ending: int) -> int:
        return int((outcomes["ending"] == ending).sum())

    return Summary(
        agent=agent,
        players=players,
        games=len(outcomes),
        mean=mean,
        standard_error=error,
        low=mean - NORMAL_95 * error,
        high=mean + NORMAL_95 * error,
        mean_zero=float(zero.mean()),
        standard_error_zero=standard_error(zero),
        perfect=count(PERFECT),
        strike_outs=count(STRUCK_OUT),
        no_rule=count(NO_RULE),
        moves=average("length"),
        lives=average("lives"),
        hint_tokens=average("hint_tokens"),
        errors=average("misplays") + average("wasted"),
        misplays=average("misplays"),
        wasted=average("wasted"),
        histogram=np.bincount(outcomes["score"], minlength=max_score + 1).tolist(),
        seconds=seconds,
        games_per_second=len(outcomes) / seconds if seconds > 0 else 0.0,
    )
