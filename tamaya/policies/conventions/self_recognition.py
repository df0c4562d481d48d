"""Osawa's self-recognition: what a hint says about a hand is what would have made the other player give it.

A player who was told something by the one before deals itself hands that it cannot exclude. Under each of them it asks
what the other, who would have seen that hand, would have done by the outer strategy. The hands under which that is
the hint it was given remain. It plays and discards what is certain under all of them, and else follows the outer
strategy itself.
"""

import numpy as np

from tamaya.engine.cards import bit
from tamaya.engine.jit import kernel, record, record_reader
from tamaya.engine.knowledge import look, next_seat
from tamaya.engine.moves import NO_MOVE, TELL, target_from
from tamaya.engine.settings import SLOTS
from tamaya.engine.table import TABLE
from tamaya.engine.worlds import open_world, redeal
from tamaya.policies.contract import EXCLUSIONS, policy
from tamaya.policies.rules.discarding import DiscardRandomly, OsawaDiscard
from tamaya.policies.rules.playing import PlaySafeCard
from tamaya.policies.rules.telling import TellPlayableCardOuter, TellUnknown

HEARD = record(
    move="i8",  # the hint that the player to move was just given by the one before, 0 if there was none
    knowledge=("i8", SLOTS),  # what that player could not exclude before it
)
MEMORY = EXCLUSIONS + HEARD.itemsize // 8
read_heard = record_reader(HEARD)


@kernel
def outer_move(view, rng):
    """The move of the outer strategy."""
    move = PlaySafeCard(view)
    if move == NO_MOVE:
        move = OsawaDiscard(view)
    if move == NO_MOVE:
        move = TellPlayableCardOuter(view)
    if move == NO_MOVE:
        move = TellUnknown(view)
    return DiscardRandomly(view, rng) if move == NO_MOVE else move


@kernel
def remember_hint(view, mover, move, shown, memory, params):
    """Keeps a hint to the next player, and what that player knew before it."""
    heard, receiver = read_heard(memory, EXCLUSIONS), (mover + 1) % view.players
    is_hint = move >= TELL and target_from(view, mover, move) == receiver
    heard.move = move if is_hint else 0
    for slot in range(view.hand_size):
        heard.knowledge[slot] = view.knowledge[receiver, slot]
    return 0


@kernel
def turn_back(world, heard):
    """Takes a hint back: whoever gave it is to move again, and its receiver knows nothing of it."""
    for slot in range(world.hand_size):
        world.knowledge[world.seat, slot] = heard.knowledge[slot]
    world.hint_tokens += 1
    world.seat = next_seat(world, world.players - 1)


@kernel
def recognise(view, heard, deals, rng):
    """Narrows what a seat's own cards can be to those of the hands for which the other would have given the hint."""
    worlds, views, deck = np.empty(1, TABLE), np.empty(1, TABLE), np.zeros(int(view.deck_size), np.int8)
    found = np.zeros(SLOTS, np.int64)
    worlds[0] = view
    open_world(worlds[0], deck, view)
    turn_back(worlds[0], heard)
    for _ in range(deals):
        if redeal(worlds[0], deck, view, rng):
            look(views, worlds, worlds[0].seat)
            if outer_move(views[0], rng) == heard.move:
                for slot in range(view.hand_size):
                    found[slot] |= bit(worlds[0].hands[view.seat, slot])
    for slot in range(view.hand_size):
        if found[slot]:
            view.knowledge[view.seat, slot] = found[slot]


@policy(memory=MEMORY, observe=remember_hint, shares=True, deals=100)
def self_recognition(view, memory, params, rng):
    """Concludes its own cards from what the other, seeing them, would have told; else plays as outer does."""
    heard = read_heard(memory, EXCLUSIONS)
    if heard.move != 0 and PlaySafeCard(view) == NO_MOVE:
        recognise(view, heard, int(params[0]), rng)
    return outer_move(view, rng)
