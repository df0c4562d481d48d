"""Searches without a tree: moves compared in the same sampled deals, each played to its end by the policy."""

import math

import numpy as np

from tamaya.engine import legal_moves
from tamaya.jit import kernel, nanoseconds, popcount
from tamaya.knowledge import look
from tamaya.moves import MOVES, NO_MOVE
from tamaya.policies import keeper_at
from tamaya.search.crew import ROW, ask, move_on, params_of
from tamaya.search.plan import (
    CONFIDENCE,
    DEALS,
    DEVIATES,
    ITERATIONS,
    KEEPER_AT,
    MARGIN,
    ROLLOUT_PART,
    part_at,
)
from tamaya.search.sampling import THOUGHT, choices, finish, is_time_left, sample_world

ROUND = 16
"""A search that deviates drops moves after every so many deals."""

HOPELESS, BEATEN = 2.0, 2.5
"""Standard errors by which a dropped move must be below the policy's own move, or below the best one."""


@kernel
def in_mask(moves, move):
    """Whether a move is in a mask."""
    return (moves >> np.int64(move)) & 1 != 0


@kernel
def candidates(views, crew, rng):
    """The moves to compare, as a mask: those that keep the convention of the policy, if it has one, else all."""
    view, keeper = views[0], int(crew.params[part_at(crew.params, ROLLOUT_PART) + KEEPER_AT])
    if keeper:
        row = crew.seats[view.seat, ROW]
        crew.memory[:] = crew.remembered
        return keeper_at(keeper)(view, crew.memory[row], params_of(crew, view.seat)) & legal_moves(view)
    return choices(view, crew.params, rng)


@kernel
def note(thoughts, move, value):
    """Adds a value to what is thought of a move."""
    thoughts[move].visits += 1
    thoughts[move].total += value
    thoughts[move].squares += value * value


@kernel
def gain_and_error(gains, move):
    """The mean gain of a move over the policy's own, and its standard error, which is never quite 0."""
    count = gains[move].visits
    mean = gains[move].total / count
    variance = max(0.0, gains[move].squares / count - mean * mean)
    return mean, math.sqrt(variance / count + 0.25 / (count * count))


@kernel
def drop_moves(gains, alive, own, margin):
    """The moves that may still turn out better than the policy's own, as a mask, with it."""
    lead, kept = 0.0, np.int64(1) << np.int64(own)
    for move in range(MOVES):
        if in_mask(alive, move) and move != own:
            lead = max(lead, gain_and_error(gains, move)[0])
    for move in range(MOVES):
        if in_mask(alive, move) and move != own:
            mean, error = gain_and_error(gains, move)
            if mean + HOPELESS * error >= margin and mean + BEATEN * error >= lead:
                kept |= np.int64(1) << np.int64(move)
    return kept


@kernel
def best_deviation(gains, alive, own, params):
    """The move that gains most over the policy's own if it gains enough, else that one."""
    best, most = own, params[MARGIN]
    for move in range(MOVES):
        if in_mask(alive, move) and move != own:
            mean, error = gain_and_error(gains, move)
            if mean > most and mean > params[CONFIDENCE] * error:
                best, most = move, mean
    return best


@kernel
def try_moves(values, moves, dealt, table, crew, facts, rng):
    """Makes each of some moves in one deal and plays on; the policies meet the same deck and draw the same lots."""
    views, worlds, deck = table
    root, lots = dealt[0][0].seat, rng[0]
    for move in range(MOVES):
        if in_mask(moves, move):
            worlds[0] = dealt[0][0]
            deck[:] = dealt[1]
            crew.memory[:] = crew.remembered
            rng[0] = lots
            look(views, worlds, root)
            move_on(views, worlds, deck, crew, move, rng)
            values[move] = finish(table, crew, root, facts, rng)
            facts.iterations += 1


@kernel
def compare_moves(thoughts, table, start, crew, facts, rng):
    """Tries moves in the same sampled deals; the best one, or that of the policy if none is clearly better."""
    views, worlds, deck = table
    params, begin = crew.params, nanoseconds()
    dealt, values, gains = (worlds.copy(), deck.copy()), np.zeros(MOVES), np.zeros(MOVES, THOUGHT)
    own, alive, deals = NO_MOVE, candidates(start.believed.copy(), crew, rng), 0
    if params[DEVIATES]:
        crew.memory[:] = crew.remembered
        own = ask(views, start.worlds, crew, rng)
        alive |= np.int64(1) << np.int64(own)
    while not facts.fault and (own == NO_MOVE or popcount(alive) > 1):
        wanted, done = (params[DEALS], deals) if own == NO_MOVE else (params[ITERATIONS], facts.iterations)
        if not is_time_left(params, done, wanted, begin):
            break
        sample_world(dealt[0], dealt[1], start, crew, rng)
        try_moves(values, alive, dealt, table, crew, facts, rng)
        deals += 1
        for move in range(MOVES):
            if in_mask(alive, move):
                note(thoughts, move, values[move])
                if own != NO_MOVE:
                    note(gains, move, crew.scale * (values[move] - values[own]))
        if own != NO_MOVE and deals % ROUND == 0:
            alive = drop_moves(gains, alive, own, params[MARGIN])
    facts.depth = 1
    facts.nanoseconds = nanoseconds() - begin
    return best_deviation(gains, alive, own, params) if own != NO_MOVE and deals else own
