"""What all searches do: sample worlds in keeping with what a seat knows, and play them out within a budget."""

from typing import Any, NamedTuple

import numpy as np

from tamaya.cards import SLOTS
from tamaya.engine import legal_moves
from tamaya.jit import kernel, nanoseconds, record
from tamaya.moves import NO_MOVE
from tamaya.policies import DECK_SIGHT, EXCLUSIONS, HAND_SIGHT
from tamaya.randomness import shuffle
from tamaya.rules.catalogue import HEADER, LINE, applies, fire
from tamaya.search.crew import NOBODY, ROW, roll_out, value_of
from tamaya.search.plan import (
    CONVENTION,
    DEALS,
    HAS_RULES,
    MILLISECONDS,
    PARAMS_AT,
    RULES_PART,
    SEES,
    part_at,
)
from tamaya.worlds import believe, open_world, redeal, take_hand

THOUGHT = record(visits="i8", total="f8", squares="f8")
"""What a search thought of a move: how often it was tried, and the sums of values and squares."""

FACTS = record(iterations="i8", depth="i8", nanoseconds="i8", fault="i8", own="i8")
"""What a search did in a decision: the fault is the seat, the own one being 1, whose policy broke the rules; a search
that deviates notes the move of its policy too."""


class Start(NamedTuple):
    """Where every iteration begins: a world and its deck before the hidden cards are dealt, and what the root sees."""

    worlds: Any
    deck: Any
    believed: Any
    """With what conventions say of the own cards."""
    grounded: Any
    """Without."""


@kernel
def rule_moves(view, params, rng):
    """The moves that the rules of the plan propose, as a mask."""
    first = part_at(params, RULES_PART) + PARAMS_AT
    moves = np.int64(0)
    for index in range(int(params[first + 1])):
        line = first + HEADER + index * LINE
        if applies(view, params, line):
            move = fire(int(params[line]), view, params[line + 1], params[line + 2], params[line + 3], rng)
            if move != NO_MOVE:
                moves |= np.int64(1) << np.int64(move)
    return moves & legal_moves(view)


@kernel
def choices(view, params, rng):
    """The moves that a search considers for the seat of a view, as a mask."""
    return rule_moves(view, params, rng) if params[HAS_RULES] else legal_moves(view)


@kernel
def is_time_left(params, done, wanted, start, share=1.0):
    """Whether another round fits into a share of the time, or else into so many rounds; the first one always does."""
    if done == 0:
        return True
    if params[MILLISECONDS] > 0:
        return nanoseconds() - start < share * params[MILLISECONDS] * 1e6
    return done < wanted


@kernel
def believe_policy(view, memory):
    """Excludes of the own cards what the convention of a policy excludes, where that leaves anything."""
    for slot in range(view.hand_size):
        possible = view.knowledge[view.seat, slot] & ~memory[view.seat * SLOTS + slot]
        if possible & view.unseen[0]:
            view.knowledge[view.seat, slot] = possible


@kernel
def believe_all(view, crew, memory):
    """Believes of the own cards what the conventions of a search, and of its policy, say."""
    row = crew.seats[view.seat, ROW]
    if (crew.watching >> row) & 1 and memory.shape[1] >= EXCLUSIONS:
        believe_policy(view, memory[row])
    if crew.params[CONVENTION]:
        believe(view)


@kernel
def lay_out(views, deck, crew):
    """Where every iteration begins; the deck and the own hand are looked at only by a search that sees them."""
    worlds, believed = views.copy(), views.copy()
    cards = np.zeros(int(views[0].deck_size), np.int8)
    if crew.params[SEES] == DECK_SIGHT:
        cards[:] = deck[: len(cards)]
    else:
        open_world(worlds[0], cards, views[0])
    if crew.params[SEES] == HAND_SIGHT:
        take_hand(worlds[0], cards, views[0])
    believe_all(believed[0], crew, crew.remembered)
    return Start(worlds, cards, believed, views.copy())


@kernel
def sample_world(worlds, deck, start, crew, rng):
    """Deals the hidden cards of the root anew, without conventions where they allow no deal; resets all memory.

    A search without a tree deals the deck in order too, so that all moves meet the same one.
    """
    worlds[0] = start.worlds[0]
    deck[:] = start.deck
    crew.memory[:] = crew.remembered
    if not crew.params[SEES] and not redeal(worlds[0], deck, start.believed[0], rng):
        redeal(worlds[0], deck, start.grounded[0], rng)
    if crew.params[DEALS] and crew.params[SEES] != DECK_SIGHT:
        left = deck[worlds[0].drawn :]
        shuffle(rng, left, len(left))


@kernel
def finish(table, crew, root, facts, rng):
    """Plays a world to its end by the crew; its value, unless a policy broke the rules, which the facts then tell."""
    views, worlds, deck = table
    breaker = roll_out(views, worlds, deck, crew, rng)
    if breaker != NOBODY:
        facts.fault = 1 + (breaker - root + worlds[0].players) % worlds[0].players
    return value_of(worlds[0], crew)
