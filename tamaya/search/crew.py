"""The crew of a search: a policy a seat, which play worlds to their end."""

import numpy as np

from tamaya.cards import SEATS
from tamaya.engine import apply, is_legal, is_over
from tamaya.jit import kernel
from tamaya.knowledge import look
from tamaya.moves import NO_MOVE
from tamaya.policies import policy_at
from tamaya.rules import LegalRandom
from tamaya.search.plan import (
    CARDS_WEIGHT,
    LIVES_WEIGHT,
    RANDOM,
    ROLLOUT_DEPTH,
    SCORE_WEIGHT,
    SEES,
    part_of_seat,
)
from tamaya.worlds import act

NOBODY = -1


@kernel
def recruit(view, params):
    """The policies of the seats, all params, where those of a seat begin, 0 for random play, and end, memory, scale."""
    spans = np.zeros((SEATS, 2), np.int64)
    addresses = np.zeros(SEATS, np.int64)
    words = 1
    for seat in range(view.players):
        place = part_of_seat(view, params, seat)
        addresses[seat] = int(params[place])
        words = max(words, int(params[place + 1]))
        if addresses[seat] != RANDOM:
            spans[seat, 0] = place + 3
            spans[seat, 1] = place + 3 + int(params[place + 2])
    team = (
        policy_at(addresses[0]),
        policy_at(addresses[1]),
        policy_at(addresses[2]),
        policy_at(addresses[3]),
        policy_at(addresses[4]),
    )
    return team, params, spans, np.zeros((SEATS, words), np.int64), highest_value(view, params)


@kernel
def ask(views, worlds, crew, rng):
    """The move of the crew for the seat to move."""
    team, params, spans, memory, _ = crew
    seat = worlds[0].seat
    if spans[seat, 0] == 0:
        return LegalRandom(worlds[0], rng)
    look(views, worlds, seat)
    return team[seat](views[0], memory[seat], params[spans[seat, 0] : spans[seat, 1]], rng)


@kernel
def move_on(world, deck, move, params, rng):
    """Makes a move; the card drawn is any of those left, unless the search sees the deck."""
    if params[SEES]:
        apply(world, deck, move)
    else:
        act(world, deck, move, rng)


@kernel
def roll_out(views, worlds, deck, crew, rng):
    """Plays a world on by the crew; the seat that broke the rules, or nobody."""
    world = worlds[0]
    for _ in range(int(crew[1][ROLLOUT_DEPTH])):
        if is_over(world):
            return NOBODY
        move = ask(views, worlds, crew, rng)
        if move == NO_MOVE:
            return NOBODY
        if not is_legal(world, move):
            return int(world.seat)
        move_on(world, deck, move, crew[1], rng)
    return NOBODY


@kernel
def weigh(params, score, lives, cards):
    """A score, lives and cards left, weighted."""
    return params[SCORE_WEIGHT] * score + params[LIVES_WEIGHT] * lives + params[CARDS_WEIGHT] * cards


@kernel
def highest_value(view, params):
    """The highest weighted sum that can be reached."""
    return weigh(params, view.suits * view.ranks, view.lives, view.deck_size)


@kernel
def value_of(world, crew):
    """What a world is worth, from 0 to 1: its score, or a weighted sum with its lives and the cards left."""
    return weigh(crew[1], world.score, world.lives, world.deck_size - world.drawn) / crew[4]
