"""Rollouts of many worlds side by side, for policies that decide about many positions at once."""

from typing import Any, NamedTuple

import numpy as np

from tamaya.engine.cards import contains
from tamaya.engine.gameplay import apply, is_legal, is_over, shown_by
from tamaya.engine.jit import copy_items, kernel, popcount
from tamaya.engine.knowledge import look
from tamaya.engine.moves import MOVES, NO_MOVE
from tamaya.engine.table import TABLE
from tamaya.policies.contract import REPORT
from tamaya.policies.roles import batch_by, observe_by, value_by
from tamaya.policies.seats import params_of
from tamaya.search.plan import LEAF, ROLLOUT, plan_of
from tamaya.search.rollouts import NOBODY, value_of

MOST_AT_ONCE = 16
"""Deals that are played side by side."""

FIRST_AT_ONCE = 2
"""At first, when it is not known how much time they take."""


class Crowd(NamedTuple):
    """Worlds that are played side by side, and what the policy keeps in each."""

    worlds: Any
    decks: Any
    memory: Any
    values: Any
    """What each world is worth in the end."""


@kernel
def is_crowd(rollout):
    """Whether the policy of all seats decides about many positions at once, and keeps one memory for them, or none."""
    plan = plan_of(rollout.params)
    part = plan.parts[ROLLOUT]
    is_of_one_mind = part.shares != 0 or part.words <= REPORT
    return part.batcher != 0 and is_of_one_mind and plan.models == 0 and plan.sight == 0 and not plan.literal


@kernel
def deals_at_once(left, pace, deals, is_timed):
    """How many deals to play side by side, given what is left of the budget and what a deal costs."""
    if is_timed and deals == 0:
        return FIRST_AT_ONCE
    return min(MOST_AT_ONCE, max(1, int(left / pace)))


@kernel
def new_crowd(count, deck_size, words):
    """Room for so many worlds."""
    return Crowd(
        np.empty(count, TABLE),
        np.empty((count, deck_size), np.int8),
        np.empty((count, words), np.int64),
        np.zeros(count),
    )


@kernel
def make_batched_move(crowd, views, number, move, part):
    """Makes a move in a world, after the policy has observed it."""
    world = crowd.worlds[number]
    if part.observer:
        shown = shown_by(world, move)
        observe_by(part.observer)(views[0], world.seat, move, shown, crowd.memory[number], params_of(part))
    apply(world, crowd.decks[number], move)


@kernel
def enter_world(crowd, number, dealt, move, rollout):
    """Puts a deal into a world of the crowd and makes a move there."""
    part, views = plan_of(rollout.params).parts[ROLLOUT], np.empty(1, TABLE)
    crowd.worlds[number] = dealt.worlds[0]
    copy_items(crowd.decks[number], dealt.deck)
    copy_items(crowd.memory[number], rollout.remembered[0][: part.words])
    look(views, crowd.worlds[number : number + 1], crowd.worlds[number].seat)
    make_batched_move(crowd, views, number, move, part)


@kernel
def list_running(running, worlds):
    """Writes the numbers of the worlds that are not over; returns how many there are."""
    count = 0
    for number in range(len(worlds)):
        running[count] = number
        count += not is_over(worlds[number])
    return count


@kernel
def play_on(crowd, rollout, rng):
    """Plays all worlds to their ends; returns the seat that broke the rules, or NOBODY."""
    plan, part = plan_of(rollout.params), plan_of(rollout.params).parts[ROLLOUT]
    most, words = len(crowd.worlds), part.words
    running, moves, views = np.empty(most + 1, np.int64), np.empty(most, np.int64), np.empty(most, TABLE)
    memory = np.empty(most * words, np.int64)
    count = list_running(running, crowd.worlds)
    for _ in range(int(plan.rollout_depth)):
        if count == 0:
            break
        for place in range(count):
            number = running[place]
            look(views[place : place + 1], crowd.worlds[number : number + 1], crowd.worlds[number].seat)
            copy_items(memory[place * words : (place + 1) * words], crowd.memory[number])
        batch_by(part.batcher)(views[:count], memory[: count * words], moves[:count], params_of(part), rng)
        going_on = 0
        for place in range(count):
            number, move = running[place], int(moves[place])
            if move == NO_MOVE:
                continue
            if not is_legal(crowd.worlds[number], move):
                return int(crowd.worlds[number].seat)
            make_batched_move(crowd, views[place : place + 1], number, move, part)
            running[going_on] = number
            going_on += not is_over(crowd.worlds[number])
        count = going_on
    for number in range(most):
        crowd.values[number] = value_of(crowd.worlds[number], rollout)
    if part.valuer and not plan.parts[LEAF].evaluator:
        add_points(crowd, rollout)
    return NOBODY


@kernel
def add_points(crowd, rollout):
    """Adds to the values of worlds that are not over the points that they will still bring, by the policy."""
    part, running = plan_of(rollout.params).parts[ROLLOUT], np.empty(len(crowd.worlds) + 1, np.int64)
    count, words = list_running(running, crowd.worlds), part.words
    if count == 0:
        return
    worlds, points, memory = np.empty(count, TABLE), np.empty(count), np.empty(count * words, np.int64)
    for place in range(count):
        worlds[place] = crowd.worlds[running[place]]
        copy_items(memory[place * words : (place + 1) * words], crowd.memory[running[place]])
    value_by(part.valuer)(worlds, memory, points, params_of(part))
    for place in range(count):
        crowd.values[running[place]] += points[place] / rollout.scale


@kernel
def write_values(values, crowd, moves):
    """Writes what the moves of a mask were worth in each deal, in the order in which they entered."""
    number = 0
    for deal in range(len(crowd.values) // popcount(moves)):
        for move in range(MOVES):
            if contains(moves, move):
                values[deal, move] = crowd.values[number]
                number += 1
