"""What moves gain over the policy's own in the same deals: means and errors, moves to drop, and the one to prefer."""

import math

import numpy as np

from tamaya.engine.cards import bit, contains
from tamaya.engine.jit import kernel
from tamaya.engine.moves import MOVES
from tamaya.policies.roles import predict_by
from tamaya.policies.seats import params_of
from tamaya.search.beliefs.hand_pool import TINY
from tamaya.search.plan import ROLLOUT, plan_of

ROUND = 16
"""A search that deviates drops moves after each round of this many deals; without a prior, it prefers none before."""

EARLY_ROUNDS = (4, 8)
"""With a prior, which comes with many moves to compare, moves are dropped after so many deals too."""

SURPRISE = 30.0
"""The square of the logarithm of how much less likely a move is than the policy's own, where its margin is doubled."""

FEWEST = 4
"""The deals that are enough where a prior keeps lucky moves from winning."""

HOPELESS, BEATEN = 2.0, 2.5
"""A move is dropped if it is this many standard errors below the policy's own move, or below the best one."""


@kernel
def note_value(thoughts, move, value):
    """Adds a value to the thoughts about a move."""
    thoughts[move].visits += 1
    thoughts[move].total += value
    thoughts[move].squares += value * value


@kernel
def gain_and_error(gains, move):
    """The mean gain of a move over the policy's own, and its standard error, which is always above 0."""
    count = gains[move].visits
    mean = gains[move].total / count
    variance = max(0.0, gains[move].squares / count - mean * mean)
    return mean, math.sqrt(variance / count + 0.25 / (count * count))


@kernel
def drop_moves(gains, alive, own, margins):
    """The policy's own move and those that may still turn out better, as a mask."""
    lead = 0.0
    kept = bit(own)
    for move in range(MOVES):
        if contains(alive, move) and move != own:
            lead = max(lead, gain_and_error(gains, move)[0] - margins[move])
    for move in range(MOVES):
        if contains(alive, move) and move != own:
            mean, error = gain_and_error(gains, move)
            gain = mean - margins[move]
            if gain + HOPELESS * error >= 0.0 and gain + BEATEN * error >= lead:
                kept |= bit(move)
    return kept


@kernel
def best_deviation(gains, alive, own, confidence, margins, plan):
    """The move that gains most over the policy's own, beyond its margin, if it gains enough, else the policy's own.

    With a prior, the gain that counts is the one to expect, given how much moves differ as a rule and how sure it is.
    """
    best = own
    most = 0.0
    variance = plan.prior * plan.prior
    fewest = FEWEST if plan.prior else ROUND
    for move in range(MOVES):
        if contains(alive, move) and move != own and gains[move].visits >= fewest:
            mean, error = gain_and_error(gains, move)
            if plan.prior:
                mean *= variance / (variance + error * error)
            if mean - margins[move] > most and (plan.prior or mean > confidence * error):
                best, most = move, mean - margins[move]
    return best


@kernel
def next_round(deals, plan):
    """How many deals there will be when moves are dropped next."""
    for early in EARLY_ROUNDS:
        if plan.prior and deals < early:
            return early
    return deals - deals % ROUND + ROUND


@kernel
def margins_of(views, own, rollout):
    """By how many points each move must be better than the policy's own.

    On a policy that says how likely its moves are, a move must gain the more, the less likely it is: to a team-mate who
    reads moves by that policy, it says something wrong.
    """
    plan = plan_of(rollout.params)
    part = plan.parts[ROLLOUT]
    margins, chances = np.full(MOVES, plan.margin), np.empty(MOVES)
    if part.predictor and not plan.literal:
        predict_by(part.predictor)(views, rollout.remembered[0][: part.words].copy(), chances, params_of(part))
        for move in range(MOVES):
            surprise = max(0.0, math.log(max(chances[own], TINY) / max(chances[move], TINY)))
            margins[move] *= 1.0 + surprise * surprise / SURPRISE
    return margins
