"""The game for Python users, and its text forms."""

import random

import numpy as np
import pytest
from conftest import VARIANTS, several, short

from tamaya import Card, Game, IllegalMove, Move, Settings
from tamaya.engine.table import TABLE
from tamaya.game.story import tell_story


def play_randomly(game, seed, moves=1000):
    chance = random.Random(seed)
    while not game.is_over and moves:
        game.push(chance.choice(game.legal_moves))
        moves -= 1
    return game


@pytest.mark.parametrize("settings", VARIANTS, ids=short)
def test_undo_goes_back_to_the_very_start(settings):
    game = play_randomly(Game(settings, 1), 1)
    fresh = Game(settings, 1)
    pictures = []
    while game.moves:
        pictures.append(str(game))
        game.undo()
    assert game.tables == fresh.tables
    with pytest.raises(IndexError, match="no move to undo"):
        game.undo()
    assert len(set(pictures)) == len(pictures)


def test_a_copy_is_independent():
    game = play_randomly(Game(3, 4, lives=10), 2, moves=10)
    twin = game.copy()
    twin.push(twin.legal_moves[0])
    assert (game.turn, twin.turn, len(game.moves)) == (10, 11, 10)
    twin.undo()
    assert twin.tables == game.tables


def test_the_same_seed_deals_the_same_cards_and_another_seed_others():
    assert Game(3, 7).deck == Game(3, 7).deck != Game(3, 8).deck
    assert sorted(Game(5, 7).deck) == sorted(Game(2, 1).deck)


def test_a_view_hides_the_own_hand_and_nothing_else():
    game = play_randomly(Game(4, 9, lives=10), 9, moves=12)
    for seat in range(4):
        view = game.view(seat)
        assert view.hands[seat] == [None] * len(game.hands[seat])
        assert [hand for other, hand in enumerate(view.hands) if other != seat] == [
            hand for other, hand in enumerate(game.hands) if other != seat
        ]
        assert not hasattr(view, "deck")
        assert view.legal_moves == (game.legal_moves if seat == game.seat else [])
        assert "??" in str(view)
    with pytest.raises(ValueError, match="no seat 4"):
        game.view(4)


def test_probabilities_count_what_a_seat_has_not_seen():
    settings = Settings(players=2, colours=1, ranks=3, hand_size=2)
    game = Game(settings, deck=[Card.parse(name) for name in ("R1", "R2", "R1", "R1", "R2", "R3")])
    view = game.view(0)
    assert view.probability_playable(0) == pytest.approx(1 / 4)
    assert view.probability(0, [Card.parse("R2")]) == pytest.approx(2 / 4)
    assert view.probability_useless(0) == 0
    assert view.is_playable(Card.parse("R1"))
    assert not view.is_useless(Card.parse("R1"))


@pytest.mark.parametrize("text", ["play 0", "discard 4", "tell 1 red", "tell 3 5"])
def test_moves_read_back_from_their_text(text):
    assert str(Move.parse(text)) == text


@pytest.mark.parametrize("text", ["play", "play x", "tell 1 purple", "tell me red", ""])
def test_a_text_that_is_no_move_is_refused(text):
    with pytest.raises(ValueError, match="is not a move"):
        Move.parse(text)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 6}, "players must be a whole number from 2 to 5, not 6"),
        ({"players": 5, "hand_size": 6, "colours": 1}, "need 30 cards, but 1 suits of 5 ranks have 10"),
        ({"hand_size": 7}, "hand_size"),
        ({"colours": 7}, "colours must be a whole number from 1 to 6"),
        ({"colours": 6, "multicolour": "wild"}, "colours must be a whole number from 1 to 5"),
        ({"multicolour": "rainbow"}, "multicolour must be one of"),
        ({"lives": 0}, "lives"),
        ({"hint_tokens": True}, "hint_tokens must be a whole number"),
        ({"empty_hints": "no"}, "empty_hints must be True or False, not 'no'"),
    ],
)
def test_impossible_settings_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        Settings(**options)


def test_a_deck_must_be_complete():
    deck = Game(2, 1).deck
    with pytest.raises(ValueError, match="49 of 50 cards"):
        Game(2, deck=deck[1:])
    with pytest.raises(ValueError, match="R1 4 of 3"):
        Game(2, deck=[Card.parse("R1"), *(card for card in deck if str(card) != "W5")])
    with pytest.raises(ValueError, match="a seed is"):
        Game(2, -1)
    with pytest.raises(ValueError, match="is not a card"):
        Card.parse("X1")


def test_moves_of_no_kind_and_slots_of_no_card_are_refused():
    game = Game(2, 1)
    with pytest.raises(IllegalMove, match="no move of kind 7"):
        game.push(Move(7, 1, 1))
    for move in (Move.play(1.5), Move.tell_rank(None, 1), Move.tell_rank("1", 1), Move.tell_rank(1, 1.5)):
        with pytest.raises(IllegalMove, match="made of whole numbers"):
            game.push(move)
    assert repr(Move(0, 1)) == "<play 1>"
    with pytest.raises(IndexError, match="no card in slot 5"):
        game.view().probability_playable(5)
    with pytest.raises(TypeError, match="these options belong in the Settings"):
        Game(Settings(), hand_size=3)
    with pytest.raises(ValueError, match="a seed is"):
        Game(2, 3.5)


def test_nothing_can_be_done_after_the_end():
    game = play_randomly(Game(2, 3), 3)
    assert game.is_over
    assert game.legal_moves == []
    with pytest.raises(IllegalMove, match="the game is over"):
        game.push("play 0")


def test_a_story_tells_every_move():
    game = Game(2, 11, multicolour="wild", empty_hints=True, lives=9)
    story = list(tell_story(play_randomly(game, 3), ["one", "two"]))
    assert story[0] == "Alice (one) and Bob (two) play, game 11."
    assert len(story) == 1 + 2 + len(game.moves) + 1
    told = "\n".join(story)
    for words in ("tells Bob that the", "misplays", "discards", "that no card is", "; draws "):
        assert words in told


@pytest.mark.parametrize("seed", range(several(30, 3)))
def test_copies_stay_apart_whatever_is_pushed_undone_and_looked_at(seed):
    """Games, some of them copies of others, against games replayed from their moves."""
    chance = random.Random(seed)
    games = [Game(VARIANTS[seed % len(VARIANTS)], seed)]
    for _ in range(60):
        game = chance.choice(games)
        what = chance.random()
        if what < 0.15 and len(games) < 4:
            games.append(game.copy())
        elif what < 0.4 and game.moves:
            game.undo()
        elif what < 0.6:
            game.view(chance.randrange(game.players))
        elif not game.is_over:
            game.push(chance.choice(game.legal_moves))
    for game in games:
        twin = Game(game.settings, seed)
        for (before, move), again in zip(game.history(), game.moves, strict=True):
            assert before == twin.table
            assert move == again
            twin.push(move)
        assert game.tables == twin.tables
        for seat in range(game.players):
            view, other = game.view(seat), twin.view(seat)
            assert view.tables == other.tables
            assert all(old.is_same(new) for old, new in zip(view.past, other.past, strict=True))


def test_what_a_seat_saw_is_compared_without_the_gaps_of_records():
    game = Game(3, 1)
    game.push(game.legal_moves[0])
    seen = game.view(0).past[0]
    twin = seen._replace(tables=seen.tables.copy())
    gaps = np.ones(TABLE.itemsize, dtype=bool)
    for name in TABLE.names:
        kind, start = TABLE.fields[name]
        gaps[start : start + kind.itemsize] = False
    assert gaps.any()
    twin.tables.view(np.uint8)[gaps] = 255
    assert seen.is_same(twin)
    twin.tables[0].lives -= 1
    assert not seen.is_same(twin)
