"""How a pool of hands is renewed and drawn from, and by which of the others' moves it is weighed."""

import math
from collections import Counter

import numpy as np
import pytest
from conftest import compiled_only, several
from test_hands import chances_in, chances_of, distance, exact_beliefs, fill, moments_of, pool_of

from tamaya import Game, Kind, Move, Settings, make_agent
from tamaya.search.flat import deal_world
from tamaya.search.hands import RECENT, bring_up
from tamaya.search.pricing import take_stock
from tamaya.search.renewal import deal_hands, judge_hands
from tamaya.search.sampling import new_scratch
from tamaya.search.searchers import begin

SEARCH = "search(own_agents:pointing, hands=256, fresh=128)"
"""A search on a policy whose moves tell whether the next player's oldest card is playable."""
HINTS = (Kind.COLOUR, Kind.RANK)


def dealt_pool(view, weights):
    """A player, the beginning of its search, and its pool: hands dealt at random, with some weights."""
    search = make_agent(SEARCH)
    player, rng = search.sit_down(), np.array([1], np.uint64)
    player.catch_up(view)
    rollout, start = begin(view.tables[0], player.memory, search.params)
    pool = pool_of(player)
    pool.judged, pool.count, hands = pool.past, len(weights), pool.hands[: len(weights)]
    assert deal_hands(hands, view.tables[0], start.worlds.copy(), start.deck.copy(), rng)
    hands["weight"] = weights
    return player, rollout, start, pool


def renewed(weights):
    """The hands of a pool with some weights, before the first turn of a game and after it."""
    view = Game(2, seed=7).view()
    player, _, _, pool = dealt_pool(view, weights)
    before = pool.hands[: pool.count].copy()
    take_stock(view.tables.copy(), player.memory, player.agent.params, np.array([2], np.uint64))
    return before, pool.hands[: pool.count]


def test_worlds_hold_hands_of_the_pool_as_often_as_they_are_likely():
    view, chances, deals = Game(2, seed=7).view(), (0.05, 0.1, 0.05, 0.5, 0.3), several(2000, 200)
    _, rollout, start, pool = dealt_pool(view, np.log(chances) - 30)
    dealt, found, rng = new_scratch(start), Counter(), np.array([3], np.uint64)
    for _ in range(deals):
        deal_world(dealt, start, rollout, rng)
        found[tuple(dealt.worlds["hands"][0, view.seat, :5].tolist())] += 1
    hands = [tuple(hand) for hand in pool.hands["cards"][:5, :5].tolist()]
    assert found.keys() == set(hands)
    for hand, chance in zip(hands, chances, strict=True):
        assert abs(found[hand] / deals - chance) < 4 * math.sqrt(chance * (1 - chance) / deals)  # standard errors


def test_fresh_hands_join_a_pool_of_fewer_than_half_of_the_wanted_ones():
    """Each group counts by how many hands of one weight it is worth, however much it weighed before."""
    before, after = renewed(np.linspace(-51, -50, 127))
    assert len(after) == 127 + 128
    weights = np.exp(after["weight"] + 50)
    assert (after["weight"][:127] == before["weight"]).all()
    old, new = weights[:127], weights[127:]
    assert old.sum() / new.sum() == pytest.approx(old.sum() ** 2 / (old**2).sum() / 128)
    assert new.min() == pytest.approx(new.max())  # no move tells them apart


def test_a_pool_of_enough_hands_is_only_changed():
    before, after = renewed(np.linspace(-51, -50, 140))
    assert len(after) == 140
    assert (after["weight"] == before["weight"]).all()
    assert (after["cards"] != before["cards"]).any(axis=1).mean() > 0.5


def test_a_pool_in_which_few_hands_weigh_most_becomes_one_of_equal_weights():
    before, after = renewed(np.repeat([0.0, -6.0], [10, 190]))
    assert abs(len(after) - 256) <= 1
    assert np.ptp(after["weight"]) == 0
    assert np.exp(after["weight"]).sum() == pytest.approx(np.exp(before["weight"]).sum(), rel=0.01)
    assert len(np.unique(after["cards"], axis=0)) > 100  # ten hands and what they were changed to


@compiled_only
def test_hands_are_changed_where_older_moves_outweigh_the_latest():
    """Three moves say that the oldest card is playable, and then two that it is not."""
    game, rng = Game(2, seed=7), np.array([5], np.uint64)
    for slot in (0, 0, 0, 4, 4):
        game.push(next(one for one in game.legal_moves if one.kind in HINTS))
        game.push(Move.discard(slot))
    view = game.view()
    player, _, _, pool = dealt_pool(view, np.zeros(200))
    judge_hands(pool.hands[:200], -np.inf, view.tables[0], player.memory, player.agent.params)
    pool.hands["weight"][:200] = 0.0  # as if nothing were known of these moves
    for _ in range(60):
        take_stock(view.tables.copy(), player.memory, player.agent.params, rng)
    assert pool.count == 200
    is_playable = (int(view.table.playable) >> pool.hands["cards"][:200, 0].astype(int)) & 1
    assert is_playable.mean() > 0.9


def endless_game(moves):
    """A game in which the first player only gives hints and gets none, so that it keeps its cards."""
    game, pointing = Game(Settings(players=3, colours=6, hand_size=2), seed=5), make_agent("own_agents:pointing")
    while game.table.turn < moves:
        view = game.view()
        hints = [one for one in view.legal_moves if one.kind in HINTS and one.target != 0] if game.mover < 2 else []
        if hints:
            game.push(hints[0])
        elif game.mover == 2 and view.hint_tokens < 8:
            game.advance(pointing.sit_down().answer(view))
        else:
            game.push([one for one in view.legal_moves if one.kind not in HINTS][-1])
    return game


def test_fresh_hands_are_weighed_by_the_latest_moves_only():
    """A card may be held for longer than the moves for which a hand has room."""
    agent, view = make_agent("own_agents:pointing"), endless_game(111).view()
    player, _, start, pool = dealt_pool(view, np.zeros(1))
    hands, rng = pool.hands[:40].copy(), np.array([4], np.uint64)
    deal_hands(hands, view.tables[0], start.worlds.copy(), start.deck.copy(), rng)
    assert len(judge_hands(hands, -np.inf, view.tables[0], player.memory, player.agent.params)) == 40
    moments, revealed = moments_of(agent, view)
    assert len(moments) > RECENT + 5
    assert moments[0][0]["orders"][0, view.seat, 0] == view.table.orders[view.seat, 0]
    for hand in hands:
        wanted = np.log([*chances_of(agent, view, hand["cards"][:2].tolist(), moments[-RECENT:], revealed)])
        assert hand["weight"] == pytest.approx(wanted.sum(), rel=1e-5)
        assert hand["likelihoods"].sum() == pytest.approx(wanted.sum(), rel=1e-5)


def older_cards(beliefs):
    """The chances of all cards but the newest."""
    chances = {}
    for hand, chance in beliefs.items():
        chances[hand[:-1]] = chances.get(hand[:-1], 0.0) + chance
    return chances


@pytest.mark.parametrize("kind", [Kind.COLOUR, Kind.RANK])
def test_a_hint_on_a_card_drawn_since_tells_what_the_others_are(kind):
    """A hand counts by how many cards the new one can be beside it; which of them is drawn does not matter."""
    agent, search = make_agent("own_agents:pointing"), make_agent(SEARCH)
    settings = Settings(players=3, colours=3, ranks=3, hand_size=3, empty_hints=True)  # any hand allows the same moves
    for seed in range(5):
        game, player = Game(settings, seed=seed), search.sit_down()
        before = game.view()
        player.catch_up(before)
        fill(pool_of(player), before, exact_beliefs(agent, before))
        game.push("play 0")
        drawn = game.hands[0][-1]
        game.push(Move(kind, 0, drawn.colour if kind is Kind.COLOUR else drawn.rank))
        game.advance(agent.sit_down().answer(game.view()))
        after = game.view()
        player.catch_up(after)
        bring_up(after.tables[0], player.memory, search.params, 0, np.array([seed], np.uint64))
        found, wanted = older_cards(chances_in(pool_of(player), 3)), older_cards(exact_beliefs(agent, after))
        kept = sum(wanted[cards] for cards in found)
        assert len(found) > 4
        assert kept > 0.97  # unlikely hands are given up
        assert distance(found, {cards: wanted[cards] / kept for cards in found}) < 1e-5
