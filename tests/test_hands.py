"""What a search on a learned policy believes of its own hand."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from conftest import compiled_only, several
from towers import SMALL, drawn_towers

from tamaya import Game, Kind, Move, Settings, make_agent
from tamaya.arena.analysis.agreement import made_moves
from tamaya.arena.checks.hidden_cards_check import find_peeking_here
from tamaya.arena.seating import Seating, game_seeds, replay
from tamaya.engine.moves import MOVES
from tamaya.engine.settings import SLOTS
from tamaya.engine.table import TABLE
from tamaya.game.position import legal_at
from tamaya.networks.policy_network import UNLIKELY
from tamaya.policies.language import AgentError
from tamaya.search.beliefs.hand_pool import (
    DEVIATING,
    DOUBT,
    HAND,
    HANDS,
    HANDS_WORDS,
    LIKELY,
    RECENT,
    SHARPNESS,
    bring_up,
    copy_hand,
)
from tamaya.search.beliefs.resampling import balance, deal_hands, judge_hands, resample, vary
from tamaya.search.compare import common_deals
from tamaya.search.compare.batched_rollouts import enter_world, is_crowd, new_crowd, play_on
from tamaya.search.compare.common_deals import deal_world, try_moves
from tamaya.search.compare.move_values import take_stock, team_of
from tamaya.search.determinization import FACTS, begin, new_scratch
from tamaya.search.plan import PLAN

SEARCH = "search(own_agents:pointing, hands=256, fresh=128)"
"""A search on a policy whose moves tell whether the next player's oldest card is playable."""
HINTS = (Kind.COLOUR, Kind.RANK)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """A network that plays the small game."""
    path = tmp_path_factory.mktemp("towers") / "small.npz"
    drawn_towers().write(path)
    return path


def slots_of(table, seat):
    """The cards of a seat, by their places in the deck."""
    return [int(one) for one in table["orders"][seat] if one >= 0]


def chance_of(network, table, seat, hand, mover, move, memory):
    """How likely a network makes a move where a seat has a hand, written plainly."""
    from tamaya.engine.knowledge import look

    worlds, views, chances = table.copy(), np.empty_like(table), np.empty(MOVES)
    worlds[0].hands[seat, : len(hand)] = hand
    look(views, worlds, mover)
    network.policy.compiled("predictor")(views, memory.copy(), chances, network.params)
    sharp, likely = chances**SHARPNESS, chances > LIKELY * chances.max()
    chance = (1 - DEVIATING - DOUBT) * sharp[move] / sharp.sum()
    return chance + DEVIATING * likely[move] / likely.sum() + DOUBT / (chances > 0).sum()


def moments_of(network, view):
    """The others' moves, with what a seat saw and the network kept before each; and the seat's own past cards."""
    seat, memory, revealed, moments = view.seat, np.zeros(network.words, np.int64), {}, []
    for tables, mover, move, shown in view.past:
        if mover != seat:
            moments.append((tables, mover, move, memory.copy()))
        elif move < 2 * 6:
            revealed[slots_of(tables[0], seat)[move % 6]] = shown
        if "observer" in network.policy.kernels:
            network.policy.compiled("observer")(tables[0], mover, move, shown, memory, network.params)
    return moments, revealed


def chances_of(network, view, hand, moments, revealed):
    """How likely each of some moves of others was, if a seat has a hand."""
    cards = revealed | dict(zip(slots_of(view.table, view.seat), hand, strict=True))
    for tables, mover, move, kept in moments:
        then = [cards[order] for order in slots_of(tables[0], view.seat)]
        yield chance_of(network, tables, view.seat, then, mover, move, kept)


def exact_beliefs(network, view):
    """The chance of every hand that a seat may have, by brute force."""
    table, seat, (moments, revealed) = view.tables[0], view.seat, moments_of(network, view)
    orders = slots_of(table, seat)
    left = {card: sum((int(plane) >> card) & 1 for plane in table.unseen) for card in range(30)}
    beliefs = {}
    for hand in itertools.product(
        *([c for c in range(30) if (int(table.knowledge[seat, k]) >> c) & 1] for k in range(len(orders)))
    ):
        weight, rest = 1.0, dict(left)
        for card in hand:
            weight *= max(0, rest[card])
            rest[card] -= 1
        if weight:
            beliefs[hand] = weight * math.prod(chances_of(network, view, hand, moments, revealed))
    total = sum(beliefs.values())
    return {hand: weight / total for hand, weight in beliefs.items()}


def ways_to_deal(view, hand):
    """The logarithm of in how many ways a hand can be dealt."""
    left, ways = {card: sum((int(plane) >> card) & 1 for plane in view.table.unseen) for card in hand}, 0.0
    for card in hand:
        ways += math.log(left[card])
        left[card] -= 1
    return ways


def pool_of(player):
    """The hands that a search keeps in mind."""
    first = int(player.agent.params.view(PLAN)[0].first_hand)
    return player.memory[first : first + HANDS_WORDS].view(HANDS)[0]


def chances_in(pool, size):
    """The chance of each hand of a pool."""
    chances, total = {}, np.exp(pool.hands["weight"][: pool.count]).sum()
    for hand in pool.hands[: pool.count]:
        cards = tuple(map(int, hand["cards"][:size]))
        chances[cards] = chances.get(cards, 0.0) + math.exp(hand["weight"]) / total
    return chances


def fill(pool, view, beliefs, copies=1):
    """Makes a pool of some hands and their chances, as if it were up to date."""
    pool.judged, pool.count = pool.past, copies * len(beliefs)
    for number, (hand, chance) in enumerate([*beliefs.items()] * copies):
        pool.hands[number]["weight"], pool.hands[number]["chances"] = math.log(chance), ways_to_deal(view, hand)
        pool.hands[number]["cards"][: len(hand)] = hand


def distance(found, wanted):
    """How far two beliefs are apart, from 0 to 1."""
    return sum(abs(found.get(hand, 0.0) - wanted.get(hand, 0.0)) for hand in {*found, *wanted}) / 2


@pytest.fixture(scope="module")
def games(file):
    """Games of the network, and what both players saw when they moved."""
    outcomes = Seating([make_agent(f"network({file}, temperature=1)")] * 2, SMALL).play(game_seeds(4, 0, 6))
    return [[one.view for one in made_moves(replay(SMALL, outcome))] for outcome in outcomes]


def test_hands_that_are_kept_in_mind_stay_as_likely_as_they_are(file, games):
    network, agent = make_agent(f"network({file})"), make_agent(f"search(network({file}), hands=1024)")
    told, drawn, rng = [], [], np.array([1], np.uint64)
    for views in games:
        for before, after in zip(views, views[2:], strict=False):
            player, seat = agent.sit_down(), before.seat
            player.catch_up(before)
            beliefs, pool = exact_beliefs(network, before), pool_of(player)
            fill(pool, before, beliefs, 1024 // len(beliefs))
            player.catch_up(after)
            bring_up(after.tables[0], player.memory, agent.params, 0, rng)
            assert pool.judged == pool.past
            found = chances_in(pool, len(slots_of(after.table, seat)))
            is_told = after.past[-2].move >= 2 * 6
            (told if is_told else drawn).append(distance(found, exact_beliefs(network, after)))
    assert len(told) > 10
    assert np.median(told) < 1e-5
    assert max(told) < 0.002  # where unlikely hands are given up
    assert len(drawn) > 10
    assert np.mean(drawn) < 0.07


def test_fresh_hands_are_as_likely_as_they_are(file, games):
    network, agent = (
        make_agent(f"network({file})"),
        make_agent(f"search(network({file}), iterations=1, hands=1024, fresh=250)"),
    )
    errors = []
    for view in itertools.chain(*(views[4:] for views in games)):
        player = agent.sit_down()
        player.answer(view)
        if pool_of(player).count:
            found, wanted = (
                chances_in(pool_of(player), len(slots_of(view.table, view.seat))),
                exact_beliefs(network, view),
            )
            assert found.keys() <= wanted.keys()
            errors.append(distance(found, wanted))
    assert len(errors) > 20
    assert np.mean(errors) < 0.045


def test_exchanged_cards_lead_from_any_hands_to_those_that_are_likely(file, games):
    network, agent = make_agent(f"network({file})"), make_agent(f"search(network({file}), hands=1024, fresh=1024)")
    before, after, rng = [], [], np.array([1], np.uint64)
    for view in itertools.chain(*(views[4:] for views in games)):
        player, hands = agent.sit_down(), np.zeros(1024, HAND)
        player.catch_up(view)
        _, start = begin(view.tables[0], player.memory, agent.params)
        pool, wanted = pool_of(player), exact_beliefs(network, view)
        assert deal_hands(hands, view.tables[0], start.worlds.copy(), start.deck.copy(), rng)
        assert len(judge_hands(hands, -np.inf, view.tables[0], player.memory, agent.params)) == 1024
        pool.count, pool.judged = 1024, pool.past
        for number in range(1024):
            hands[number]["weight"] = 0.0  # as if nothing were known of the others' moves
            copy_hand(pool.hands[number], hands[number])
        size = len(slots_of(view.table, view.seat))
        before.append(distance(chances_in(pool, size), wanted))
        for _ in range(6):
            vary(view.tables[0], player.memory, agent.params, 0, rng)
        after.append(distance(chances_in(pool, size), wanted))
    assert len(before) > 20
    assert np.mean(after) < 0.045 < np.mean(before) / 2


def test_hands_dealt_anew_count_by_what_they_are_worth():
    pool = np.zeros(1, HANDS)[0]
    pool.count = 30
    pool.hands["weight"][:10] = -50.0  # worth ten hands, weighed by many moves
    pool.hands["weight"][10:30] = np.repeat([0.0, -700.0], 10)  # worth ten, weighed by few
    balance(pool, 10)
    weights = np.exp(pool.hands["weight"][:30] + 50)
    assert weights[:10].sum() == pytest.approx(10)
    assert weights[10:].sum() == pytest.approx(10)


def mean_beliefs(search, views, seeds):
    """What a search believes at each of its turns, the mean over some seeds."""
    beliefs = [{} for _ in views]
    for seed in range(seeds):
        player, rng = search.sit_down(), np.array([seed], np.uint64)
        for view, mean in zip(views, beliefs, strict=True):
            player.catch_up(view)
            take_stock(view.tables.copy(), player.memory, search.params, rng)
            for hand, chance in chances_in(pool_of(player), len(slots_of(view.table, view.seat))).items():
                mean[hand] = mean.get(hand, 0.0) + chance / seeds
    return beliefs


@compiled_only
def test_beliefs_are_right_after_many_turns(file, games):
    """Hands that were kept, copied, changed and dealt anew, from the first turn on."""
    network, agent = make_agent(f"network({file})"), make_agent(f"search(network({file}), hands=256, fresh=128)")
    errors, told = [], []
    for views in [seen[seat::2] for seen in games for seat in (0, 1)]:
        for view, found in zip(views, mean_beliefs(agent, views, 60), strict=True):
            wanted = exact_beliefs(network, view)
            ways = {hand: math.exp(ways_to_deal(view, hand)) for hand in wanted}
            counted = {hand: ways[hand] / sum(ways.values()) for hand in wanted}
            errors.append(distance(found, wanted))
            if distance(counted, wanted) > 0.2:  # the others' moves tell much
                told.append(errors[-1])
    assert len(errors) >= 40
    assert len(told) >= 10
    assert np.mean(errors) < 0.025
    assert np.mean(told) < 0.03


def test_likely_hands_take_the_place_of_unlikely_ones():
    for count, most in ((40, 64), (64, 64), (64, 32)):
        pool, weights = np.zeros(1, HANDS)[0], np.linspace(-9, 0, count)
        pool.count, pool.hands["weight"][:count] = count, weights
        pool.hands["cards"][:count, 0] = np.arange(count)
        resample(pool, most, np.array([3], np.uint64))
        assert abs(pool.count - most) <= 1
        found = np.bincount(pool.hands["cards"][: pool.count, 0], minlength=count)
        assert (np.abs(found - most * np.exp(weights) / np.exp(weights).sum()) < 1).all()
        total = np.exp(pool.hands["weight"][: pool.count]).sum()
        assert total == pytest.approx(np.exp(weights).sum(), rel=0.05)
    pool.hands["weight"][: pool.count] = 1.0
    before = pool.hands["cards"].copy()
    resample(pool, most, np.array([3], np.uint64))
    assert (pool.hands["cards"] == before).all()


def test_searches_on_learned_policies_see_nothing_that_they_must_not(file):
    agent = make_agent(f"search(network({file}), iterations={several(200, 30)}, hands=8, fresh=4, margin=0, prior=9)")
    assert find_peeking_here(agent, SMALL, 2) is None
    games = [
        Seating([make_agent(name)] * 2, SMALL).play(game_seeds(1, 0, 2)) for name in (f"network({file})", agent.name)
    ]
    assert (games[0]["moves"] != games[1]["moves"]).any()  # what it believes does decide


def test_moves_that_a_learned_policy_hardly_makes_are_not_considered(file):
    agent = make_agent(f"network({file})")
    (outcome,) = Seating([agent] * 2, SMALL).play(game_seeds(4, 0, 1))
    for one in made_moves(replay(SMALL, outcome)):
        player, chances = agent.sit_down(), np.empty(MOVES)
        player.catch_up(one.view)
        tables = one.view.tables.copy()
        agent.policy.compiled("predictor")(tables, player.memory, chances, agent.params)
        moves = agent.policy.compiled("keeper")(tables[0], player.memory, agent.params)
        assert [(moves >> move) & 1 for move in range(MOVES)] == (chances > UNLIKELY * chances.max()).astype(
            int
        ).tolist()
        assert (moves >> one.code) & 1


def test_only_policies_that_tell_their_chances_have_beliefs():
    assert make_agent("search(piers, iterations=10)").hands == 0
    with pytest.raises(AgentError, match="hands must be from 0 to 1,024"):
        make_agent("search(piers, hands=2000)")
    with pytest.raises(AgentError, match=r"fresh must be a whole number, not 2\.5"):
        make_agent("search(piers, fresh=2.5)")


def test_worlds_that_are_played_side_by_side_end_as_they_do_one_by_one(file, games):
    agent = make_agent(f"search(network({file}), iterations=10)")
    for view in games[0][3:6]:
        values = []
        for tries in (try_one_by_one, try_together):
            player = agent.sit_down()
            player.catch_up(view)
            rollout, start = begin(view.tables[0], player.memory, agent.params)
            rng, facts = np.array([5], np.uint64), np.zeros(1, FACTS)[0]
            found = np.zeros((6, MOVES))
            tries(found, int(legal_at(view.tables)), 6, start, rollout, facts, rng)
            assert facts.fault == 0
            values.append(found)
        assert (values[0] != 0).any()
        assert (values[0] == values[1]).mean() > 0.99  # but for what rounding decides


@pytest.mark.parametrize(("name", "is_together"), [("wavering", False), ("stopping", True)])
def test_only_policies_without_a_memory_of_their_own_are_played_side_by_side(name, is_together):
    """What a seat keeps to itself would be lost; a policy without a move ends a rollout either way."""
    agent = make_agent(f"search(own_agents:{name}, iterations=10, hands=0)")
    game, piers, values = Game(2, seed=3), make_agent("piers").sit_down(), []
    for _ in range(20):
        game.push(piers.act(game.view()))
    view = game.view()
    rollout, start = begin(view.tables[0], agent.sit_down().memory, agent.params)
    assert is_crowd(rollout) == is_together
    for tries in (try_one_by_one, try_together) if is_together else ():
        facts, found = np.zeros(1, FACTS)[0], np.zeros((6, MOVES))
        tries(found, int(legal_at(view.tables)), 6, start, rollout, facts, np.array([5], np.uint64))
        assert facts.fault == 0
        values.append(found)
    assert not is_together or ((values[0] == values[1]).all() and (values[0] != 0).any())


def test_worlds_that_are_not_played_to_the_end_are_worth_their_points_and_those_to_come(file, games):
    short = make_agent(f"search(network({file}), iterations=10, rollout_depth=2)")
    network, view = short.rollout, games[0][3]
    player, found = short.sit_down(), np.zeros((2, MOVES))
    player.catch_up(view)
    rollout, start = begin(view.tables[0], player.memory, short.params)
    crowd = new_crowd(1, len(start.deck), network.words)
    code, dealt, rng = view.encode(view.legal_moves[-1]), new_scratch(start), np.array([5], np.uint64)
    deal_world(dealt, start, rollout, rng)
    enter_world(crowd, 0, dealt, code, rollout)
    assert play_on(crowd, rollout, rng) == -1
    (world,) = worlds = crowd.worlds.view(TABLE)
    assert world.turn == view.turn + 3
    points = np.empty(1)
    network.policy.compiled("valuer")(worlds, crowd.memory[0], points, network.params)
    assert crowd.values[0] * rollout.scale == pytest.approx(world.score + points[0], abs=1e-6)
    assert points[0] != 0
    common_deals.try_together(found, 1 << code, 2, new_scratch(start), start, rollout, np.zeros(1, FACTS)[0], rng)
    assert (found[:, code] != found[:, code].round()).all()


def try_one_by_one(values, moves, deals, start, rollout, facts, rng):
    """What ``common_deals.try_together`` does, one world after the other; dealing uses up the same lots."""
    dealt, scratch = new_scratch(start), new_scratch(start)
    for deal in range(deals):
        deal_world(dealt, start, rollout, rng)
        lots = rng.copy()
        try_moves(values[deal], moves, dealt, scratch, rollout, facts, rng)
        rng[:] = lots


def try_together(values, moves, deals, start, rollout, facts, rng):
    """Side by side."""
    common_deals.try_together(values, moves, deals, new_scratch(start), start, rollout, facts, rng)


def answer(player, view):
    """Decides, as in a game."""
    player.answer(view)


def stock(player, view):
    """Takes stock, as in an analysis."""
    player.catch_up(view)
    take_stock(view.tables.copy(), player.memory, player.agent.params, np.array([1], np.uint64))


@pytest.mark.parametrize("look_at", [answer, stock])
def test_hands_are_weighed_by_the_moves_of_a_policy_that_observes_nothing(look_at):
    agent = make_agent("own_agents:pointing")
    search = make_agent("search(own_agents:pointing, iterations=40, hands=200, fresh=200, margin=0.02, prior=0.1)")
    search = team_of(search) if look_at is stock else search
    told = {True: [], False: []}
    for seed in range(30):
        game, player = Game(2, seed=seed), search.sit_down()
        for _ in range(3):
            game.advance(agent.sit_down().answer(game.view()))
        look_at(player, game.view())
        pool, (tables, move) = pool_of(player), game.last
        assert pool.past == 2
        oldest, mine = slots_of(tables[0], game.mover)[0], slots_of(game.table, game.mover)
        hands = pool.hands[: pool.count]
        if oldest in mine:
            weights = np.exp(hands["weight"] - hands["weight"].max())
            is_playable = (int(tables[0].playable) >> hands["cards"][:, mine.index(oldest)].astype(int)) & 1
            told[move % SLOTS == 0].append((weights * is_playable).sum() / weights.sum())
    assert len(told[True]) > 3
    assert len(told[False]) > 3
    assert min(told[True]) > 0.7
    assert max(told[False]) < 0.3


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
