"""What all searches do: sample worlds consistent with what a seat knows, and play them out within a budget."""

import math
from typing import Any, NamedTuple

import numpy as np

from tamaya.engine.cards import NO_CARD, bit
from tamaya.engine.gameplay import legal_moves
from tamaya.engine.jit import copy_items, copy_rows, kernel, record, record_reader
from tamaya.engine.moves import MOVES, NO_MOVE
from tamaya.engine.randomness import random_real, shuffle
from tamaya.engine.settings import SLOTS
from tamaya.engine.table import TABLE
from tamaya.engine.worlds import open_world, redeal, take_hand, trust_playable_now
from tamaya.policies.contract import DECK_SIGHT, DECK_WORDS, EXCLUSIONS, HAND_SIGHT, REPORT, seen_deck
from tamaya.policies.roles import move_by
from tamaya.policies.seats import params_of
from tamaya.search.beliefs.hand_pool import hands_of, highest_weight
from tamaya.search.plan import plan_of
from tamaya.search.rollouts import NOBODY, Scratch, new_rollout, roll_out, value_of

THOUGHT = record(visits="i8", total="f8", squares="f8")
"""What a search thought of a move: how often it was tried, and the sums of values and squares."""

FACTS = record(
    iterations="i8",
    depth="i8",
    nanoseconds="i8",
    fault="i8",  # the number of the seat whose policy broke the rules, its own being 1
    own="i8",  # the policy's move in a search that deviates
    thoughts=(THOUGHT, MOVES),
)
"""What a search did in its last decision, kept in its memory before the words for the deck."""

FACT_WORDS = FACTS.itemsize // 8
read_facts = record_reader(FACTS)


@kernel
def facts_in_memory(memory):
    """What a search did in its last decision."""
    return read_facts(memory, len(memory) - REPORT - DECK_WORDS - FACT_WORDS)


@kernel
def forget_facts(memory):
    """Clears the facts at the beginning of a decision."""
    end = len(memory) - REPORT - DECK_WORDS
    for word in range(end - FACT_WORDS, end):
        memory[word] = 0


class Start(NamedTuple):
    """Where every iteration begins: a world and its deck before the hidden cards are dealt, and what the root sees."""

    worlds: Any
    deck: Any
    believed: Any
    """The root's view, with what conventions say about its own cards."""
    grounded: Any
    """The root's view without that."""


@kernel
def new_scratch(start):
    """Room in which iterations are played."""
    return Scratch(start.worlds.copy(), start.worlds.copy(), start.deck.copy())


@kernel
def moves_considered(view, plan, rng):
    """The moves that a search considers for the seat of a view, as a mask: those that its rules propose, or all."""
    if plan.rules == 0:
        return legal_moves(view)
    moves, nothing = np.int64(0), np.empty(0, np.int64)
    for number in range(plan.rules):
        rule = plan.proposers[number]
        move = move_by(rule.mover)(view, nothing, params_of(rule), rng)
        if move != NO_MOVE:
            moves |= bit(move)
    return moves & legal_moves(view)


@kernel
def trust_exclusions(view, memory):
    """Excludes from a seat's own cards what a policy's convention excludes, where that leaves anything."""
    for slot in range(view.hand_size):
        possible = view.knowledge[view.seat, slot] & ~memory[view.seat * SLOTS + slot]
        if possible & view.unseen[0]:
            view.knowledge[view.seat, slot] = possible


@kernel
def trust_conventions(view, rollout, memory):
    """Makes a seat believe what the conventions of the search and of its policy say about its own cards."""
    seat = rollout.seats[view.seat]
    if seat.observer and memory.shape[1] >= EXCLUSIONS:
        trust_exclusions(view, memory[seat.row])
    if plan_of(rollout.params).convention:
        trust_playable_now(view)


@kernel
def lay_out(views, deck, rollout):
    """Where every iteration begins; only a search that sees the deck or its own hand looks at them."""
    worlds, believed, sight = views.copy(), views.copy(), plan_of(rollout.params).sight
    cards = np.zeros(int(views[0].deck_size), np.int8)
    if sight == DECK_SIGHT:
        for place in range(len(cards)):
            cards[place] = deck[place]
    else:
        open_world(worlds[0], cards, views[0])
    if sight == HAND_SIGHT:
        take_hand(worlds[0], cards, views[0])
    trust_conventions(believed[0], rollout, rollout.remembered)
    return Start(worlds, cards, believed, views.copy())


@kernel
def begin(view, memory, params):
    """The policies of a search, and the start of every iteration."""
    views = np.empty(1, TABLE)
    views[0] = view
    forget_facts(memory)
    rollout = new_rollout(view, memory, params)
    return rollout, lay_out(views, seen_deck(memory), rollout)


@kernel
def deal_root(worlds, deck, start, rng):
    """Deals the root's hidden cards again, without conventions where they allow no deal."""
    if not redeal(worlds[0], deck, start.believed[0], rng):
        redeal(worlds[0], deck, start.grounded[0], rng)


@kernel
def draw_hand(views, memory, params, rng):
    """Makes the player of a view sure of a hand of the pool, drawn by its weight."""
    pool, view = hands_of(memory, params), views[0]
    highest, total = highest_weight(pool), 0.0
    for number in range(pool.count):
        total += math.exp(pool.hands[number].weight - highest)
    left, number = total * random_real(rng), 0
    while number < pool.count - 1:
        left -= math.exp(pool.hands[number].weight - highest)
        if left < 0:
            break
        number += 1
    for slot in range(view.hand_size):
        if view.hands[view.seat, slot] != NO_CARD:
            view.knowledge[view.seat, slot] = bit(pool.hands[number].cards[slot])


@kernel
def sample_world(worlds, deck, start, rollout, rng):
    """Determinization: deals the root's hidden cards again, unless it sees them.

    All memory is as the search has kept it. A search without a tree also fixes the order of the deck, so that all moves
    meet the same one.
    """
    worlds[0] = start.worlds[0]
    copy_items(deck, start.deck)
    copy_rows(rollout.memory, rollout.remembered)
    plan = plan_of(rollout.params)
    if plan.hands and hands_of(rollout.beliefs, rollout.params).count:
        sure = start.grounded.copy()
        draw_hand(sure, rollout.beliefs, rollout.params, rng)
        redeal(worlds[0], deck, sure[0], rng)
    elif not plan.sight:
        deal_root(worlds, deck, start, rng)
    if plan.fixes_deck and plan.sight != DECK_SIGHT:
        left = deck[worlds[0].drawn :]
        shuffle(rng, left, len(left))


@kernel
def finish(scratch, rollout, root, facts, rng):
    """Plays a world to its end and returns its value; if a policy broke the rules, the facts say so."""
    worlds = scratch.worlds
    breaker = roll_out(scratch.views, worlds, scratch.deck, rollout, rng)
    if breaker != NOBODY:
        facts.fault = 1 + (breaker - root + worlds[0].players) % worlds[0].players
    return value_of(worlds[0], rollout)
