"""Worlds: hidden cards dealt exactly uniformly, and given back."""

import itertools
import random
from collections import Counter

import numpy as np
import pytest
from conftest import VARIANTS, several, short

from tamaya import Game, Move, Settings
from tamaya.engine.cards import NO_CARD, contains
from tamaya.engine.gameplay import is_over
from tamaya.engine.knowledge import hand_count, look
from tamaya.engine.moves import DISCARD, TELL
from tamaya.engine.table import TABLE
from tamaya.engine.worlds import apply_drawing, open_world, pack_hand, redeal, restore, take_hand, trust_playable_now


def random_game(settings, seed, moves):
    game, chance = Game(settings, seed), random.Random(seed)
    while len(game.moves) < moves and not game.is_over:
        game.push(chance.choice(game.legal_moves))
    if game.is_over:
        game.undo()
    return game


def world_of(view):
    worlds, deck = view.tables.copy(), np.zeros(int(view.table.deck_size), dtype=np.int8)
    open_world(worlds[0], deck, view.table)
    return worlds, deck


def view_of(worlds, seat):
    views = np.empty(1, TABLE)
    look(views, worlds, seat)
    return views


def hand_of(world, seat):
    return tuple(int(card) for card in world.hands[seat] if card != NO_CARD)


def enumerate_hands(view, cards):
    """How many deals of the unseen cards give each hand that the view allows."""
    seat, count = int(view.seat), hand_count(view, view.seat)
    masks = [int(view.knowledge[seat, slot]) for slot in range(count)]
    deals = Counter()
    for chosen in itertools.permutations(range(len(cards)), count):
        hand = tuple(cards[index] for index in chosen)
        if all(mask >> card & 1 for mask, card in zip(masks, hand, strict=True)):
            deals[hand] += 1
    return deals


SMALL = [Settings(players=2, colours=2, ranks=3, hand_size=3), Settings(players=3, colours=2, ranks=3, hand_size=2)]


@pytest.mark.parametrize("settings", SMALL, ids=short)
@pytest.mark.parametrize("seed", range(several(12, 3)))
def test_deals_are_uniform_over_all_that_the_view_allows(settings, seed):
    view = random_game(settings, seed, 3 + seed % 6).view()
    worlds, deck = world_of(view)
    seat, first = int(view.table.seat), int(view.table.drawn) - hand_count(worlds[0], view.table.seat)
    expected = enumerate_hands(view.table, deck[first:].tolist())
    total, games = sum(expected.values()), several(40_000, 400)
    rng, found = np.array([seed], dtype=np.uint64), Counter()
    for _ in range(games):
        assert redeal(worlds[0], deck, view.table, rng)
        found[hand_of(worlds[0], seat)] += 1
    assert set(found) <= set(expected)
    chi = sum((found[hand] - games * ways / total) ** 2 / (games * ways / total) for hand, ways in expected.items())
    freedom = len(expected) - 1
    assert chi <= freedom + 4.5 * (2 * freedom) ** 0.5 + 5


@pytest.mark.parametrize("seed", range(10))
def test_a_hand_that_is_seen_is_taken_from_the_unseen_cards(seed):
    game = random_game(Settings(players=2 + seed % 4), seed, 5 * seed)
    views = game.view().tables.copy()
    seat = int(views[0].seat)
    views[0].hands[seat] = game.table.hands[seat]
    worlds, deck = world_of(game.view())
    first, unseen = int(views[0].drawn) - hand_count(worlds[0], seat), Counter(deck.tolist())
    take_hand(worlds[0], deck, views[0])
    assert hand_of(worlds[0], seat) == hand_of(game.table, seat) == tuple(deck[first : int(views[0].drawn)])
    assert Counter(deck.tolist()) == unseen


def test_a_deal_that_drawing_slot_by_slot_would_bias_is_uniform():
    """Three cards of which each of two slots excludes another one: the first draw must not favour the rare deals."""
    view = Game(Settings(players=2, colours=1, ranks=3, hand_size=2), seed=1).view()
    table, seat = view.table, int(view.table.seat)
    worlds, deck = world_of(view)
    first = int(table.drawn) - 2
    cards = deck[first:].tolist()
    table.knowledge[seat, 0], table.knowledge[seat, 1] = 0b011, 0b110
    expected, found = enumerate_hands(table, cards), Counter()
    games, rng = several(60_000, 600), np.array([3], dtype=np.uint64)
    for _ in range(games):
        redeal(worlds[0], deck, table, rng)
        found[hand_of(worlds[0], seat)] += 1
    for hand, ways in expected.items():
        share = ways / sum(expected.values())
        assert abs(found[hand] / games - share) < 4.5 * (share * (1 - share) / games) ** 0.5


def test_an_impossible_deal_is_told_and_changes_nothing():
    view = Game(players=2, seed=1).view()
    worlds, deck = world_of(view)
    hand = hand_of(worlds[0], view.seat)
    view.table.knowledge[view.seat, :2] = 1 << 4  # two copies of the only red five
    assert not redeal(worlds[0], deck, view.table, np.array([1], dtype=np.uint64))
    assert hand_of(worlds[0], view.seat) == hand
    check_world(worlds, deck)


@pytest.mark.parametrize("settings", VARIANTS, ids=short)
def test_worlds_stay_whole_while_hands_are_dealt_anew_and_given_back(settings):
    """Cards neither appear nor vanish, nobody can exclude what it holds, and only a used card is not given back."""
    for seed in range(several(12, 2)):
        view = random_game(settings, seed, 4 * seed % 30).view()
        worlds, deck = world_of(view)
        world, rng, root = worlds[0], np.array([seed], dtype=np.uint64), int(view.table.seat)
        redeal(world, deck, view.table, rng)
        while not is_over(world):
            seat, before = int(world.seat), pack_hand(world, world.seat)
            hand, views = hand_of(world, seat), view_of(worlds, seat)
            if seat != root:
                assert redeal(world, deck, views[0], rng)
            check_world(worlds, deck)
            moves = codes_of_legal_moves(views[0])
            move = moves[seed % len(moves)]
            apply_drawing(world, deck, move, rng)
            if seat != root:
                restore(world, deck, seat, before, move, rng)
                kept = hand_of(world, seat)
                if move >= TELL:
                    assert kept == hand
                else:
                    slot = move % DISCARD
                    rest = hand[:slot] + hand[slot + 1 :]
                    assert sum(old != new for old, new in zip(rest, kept, strict=False)) <= 1
            check_world(worlds, deck)


def codes_of_legal_moves(view):
    from tamaya.engine.gameplay import legal_moves

    return [move for move in range(56) if contains(legal_moves(view), move)]


def check_world(worlds, deck):
    world = worlds[0]
    hidden = Counter(deck[world.drawn :].tolist())
    for seat in range(world.players):
        for slot, card in enumerate(hand_of(world, seat)):
            assert contains(world.knowledge[seat, slot], card)
            hidden[card] += 1
    copies = Counter(card for card in range(30) for plane in world.unrevealed if contains(plane, card))
    assert hidden == copies


def test_the_convention_takes_a_card_touched_alone_for_playable():
    """Until somebody plays a card, and only when the player before gave the hint."""
    game = Game(players=3, seed=6)
    hand = game.hands[1]
    slot = next(slot for slot, card in enumerate(hand) if sum(other.colour == card.colour for other in hand) == 1)
    colour = hand[slot].colour
    game.push(Move.tell_colour(1, colour))
    table = game.view().table
    assert int(table.singled[1]) == 1 << slot
    trust_playable_now(table)
    assert int(table.knowledge[1, slot]) == 1 << (5 * colour)  # its one
    assert all(int(table.knowledge[1, other]).bit_count() > 1 for other in range(5) if other != slot)
    game.push("play 0")
    assert not game.table.singled.any()
