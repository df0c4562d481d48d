"""The game for Python users, its text forms, and its file."""

import json
import random
import re

import numpy as np
import pytest
from conftest import VARIANTS, several, short

from tamaya import Card, Game, IllegalMove, Move, Settings
from tamaya.core.table import TABLE
from tamaya.game import replay
from tamaya.game.replay import GameFileError
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


def test_games_that_hanab_live_cannot_play_carry_their_settings():
    for settings in (Settings(colours=3, multicolour="single"), Settings(multicolour="suit"), Settings(lives=2)):
        record = replay.to_record(Game(settings))
        assert record.tamaya.settings == settings
    record = replay.to_record(Game(Settings(multicolour="wild", players=3, hand_size=4)))
    assert record.tamaya.settings is None
    assert record.options.variant == "Rainbow (6 Suits)"
    assert record.options.one_less_card


def test_nothing_can_be_done_after_the_end():
    game = play_randomly(Game(2, 3), 3)
    assert game.is_over
    assert game.legal_moves == []
    with pytest.raises(IllegalMove, match="the game is over"):
        game.push("play 0")


@pytest.mark.parametrize("settings", VARIANTS, ids=short)
def test_a_recorded_game_reads_back(settings, tmp_path):
    for seed in range(several(5, 1)):
        game = play_randomly(Game(settings, seed), seed)
        path = tmp_path / "game.json"
        replay.save(game, path, ["someone"] * settings.players)
        again = replay.load(path)
        assert again.moves == game.moves
        assert again.settings == settings
        assert again.deck == game.deck
        assert again.tables == game.tables
        assert again.seed == seed


def test_the_file_is_that_of_hanab_live(tmp_path):
    game = Game(3, 2)
    game.push(Move.play(1))
    game.push(next(move for move in game.legal_moves if str(move).startswith("tell 0")))
    replay.save(game, tmp_path / "game.json")
    data = json.loads((tmp_path / "game.json").read_text())
    assert data["players"] == ["Alice", "Bob", "Cathy"]
    assert data["deck"][0] == {"suitIndex": game.deck[0].colour, "rank": game.deck[0].rank}
    assert data["actions"][0] == {"type": 0, "target": 1}
    assert data["actions"][1]["target"] == 0
    assert data["options"] == {}


EXAMPLE = (
    "lrgpfxfhnouspdawjfkvxkydtiqauirhvmncagpwslcqbbumek",
    "adagakacahaoasatoaapafxaaaawkaazaqgawba0laabb2alkbaysabea7xaa8ajgabvwcbmpbbilabxwcbrxbb3pab1tcbuaIa9antbb5aM",
)


def test_a_perfect_game_of_hanab_live_is_perfect_here():
    """The body of a share link of hanab.live: 54 actions of three players, 25 points, 6 clues, no strike."""
    alphabet = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    deck = [divmod(alphabet.index(letter), 5) for letter in EXAMPLE[0]]
    pairs = [(alphabet.index(one), alphabet.index(two)) for one, two in zip(*[iter(EXAMPLE[1])] * 2, strict=True)]
    record = {
        "players": ["Alice", "Bob", "Cathy"],
        "deck": [{"suitIndex": suit, "rank": rank + 1} for suit, rank in deck],
        "actions": [{"type": code % 4, "target": target, "value": max(code // 4 - 1, 0)} for code, target in pairs],
    }
    game = replay.from_record(replay.loads(json.dumps(record)))
    assert (game.score, game.hint_tokens, game.lives, game.turn, game.is_over) == (25, 6, 3, 54, True)
    assert list(tell_story(game))[-1] == "Tamaya! A perfect game: 25 points."


def of_hanab_live(**changes):
    """A short game as hanab.live exports it."""
    record = {
        "id": 1234,
        "players": ["Zamiel", "Libster"],
        "deck": [{"suitIndex": card.colour, "rank": card.rank} for card in Game(2, 1).deck],
        "actions": [{"type": 2, "target": 1, "value": 3}, {"type": 2, "target": 0, "value": 4}],
        "options": {"variant": "No Variant", "timed": True, "timeBase": 120, "timePerTurn": 20},
        "notes": [["", "r1"], []],
        "seed": "p2v0s7",
    }
    return record | changes


def test_a_game_of_hanab_live_is_told_with_its_own_names_and_colours(tmp_path):
    game = replay.from_record(replay.loads(json.dumps(of_hanab_live())))
    story = "\n".join(tell_story(game))
    assert story.startswith("Zamiel and Libster play.")
    assert "Zamiel tells Libster that" in story
    assert re.search(r"Zamiel tells Libster that .* blue", story)
    assert re.search(r"Libster tells Zamiel that .* purple", story)
    assert "white" not in story
    assert "Alice" not in str(game)
    assert re.search(r"fireworks R0 Y0 G0 B0 P0", str(game))
    assert "B" in str(game.view(0)).split("Libster", 1)[1]
    assert "W" not in str(game)


@pytest.mark.parametrize(
    ("variant", "name", "letters"),
    [("6 Suits", "teal", "RYGBPT"), ("Black (6 Suits)", "black", "RYGBPK"), ("Rainbow (5 Suits)", "rainbow", "RYGBM")],
)
def test_the_suits_of_hanab_live_have_its_names(variant, name, letters):
    settings = Settings(players=2, **replay.suits_of(variant))
    deck = [{"suitIndex": card.colour, "rank": card.rank} for card in Game(settings).deck]
    game = replay.from_record(
        replay.loads(json.dumps(of_hanab_live(deck=deck, actions=[], options={"variant": variant})))
    )
    assert game.wording.letters == letters
    assert game.wording.colours[-1] == name


@pytest.mark.parametrize("end", [[], [{"type": 4, "target": 0, "value": 4}], [{"type": 5, "target": -1, "value": 10}]])
def test_a_game_of_hanab_live_is_written_back_the_same(tmp_path, end):
    record = of_hanab_live()
    record["actions"] += end
    (tmp_path / "one.json").write_text(json.dumps(record))
    replay.save(replay.load(tmp_path / "one.json"), tmp_path / "two.json")
    assert json.loads((tmp_path / "two.json").read_text()) == record


def test_a_game_of_hanab_live_that_is_played_on_keeps_what_else_is_known_of_it(tmp_path):
    game = replay.from_record(replay.loads(json.dumps(of_hanab_live())))
    game.push("play 0")
    record = replay.to_record(game)
    assert (record.players, record.id, len(record.actions)) == (["Zamiel", "Libster"], 1234, 3)
    assert replay.from_record(record).tables == game.tables


def broken_record(**changes):
    game = play_randomly(Game(3, 2), 5, moves=2)
    return json.loads(replay.dumps(replay.to_record(game))) | changes


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"actions": [{"type": 1, "target": 0}]}, "action 1: discard 0: a discard is not allowed"),
        ({"actions": [{"type": 0, "target": 7}]}, "action 1: Alice does not hold card 7"),
        ({"actions": [{"type": 9, "target": 7}]}, "no action of type 9"),
        ({"characters": [{"name": "Fuming"}]}, "characters, which change the rules"),
        ({"actions": [{"type": 4, "target": 0}, {"type": 0, "target": 0}]}, "ends the game, but others follow"),
        ({"players": ["Alice"]}, "2 to 5 players"),
        ({"options": {"variant": "Up or Down (5 Suits)"}}, "variant 'Up or Down"),
        ({"options": {"deckPlays": True}}, "option 'deck_plays'"),
        ({"deck": []}, "0 of 50 cards"),
        ({"tamaya": {"settings": {"players": 9}}}, "players must be"),
        ({"deck": 3}, "not a game in hanab.live's format"),
        ({"actions": [{"type": 0, "target": 0, "value": 3}]}, "has no value, but 3"),
        ({"tamaya": {"agents": ["piers"]}}, "1 agents for 3 seats"),
        ({"tamaya": {"seed": -5}}, "a seed is"),
        ({"tamaya": {"settings": {"players": 2}}}, "3 names for a game of 2 players"),
        ({"deck": [{"suitIndex": 0, "rank": 6}] * 50}, "no card with colour 0 and rank 6"),
    ],
)
def test_a_broken_or_illegal_file_is_refused(changes, message):
    with pytest.raises(GameFileError, match=message):
        replay.from_record(replay.loads(json.dumps(broken_record(**changes))))


def test_a_file_that_is_missing_empty_or_no_json_is_refused(tmp_path):
    with pytest.raises(GameFileError, match="cannot be read"):
        replay.load(tmp_path / "none.json")
    (tmp_path / "empty.json").write_text("\n")
    with pytest.raises(GameFileError, match="is empty"):
        replay.load(tmp_path / "empty.json")
    (tmp_path / "bytes.json").write_bytes(replay.dumps(replay.to_record(Game(2, 1))).replace(b"Alice", b"\xff\xfe"))
    with pytest.raises(GameFileError, match="not a game"):
        replay.load(tmp_path / "bytes.json")
    (tmp_path / "text.json").write_text("hello")
    with pytest.raises(GameFileError, match="not a game"):
        replay.load(tmp_path / "text.json")


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
