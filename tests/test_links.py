"""The share links of hanab.live: byte for byte, there and back, and whatever a browser may paste."""

import json
import random

import pytest
from conftest import several
from test_game import play_randomly
from typer.testing import CliRunner

from tamaya import Game, Settings
from tamaya.cli import app as cli
from tamaya.game import links, replay
from tamaya.game.hanab_live import VARIANTS, GameFileError

PERFECT = (
    "https://hanab.live/shared-replay-json/315lrgpfxfhnouspdawj-fkvxkydtiqauirhvmnca-gpwslcqbbumek,03adag-"
    "akacahaoasatoaapafxa-aaawkaazaqgawba0laab-b2alkbaysabea7xaa8aj-gabvwcbmpbbilabxwcbr-xbb3pab1tcbuaIa9antb-b5aM,0"
)
"""A game of three players with 54 moves and 25 points, as the site itself writes it."""


def game_in(link):
    return replay.from_record(links.decode_link(link))


def test_a_link_of_the_site_is_read_and_written_byte_for_byte():
    game = game_in(PERFECT)
    assert (game.score, game.hint_tokens, game.lives, game.turn, game.is_over) == (25, 6, 3, 54, True)
    assert replay.link(game) == PERFECT


@pytest.mark.parametrize("variant", VARIANTS)
def test_games_go_there_and_back(variant):
    for players in (2, 3, 4, 5):
        for seed in range(several(5, 1)):
            settings = Settings(players=players, **VARIANTS[variant].settings)
            game = play_randomly(Game(settings, seed), seed)
            again = game_in(replay.link(game))
            assert (again.settings, again.deck, again.moves) == (settings, game.deck, game.moves)
            assert again.tables == game.tables
            assert again.wording.letters == VARIANTS[variant].letters


@pytest.mark.parametrize(
    "text",
    [
        PERFECT.removeprefix("https://"),
        PERFECT.replace("https", "http").replace("hanab.live", "www.hanab.live"),
        PERFECT.replace("shared-replay", "replay"),
        PERFECT.removeprefix(links.SITE),
        PERFECT.removeprefix(links.SITE).replace("-", ""),
        f"  {PERFECT}#12\n",
        f"{PERFECT}?turn=3",
    ],
)
def test_every_form_of_a_link_is_read(text):
    (record,) = replay.records(text)
    assert replay.from_record(record).score == 25


def test_the_json_of_a_game_is_read_where_a_file_is_expected():
    game = play_randomly(Game(3, 1), 1)
    (record,) = replay.records(replay.dumps(replay.to_record(game)).decode())
    assert replay.from_record(record).moves == game.moves


def test_a_game_without_moves_and_one_that_was_broken_off_have_links():
    game = Game(2, 1)
    assert ",00,0" in replay.link(game).replace("-", "")
    record = replay.to_record(game)
    record.actions = [replay.Action(4, 1, 4)]
    assert links.decode_link(links.encode_link(record)).actions == record.actions
    record.actions = [replay.Action(5, -1, 10)]
    assert links.decode_link(links.encode_link(record)).actions == []


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (Settings(hand_size=4), "no place for hands of 4 cards"),
        (Settings(lives=2), "does not know the rules"),
        (Settings(colours=2), "does not know the rules"),
        (Settings(colours=3, multicolour="single"), "does not know the rules"),
    ],
)
def test_games_that_a_link_cannot_hold_have_none(settings, message):
    with pytest.raises(GameFileError, match=message):
        replay.link(Game(settings))


def test_a_game_with_an_empty_hint_has_no_link():
    game = Game(Settings(players=2, empty_hints=True), 1)
    held = {card.rank for card in game.hands[1]}
    missing = next(rank for rank in range(1, 6) if rank not in held)
    assert replay.link(game)
    game.push(f"tell 1 {missing}")
    with pytest.raises(GameFileError, match="touches no card"):
        replay.link(game)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("https://hanab.live/replay/1234#5", "save https://hanab.live/export/1234 as a file"),
        ("https://hanab.live/shared-replay/77", "export/77"),
        ("https://hanab.live/", "export/NUMBER"),
        ("https://hanab.live/shared-replay-json/", "damaged"),
        ("https://hanab.live/shared-replay-json/hello", "damaged"),
        (PERFECT.removesuffix(",0"), "damaged"),
        (PERFECT[:-2] + ",4", "variant with the number 4 is not supported"),
        (PERFECT.replace("/315", "/615"), "2 to 5 players"),
        (PERFECT.replace("/315", "/351"), "ranks go from 5 to 1"),
        (PERFECT.replace("/315", "/325"), "there is no card"),
        (PERFECT.replace("b5aM,0", "b5a,0"), "actions are not complete"),
        (PERFECT.replace("03adag", "03cbag"), "hint that says nothing"),
        (PERFECT.replace("b5aM,0", "b5aa,0"), "does not hold card 0"),
        (PERFECT.replace("/315l", "/315r"), "G2 1 of 2"),
    ],
)
def test_a_link_that_cannot_be_read_is_refused_in_words(text, message):
    with pytest.raises(GameFileError, match=message):
        [replay.from_record(record) for record in replay.records(text)]


def test_no_damaged_link_does_harm():
    chance, read = random.Random(1), 0
    alphabet = links.LETTERS + ",-/:.?#é\0\n "
    for _ in range(several(5000, 300)):
        text = list(PERFECT)
        for _ in range(chance.randint(1, 4)):
            place = chance.randrange(len(text))
            text[place : place + chance.randint(0, 2)] = chance.choices(alphabet, k=chance.randint(0, 3))
        try:
            for record in replay.records("".join(text)):
                again = replay.link(replay.from_record(record))
                assert game_in(again).deck == replay.from_record(record).deck
                read += 1
        except GameFileError:
            pass
    assert read > 0


@pytest.mark.parametrize(
    "command",
    [["show"], ["show", "--json"], ["show", "--turn", "9"], ["solve"], ["agree", "legal-random", "--asks", "1"]],
)
def test_commands_take_links(command):
    name, *options = command
    agents = [options.pop(0)] if name == "agree" else []
    answer = CliRunner().invoke(cli.app, [name, *agents, PERFECT, *options])
    assert answer.exit_code == 0, answer.output


def test_show_prints_the_link_of_a_game(tmp_path):
    game = game_in(PERFECT)
    replay.save(game, tmp_path / "game.json")
    assert PERFECT in CliRunner().invoke(cli.app, ["show", str(tmp_path / "game.json")]).stdout
    listed = json.loads(CliRunner().invoke(cli.app, ["show", str(tmp_path / "game.json"), "--json"]).stdout)
    assert [one["link"] for one in listed["games"]] == [PERFECT]


def test_a_match_prints_the_link_of_its_first_game(tmp_path):
    file = tmp_path / "games.jsonl"
    arguments = ["match", "legal-random", "--players", "2", "--games", "2", "--save", str(file)]
    printed = CliRunner().invoke(cli.app, arguments).stdout
    assert printed.rstrip().endswith(replay.link(replay.load(file)))
