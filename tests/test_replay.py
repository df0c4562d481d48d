"""Files of games: those of hanab.live, read and written without loss, and refused in words."""

import json
import re

import pytest
from conftest import VARIANTS, several, short
from test_game import play_randomly

from tamaya import Game, Move, Settings
from tamaya.game import replay
from tamaya.game.hanab_live import GameFileError, suits_of
from tamaya.game.story import tell_story


def test_games_that_hanab_live_cannot_play_carry_their_settings():
    for settings in (Settings(colours=3, multicolour="single"), Settings(multicolour="suit"), Settings(lives=2)):
        record = replay.to_record(Game(settings))
        assert record.tamaya.settings == settings
    record = replay.to_record(Game(Settings(multicolour="wild", players=3, hand_size=4)))
    assert record.tamaya.settings is None
    assert record.options.variant == "Rainbow (6 Suits)"
    assert record.options.one_less_card


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
    [
        ("6 Suits", "teal", "RYGBPT"),
        ("3 Suits", "blue", "RGB"),
        ("Black (6 Suits)", "black", "RYGBPK"),
        ("Rainbow (5 Suits)", "rainbow", "RYGBM"),
        ("Rainbow (3 Suits)", "rainbow", "RBM"),
    ],
)
def test_the_suits_of_hanab_live_have_its_names(variant, name, letters):
    settings = Settings(players=2, **suits_of(variant).settings)
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


def test_a_folder_is_read_as_the_games_of_its_runs_or_files(tmp_path):
    games = [play_randomly(Game(2, seed), seed) for seed in range(3)]
    for number, game in enumerate(games):
        replay.save(game, tmp_path / f"{number}.json")
    (tmp_path / "notes.txt").write_text("no game")
    (tmp_path / "weights.npz").write_bytes(b"no game either")
    assert [one.moves for one in map(replay.from_record, replay.records(tmp_path))] == [one.moves for one in games]
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        replay.save(games[0], tmp_path / name / "games.jsonl")
    assert len(list(replay.records(str(tmp_path)))) == 2
    (tmp_path / "scores").mkdir()
    (tmp_path / "scores" / "games.sqlite").touch()
    (tmp_path / "scores" / "experiment.json").write_text("{}")
    with pytest.raises(GameFileError, match=r"scores is a run without games\.jsonl, and its other files hold no moves"):
        list(replay.records(tmp_path / "scores"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(GameFileError, match='empty holds no games; runs keep them with keep = "moves"'):
        list(replay.records(tmp_path / "empty"))
