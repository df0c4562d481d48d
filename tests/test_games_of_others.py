"""Files of games from elsewhere: of hanab.live and JaxMARL, in every shape, compressed or not."""

import codecs
import gzip
import json
import struct
import subprocess
import sys

import msgspec
import numpy as np
import pytest

from tamaya import Game, hle, replay
from tamaya.replay import GameFileError


def played(players, seed):
    """A game of the last legal moves, some of them plays."""
    game = Game(players, seed)
    while not game.is_over:
        game.push(game.legal_moves[0 if game.turn % 9 == 8 else -1])
    return game


GAMES = {players: [played(players, seed) for seed in (1, 2, 3)] for players in (2, 3)}


def numbers(game):
    """The moves of a game by HLE's numbers."""
    now, found = Game(game.settings, deck=game.deck), []
    for move in game.moves:
        found.append(hle.move_number(now, move))
        now.push(move)
    return found


def pairs(game):
    return [[card.colour, card.rank - 1] for card in game.deck]


def arrays(games, pad=5):
    """Games as AH2AC2 stores them: a row for each turn, in which all but one do nothing, padded at the end."""
    players = games[0].players
    nothing = hle.count_moves(games[0].settings)
    longest = max(len(game.moves) for game in games) + pad
    actions = np.full((len(games), longest, players), nothing, dtype=np.int32)
    for index, game in enumerate(games):
        for turn, number in enumerate(numbers(game)):
            actions[index, turn, turn % players] = number
    return {
        "decks": np.array([pairs(game) for game in games], dtype=np.int64),
        "actions": actions,
        "num_actions": np.array([len(game.moves) for game in games], dtype=np.int32),
        "num_players": np.array(players, dtype=np.int32),
        "scores": np.array([game.score for game in games], dtype=np.int32),
        "game_ids": np.array([100 + index for index in range(len(games))], dtype=np.int64),
        "notes": np.zeros(3, dtype=np.float32),
    }


def safetensors(content):
    """The bytes of a file of safetensors."""
    types = {"int32": "I32", "int64": "I64", "float32": "F32"}
    header, data = {"__metadata__": {"by": "us"}}, b""
    for name, values in content.items():
        text = values.tobytes()
        place = [len(data), len(data) + len(text)]
        header[name] = {"dtype": types[str(values.dtype)], "shape": list(values.shape), "data_offsets": place}
        data += text
    head = json.dumps(header).encode()
    return struct.pack("<Q", len(head)) + head + data


def jaxmarl_lists(games):
    content = {key: value.tolist() for key, value in arrays(games).items() if key != "notes"}
    return json.dumps(content).encode()


def jaxmarl_lines(games):
    rows = [{"deck": pairs(game), "actions": numbers(game), "num_players": game.players} for game in games]
    return "\n".join(map(json.dumps, rows)).encode()


def hanab_live(games, indent=None):
    rows = [json.loads(replay.dumps(replay.to_record(game))) for game in games]
    for row in rows:
        del row["tamaya"]
    return "\n".join(json.dumps(row, indent=indent) for row in rows).encode()


def in_a_list(lines):
    """Games that stand one per line as one list."""
    return b"[" + lines.replace(b"\n", b",\n") + b"]"


SHAPES = {
    "hanab.live, one per line": hanab_live,
    "hanab.live, a list": lambda games: in_a_list(hanab_live(games)),
    "hanab.live, with a byte-order mark": lambda games: codecs.BOM_UTF8 + hanab_live(games),
    "JaxMARL, a list": lambda games: in_a_list(jaxmarl_lines(games)),
    "hanab.live, a single game": lambda games: hanab_live(games[:1], indent=2),
    "JaxMARL, safetensors": lambda games: safetensors(arrays(games)),
    "JaxMARL, lists": jaxmarl_lists,
    "JaxMARL, one per line": jaxmarl_lines,
    "JaxMARL, a single game": lambda games: jaxmarl_lines(games[:1]),
}


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("is_compressed", [False, True])
@pytest.mark.parametrize("shape", SHAPES)
def test_games_are_read_in_every_shape(shape, is_compressed, players, tmp_path):
    content, path = SHAPES[shape](GAMES[players]), tmp_path / "games"
    path.write_bytes(gzip.compress(content) if is_compressed else content)
    games = [replay.from_record(record) for record in replay.records(path)]
    assert len(games) == (1 if "single" in shape else 3)
    for game, original in zip(games, GAMES[players], strict=False):
        assert game.moves == original.moves
        assert (game.deck, game.score, game.is_over) == (original.deck, original.score, True)


def test_decks_and_actions_in_two_files_are_read(tmp_path):
    decks = [{"deck": [str(card) for card in game.deck]} for game in GAMES[2]]
    (tmp_path / "decks.json").write_text(json.dumps(decks))
    with pytest.raises(GameFileError, match=r"decks.json, there are decks only; their moves are in a file actions"):
        list(replay.records(tmp_path / "decks.json"))
    (tmp_path / "actions.json").write_text(json.dumps([numbers(game) for game in GAMES[2]]))
    games = [replay.from_record(record) for record in replay.records(tmp_path / "decks.json")]
    assert [game.moves for game in games] == [game.moves for game in GAMES[2]]
    assert len(list(replay.records(tmp_path))) == len(games)
    (tmp_path / "actions.json").write_text("nothing")
    with pytest.raises(GameFileError, match=r"decks.json, not games as JaxMARL has them"):
        list(replay.records(tmp_path / "decks.json"))


def test_a_game_of_jaxmarl_keeps_its_number_and_can_be_written(tmp_path):
    (tmp_path / "games").write_bytes(safetensors(arrays(GAMES[2])))
    record = next(replay.records(tmp_path / "games"))
    assert record.id == 100
    again = replay.loads(replay.dumps(replay.to_record(replay.from_record(record))))
    assert msgspec.to_builtins(again) == msgspec.to_builtins(record)


def damaged(change):
    content = {key: value.tolist() for key, value in arrays(GAMES[2]).items() if key != "notes"}
    change(content)
    return json.dumps(content).encode()


TENSORS = safetensors(arrays(GAMES[2]))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (damaged(lambda one: one.pop("actions")), "this one has no actions"),
        (damaged(lambda one: one["decks"].pop()), "there are 2 decks, but the actions of 3 games"),
        (damaged(lambda one: one["decks"][1].pop()), "the deck has 49 of 50 cards"),
        (damaged(lambda one: one["decks"][1].__setitem__(0, [7, 0])), "there is no card with colour 7"),
        (damaged(lambda one: one["decks"][1].__setitem__(0, "x")), "game 2: not a game as JaxMARL has it"),
        (damaged(lambda one: one["actions"][0][0].__setitem__(0, 99)), "game 1: .*99 is not an HLE move"),
        (damaged(lambda one: one["actions"][0][0].__setitem__(0, 0)), "action 1: discard 0: a discard is not allowed"),
        (damaged(lambda one: one.__setitem__("num_players", 9)), "players must be a whole number from 2 to 5, not 9"),
        (damaged(lambda one: one.__setitem__("actions", [["a"]] * 3)), "not a game as JaxMARL has it"),
        (TENSORS[:300], "not a file of safetensors"),
        (TENSORS[:-100], "not a file of safetensors"),
        (struct.pack("<Q", 5) + b"{nope", "not a file of safetensors"),
        (gzip.compress(jaxmarl_lines(GAMES[2]))[:-30], "damaged or cut short"),
        (gzip.compress(b"nothing", mtime=0), "not a game in hanab.live's format"),
        (b"\x1f\x8bnonsense", "damaged or cut short"),
        (b'{"deck": [], "actions": []}', "the deck has 0 of 50 cards"),
        (b'{"deck": [[0, 0]], "actions": {}}', "not a game as JaxMARL has it|the deck has 1 of 50"),
        (b"[1, 2]", "not a game in hanab.live's format"),
        (in_a_list(hanab_live(GAMES[2])).replace(b'"players"', b'"gamers"', 1), "games, game 1: not a game"),
        (
            jaxmarl_lines(GAMES[3]).replace(b', "num_players": 3', b""),
            "2[0-9] is not an HLE move.*; it does not say num_players, so 2 players are assumed",
        ),
        (b"", "is empty"),
    ],
)
def test_what_is_wrong_with_a_file_from_elsewhere_is_said(content, words, tmp_path):
    (tmp_path / "games").write_bytes(content)
    with pytest.raises(GameFileError, match=words):
        list(map(replay.from_record, replay.records(tmp_path / "games")))


def test_commands_read_them(tmp_path):
    (tmp_path / "games.safetensors").write_bytes(safetensors(arrays(GAMES[3])))
    command = [sys.executable, "-m", "tamaya", "show", str(tmp_path / "games.safetensors"), "--json"]
    child = subprocess.run(command, capture_output=True, text=True, check=True)
    assert [row["moves"] for row in json.loads(child.stdout)["games"]] == [len(game.moves) for game in GAMES[3]]
