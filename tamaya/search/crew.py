"""The crew of a search: a policy a seat, which play worlds to their end."""

from typing import Any, NamedTuple

import numpy as np

from tamaya.cards import SEATS
from tamaya.engine import apply, is_legal, is_over, shown_by
from tamaya.jit import kernel
from tamaya.knowledge import look
from tamaya.moves import NO_MOVE
from tamaya.policies import DECK_SIGHT, observer_at, policy_at
from tamaya.rules import LegalRandom
from tamaya.search.plan import (
    CARDS_WEIGHT,
    DEALS,
    LENGTH_AT,
    LIVES_WEIGHT,
    OBSERVER_AT,
    PARAMS_AT,
    RANDOM,
    ROLLOUT_DEPTH,
    SCORE_WEIGHT,
    SEES,
    SHARES_AT,
    SIGHT_AT,
    STRICT,
    WORDS_AT,
    memory_at,
    part_at,
    part_of_seat,
)
from tamaya.worlds import act

NOBODY = -1
FIRST, END, ROW, SIGHT, SHARES = range(5)
"""Of a seat of a crew: where its params begin, 0 for random play, and end, the row of its memory, what it sees, and
whether seats of its policy share their memory."""


class Crew(NamedTuple):
    """The policies of the seats, with all they need."""

    team: Any
    observers: Any
    params: Any
    seats: Any
    memory: Any
    remembered: Any
    """What the memory holds when a rollout begins."""
    watching: Any
    """The rows that belong to policies that observe, as a mask."""
    scale: Any


@kernel
def row_of(view, params, seat):
    """The row of a seat's memory: that of the first seat with the same policy if they share it, else its own."""
    part = part_of_seat(view, params, seat)
    if params[part_at(params, part) + SHARES_AT]:
        for other in range(seat):
            if part_of_seat(view, params, other) == part:
                return other
    return seat


@kernel
def recruit(view, memory, params):
    """The crew of a search for a view; those who observe begin with what the search has kept for them."""
    seats, addresses = np.zeros((SEATS, 5), np.int64), np.zeros((2, SEATS), np.int64)
    words, watching = 1, 0
    for seat in range(view.players):
        place = part_at(params, part_of_seat(view, params, seat))
        words = max(words, int(params[place + WORDS_AT]))
        addresses[0, seat], addresses[1, seat] = int(params[place]), int(params[place + OBSERVER_AT])
        seats[seat, ROW] = row_of(view, params, seat)
        seats[seat, SIGHT], seats[seat, SHARES] = int(params[place + SIGHT_AT]), int(params[place + SHARES_AT])
        if addresses[0, seat] != RANDOM:
            seats[seat, FIRST] = place + PARAMS_AT
            seats[seat, END] = place + PARAMS_AT + int(params[place + LENGTH_AT])
        if addresses[1, seat]:
            watching |= 1 << seats[seat, ROW]
    remembered = np.zeros((SEATS, words), np.int64)
    for seat in range(view.players):
        if (watching >> seat) & 1:
            kept = memory_at(params, memory, part_of_seat(view, params, seat))
            remembered[seat, : len(kept)] = kept
    team = (
        policy_at(addresses[0, 0]),
        policy_at(addresses[0, 1]),
        policy_at(addresses[0, 2]),
        policy_at(addresses[0, 3]),
        policy_at(addresses[0, 4]),
    )
    observers = (
        observer_at(addresses[1, 0]),
        observer_at(addresses[1, 1]),
        observer_at(addresses[1, 2]),
        observer_at(addresses[1, 3]),
        observer_at(addresses[1, 4]),
    )
    scale = highest_value(view, params)
    return Crew(team, observers, params, seats, np.zeros((SEATS, words), np.int64), remembered, watching, scale)


@kernel
def params_of(crew, seat):
    """The params of the policy of a seat."""
    return crew.params[crew.seats[seat, FIRST] : crew.seats[seat, END]]


@kernel
def ask(views, worlds, crew, rng):
    """The move of the crew for the seat to move, with its view unless nobody needs that."""
    seat = worlds[0].seat
    is_random = crew.seats[seat, FIRST] == 0
    if crew.watching or not is_random:
        look(views, worlds, seat)
    if crew.seats[seat, SIGHT]:
        views[0].hands[seat] = worlds[0].hands[seat]
    if is_random:
        return LegalRandom(worlds[0], rng)
    return int(crew.team[seat](views[0], crew.memory[crew.seats[seat, ROW]], params_of(crew, seat), rng))


@kernel
def show(views, worlds, crew, move):
    """Shows a move that is about to be made to the policies that observe; the view is that of the mover.

    A memory that seats share is kept by whoever moves, another one by the seat itself.
    """
    mover, shown = worlds[0].seat, shown_by(worlds[0], move)
    for row in range(worlds[0].players):
        if (crew.watching >> row) & 1:
            observer = mover if crew.seats[row, SHARES] else row
            if views[0].seat != observer:
                look(views, worlds, observer)
            crew.observers[row](views[0], mover, move, shown, crew.memory[row], params_of(crew, row))


@kernel
def move_on(views, worlds, deck, crew, move, rng):
    """Makes a move, shown to those who observe; the card drawn is any of those left, unless the deck is in order."""
    if crew.watching:
        show(views, worlds, crew, move)
    if crew.params[SEES] == DECK_SIGHT or crew.params[DEALS]:
        apply(worlds[0], deck, move)
    else:
        act(worlds[0], deck, move, rng)


@kernel
def roll_out(views, worlds, deck, crew, rng):
    """Plays a world on by the crew; the seat that broke the rules, or nobody.

    What ``ask`` and ``move_on`` do is written out: handing the crew on at every move would cost a fifth of the time.
    """
    world, seats, params = worlds[0], crew.seats, crew.params
    for _ in range(int(params[ROLLOUT_DEPTH])):
        if is_over(world):
            return NOBODY
        seat, move = world.seat, NO_MOVE
        if crew.watching or seats[seat, FIRST]:
            look(views, worlds, seat)
        if seats[seat, SIGHT]:
            views[0].hands[seat] = world.hands[seat]
        if seats[seat, FIRST]:
            own = params[seats[seat, FIRST] : seats[seat, END]]
            move = int(crew.team[seat](views[0], crew.memory[seats[seat, ROW]], own, rng))
        else:
            move = int(LegalRandom(world, rng))
        if move == NO_MOVE:
            return NOBODY
        if not is_legal(world, move):
            return int(seat)
        if crew.watching:
            show(views, worlds, crew, move)
        if params[SEES] == DECK_SIGHT or params[DEALS]:
            apply(world, deck, move)
        else:
            act(world, deck, move, rng)
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
    if crew.params[STRICT] and world.lives == 0:
        return 0.0
    return weigh(crew.params, world.score, world.lives, world.deck_size - world.drawn) / crew.scale
