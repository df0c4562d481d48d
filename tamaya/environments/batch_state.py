"""What an environment keeps of its games, as records and arrays that kernels read and write."""

from typing import Any, NamedTuple

from tamaya.engine.jit import record
from tamaya.networks.inputs.move_history import TRACE
from tamaya.policies.contract import DECK_WORDS

EPISODE = record(
    seed="u8",  # of the game
    number="i8",  # of the game among all that the environment plays
    legal="i8",  # the learner's legal moves, as a mask
    answer="i8",  # the last answer of a team-mate
    ending="i1",
    seating="i1",  # how far the team is turned
    traces="i1",  # whether more is noted than the last move
    paid="i2",  # the score for which the learners were rewarded
    reward="i2",  # of the last step
    length="i2",  # moves made
    **TRACE,
    ended="i1",  # how the game ended that ended in the last step, RUNNING if none did
    score="i1",  # of the last game that ended, like the two below
    strict_score="i1",
    final_length="i2",
    deck=("i1", DECK_WORDS),
)
"""All that changes in a game, beside its table."""

RULES = record(
    seed="u8",
    games="i8",  # how many are played at a time
    is_strict="i1",  # whether losing the last life loses all points
    restarts="i1",  # whether a new game begins where one has ended
    turns="i1",  # whether the team is turned at random from game to game
    seating="i1",  # else how far it is turned
    traces="i1",  # whether more is noted than the last move
    random_start="i1",  # whether a random seat moves first, not seat 0
)


class BatchState(NamedTuple):
    """All that changes, [game]; a copy of it is a copy of the games."""

    tables: Any
    episodes: Any
    memory: Any
    """[game, seat, word]: what the team-mates remember."""


class BatchPlan(NamedTuple):
    """What stays the same in all games."""

    start: Any
    """The table before the deal."""
    cards: Any
    layouts: Any
    insights: Any
    """Where the inputs of learned policies stand; none if observations are HLE's."""
    rules: Any
    seats: Any
    """[turned, seat]: the team turned by so many places; no row if all seats learn."""


class Buffers(NamedTuple):
    """What a step writes for the learners, [game]."""

    observations: Any
    action_masks: Any
    seats: Any
    rewards: Any
    terminations: Any
    truncations: Any
    scores: Any
    """Of the last game that ended, like the two below."""
    strict_scores: Any
    lengths: Any
    words: Any
    """Where observations are put together."""
