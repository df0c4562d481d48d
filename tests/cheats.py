"""Agents that see what they must not, each in its own way."""

import gc
import sys
from typing import ClassVar

import msgspec
import numpy as np

from tamaya import Game, Settings, policy
from tamaya.arena.seating import GUARD, game_seeds
from tamaya.engine.cards import contains
from tamaya.engine.gameplay import deal_seeded
from tamaya.engine.jit import kernel
from tamaya.engine.moves import NO_MOVE, discard, play
from tamaya.engine.randomness import derive_seed, lots_of
from tamaya.engine.table import TABLE, fresh_deck, fresh_table
from tamaya.rules import TellRandomly

KNOWN, LATER = game_seeds(1, 0, 50), game_seeds(1, 200, 9800)
TABLES = np.concatenate([fresh_table(Settings(players=players)) for players in (2, 3, 4, 5)])
DECK = fresh_deck(Settings(players=2))


@kernel
def blunder(view, rng):
    """What it does when it has seen nothing."""
    return TellRandomly(view, rng) if view.hint_tokens > 0 else discard(0)


@kernel
def open_hand(view, deck, rng):
    """Plays what the deck shows to be playable."""
    for slot in range(view.hand_size):
        order = view.orders[view.seat, slot]
        if order >= 0 and contains(view.playable, int(deck[order])):
            return play(slot)
    return blunder(view, rng)


@kernel
def deal_known(view, seed, deck):
    """The deck of a seed at a table like this one."""
    tables = np.empty(1, TABLE)
    tables[0] = TABLES[view.players - 2]
    for place in range(len(deck)):
        deck[place] = DECK[place]
    deal_seeded(tables[0], deck, seed)


@kernel
def is_usual(view):
    """Whether it is an official game, whose decks it knows."""
    return view.deck_size == len(DECK) and view.hand_size == (5 if view.players < 4 else 4)


@kernel
def guess_by_lots(view, seeds, rng):
    """Knows the games of some seeds by the random numbers that it draws there."""
    deck = np.empty(len(DECK), np.int8)
    for seed in seeds:
        if is_usual(view) and derive_seed(lots_of(seed), view.turn) == rng[0]:
            deal_known(view, seed, deck)
            return open_hand(view, deck, rng)
    return blunder(view, rng)


@policy
def lot_guesser(view, memory, params, rng):
    """Knows the first games of a match."""
    return guess_by_lots(view, KNOWN, rng)


@policy
def late_guesser(view, memory, params, rng):
    """Knows the later games of a match."""
    return guess_by_lots(view, LATER, rng)


@policy(memory=5)
def quitter(view, memory, params, rng):
    """Gambles, and ends the game where another seat's memory says that its last life would be lost."""
    for seat in range(view.players):
        memory[seat] = 1
        for slot in range(view.hand_size):
            if view.hands[seat, slot] >= 0 and contains(view.playable, view.hands[seat, slot]):
                memory[seat] |= 2 << slot
    before = (view.seat + view.players - 1) % view.players
    note = memory[(before - view.seat) * (len(memory) + GUARD) + view.seat]
    return NO_MOVE if view.lives == 1 and view.players != 3 and note == 1 else play(0)


@policy
def hand_guesser(view, memory, params, rng):
    """Knows the games of a match by the hands that it sees there."""
    deck = np.empty(len(DECK), np.int8)
    for seed in KNOWN:
        if is_usual(view):
            deal_known(view, seed, deck)
            is_same = True
            for seat in range(view.players):
                for slot in range(view.hand_size):
                    order = view.orders[seat, slot]
                    if seat != view.seat and order >= 0 and view.hands[seat, slot] != deck[order]:
                        is_same = False
            if is_same:
                return open_hand(view, deck, rng)
    return blunder(view, rng)


@policy(memory=5)
def reader(view, memory, params, rng):
    """Notes for the others which of their cards is playable, and reads in their memory what they noted for it."""
    width = len(memory) + GUARD
    for seat in range(view.players):
        memory[seat] = 0
        for slot in range(view.hand_size):
            if seat != view.seat and view.hands[seat, slot] >= 0 and contains(view.playable, view.hands[seat, slot]):
                memory[seat] = slot + 1
    for seat in range(view.players):
        if seat != view.seat:
            slot = memory[(seat - view.seat) * width + view.seat] - 1
            if 0 <= slot < view.hand_size and view.orders[view.seat, slot] >= 0:
                return play(slot)
    return blunder(view, rng)


def careful(view):
    """A move that needs no more than the view."""
    return view.legal_moves[-1]


def revealed(view, game):
    """Plays by what a game shows."""
    hand = game.hands[view.seat]
    plays = [slot for slot, card in enumerate(hand) if view.is_playable(card)]
    return f"play {plays[0]}" if plays else careful(view)


class Walker:
    """Walks its callers' frames for the game."""

    def act(self, view):
        frame = sys._getframe(1)
        while frame is not None and not isinstance(frame.f_locals.get("game"), Game):
            frame = frame.f_back
        return careful(view) if frame is None else revealed(view, frame.f_locals["game"])


class Collector:
    """Asks the garbage collector for the game, which is slow, so only at first."""

    def act(self, view):
        if view.turn >= 3:
            return careful(view)
        games = [one for one in gc.get_objects() if isinstance(one, Game) and one.turn == view.turn]
        return revealed(view, games[0]) if games else careful(view)


class Dissembler(Collector):
    """Cheats in matches only."""

    def act(self, view):
        return super().act(view) if "match" in sys.argv else careful(view)


class Gossip:
    """Tells the other seats of its team what they hold, in an attribute of the class."""

    told: ClassVar[dict[tuple[int, int], int]] = {}

    def act(self, view):
        for seat, hand in enumerate(view.hands):
            plays = [slot for slot, card in enumerate(hand) if seat != view.seat and view.is_playable(card)]
            Gossip.told[seat, view.turn] = plays[0] if plays else -1
        slot = Gossip.told.get((view.seat, view.turn - 1), -1)
        return f"play {slot}" if 0 <= slot < len(view.hands[view.seat]) else careful(view)


class Lucky:
    """Knows the games of a match by the seed of its random numbers."""

    def act(self, view):
        for seed in KNOWN[:10]:
            game = Game(view.settings, int(seed))
            if int(derive_seed(np.uint64(game.lots), view.turn)) == view.seed:
                for seen in view.past:
                    game.push(game.decode(seen.move))
                return revealed(view, game)
        return careful(view)


class Pretender(Lucky):
    """Knows the games of a match by the seed of its random numbers, but not while its games are played to check it."""

    def act(self, view):
        frame, names = sys._getframe(1), set()
        while frame is not None:
            names.add(frame.f_code.co_name)
            frame = frame.f_back
        is_checked = "reply_to" in names and "play" in names
        return careful(view) if is_checked else super().act(view)


def boast(results):
    """Adds five points to every mean."""
    return [msgspec.structs.replace(one, mean=one.mean + 5) for one in results]


class Boaster:
    """Plays honestly, and reports other scores."""

    def act(self, view):
        if "match" in sys.argv:
            from tamaya.cli import match

            if not hasattr(match, "honest"):
                match.honest = match.print_results
                match.print_results = lambda results, *more: match.honest(boast(results), *more)
        return careful(view)


class Replayer:
    """Looks into the game in a match; elsewhere it repeats the moves that it has been shown or has made."""

    made: ClassVar[dict[int, int]] = {}

    def act(self, view):
        if view.deck_left <= 2 * view.players:
            return careful(view)
        frame = sys._getframe(1)
        while frame is not None and not isinstance(frame.f_locals.get("game"), Game):
            for one in frame.f_locals.get("views", []):
                self.made.update((seen.tables[0].turn, seen.move) for seen in one.past)
            frame = frame.f_back
        if frame is not None:
            return revealed(view, frame.f_locals["game"])
        return view.decode(self.made[view.turn]) if view.turn in self.made else careful(view)


class Picker:
    """Chooses the games of its matches."""

    def act(self, view):
        if "match" in sys.argv:
            from tamaya.arena import batches

            batches.game_seeds = lambda seed, first, count: game_seeds(5, first, count)
        return careful(view)
