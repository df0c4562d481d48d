"""The settings of a search and the policies it uses, as the params of one policy."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tamaya.jit import kernel

SETTINGS = {
    "iterations": 1000.0,
    "ms": 0.0,
    "exploration": 0.1,
    "rollout_depth": 160.0,
    "tree_depth": 3.0,
    "by_value": 0.0,
    "redeals": 0.0,
    "convention": 0.0,
    "has_rules": 0.0,
    "published": 0.0,
    "models": 0.0,
    "score": 1.0,
    "lives": 0.0,
    "cards": 0.0,
    "deals": 0.0,
    "sees": 0.0,
    "deviates": 0.0,
    "confidence": 1.0,
    "margin": 0.003,
    "strict": 0.0,
    "confirm": 1.0,
}
"""The settings in the order of the params, with their defaults.

``iterations`` and ``ms`` bound a decision, the latter if it is not 0; ``tree_depth`` is in rounds; ``models`` is the
number of policies that predict the others; ``score``, ``lives`` and ``cards`` weigh what a rollout ends with; ``deals``
is the number of worlds of a search without a tree; ``sees`` is what it sees beyond its view. A search that ``deviates``
makes the move of its policy unless another one gains more than ``margin`` points and ``confidence`` standard errors. If
it is to ``confirm``, half of its budget finds such a move, and the other half is for fresh deals in which it must gain
that much. A search that is ``strict`` counts no points when all lives are lost.
"""

(
    ITERATIONS,
    MILLISECONDS,
    EXPLORATION,
    ROLLOUT_DEPTH,
    TREE_DEPTH,
    BY_VALUE,
    REDEALS,
    CONVENTION,
    HAS_RULES,
    PUBLISHED,
    MODELS,
    SCORE_WEIGHT,
    LIVES_WEIGHT,
    CARDS_WEIGHT,
    DEALS,
    SEES,
    DEVIATES,
    CONFIDENCE,
    MARGIN,
    STRICT,
    CONFIRM,
) = range(len(SETTINGS))

FIRST_PART = len(SETTINGS)
RULES_PART, ROLLOUT_PART, MODEL_PART = range(3)
"""The parts after the settings: a rule list, the policy of rollouts, and the models of the others."""

NO_OWN_CARDS, PROPOSALS = 1, 2
"""What a published search does: its rules count the mover's own cards as seen; or its tree holds only what the policy
of rollouts proposes."""

RANDOM = 0
"""The address of the policy that makes any legal move, which needs no call."""


class Part(NamedTuple):
    """A policy that a search uses: where its kernels lie, 0 for none, what it sees and remembers, its params."""

    moves: int
    observer: int
    keeper: int
    sight: int
    shares: int
    words: int
    params: np.ndarray


OBSERVER_AT, KEEPER_AT, SIGHT_AT, SHARES_AT, WORDS_AT, LENGTH_AT, PARAMS_AT = range(1, 8)
"""Where the rest of a part stands, from its first number on, the address of its moves."""


def encode_plan(settings: np.ndarray, parts: Sequence[Part]) -> np.ndarray:
    """Settings and parts in one array."""
    numbers = settings.tolist()
    for *head, params in parts:
        numbers += [*head, len(params), *params.tolist()]
    return np.array(numbers, dtype=np.float64)


@kernel
def part_at(params, index):
    """Where a part begins."""
    place = FIRST_PART
    for _ in range(index):
        place += PARAMS_AT + int(params[place + LENGTH_AT])
    return place


@kernel
def params_at(params, place):
    """The params of the part that begins there."""
    return params[place + PARAMS_AT : place + PARAMS_AT + int(params[place + LENGTH_AT])]


@kernel
def memory_at(params, memory, index):
    """The memory that a search keeps for a part that observes."""
    first = 0
    for earlier in range(index):
        place = part_at(params, earlier)
        if params[place + OBSERVER_AT]:
            first += int(params[place + WORDS_AT])
    return memory[first : first + int(params[part_at(params, index) + WORDS_AT])]


@kernel
def part_of_seat(view, params, seat):
    """The number of the part that plays for a seat in rollouts."""
    offset, models = (seat - view.seat + view.players) % view.players, int(params[MODELS])
    return ROLLOUT_PART if offset == 0 or models == 0 else MODEL_PART + (offset - 1) % models
