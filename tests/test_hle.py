"""Games of an independent implementation, replayed step by step through the public API."""

import gzip
import json
import pathlib

import pytest
from conftest import several

from tamaya import Game, Move, hle

with gzip.open(pathlib.Path(__file__).parent / "data" / "hle_games.jsonl.gz") as file:
    GAMES = [json.loads(line) for line in file]


def state(game):
    settings = game.settings
    return {
        "hands": [[hle.card_number(card, settings) for card in hand] for hand in game.hands],
        "know": hle.knowledge_of(game),
        "fw": game.fireworks,
        "lives": game.lives,
        "info": game.hint_tokens,
        "deck_size": game.deck_left,
        "disc": [hle.card_number(card, settings) for card in game.discard_pile],
        "score": game.strict_score,
        "legal": hle.legal_numbers(game),
        "cur": None if game.is_over else game.seat,
    }


@pytest.mark.parametrize("played", GAMES[:: several(1, 4)], ids=lambda played: f"{played['params']}-{played['id']}")
def test_replays_a_game_of_hle(played):
    settings = hle.settings_of(played["params"])
    game = Game(settings, deck=[hle.card_of(card, settings) for card in played["deck"]])
    for step, number, reward in zip(played["steps"], played["moves"], played["rewards"], strict=True):
        assert state(game) == step
        move = hle.move_of(game, number)
        assert hle.move_number(game, move) == number
        assert Move.parse(str(move)) == move
        before = game.strict_score
        game.push(move)
        assert game.strict_score - before == reward
    assert state(game) == played["final"]
    assert game.is_over
    ending = "lives" if not game.lives else "perfect" if game.score == game.max_score else "deck"
    assert ending == played["end"]


def test_a_number_beyond_the_moves_of_hle_is_refused():
    with pytest.raises(ValueError, match="run from 0 to 19"):
        hle.move_of(Game(2, 0), 20)
