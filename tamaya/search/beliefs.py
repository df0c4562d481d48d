"""Beliefs about strangers: which policies of a pool the others may follow, learned from their moves."""

import math

import numpy as np

from tamaya.core.knowledge import look
from tamaya.core.randomness import derive_seed, random_real
from tamaya.core.sizes import SEATS
from tamaya.core.table import TABLE
from tamaya.core.worlds import open_world, redeal
from tamaya.jit import kernel
from tamaya.policies.contract import REPORT, move_by
from tamaya.policies.seats import params_of
from tamaya.rules import LegalRandom
from tamaya.search.plan import FIRST_MODEL, MOST_MODELS, plan_of

BELIEFS = SEATS * MOST_MODELS
"""The first words of the memory of a search among strangers: a weight for each seat and policy, the highest 0."""

UNIT = 1_000_000.0
"""Weights are logarithms, in millionths."""

DEALS = 8
SURPRISE = 0.1
"""A move counts as made in so many deals even if a policy makes it in none: nobody is excluded by one move."""


@kernel
def count_agreement(view, mover, move, params):
    """In how many deals of the cards that the viewer cannot see each policy of a pool makes a move.

    The lots are those of the turn, so that the same game gives the same beliefs.
    """
    plan, rng = plan_of(params), np.empty(1, np.uint64)
    rng[0] = derive_seed(np.uint64(view.turn), move)
    views, worlds, agreed = np.empty(1, TABLE), np.empty(1, TABLE), np.zeros(MOST_MODELS)
    deck, nothing = np.zeros(int(view.deck_size), np.int8), np.zeros(REPORT, np.int64)
    worlds[0] = view
    open_world(worlds[0], deck, view)
    for _ in range(DEALS):
        redeal(worlds[0], deck, view, rng)
        for index in range(plan.models):
            part = plan.parts[FIRST_MODEL + index]
            look(views, worlds, mover)
            if part.mover:
                agreed[index] += move_by(part.mover)(views[0], nothing, params_of(part), rng) == move
            else:
                agreed[index] += LegalRandom(views[0], rng) == move
    return agreed


@kernel
def learn_from(view, mover, move, memory, params):
    """Weighs the policies that another player may follow by how they agree with a move."""
    plan, agreed = plan_of(params), count_agreement(view, mover, move, params)
    weights = memory[mover * MOST_MODELS : (mover + 1) * MOST_MODELS]
    highest = weights[0]
    for index in range(plan.models):
        weights[index] += np.int64(UNIT * math.log((agreed[index] + SURPRISE) / (DEALS + SURPRISE)))
        highest = weights[index] if index == 0 else max(highest, weights[index])
    for index in range(plan.models):
        weights[index] -= highest


@kernel
def draw_model(memory, seat, models, rng):
    """One of the policies that a seat may follow, by its beliefs."""
    weights, total = memory[seat * MOST_MODELS : (seat + 1) * MOST_MODELS], 0.0
    for index in range(models):
        total += math.exp(weights[index] / UNIT)
    left = total * random_real(rng)
    for index in range(models):
        left -= math.exp(weights[index] / UNIT)
        if left < 0.0:
            return index
    return models - 1


@kernel
def seat_strangers(rollout, beliefs, root, players, rng):
    """Seats a policy of the pool at every other place, for one iteration."""
    plan = plan_of(rollout.params)
    for seat in range(players):
        if seat != root:
            rollout.seats[seat] = plan.parts[FIRST_MODEL + draw_model(beliefs, seat, plan.models, rng)]
            rollout.seats[seat].row = seat
