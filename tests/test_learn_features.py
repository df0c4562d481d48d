"""The features of the evaluation function: what each one means, in positions made for it."""

import numpy as np
import pytest
from conftest import VARIANTS, several, short
from test_search import hand_made

from tamaya import Game, Move, Settings, make_agent
from tamaya.arena.seating import Seating, game_seeds, replay
from tamaya.engine.table import TABLE
from tamaya.networks.inputs.goodman_features import FEATURES, OF_A_MOVE, STATE_FEATURES
from tamaya.networks.inputs.sight_features import SIGHT_FEATURES, write_move_seen, write_state_seen


def features_of(game, move=None, convention=False):
    """The features of a move, or of the state alone, by name, as the seat to move knows them."""
    view, state = game.view().table, np.empty(len(SIGHT_FEATURES))
    write_state_seen(state, view, convention)
    if move is not None:
        found = np.empty(len(SIGHT_FEATURES))
        write_move_seen(found, state, np.empty(1, TABLE), view, game.encode(Move.parse(move)), convention)
        state = found
    return dict(zip(SIGHT_FEATURES, state.tolist(), strict=True))


def play(first, *moves, settings=None):
    """A game of two whose deck begins with some cards, after some moves."""
    game = hand_made(first, settings)
    for move in moves:
        game.push(move)
    return game


HANDS = "R1 R2 B4 B4 Y5 G1 G3 W4 W4 Y1"
"""Seat 0 holds the first five, seat 1 the others."""


def test_there_are_38_features_and_31_of_the_state():
    assert len(FEATURES) == len(set(FEATURES)) == 38
    assert len(STATE_FEATURES) == 31
    assert not set(OF_A_MOVE) & set(STATE_FEATURES)


def test_score_lives_tokens_and_deck_are_shares_of_what_there_can_be():
    start = features_of(play(HANDS))
    assert (start["SCORE"], start["INFORMATION"], start["LIVES"], start["DECK_LEFT"]) == (0, 1, 1, 1)
    later = features_of(play(HANDS, "play 0", "tell 0 4", "play 1"))  # R1, then B4
    assert later["SCORE"] == 1 / 25
    assert later["INFORMATION"] == 7 / 8
    assert later["LIVES"] == 2 / 3
    assert later["DECK_LEFT"] == 38 / 40


def test_fireworks_are_counted_rank_by_rank():
    game = play(HANDS, "play 0", "play 0", "play 0", "play 3")  # R1, G1, R2, Y1
    found = features_of(game)
    assert found["ONES_ON_TABLE"] == 3 / 5
    assert found["TWOS_ON_TABLE"] == 1 / 5
    assert found["THREES_ON_TABLE"] == found["FOURS_ON_TABLE"] == found["FIVES_ON_TABLE"] == 0


def test_points_are_unavailable_above_a_card_that_is_lost():
    hints = ("tell 1 4", "tell 0 4", "tell 1 1", "tell 0 blue")
    game = play(HANDS, *hints, "discard 2", "discard 2", "discard 2")  # B4, W4, B4
    assert features_of(game)["UNAVAILABLE_POINTS"] == 2 / 25
    game.push("discard 2")  # W4
    assert features_of(game)["UNAVAILABLE_POINTS"] == 4 / 25


def test_moves_left_count_down_once_the_deck_is_empty():
    game = Game(Settings(players=2, colours=1, ranks=5, hand_size=4, discard_at_limit=True), seed=1)
    assert features_of(game)["MOVES_LEFT"] == 1
    while int(game.table.turns_left) == 2:
        game.push("discard 0")
    assert features_of(game)["DECK_LEFT"] == 0
    assert features_of(game)["MOVES_LEFT"] == 1 / 2


def test_a_player_counts_its_likeliest_card():
    """Seat 1 was told of its ones; seat 0 knows two blue cards, and of the others what it cannot see."""
    found = features_of(play(HANDS, "tell 1 1", "tell 0 blue"))
    assert found["PLAYER_2_PLAYABLE"] == 1
    assert found["PLAYER_2_DISCARDABLE"] == 0
    blue, others = 3 / 10, (15 - 3 - 2) / (50 - 5 - 10)  # B1 of the blue ones; ones of the rest, G1 and Y1 in sight
    assert found["PLAYER_1_PLAYABLE"] == pytest.approx(max(blue, others))


def test_a_card_is_almost_playable_if_the_one_below_it_comes_next():
    found = features_of(play(HANDS, "tell 1 4", "tell 0 2"))
    assert found["PLAYER_1_PLAYABLE_PLUS_ONE"] == 1
    found = features_of(play(HANDS, "play 0", "tell 0 2"))
    assert found["PLAYER_1_PLAYABLE_PLUS_ONE"] == pytest.approx(8 / 10)  # R2 can be played now


def test_a_card_is_discardable_if_it_was_played_or_cannot_be():
    game = play("R1 R1 B4 B4 Y5 G1 G3 W4 W4 Y1", "play 0", "tell 0 red", "tell 1 1", "tell 0 1")
    assert features_of(game)["PLAYER_1_DISCARDABLE"] == 1


def test_colour_and_rank_known_are_half_of_the_information_on_a_card_each():
    game = play(HANDS, "tell 1 4", "tell 0 red")
    assert features_of(game)["PLAYER_1_INFORMATION"] == pytest.approx(2 * 0.5 / 5)
    assert features_of(game)["PLAYER_2_INFORMATION"] == pytest.approx(2 * 0.5 / 5)
    for move in ("tell 1 white", "tell 0 1"):
        game.push(move)
    assert features_of(game)["PLAYER_1_INFORMATION"] == pytest.approx((1 + 0.5) / 5)
    assert features_of(game)["PLAYER_2_INFORMATION"] == pytest.approx((1 + 1) / 5)


def test_players_come_in_the_order_of_their_turns_and_the_missing_ones_are_zeros():
    game = Game(players=3, seed=1)
    game.push(next(move for move in game.legal_moves if str(move).startswith("tell 2")))
    found = features_of(game)
    assert found["PLAYER_2_INFORMATION"] > 0
    assert found["PLAYER_1_INFORMATION"] == found["PLAYER_3_INFORMATION"] == 0
    assert all(found[name] == 0 for name in FEATURES if name.startswith(("PLAYER_4", "PLAYER_5")))


def test_a_play_has_the_odds_that_its_card_is_playable():
    game = play(HANDS, "tell 1 4", "tell 0 red", "tell 1 1", "tell 0 1")
    assert features_of(game, "play 0")["PLAY_PLAYABLE"] == 1
    found = features_of(game, "play 1")
    assert found["PLAY_CARD"] == 1
    assert found["PLAY_PLAYABLE"] == 0
    assert all(found[name] == 0 for name in OF_A_MOVE if name.startswith("DISCARD"))
    assert found["PLAYER_1_PLAYABLE"] == 1


def test_a_play_completes_its_colour_if_nothing_can_follow():
    settings = Settings(players=2, colours=2, ranks=2, hand_size=2, discard_at_limit=True)
    game = play("R1 R2 Y1 Y1", "play 0", "tell 0 2", settings=settings)
    assert features_of(game, "play 0")["PLAY_COMPLETES_COLOUR"] == 1 / 2  # R2 or Y2
    game = play("R2 R1 Y1 Y1", "discard 0", "tell 0 red", settings=settings)  # R2 has no other copy
    assert features_of(game, "play 0")["PLAY_COMPLETES_COLOUR"] == features_of(game, "play 0")["PLAY_PLAYABLE"] == 1


def test_a_discard_has_the_odds_that_its_card_is_useless():
    game = play("R1 R1 B4 B4 Y5 G1 G3 W4 W4 Y1", "play 0", "tell 0 red", "tell 1 1", "tell 0 1")
    found = features_of(game, "discard 0")
    assert found["DISCARD_CARD"] == found["DISCARD_IS_USELESS"] == 1
    assert found["DISCARD_IS_LAST_OF_USEFUL_PAIR"] == found["DISCARD_POINTS_FOREGONE"] == 0
    assert all(found[name] == 0 for name in OF_A_MOVE if name.startswith("PLAY"))


def test_a_discard_of_the_last_copy_forgoes_the_points_above_it():
    game = play("B4 R2 B4 R3 Y5 G1 G3 W4 W4 Y1", "tell 1 4", "tell 0 4", "discard 0", "tell 0 blue")
    found = features_of(game, "discard 1")  # the other B4, and B5 with it
    assert found["DISCARD_IS_LAST_OF_USEFUL_PAIR"] == 1
    assert found["DISCARD_POINTS_FOREGONE"] == 2
    five = play("Y5 R2 B4 R3 B4 G1 G3 W4 W4 Y1", "tell 1 4", "tell 0 5", "tell 1 1", "tell 0 yellow")
    assert features_of(five, "discard 0")["DISCARD_IS_LAST_OF_USEFUL_PAIR"] == 1
    assert features_of(five, "discard 0")["DISCARD_POINTS_FOREGONE"] == 1


def test_a_hint_is_valued_by_what_its_receiver_knows_then():
    game = play(HANDS)
    told, after = features_of(game, "tell 1 1"), play(HANDS, "tell 1 1", "tell 0 4")
    assert told["INFORMATION"] == 7 / 8
    assert told["PLAYER_2_PLAYABLE"] == 1
    assert told["PLAYER_2_INFORMATION"] == features_of(after)["PLAYER_2_INFORMATION"]
    assert all(told[name] == 0 for name in OF_A_MOVE)
    assert features_of(game)["PLAYER_2_PLAYABLE"] < 1


def test_a_player_finds_what_it_takes_for_playable_and_is_or_is_mistaken():
    """Seat 1 holds G1 and Y1, which are playable, G3 and two W4."""
    found = features_of(play(HANDS))
    assert found["PLAYER_2_FINDS_PLAYABLE"] == found["PLAYER_2_MISTAKES"] == pytest.approx(15 / 50, abs=0.01)
    assert found["PLAYER_2_READY"] == 0
    assert found["PLAYER_2_HOLDS_PLAYABLE"] == 2 / 5
    ones = features_of(play(HANDS), "tell 1 1")
    assert ones["PLAYER_2_FINDS_PLAYABLE"] == 1
    assert ones["PLAYER_2_MISTAKES"] == 0
    assert ones["PLAYER_2_READY"] == 2 / 5
    three = features_of(play(HANDS, "play 0", "tell 0 4"), "tell 1 green", convention=True)
    assert three["PLAYER_2_MISTAKES"] == pytest.approx(3 / 9, abs=0.05)  # G1 and G3, of which it was told together


def test_a_chop_is_the_oldest_card_that_no_hint_touched():
    game = play("R1 R2 B4 B4 Y5 G5 G3 W4 W4 Y1")
    assert features_of(game)["PLAYER_2_CHOP_POINTS"] == 1 / 5  # G5 is the only one
    assert features_of(game, "tell 1 green")["PLAYER_2_CHOP_POINTS"] == 0  # W4 has another copy
    useless = play("R1 R2 B4 B4 Y5 R1 G3 W4 W4 Y1")
    assert features_of(useless)["PLAYER_2_CHOP_USELESS"] == 0
    useless.push("play 0")
    useless.push("tell 0 4")
    assert features_of(useless)["PLAYER_2_CHOP_USELESS"] == 1


def test_of_its_own_cards_a_player_knows_what_to_expect():
    game = play(HANDS, "play 0", "tell 0 2")  # R2 in slot 0
    found = features_of(game)
    assert found["READY"] == 0
    for move in ("tell 1 4", "tell 0 red"):
        game.push(move)
    found = features_of(game)
    assert found["READY"] == 1 / 5
    assert found["EXPECTED_PLAYABLE"] > 1 / 5
    assert found["SURELY_USELESS"] == 0
    game = play("R1 R1 B4 B4 Y5 G1 G3 W4 W4 Y1", "play 0", "tell 0 red", "tell 1 1", "tell 0 1")
    assert features_of(game)["SURELY_USELESS"] == 2 / 5  # the card drawn is an R1 too


def test_colours_that_can_go_on_are_counted_among_the_cards_in_sight():
    found = features_of(play(HANDS))
    assert found["SEEN_PLAYABLE"] == 2 / 5  # G1, Y1
    assert found["SEEN_SOON"] == 0
    found = features_of(play(HANDS, "tell 1 1", "play 0"))  # seat 1 played G1 and drew R1; G3 is next but one
    assert found["SEEN_PLAYABLE"] == 2 / 5
    assert found["SEEN_SOON"] == 1 / 5


def test_pace_is_the_number_of_cards_that_can_be_lost_before_points_are():
    assert features_of(play(HANDS))["PACE"] == (0 + 40 + 2 - 25) / 25
    assert features_of(play(HANDS, "play 0"))["PACE"] == (1 + 39 + 2 - 25) / 25
    assert features_of(play(HANDS, "play 2"))["PACE"] == (0 + 39 + 2 - 25) / 25


def test_a_play_may_end_the_game_with_the_last_life():
    game = play(HANDS)
    assert features_of(game, "play 0")["PLAY_ENDS_GAME"] == 0
    game = play(HANDS, "play 2", "play 2")
    found = features_of(game, "play 0")
    assert found["PLAY_ENDS_GAME"] == pytest.approx(1 - found["PLAY_PLAYABLE"])
    assert 0 < found["PLAY_PLAYABLE"] < 1
    assert features_of(game, "discard 0")["PLAY_ENDS_GAME"] == 0


def test_by_the_convention_a_card_that_the_player_before_touched_alone_is_playable():
    game = play(HANDS)
    assert features_of(game, "tell 1 3", convention=True)["PLAYER_2_PLAYABLE"] < 1  # no three can be
    assert features_of(game, "tell 1 yellow", convention=True)["PLAYER_2_PLAYABLE"] == 1
    assert features_of(game, "tell 1 yellow")["PLAYER_2_PLAYABLE"] < 1
    game.push("tell 1 yellow")
    game.push("tell 0 yellow")  # Y5, which is not
    assert features_of(game, "play 4", convention=True)["PLAY_PLAYABLE"] == 1
    assert features_of(game, "play 4")["PLAY_PLAYABLE"] == pytest.approx(2 / 9)


@pytest.mark.parametrize("settings", VARIANTS, ids=short)
def test_features_are_shares_in_every_position_and_know_nothing_of_the_own_hand(settings):
    (outcome,) = Seating([make_agent("piers")] * settings.players, settings).play(game_seeds(3, 0, 1))
    game = replay(settings, outcome)
    for _ in range(several(30, 5)):
        if not game.moves:
            break
        game.undo()
        view = game.view().table
        assert (view.hands[view.seat][: len(game.hands[game.seat])] == -2).all()
        for move in game.legal_moves:
            found = features_of(game, str(move), convention=True)
            assert all(
                0 <= value <= 1
                for name, value in found.items()
                if "FOREGONE" not in name and name not in ("LIVES", "PACE")
            )
            assert 0 <= found["DISCARD_POINTS_FOREGONE"] <= settings.ranks
