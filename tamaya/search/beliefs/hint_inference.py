"""Inference: what hints say about a seat's own cards beyond their words, from where their givers would give them."""

import math

import numpy as np

from tamaya.engine.cards import bit, contains
from tamaya.engine.jit import kernel, record, record_reader
from tamaya.engine.knowledge import hand_count, look
from tamaya.engine.moves import DISCARD, TELL, play, target_from
from tamaya.engine.randomness import derive_seed, random_real
from tamaya.engine.settings import CARDS, SLOTS
from tamaya.engine.worlds import redeal, trust_playable_now
from tamaya.policies.contract import DECK_WORDS, REPORT
from tamaya.policies.roles import move_by
from tamaya.policies.seats import params_of
from tamaya.search.beliefs.strangers import imagine_strangers
from tamaya.search.determinization import FACT_WORDS, deal_root
from tamaya.search.plan import ROLLOUT, plan_of

HUNCHES = record(logs=("f8", (SLOTS, CARDS)))
"""The logarithm of how much likelier the hints so far make a card in a slot, kept before the facts of a search."""

HUNCH_WORDS = HUNCHES.itemsize // 8
read_hunches = record_reader(HUNCHES)

DEALS, HANDS, TRIES = 160, 48, 40
"""How many deals a hint is judged by, how many hands say what is playable, and how many are tried at most for each."""

SURPRISE = 0.02
"""The chance of a hint that neither a rule nor the rollout policy gives: no card is excluded."""

LIKELY = 0.7
"""A card that is this likely to be playable may be played; the same chance as in Goodman's rules."""


@kernel
def hunches_of(memory):
    """What a search suspects its own cards to be."""
    return read_hunches(memory, len(memory) - REPORT - DECK_WORDS - FACT_WORDS - HUNCH_WORDS)


@kernel
def share_of_rules(view, move, plan, rng):
    """The share of a move among all that the rules of a search propose."""
    nothing, proposed, found = np.empty(0, np.int64), 0, 0
    for number in range(plan.rules):
        rule = plan.proposers[number]
        proposal = move_by(rule.mover)(view, nothing, params_of(rule), rng)
        proposed += proposal >= 0
        found += proposal == move
    return found / max(1, proposed)


@kernel
def chance_of_giver(view, move, params, rng):
    """How likely somebody with the same search makes a move: by its rules, and by a rollout policy without memory."""
    plan, nothing = plan_of(params), np.zeros(REPORT, np.int64)
    part = plan.parts[ROLLOUT]
    if plan.convention:
        trust_playable_now(view)
    chance = share_of_rules(view, move, plan, rng)
    if part.mover and not part.observer and part.words <= REPORT:
        chance = 0.5 * chance + 0.5 * (move_by(part.mover)(view, nothing, params_of(part), rng) == move)
    return chance + SURPRISE


@kernel
def log_of_hand(logs, world, seat):
    """The logarithm of how much likelier a hand is than others, if slots are independent."""
    total = 0.0
    for slot in range(hand_count(world, seat)):
        total += logs[slot, world.hands[seat, slot]]
    return total


@kernel
def log_of_best(logs, view):
    """A bound on that logarithm for the hands that a view allows."""
    total = 0.0
    for slot in range(hand_count(view, view.seat)):
        cards, highest = view.knowledge[view.seat, slot] & view.unseen[0], -np.inf
        for card in range(CARDS):
            if contains(cards, card):
                highest = max(highest, logs[slot, card])
        total += highest
    return total


@kernel
def tally_hint(view, mover, move, shown, logs, params):
    """How many deals have a card in a slot, and how likely a hint to the viewer was in them, as sums of weights.

    The random numbers are those of the turn, so that the same game gives the same hunches.
    """
    rng, seat = np.empty(1, np.uint64), view.seat
    rng[0] = derive_seed(np.uint64(view.turn), move)
    deals, chances = np.zeros((SLOTS, CARDS)), np.zeros((SLOTS, CARDS))
    (views, worlds, deck), known = imagine_strangers(view, mover, move, shown)
    for _ in range(DEALS):
        redeal(worlds[0], deck, known[0], rng)
        weight = math.exp(log_of_hand(logs, worlds[0], seat))
        look(views, worlds, mover)
        chance = weight * chance_of_giver(views[0], move, params, rng)
        for slot in range(hand_count(view, seat)):
            deals[slot, worlds[0].hands[seat, slot]] += weight
            chances[slot, worlds[0].hands[seat, slot]] += chance
    return deals, chances


@kernel
def forget_card(logs, gone):
    """Closes the gap in the hunches when a card has left the hand; nothing is suspected of the next one."""
    for slot in range(gone, SLOTS):
        for card in range(CARDS):
            logs[slot, card] = logs[slot + 1, card] if slot + 1 < SLOTS else 0.0


@kernel
def infer_hand(view, mover, move, shown, memory, params):
    """Weighs a seat's own cards by a hint that it gets: each card in a slot by how likely the hint was with it.

    A card that was in few deals counts as if it had also been in an average one.
    """
    logs = hunches_of(memory).logs
    if mover == view.seat and move < TELL:
        forget_card(logs, move % DISCARD)
    if mover == view.seat or move < TELL or target_from(view, mover, move) != view.seat:
        return
    deals, chances = tally_hint(view, mover, move, shown, logs, params)
    one, mean = deals[0].sum() / DEALS, chances[0].sum() / deals[0].sum()
    for slot in range(hand_count(view, view.seat)):
        for card in range(CARDS):
            chance = (chances[slot, card] + one * mean) / (deals[slot, card] + one)
            logs[slot, card] += math.log(chance / mean)


@kernel
def deal_inferred(scratch, start, rollout, rng):
    """Deals the root's hand again until one is accepted, each by how likely its hunches make it."""
    logs, worlds, seat = hunches_of(rollout.beliefs).logs, scratch.worlds, start.worlds[0].seat
    highest = log_of_best(logs, start.believed[0])
    for _ in range(TRIES):
        if random_real(rng) < math.exp(log_of_hand(logs, worlds[0], seat) - highest):
            break
        deal_root(worlds, scratch.deck, start, rng)


@kernel
def likely_plays(scratch, start, rollout, rng):
    """The plays of cards that the hunches make likely to be playable, as a mask."""
    worlds, seat, plays = scratch.worlds, start.worlds[0].seat, np.int64(0)
    playable = np.zeros(SLOTS)
    for _ in range(HANDS):
        deal_root(worlds, scratch.deck, start, rng)
        deal_inferred(scratch, start, rollout, rng)
        for slot in range(hand_count(worlds[0], seat)):
            playable[slot] += contains(worlds[0].playable, worlds[0].hands[seat, slot])
    for slot in range(hand_count(worlds[0], seat)):
        if playable[slot] >= LIKELY * HANDS:
            plays |= bit(play(slot))
    return plays
