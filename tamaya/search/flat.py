"""Searches without a tree: moves compared in the same sampled deals, each played to its end by the policy."""

import math

import numpy as np

from tamaya.engine import is_legal, legal_moves
from tamaya.jit import kernel, nanoseconds, popcount
from tamaya.knowledge import look
from tamaya.moves import MOVES, NO_MOVE
from tamaya.policies import keeper_at
from tamaya.search.crew import ROW, ask, move_on, params_of
from tamaya.search.plan import (
    CONFIDENCE,
    CONFIRM,
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
"""A search that deviates drops moves after every so many deals, and prefers none that was in fewer."""

PROMISING = 0.8
"""Standard errors by which a move must be better to be confirmed in fresh deals."""

HOPELESS, BEATEN = 2.0, 2.5
"""Standard errors by which a dropped move must be below the policy's own move, or below the best one."""


@kernel
def in_mask(moves, move):
    """Whether a move is in a mask."""
    return (moves >> np.int64(move)) & 1 != 0


@kernel
def candidates(views, crew, rng):
    """The moves to compare, as a mask; of a search that deviates those that keep the convention of its policy."""
    view, keeper = views[0], int(crew.params[part_at(crew.params, ROLLOUT_PART) + KEEPER_AT])
    if crew.params[DEVIATES] and keeper:
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
def best_deviation(gains, alive, own, confidence, margin):
    """The move that gains most over the policy's own if it gains enough, else that one."""
    best, most = own, margin
    for move in range(MOVES):
        if in_mask(alive, move) and move != own and gains[move].visits >= ROUND:
            mean, error = gain_and_error(gains, move)
            if mean > most and mean > confidence * error:
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
def play_deals(thoughts, gains, alive, own, share, table, start, crew, facts, rng):
    """Tries moves in the same deals until the budget, or a share of it, is spent or only the own one is left."""
    params, begin, deals = crew.params, nanoseconds(), 0
    dealt, values = (table[1].copy(), table[2].copy()), np.zeros(MOVES)
    first = facts.iterations
    while not facts.fault and (own == NO_MOVE or popcount(alive) > 1):
        wanted, done = (params[DEALS], deals) if own == NO_MOVE else (params[ITERATIONS], facts.iterations - first)
        if not is_time_left(params, done, share * wanted, begin, share):
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
    return alive


@kernel
def compare_moves(thoughts, table, start, crew, facts, rng):
    """Tries moves in the same sampled deals; the best one, or that of the policy if none is clearly better."""
    params, begin, own = crew.params, nanoseconds(), NO_MOVE
    gains = np.zeros(MOVES, THOUGHT)
    alive = candidates(start.believed.copy(), crew, rng)
    if params[DEVIATES]:
        crew.memory[:] = crew.remembered
        own = ask(table[0], start.worlds, crew, rng)
        if not is_legal(start.worlds[0], own):
            facts.fault = int(own != NO_MOVE)
            return NO_MOVE
        alive |= np.int64(1) << np.int64(own)
        facts.own = own
    share = 0.5 if params[DEVIATES] and params[CONFIRM] else 1.0
    alive = play_deals(thoughts, gains, alive, own, share, table, start, crew, facts, rng)
    best = own
    if own != NO_MOVE:
        best = best_deviation(gains, alive, own, PROMISING if params[CONFIRM] else params[CONFIDENCE], params[MARGIN])
    if best != own and params[CONFIRM]:
        gains[:] = np.zeros(MOVES, THOUGHT)
        alive = (np.int64(1) << np.int64(own)) | (np.int64(1) << np.int64(best))
        alive = play_deals(thoughts, gains, alive, own, 1.0 - share, table, start, crew, facts, rng)
        best = best_deviation(gains, alive, own, params[CONFIDENCE], params[MARGIN])
    facts.depth = 1
    facts.nanoseconds = nanoseconds() - begin
    return best
