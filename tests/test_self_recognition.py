"""Osawa's self-recognition: what a hint says about a hand, by what would have made the other player give it."""

import pytest
from conftest import compiled_only, several
from test_rules import table_of

from tamaya import Settings, make_agent
from tamaya.arena.checks.checked_agent import TRIED
from tamaya.arena.checks.hidden_cards_check import find_peeking_here
from tamaya.arena.seating import Seating, game_seeds

HANDS = ["R1 B4 R2", "Y4 W3 G3"]


def moves(game):
    """What self-recognition and outer do now."""
    return [str(make_agent(name).sit_down().act(game.view())) for name in ("self-recognition", "outer")]


def test_a_rank_that_outer_tells_only_of_playable_cards_is_played():
    game = table_of(HANDS, "play 0", "tell 0 2", top=["B5"])
    own, outer = moves(game)
    assert own == "play 1"
    assert outer.startswith("tell")


def test_a_hint_that_outer_gives_when_nothing_is_playable_is_not_played():
    game = table_of(["R1 B4 R3", "Y4 W3 G3"], "play 0", "tell 0 blue", top=["B5"])
    own, outer = moves(game)
    assert own == outer


def test_a_hint_that_nothing_explains_is_taken_literally():
    """Blue, of the oldest card, is what outer would have told; to tell of fives it has no reason."""
    game = table_of(["R1 B4 R3", "Y4 W3 G3"], "play 0", "tell 0 5", top=["B5"])
    own, outer = moves(game)
    assert own == outer


def test_a_hint_from_further_away_is_taken_literally():
    game = table_of(["R1 B4 R2", "Y4 W3 G3", "Y3 W4 G4"], "play 0", "tell 0 2", "tell 1 3", top=["B5"])
    own, outer = moves(game)
    assert own == outer


def test_it_never_looks_at_its_own_hand():
    for settings in TRIED[:: several(1, 6)]:
        assert find_peeking_here(make_agent("self-recognition(10)"), settings, 1) is None


@pytest.mark.parametrize("players", [2, 5])
def test_one_memory_for_all_plays_the_same_games_as_one_a_seat(players):
    seating = Seating([make_agent("self-recognition(20)")] * players, Settings(players=players))
    seeds = game_seeds(1, 0, several(20, 1))
    assert (seating.play(seeds)["moves"] == seating.separate().play(seeds)["moves"]).all()


@compiled_only
def test_it_is_stronger_than_outer_and_than_published():
    """Osawa reports 15.85 for two players; the margin is about three standard errors."""
    outcomes = Seating([make_agent("self-recognition")] * 2, Settings(players=2)).play(game_seeds(1, 0, 400))
    assert abs(outcomes["score"].mean() - 17.17) < 0.33
    assert outcomes["misplays"].mean() < 0.05
