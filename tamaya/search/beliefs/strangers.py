"""Beliefs about strangers: which policies of a pool the others may follow, learned from their moves."""

import math

import numpy as np

from tamaya.engine.cards import contains
from tamaya.engine.gameplay import legal_moves, touched_cards
from tamaya.engine.jit import kernel, popcount
from tamaya.engine.knowledge import hand_count, look
from tamaya.engine.moves import TELL, hint_of, target_from
from tamaya.engine.randomness import derive_seed, random_real
from tamaya.engine.settings import SEATS
from tamaya.engine.table import TABLE
from tamaya.engine.worlds import open_world, redeal
from tamaya.networks.json_weights import JUDGED
from tamaya.networks.likelihood import write_inputs, write_policy_chances
from tamaya.policies.contract import REPORT
from tamaya.policies.roles import move_by
from tamaya.policies.seats import params_of
from tamaya.search.plan import FIRST_MODEL, JUDGE, plan_of
from tamaya.search.search_settings import MOST_MODELS

FORESEEN = SEATS * MOST_MODELS
BELIEFS = FORESEEN + 1
"""The first words of the memory of a search among strangers: for each seat a weight for each policy, the highest 0; and
how well the last moves of the others were foreseen."""

UNIT = 1_000_000.0
"""Weights are logarithms, in millionths."""

DEALS = 32
SURPRISE = 0.1
"""A move counts as made in so many deals even if a policy makes it in none: nobody is excluded by one move."""

EXPECTED, FEWEST_FORESEEN, KEPT = math.log(0.5), math.log(0.15), 0.85
"""The logarithm of the chance that a move was given: what is expected at first, and below which, over some moves, the
others are nobody of the pool; and how much of what was seen so far still counts after another move."""

LEAST_CHANCE = 1e-5
"""As published, a network never finds a policy less likely than this."""

INPUTS = len(JUDGED)


@kernel
def hear_strangers(view, move, shown):
    """Makes the viewer know what a hint to it shows, while the table stays as it was before the hint."""
    cards = touched_cards(view, hint_of(move))
    for slot in range(hand_count(view, view.seat)):
        view.knowledge[view.seat, slot] &= cards if contains(shown, slot) else ~cards


@kernel
def imagine_strangers(view, mover, move, shown):
    """Room for deals of the cards that a viewer cannot see when a move is made, and what it knows after the move."""
    views, worlds, known = np.empty(1, TABLE), np.empty(1, TABLE), np.empty(1, TABLE)
    deck = np.zeros(int(view.deck_size), np.int8)
    worlds[0] = view
    known[0] = view
    open_world(worlds[0], deck, view)
    if move >= TELL and target_from(view, mover, move) == view.seat:
        hear_strangers(known[0], move, shown)
    return (views, worlds, deck), known


@kernel
def ask_pool(chances, views, move, params, rng):
    """Adds up which policies of a pool make a move: all that a policy does at random counts as often as it does it."""
    plan, nothing, table = plan_of(params), np.zeros(REPORT, np.int64), views.copy()
    for index in range(plan.models):
        part = plan.parts[FIRST_MODEL + index]
        views[0] = table[0]
        if part.mover:
            chances[index] += move_by(part.mover)(views[0], nothing, params_of(part), rng) == move
        else:
            chances[index] += 1.0 / popcount(legal_moves(views[0]))


@kernel
def judge(chances, views, move, params, rng):
    """Adds up how likely a network takes each policy of a pool for the one that made a move."""
    inputs, found, network = np.empty(INPUTS), np.empty(MOST_MODELS), params_of(plan_of(params).parts[JUDGE])
    write_inputs(inputs, views, move, network, rng)
    write_policy_chances(found, inputs, network)
    for index in range(plan_of(params).models):
        chances[index] += found[index]


@kernel
def chances_of(view, mover, move, shown, params):
    """How likely each policy of a pool makes a move, over deals of the cards that the viewer cannot see.

    The lots are those of the turn, so that the same game gives the same beliefs.
    """
    plan, rng, chances = plan_of(params), np.empty(1, np.uint64), np.zeros(MOST_MODELS)
    rng[0] = derive_seed(np.uint64(view.turn), move)
    (views, worlds, deck), known = imagine_strangers(view, mover, move, shown)
    for _ in range(DEALS):
        redeal(worlds[0], deck, known[0], rng)
        look(views, worlds, mover)
        if plan.parts[JUDGE].length:
            judge(chances, views, move, params, rng)
        else:
            ask_pool(chances, views, move, params, rng)
    for index in range(plan.models):
        if plan.parts[JUDGE].length:
            chances[index] = max(LEAST_CHANCE, chances[index] / DEALS)
        else:
            chances[index] = (chances[index] + SURPRISE) / (DEALS + SURPRISE)
    return chances


@kernel
def note_surprise(memory, mover, chances, models):
    """Notes how likely a move was by what was believed of its mover; when a game begins, 0 stands for EXPECTED."""
    weights, total, foreseen = memory[mover * MOST_MODELS : (mover + 1) * MOST_MODELS], 0.0, 0.0
    for index in range(models):
        total += math.exp(weights[index] / UNIT)
        foreseen += math.exp(weights[index] / UNIT) * chances[index]
    gap = math.log(foreseen / total) - EXPECTED
    memory[FORESEEN] = np.int64(KEPT * memory[FORESEEN] + (1.0 - KEPT) * UNIT * gap)


@kernel
def are_outsiders(memory):
    """Whether the others follow none of the policies: their moves are not foreseen."""
    return memory[FORESEEN] / UNIT + EXPECTED < FEWEST_FORESEEN


@kernel
def learn_from(view, mover, move, shown, memory, params):
    """Weighs the policies that another player may follow by how likely they make a move."""
    plan, chances = plan_of(params), chances_of(view, mover, move, shown, params)
    note_surprise(memory, mover, chances, plan.models)
    weights = memory[mover * MOST_MODELS : (mover + 1) * MOST_MODELS]
    highest = weights[0]
    for index in range(plan.models):
        weights[index] += np.int64(UNIT * math.log(chances[index]))
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
    """Seats a policy of the pool at every other place, for one iteration: drawn by its beliefs, or known."""
    plan = plan_of(rollout.params)
    for seat in range(players):
        if seat != root:
            known = ((seat - root + players) % players - 1) % plan.models
            model = known if plan.knows else draw_model(beliefs, seat, plan.models, rng)
            rollout.seats[seat] = plan.parts[FIRST_MODEL + model]
            rollout.seats[seat].row = seat
