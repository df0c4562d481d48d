"""Searches: honest, exact where that can be checked, and clear when something is wrong with their parts."""

import functools
import itertools
import json
import pathlib
from collections import Counter

import numpy as np
import pytest
from conftest import compiled_only, several

from tamaya import Card, Game, PolicyError, Settings, make_agent
from tamaya.agents.searches import SEARCHES
from tamaya.arena.checks.checked_agent import TRIED
from tamaya.arena.checks.hidden_cards_check import find_peeking_here
from tamaya.arena.seating import Seating, game_seeds
from tamaya.search.tree.nodes import NODE

GOLDEN = pathlib.Path(__file__).parent / "data" / "golden_trees.json"

SMALL = {
    "mcs": "mcs(iggi, iterations=40)",
    "mcs as published": "mcs(iggi, iterations=40, published=yes)",
    "flat": "flat(vdb, deals=2)",
    "flat with rules": "flat(legal-random, deals=4, rules=goodman)",
    "search": "search(vdb, iterations=30)",
    "search on a code": "search(information, iterations=30)",
    "search that is literal": "search(information, literal=yes, iterations=30)",
    "ris on a code": "ris(rollout=information, iterations=10)",
    "mo": "mo(iterations=60)",
    "mo with rules": "mo(rules=goodman, rollout=vdb, iterations=20)",
    "mo as published": "mo(rules=goodman, iterations=40, published=yes)",
    "mo that infers": "mo(rules=goodman, rollout=vdb, infers=yes, iterations=20)",
    "ris": "ris(iterations=60)",
    "ris with rules": "ris(rules=goodman, iterations=40)",
    "ris with convention": "ris(rules=goodman, convention=yes, rollout=vdb, iterations=20)",
    "ris that infers": "ris(rules=goodman, convention=yes, infers=yes, iterations=30)",
    "ris with a rule list": "ris(rules=iggi, iterations=30, final=value)",
    "ris-nr": "ris-nr(3, iterations=40)",
    "ris-nr of all moves": "ris-nr(1, rules=all, convention=no, iterations=20, tree_depth=1)",
    "ris with a learned leaf": "ris(rules=goodman, rollout_depth=4, leaf=evalfn(2), iterations=20)",
    "ally": "ally(iggi, vdb, legal-random, evalfn(1), iterations=40)",
    "ally by a network": "ally(likelihood=network, rules=goodman, iterations=20)",
    "ally that knows": "ally(iggi, knows=yes, rollout=vdb, iterations=20)",
    "ally-nr": "ally-nr(iggi, vdb, legal-random, evalfn(1), iterations=20)",
    "is-mcts": "is-mcts(iterations=60)",
    "predictor": "predictor(iggi, iterations=30)",
    "predictor of two": "predictor(iggi, vdb, rollout=piers, iterations=10)",
    "mcts": "mcts(iggi, iterations=40)",
}
"""Every kind of search, small enough for tests without the JIT too."""


def position(players, seed, moves):
    """A game of piers after some moves."""
    game = Game(players=players, seed=seed)
    seats = [make_agent("piers").sit_down() for _ in range(players)]
    while len(game.moves) < moves and not game.is_over:
        game.push(seats[game.seat].act(game.view()))
    return game


def grown(name):
    """The trees of a search in two positions: moves with their visits and values, and the choice."""
    found = []
    for players, moves in ((3, 0), (3 if name == "predictor of two" else 4, 25)):
        thoughts = make_agent(SMALL[name]).think(position(players, 5, moves).view())
        rows = [[one.move, one.visits, round(one.value, 9)] for one in thoughts.candidates]
        found.append({"move": thoughts.move, "depth": thoughts.depth, "candidates": sorted(rows)})
    return found


@pytest.mark.parametrize("name", SMALL)
def test_trees_are_those_on_record_compiled_or_not(name):
    assert grown(name) == json.loads(GOLDEN.read_text())[name]


def test_flat_tries_every_move_in_every_deal():
    thoughts = make_agent("flat(information, deals=3)").think(position(3, 5, 4).view())
    assert {one.visits for one in thoughts.candidates} == {3}
    assert len(thoughts.candidates) == len(position(3, 5, 4).legal_moves)


def test_every_search_is_tried():
    assert {text.split("(")[0] for text in SMALL.values()} == set(SEARCHES) - {"seeing-mcts"}


@compiled_only
@pytest.mark.parametrize("name", SMALL)
def test_no_search_sees_what_it_must_not(name):
    for settings in TRIED:
        if name != "predictor of two" or settings.players == 3:
            assert find_peeking_here(make_agent(SMALL[name]), settings, 1) is None


@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize("settings", TRIED[:: several(1, 5)], ids=str)
def test_one_iteration_gives_a_legal_move(name, settings):
    budget = "deals=1" if name == "flat" else "iterations=1"
    part = "1" if name == "ris-nr" else "legal-random"
    agent = make_agent(f"{name}({part}, {budget})")
    Seating([agent] * settings.players, settings).play(game_seeds(1, 0, several(3, 1)))


def test_iterations_are_counted_and_depth_is_bounded():
    game = position(4, 1, 8)
    thoughts = make_agent("ris(rules=goodman, iterations=200, tree_depth=1)").think(game.view())
    assert thoughts.iterations == sum(one.visits for one in thoughts.candidates) == 200
    assert thoughts.depth == 5
    assert NODE.itemsize == 48


@compiled_only
def test_a_budget_of_time_is_used_up():
    view = position(4, 1, 8).view()
    agent = make_agent("ris(rules=goodman, rollout=vdb, ms=20)")
    agent.think(view)
    assert agent.think(view).milliseconds >= 20


def hand_made(first, settings=None):
    """A game whose deck begins with some cards."""
    settings = settings or Settings(players=2)
    rest = [Card.of(card) for card in settings.cards]
    top = [Card.parse(name) for name in first.split()]
    for card in top:
        rest.remove(card)
    return Game(settings, deck=[*top, *rest])


@compiled_only
def test_a_hint_is_worth_what_it_tells_in_ris_but_not_in_mo():
    """Bob holds two ones. MO lets him see them whatever he is told, so that no hint is worth more than another."""
    view = hand_made("G4 B4 W3 Y4 B3 R1 Y1 G3 W4 B2").view()
    values = {}
    for name in ("mo", "ris"):
        thoughts = make_agent(f"{name}(iterations=300000, exploration=0.5, tree_depth=1)").think(view)
        values[name] = {one.move: one.value for one in thoughts.candidates if one.move.startswith("tell")}
    assert len(values["mo"]) == 9
    assert max(values["mo"].values()) - min(values["mo"].values()) < 0.2
    ones = values["ris"].pop("tell 1 1")
    assert ones - max(values["ris"].values()) > 0.4


LAST = Settings(players=2, colours=2, ranks=2, hand_size=2, hint_tokens=2, lives=3)


def random_value(game):
    """The expected score when everybody makes any legal move, by trying everything."""
    if game.is_over:
        return game.score
    values = []
    for move in game.legal_moves:
        game.push(move)
        values.append(random_value(game))
        game.undo()
    return sum(values) / len(values)


def exact_values(game):
    """The value of each move: averaged over all deals that the seat to move cannot exclude."""
    seat, drawn = game.seat, int(game.table.drawn)
    count = len(game.hands[seat])
    hidden = [*map(int, game.table.hands[seat][:count]), *map(int, game.deck_array[drawn:])]
    totals, deals = dict.fromkeys(map(str, game.legal_moves), 0.0), 0
    for cards, ways in Counter(itertools.permutations(hidden)).items():
        twin = game.copy()
        twin.table.hands[seat, :count] = cards[:count]
        twin.deck_array[drawn:] = cards[count:]
        if any(card not in options for card, options in zip(twin.hands[seat], game.possible[seat], strict=True)):
            continue
        deals += ways
        for move in game.legal_moves:
            twin.push(move)
            totals[str(move)] += ways * random_value(twin)
            twin.undo()
    return {move: total / deals for move, total in totals.items()}


@functools.cache
def tiny_position():
    """Few cards left, one hint given, so that everything can be tried."""
    game = Game(LAST, seed=4)
    for text in ("discard 0", "discard 0", "discard 0", "discard 0", "discard 0"):
        if any(str(move) == text for move in game.legal_moves):
            game.push(text)
        else:
            game.push(next(move for move in game.legal_moves if str(move).startswith("tell")))
    return game


@pytest.mark.parametrize("name", ["flat(deals={})", "mcs(iterations={}, exploration=3, rollout_depth=160)"])
def test_values_are_those_of_trying_everything(name):
    game = tiny_position()
    exact = exact_values(game)
    thoughts = make_agent(name.format(several(40_000, 300))).think(game.view())
    assert {one.move for one in thoughts.candidates} == set(exact)
    for one in thoughts.candidates:
        assert abs(one.value - exact[one.move]) < 4.5 * one.standard_error + 1e-9, one


@pytest.mark.parametrize("name", ["mo", "ris", "is-mcts"])
def test_the_last_move_plays_the_card_most_likely_to_fit(name):
    """When the searcher's own move ends the game, a search is exact: it plays what scores most often."""
    game = Game(LAST, seed=2)
    while int(game.table.turns_left) > 1 or len(game.moves) < 4:
        game.push(next(move for move in game.legal_moves if str(move).startswith(("discard", "tell"))))
    view = game.view()
    best = max(view.probability_playable(slot) for slot in range(len(view.hands[view.seat])))
    thoughts = make_agent(f"{name}(iterations={several(4000, 200)}, exploration=0.5)").think(view)
    plays = {one.move: one for one in thoughts.candidates if one.move.startswith("play")}
    for move, one in plays.items():
        chance = view.probability_playable(int(move.split()[1]))
        assert abs(one.value - game.score - chance) < 4.5 * one.standard_error + 1e-9
    assert view.probability_playable(int(thoughts.move.split()[1])) > best - 0.1


@compiled_only
@pytest.mark.parametrize(
    ("text", "mean", "error", "depth"),
    [
        ("ris(rules=goodman, iterations=320)", 17.50, 0.34, 7.1),
        ("ris(rules=goodman, convention=yes, iterations=300)", 19.55, 0.37, 7.1),
        ("ris(rules=goodman, convention=yes, rollout=vdb, iterations=130)", 18.10, 0.34, 4.95),
        ("mo(rollout=vdb, iterations=100)", 10.85, 0.48, 2.2),
        ("mo(rules=goodman, iterations=100, published=yes)", 9.20, 0.92, 5.4),
        ("mo(rules=goodman, rollout=vdb, iterations=100, published=yes)", 7.80, 0.37, 4.91),
    ],
)
def test_searches_score_what_the_java_code_scores_with_as_many_iterations(text, mean, error, depth):
    games = 40
    outcomes = Seating([make_agent(text)] * 4, Settings(players=4)).play(game_seeds(1, 0, games))
    scores = outcomes["score"].astype(float)
    assert abs(scores.mean() - mean) < 3 * np.hypot(error, scores.std(ddof=1) / games**0.5)
    assert abs(outcomes["depth"].sum() / outcomes["searched"].sum() - depth) < 0.5


@compiled_only
@pytest.mark.parametrize("policy", ["information", "smartbot"])
def test_a_search_of_few_deals_makes_the_move_of_its_policy(policy):
    games = [
        Seating([make_agent(name)] * 2, Settings(players=2)).play(game_seeds(1, 0, 40))["moves"]
        for name in (policy, f"search({policy}, iterations=15)")
    ]
    assert (games[0] == games[1]).all()


def test_a_search_without_a_move_says_so():
    agent = make_agent("search(rules(PlaySafeCard), iterations=20)")
    with pytest.raises(PolicyError, match="has no legal move"):
        agent.think(Game(players=2, seed=1).view())


def test_a_tree_may_be_allowed_any_depth():
    seating = Seating([make_agent("ris(tree_depth=1000000000, iterations=5)")] * 2, Settings(players=2))
    assert seating.play(game_seeds(1, 0, 1))["length"].sum() > 0
