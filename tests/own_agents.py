"""Agents as users write them, good and bad."""

import random
import sys

import numpy as np

from tamaya import Kind, policy
from tamaya.engine.cards import contains, lowest_bit, nth_bit
from tamaya.engine.gameplay import legal_moves
from tamaya.engine.jit import kernel, popcount
from tamaya.engine.knowledge import hand_count
from tamaya.engine.moves import ASK, MOVES, discard, play
from tamaya.engine.randomness import random_below
from tamaya.policies.contract import EXCLUSIONS, report_search, seen_deck
from tamaya.rules import TellRandomly


@policy(memory=2)
def counting(view, memory, params, rng):
    """Counts its turns in its memory and discards every other one."""
    memory[0] += 1
    if memory[0] % 2 == 0 and view.hint_tokens < view.max_tokens:
        return discard(0)
    move = TellRandomly(view, rng)
    return move if move >= 0 else discard(0)


@kernel
def chances_of_pointing(views, memory, chances, params):
    """How likely ``pointing`` makes each move: it is a little unsure."""
    for number in range(len(views)):
        legal, best = legal_moves(views[number]), point(views[number])
        for move in range(MOVES):
            is_legal = (legal >> np.int64(move)) & 1
            chances[number * MOVES + move] = 0.9 * (move == best) + 0.1 * is_legal / popcount(legal)
    return 0


@kernel
def point(view):
    """Discards the oldest card if the next player's oldest is playable, else the newest, or plays it at the limit."""
    theirs = view.hands[(view.seat + 1) % view.players, 0]
    slot = 0 if theirs >= 0 and contains(view.playable, theirs) else hand_count(view, view.seat) - 1
    return discard(slot) if view.hint_tokens < view.max_tokens else play(slot)


@kernel
def point_together(views, memory, moves, params, rng):
    """The moves of ``pointing`` in some views."""
    for number in range(len(views)):
        moves[number] = point(views[number])
    return 0


@policy(predicts=chances_of_pointing, batches=point_together)
def pointing(view, memory, params, rng):
    """Tells by which card it throws away whether the next player's oldest is playable; it keeps nothing."""
    return point(view)


@kernel
def waver(view, memory):
    """Discards its oldest card, or hints, the first time, later the other way round; stops with half of the deck."""
    legal, move = legal_moves(view), -1
    memory[0] += 1
    if view.drawn * 2 > view.deck_size:
        return -1
    for other in range(discard(0), MOVES):
        if (legal >> np.int64(other)) & 1 and (move < 0 or memory[0] > 1):
            move = other
    return move


@kernel
def waver_together(views, memory, moves, params, rng):
    """The moves of ``wavering`` in some views."""
    words = len(memory) // len(views)
    for number in range(len(views)):
        moves[number] = waver(views[number], memory[number * words : (number + 1) * words])
    return 0


@policy(memory=1, batches=waver_together)
def wavering(view, memory, params, rng):
    """Keeps in mind whether it has moved, which no other seat knows."""
    return waver(view, memory)


@kernel
def stop_together(views, memory, moves, params, rng):
    """The moves of ``stopping`` in some views."""
    for number in range(len(views)):
        moves[number] = waver(views[number], np.zeros(1, np.int64))
    return 0


@policy(batches=stop_together)
def stopping(view, memory, params, rng):
    """Discards its oldest card, or hints; it makes no move once the deck is half empty."""
    return waver(view, np.zeros(1, np.int64))


@policy(memory=1)
def once(view, memory, params, rng):
    """Plays its oldest card in its first decision, and never plays again."""
    memory[0] += 1
    if memory[0] == 1:
        return play(0)
    return TellRandomly(view, rng) if view.hint_tokens > 0 else discard(0)


@policy(memory=2, sees="deck")
def foreseeing(view, memory, params, rng):
    """Counts its turns, and plays what it sees to be playable."""
    memory[1] += 1
    deck = seen_deck(memory)
    for slot in range(view.hand_size):
        if contains(view.playable, view.hands[view.seat, slot]):
            assert deck[view.orders[view.seat, slot]] == view.hands[view.seat, slot]
            return play(slot)
    return TellRandomly(view, rng) if view.hint_tokens > 0 else discard(0)


@policy(sees="hand")
def open_handed(view, memory, params, rng):
    """Plays and discards by what it sees in its own hand; makes no legal move if that cannot be there."""
    for slot in range(hand_count(view, view.seat)):
        if not contains(view.knowledge[view.seat, slot] & view.unseen[0], view.hands[view.seat, slot]):
            return 99
    for slot in range(hand_count(view, view.seat)):
        if contains(view.playable, view.hands[view.seat, slot]):
            return play(slot)
    return TellRandomly(view, rng) if view.hint_tokens > 0 else discard(0)


@kernel
def watch_nothing(view, mover, move, shown, memory, params):
    """Observes that there was a move."""
    memory[EXCLUSIONS] += view.seat == memory[EXCLUSIONS + 1] - 1
    return 0


@policy(memory=EXCLUSIONS + 2, observe=watch_nothing)
def private(view, memory, params, rng):
    """Writes down who it is; makes no legal move if another seat wrote there, or looked on in its place."""
    mine = memory[EXCLUSIONS + 1]
    if mine not in (0, view.seat + 1) or (mine and memory[EXCLUSIONS] != view.players):
        return 99
    memory[EXCLUSIONS], memory[EXCLUSIONS + 1] = 0, view.seat + 1
    return TellRandomly(view, rng) if view.hint_tokens > 0 else discard(0)


@policy(iterations=10)
def searching(view, memory, params, rng):
    """Reports a search that it does not make."""
    report_search(memory, int(params[0]), 3)
    return TellRandomly(view, rng) if view.hint_tokens > 0 else discard(0)


@policy
def nonsense(view, memory, params, rng):
    return 99


@policy
def far_away(view, memory, params, rng):
    return -(1 << 42)


@policy
def quitting(view, memory, params, rng):
    return -1


@policy
def raising(view, memory, params, rng):
    if view.turn > 5:
        raise ValueError("lost my nerve")
    return play(0)


@policy
def hanging(view, memory, params, rng):
    while view.turn > 3:
        view.lives = 1
    return play(0)


@policy
def whimsical(view, memory, params, rng):
    return play(np.random.randint(0, 2))


@policy
def reaching(view, memory, params, rng):
    return play(int(view.hands[view.seat, 7]) % 2)


@policy
def uncompilable(view, memory, params, rng):
    return play({"slot": view}["slot"])


@policy
def three_armed(view, memory, params):
    return play(0)


@kernel
def worth_nothing(world):
    return 0.0


@policy(evaluates=worth_nothing)
def one_armed(view, memory, params, rng):
    return play(0)


@policy
def silent(view, memory, params, rng):
    play(0)


@policy
def misspelt(view, memory, params, rng):
    return play(view.live)


@policy
def asking(view, memory, params, rng):
    return ASK if view.turn > 3 else play(0)


class Leaving:
    def act(self, view):
        raise SystemExit(3)


class Patient:
    """Plays what is sure, else any legal move that is not a play."""

    def act(self, view):
        for move in view.legal_moves:
            if move.kind is Kind.PLAY and view.probability_playable(move.target) == 1:
                return move
        return view.random.choice([move for move in view.legal_moves if move.kind is not Kind.PLAY])


class Peeking:
    """Looks through its callers for the game and plays what it sees there."""

    def act(self, view):
        frame = sys._getframe(1)
        while "game" not in frame.f_locals:
            frame = frame.f_back
        game = frame.f_locals["game"]
        plays = [slot for slot, card in enumerate(game.hands[view.seat]) if view.is_playable(card)]
        return f"play {plays[0]}" if plays else view.legal_moves[-1]


class Wordless:
    def act(self, view):
        return 3


def wanderer(known):
    """Makes any of the moves that keep a convention."""
    keeps, observe = known.kernels["keeper"], known.kernels["observer"]

    def wandering(view, memory, params, rng):
        moves = keeps(view, memory, params) & legal_moves(view)
        return nth_bit(moves, random_below(rng, popcount(moves))) if moves else lowest_bit(legal_moves(view))

    return policy(wandering, memory=known.memory, observe=observe, **known.defaults)


@kernel
def overhear(view, mover, move, shown, memory, params):
    """Notes nothing."""
    return 0


@policy(memory=40, observe=overhear, shares=True)
def whispering(view, memory, params, rng):
    """Notes for the others which of their cards is playable, and plays what they noted for it."""
    for offset in range(1, view.players):
        seat = (view.seat + offset) % view.players
        memory[30 + seat] = 0
        for slot in range(view.hand_size):
            if view.hands[seat, slot] >= 0 and contains(view.playable, view.hands[seat, slot]):
                memory[30 + seat] = 1 + slot
    slot = memory[30 + view.seat] - 1
    memory[30 + view.seat] = 0
    if slot >= 0:
        return play(slot)
    return TellRandomly(view, rng) if view.hint_tokens > 0 else discard(0)


@kernel
def is_red_begun(world, params):
    """A position is worth everything if a red card was played, whatever else happened."""
    return params[0] * (world.fireworks[0] > 0)


@policy(evaluates=is_red_begun, worth=1.0)
def red(view, memory, params, rng):
    """Plays its oldest card."""
    return play(0)


def a_million_reals():
    return np.full(1_000_000, 3.0)


@policy(weights=a_million_reals, threshold=0.5)
def heavy(view, memory, params, rng):
    """Looks at all of its weights' ends; makes no legal move if they are not there."""
    if len(params) != 1_000_001 or params[0] != 0.5 or params[1] != 3.0 or params[-1] != 3.0:
        return 99
    return TellRandomly(view, rng) if view.hint_tokens > 0 else discard(0)


@policy(memory=2)
def spilling(view, memory, params, rng):
    """Writes behind its memory."""
    memory[len(memory) + 2] = 7
    return TellRandomly(view, rng) if view.hint_tokens > 0 else discard(0)


@policy
def unknown_name(view, memory, params, rng):
    return play(slotty)  # noqa: F821


@policy
def adding(view, memory, params, rng):
    return play("a" + view.turn)


@policy
def undecided(view, memory, params, rng):
    slot = "a" if view.turn > 3 else 1
    return play(slot)


def plain_helper(view):
    return 0


@policy
def helped(view, memory, params, rng):
    return play(plain_helper(view))


@policy
def chancy(view, memory, params, rng):
    return random.choice(view.hands)


@policy
def averaging(view, memory, params, rng):
    return (view.lives + view.hint_tokens) / 2


@policy
def wordy(view, memory, params, rng):
    return "play 0"


@policy
def opening(view, memory, params, rng):
    with open("some file") as file:
        return len(file.read())
