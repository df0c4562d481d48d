"""Many games: the same whatever the threads, honest about failures, free of peeking."""

import hashlib
import json
import pathlib
import random

import numpy as np
import pytest
from conftest import VARIANTS, compiled_only, several, short

from tamaya import Game, Settings, make_agent, run_match
from tamaya.agents import names as known
from tamaya.agents.rule_based_agents import RECIPES
from tamaya.arena.batches import play_batches
from tamaya.arena.checks.checked_agent import TRIED
from tamaya.arena.checks.hidden_cards_check import (
    deal_anew,
    decisions,
    find_difference,
    find_peeking,
    find_peeking_here,
    sit_down_here,
)
from tamaya.arena.game_loop import NO_RULE
from tamaya.arena.seating import GameFailure, Seating, game_seeds, replay
from tamaya.engine.randomness import GAMMA, derive_seed, scramble
from tamaya.game.replay import from_record

GOLDEN = pathlib.Path(__file__).parent / "data" / "golden.json"
MORE = [
    "vdb(useless=yes)",
    "piers(counting=2017)",
    "rules(PlayProbablySafeLate, DiscardLeastLikelyToBeNecessary, TellRandomly)",
]


POLICIES = [
    *(name for name in known.POLICIES if name not in ("omniscient", "self-recognition", "duet")),
    "information(faithful)",
    "omniscient(2)",
    "self-recognition(2)",
]
USUAL = [*(Settings(players=players) for players in (2, 3, 4, 5)), Settings(players=3, multicolour="wild")]


def digest(name):
    """A fingerprint of the moves of a few games at every number of players and with a wild suit."""
    moves = hashlib.sha256()
    free = Settings(players=4, hand_size=3, empty_hints=True)
    for settings in [*USUAL, free] if name in POLICIES else USUAL:
        outcomes = Seating([make_agent(name)] * settings.players, settings).play(game_seeds(5, 0, 2))
        for one in outcomes:
            moves.update(bytes(one.moves[: one.length].tolist()))
    return moves.hexdigest()[:16]


@pytest.mark.parametrize("name", [*RECIPES, *MORE, *POLICIES])
def test_games_are_those_on_record_compiled_or_not(name):
    """Both runs of the suite, with and without the JIT, compare with the same file."""
    assert digest(name) == json.loads(GOLDEN.read_text())[name]


@compiled_only
def test_results_do_not_depend_on_threads():
    seating = Seating([make_agent("internal")] * 3, Settings(players=3))
    one, many = (np.concatenate([batch for batch, _ in play_batches(seating, 3, 3000, threads)]) for threads in (1, 5))
    assert (one == many).all()
    assert (np.concatenate([batch for batch, _ in play_batches(seating, 3, 2000, 2, first=1000)]) == one[1000:]).all()


def test_matches_of_different_seeds_share_no_game():
    for other in (2, (1 + int(GAMMA)) % (1 << 64)):
        assert not set(game_seeds(1, 0, 1000)) & set(game_seeds(other, 0, 1000))
    assert (game_seeds(1, 500, 10) == game_seeds(1, 0, 1000)[500:510]).all()


@pytest.mark.parametrize("name", [*RECIPES, *MORE])
def test_no_agent_sees_its_own_hand(name):
    for settings in TRIED[:: several(1, 6)]:
        for seed in range(several(5, 1)):
            assert find_peeking_here(make_agent(name), settings, seed) is None


@pytest.mark.parametrize("wrong", [0, 3])
def test_moves_that_a_player_does_not_make_elsewhere_are_found(wrong):
    settings = Settings(players=2)
    (outcome,) = Seating([make_agent("piers")] * 2, settings).play(game_seeds(1, 0, 1))
    game, honest = replay(settings, outcome), sit_down_here(make_agent("piers"))
    views = [view for _, view, _ in decisions(game, 0)]

    def sit_down():
        answer = honest()
        return lambda view: 99 if view.turn == views[wrong].turn else answer(view)

    assert find_difference(honest, game, 0) is None
    assert f"turn {views[wrong].turn}, it answered" in find_difference(sit_down, game, 0)


def test_peeking_is_found():
    """A player that knows the true cards moves differently where its unseen cards were dealt anew."""
    settings = Settings(players=2)
    (outcome,) = Seating([make_agent("piers")] * 2, settings).play(game_seeds(1, 0, 1))
    game = replay(settings, outcome)
    moves = {view.turn: move for _, view, move in decisions(game, 0)}
    asked = []

    def sit_down():
        asked.append(0)

        def answer(view):
            asked[-1] += 1
            return moves[view.turn] if asked[-1] < 5 else 99

        return answer

    found = find_peeking(sit_down, game, 0, random.Random(1))
    assert found is not None
    assert "but 99 when its unseen cards were dealt anew" in found


@pytest.mark.parametrize("settings", VARIANTS, ids=short)
def test_a_new_deal_of_the_hidden_cards_keeps_to_what_was_told(settings):
    seating = Seating([make_agent("outer")] * settings.players, settings)
    (outcome,) = seating.play(game_seeds(2, 0, 1))
    game = replay(settings, outcome)
    while game.moves:
        game.undo()
        for seat in range(settings.players):
            twin = deal_anew(game, seat, random.Random(game.turn))
            for card, possible in zip(twin.hands[seat], twin.possible[seat], strict=True):
                assert card in possible
            assert sorted(twin.deck_array) == sorted(game.deck_array)
            assert game.view(seat).tables == twin.view(seat).tables


@pytest.mark.parametrize("settings", VARIANTS, ids=short)
def test_the_record_of_an_outcome_is_that_of_its_game(settings):
    seating = Seating([make_agent("risky")] * settings.players, settings)
    for outcome in seating.play(game_seeds(4, 0, several(5, 1))):
        record = seating.record(outcome)
        game = from_record(record)
        assert game.tables == replay(settings, outcome).tables
        assert (record.actions[-1].type == 4) == (outcome.ending == NO_RULE)
        assert game.score == outcome.score


@pytest.mark.usefixtures("own_module")
def test_python_and_compiled_agents_play_together():
    team = [make_agent("own_agents:Patient"), make_agent("iggi"), make_agent("own_agents:Patient")]
    first, again = (Seating(team, Settings(players=3)).play(game_seeds(1, 0, 3)) for _ in range(2))
    assert (first == again).all()
    assert (first["lives"] == 3).all()
    assert first["score"].min() > 3


@pytest.mark.parametrize("name", ["internal", "flawed"])
def test_a_game_played_decision_by_decision_is_that_of_the_match(name):
    settings = Settings(players=3)
    for outcome in Seating([make_agent(name)] * 3, settings).play(game_seeds(6, 0, 3)):
        game = Game(settings, int(outcome.seed))
        players = [make_agent(name).sit_down() for _ in range(3)]
        while not game.is_over:
            game.push(players[game.seat].act(game.view()))
        assert game.moves == replay(settings, outcome).moves


def unscramble(word):
    """The inverse of the scrambling in tamaya.randomness."""
    mask = (1 << 64) - 1
    for shift, factor in ((31, 0x94D049BB133111EB), (27, 0xBF58476D1CE4E5B9), (30, None)):
        word ^= word >> shift ^ word >> 2 * shift
        word = word * pow(factor, -1, 1 << 64) & mask if factor else word
    return word


def test_the_random_state_of_a_decision_does_not_give_the_deck_away():
    game, turn = Game(seed=123456789), 0
    assert unscramble(int(scramble(np.uint64(game.seed)))) == game.seed
    found = unscramble(game.view().seed) - int(GAMMA) * (turn + 2) & (1 << 64) - 1
    assert not {game.seed, game.lots} & {found, unscramble(found)}
    streams = {int(derive_seed(np.uint64(game.seed), stream)) for stream in range(-2, 200)}
    lots = {int(derive_seed(np.uint64(game.lots), stream)) for stream in range(-2, 200)}
    assert not streams & (lots | {game.lots})


@pytest.mark.usefixtures("own_module")
def test_memory_starts_empty_in_every_game():
    seating = Seating([make_agent("own_agents:counting")] * 3, Settings(players=3))
    seeds = game_seeds(1, 0, 4)
    together = seating.play(seeds)
    alone = np.concatenate([seating.play(seeds[index : index + 1]) for index in range(4)])
    assert (together == alone).all()


@pytest.mark.usefixtures("own_module")
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("own_agents:nonsense", "answered 99, which is not a move, in the game of seed .* turn 0, seat 0"),
        ("own_agents:far_away", "answered -4398046511104, which is not a move, in the game of seed .* turn 0, seat 0"),
        ("own_agents:raising", "raised ValueError: lost my nerve .*own_agents.py:.*, in the game of seed .* turn 6"),
        ("own_agents:asking", "answered -1099511627776, which is not a move, in the game of seed .* turn 4"),
        pytest.param(
            "own_agents:spilling", "(wrote beyond its 2 words of memory|raised IndexError)", marks=compiled_only
        ),
        ("own_agents:Leaving", "raised SystemExit: 3"),
        ("own_agents:Wordless", "answered 3; act.view. must return a Move"),
    ],
)
def test_a_broken_policy_is_named_with_the_place_and_loses_no_game(name, message):
    with pytest.raises(GameFailure, match=message) as caught:
        Seating([make_agent(name)] * 3, Settings(players=3)).play(game_seeds(1, 0, 20))
    assert all(caught.value.played["ending"] > 0)


@pytest.mark.usefixtures("own_module")
def test_a_policy_without_a_move_ends_the_game_and_keeps_the_points():
    outcomes = Seating([make_agent("own_agents:quitting")] * 2, Settings(players=2)).play(game_seeds(1, 0, 2))
    assert outcomes["ending"].tolist() == [NO_RULE] * 2
    assert outcomes["length"].tolist() == [0] * 2


@pytest.mark.usefixtures("own_module")
def test_weights_lie_in_one_place_for_all_seats_and_batches():
    agent = make_agent("own_agents:heavy")
    seating = Seating([agent] * 3, Settings(players=3))
    assert set(seating.seats["params"][:3]) == {agent.params.ctypes.data}
    seating.play(game_seeds(1, 0, 2))


def test_a_match_plays_the_games_that_it_counts_and_no_others(monkeypatch):
    played, usual = [], Seating.play
    monkeypatch.setattr(Seating, "play", lambda self, seeds: played.append(len(seeds)) or usual(self, seeds))
    (summary,) = run_match(["legal-random"], [2], games=5, threads=1)
    assert sum(played) == summary.games == 5
