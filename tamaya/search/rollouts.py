"""Rollouts: policies at all seats play a world to its end, which is then given a value."""

from typing import Any, NamedTuple

import numpy as np

from tamaya.engine.gameplay import apply, is_legal, is_over
from tamaya.engine.jit import kernel
from tamaya.engine.knowledge import look, show_hand
from tamaya.engine.moves import NO_MOVE
from tamaya.engine.settings import SEATS
from tamaya.engine.worlds import apply_drawing
from tamaya.policies.contract import DECK_SIGHT
from tamaya.policies.roles import evaluate_by, move_by
from tamaya.policies.rules.mixed import LegalRandom
from tamaya.policies.seats import SEAT, ask, memory_at, params_of, show_move
from tamaya.search.plan import LEAF, memory_of, part_of_seat, plan_of

NOBODY = -1


class Rollout(NamedTuple):
    """The policies that play for the seats, with all they need."""

    params: Any
    """The plan, as params because a tuple cannot hold a record."""
    seats: Any
    memory: Any
    remembered: Any
    """What the memory holds when a rollout begins."""
    is_watched: Any
    """Whether one of the policies observes."""
    scale: Any
    """The highest weighted sum that can be reached."""
    beliefs: Any
    """Where a search among strangers keeps who they may be."""


class Scratch(NamedTuple):
    """Where an iteration is played: a view, a world and its deck."""

    views: Any
    worlds: Any
    deck: Any


@kernel
def first_sharer(view, plan, seat):
    """The first seat that shares its memory with a seat: one with the same policy if that shares, else itself."""
    part = part_of_seat(view, plan, seat)
    if plan.parts[part].shares:
        for other in range(seat):
            if part_of_seat(view, plan, other) == part:
                return other
    return seat


@kernel
def new_rollout(view, memory, params):
    """The policies of a search for a view; those that observe start with what the search has kept for them."""
    plan, seats, words, is_watched = plan_of(params), np.zeros(SEATS, SEAT), 1, False
    for seat in range(view.players):
        seats[seat] = plan.parts[part_of_seat(view, plan, seat)]
        seats[seat].row = first_sharer(view, plan, seat)
        words = max(words, seats[seat].words)
        is_watched = is_watched or seats[seat].observer != 0
    remembered = np.zeros((SEATS, words), np.int64)
    for seat in range(view.players):
        if seats[seat].observer and seats[seat].row == seat:
            kept = memory_of(seats[seat], memory)
            for word in range(len(kept)):
                remembered[seat, word] = kept[word]
    scale = highest_weighted_sum(view, plan)
    return Rollout(params, seats, np.zeros((SEATS, words), np.int64), remembered, is_watched, scale, memory)


@kernel
def rollout_move(views, worlds, rollout, rng):
    """The move of the policy of the seat to move, or a random one if it has none; the view is made only if needed."""
    seat = rollout.seats[worlds[0].seat]
    if rollout.is_watched or seat.mover:
        look(views, worlds, worlds[0].seat)
    if seat.sight:
        show_hand(views[0], worlds[0])
    return ask(views, rollout.seats, rollout.memory, rng) if seat.mover else LegalRandom(worlds[0], rng)


@kernel
def move_on(views, worlds, deck, rollout, move, rng):
    """Makes a move and shows it to the observers; a random card is drawn, unless the order of the deck is fixed."""
    if rollout.is_watched:
        show_move(views, worlds, rollout.seats, rollout.memory, move)
    plan = plan_of(rollout.params)
    if plan.sight == DECK_SIGHT or plan.fixes_deck:
        apply(worlds[0], deck, move)
    else:
        apply_drawing(worlds[0], deck, move, rng)


@kernel
def roll_out(views, worlds, deck, rollout, rng):
    """Plays a world to its end; returns the seat that broke the rules, or NOBODY.

    ``rollout_move`` and ``move_on`` are written out here: passing the tuple on at every move costs a quarter.
    """
    plan, seats, memory, is_watched = plan_of(rollout.params), rollout.seats, rollout.memory, rollout.is_watched
    world, depth, is_in_order = worlds[0], int(plan.rollout_depth), plan.sight == DECK_SIGHT or plan.fixes_deck > 0
    for _ in range(depth):
        if is_over(world):
            return NOBODY
        seat, move = seats[world.seat], NO_MOVE
        if is_watched or seat.mover:
            look(views, worlds, world.seat)
        if seat.sight:
            show_hand(views[0], world)
        if seat.mover:
            move = int(move_by(seat.mover)(views[0], memory_at(memory, seat), params_of(seat), rng))
        else:
            move = int(LegalRandom(world, rng))
        if move == NO_MOVE:
            return NOBODY
        if not is_legal(world, move):
            return int(world.seat)
        if is_watched:
            show_move(views, worlds, seats, memory, move)
        if is_in_order:
            apply(world, deck, move)
        else:
            apply_drawing(world, deck, move, rng)
    return NOBODY


@kernel
def weigh(plan, score, lives, cards):
    """The weighted sum of a score, lives and cards left."""
    return plan.score * score + plan.lives * lives + plan.cards * cards


@kernel
def highest_weighted_sum(view, plan):
    """The highest weighted sum that can be reached."""
    return weigh(plan, view.suits * view.ranks, view.lives, view.deck_size)


@kernel
def value_of(world, rollout):
    """What a world is worth, from 0 to 1: the evaluator's value, or the weighted score, lives and cards left."""
    plan = plan_of(rollout.params)
    leaf = plan.parts[LEAF]
    if plan.strict and world.lives == 0:
        return 0.0
    if leaf.evaluator and not is_over(world):
        return evaluate_by(leaf.evaluator)(world, params_of(leaf))
    return weigh(plan, world.score, world.lives, world.deck_size - world.drawn) / rollout.scale
