"""The settings of a search and the policies it uses, as the params of one policy."""

from collections.abc import Sequence

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
}
"""The settings in the order of the params, with their defaults.

``iterations`` and ``ms`` bound a decision, the latter if it is not 0; ``tree_depth`` is in rounds; ``models`` is the
number of policies that predict the others; ``score``, ``lives`` and ``cards`` weigh what a rollout ends with; ``deals``
is the number of worlds of a search without a tree.
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
) = range(len(SETTINGS))

FIRST_PART = len(SETTINGS)
RULES_PART, ROLLOUT_PART, MODEL_PART = range(3)
"""The parts after the settings: a rule list, the policy of rollouts, and the models of the others."""

NO_OWN_CARDS, PROPOSALS = 1, 2
"""What a published search does: its rules count the mover's own cards as seen; or its tree holds only what the policy
of rollouts proposes."""

RANDOM = 0
"""The address of the policy that makes any legal move, which needs no call."""


def encode_plan(settings: np.ndarray, parts: Sequence[tuple[int, int, np.ndarray]]) -> np.ndarray:
    """Settings, and parts as address, words of memory and params, in one array."""
    numbers = settings.tolist()
    for address, words, params in parts:
        numbers += [address, words, len(params), *params.tolist()]
    return np.array(numbers, dtype=np.float64)


@kernel
def part_at(params, index):
    """Where a part begins: its address, words of memory, length, and params."""
    place = FIRST_PART
    for _ in range(index):
        place += 3 + int(params[place + 2])
    return place


@kernel
def part_of_seat(view, params, seat):
    """Where the part begins that plays for a seat in rollouts."""
    offset, models = (seat - view.seat + view.players) % view.players, int(params[MODELS])
    if offset == 0 or models == 0:
        return part_at(params, ROLLOUT_PART)
    return part_at(params, MODEL_PART + (offset - 1) % models)
