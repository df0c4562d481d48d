"""Writes data/hle_observations.jsonl.gz anew: games of OpenSpiel, with a digest of what all seats see at each step.

It needs the extra `bench`. ``python tests/write_observations.py 500`` compares that many games of random settings
with OpenSpiel, bit for bit, and writes nothing.
"""

import gzip
import hashlib
import json
import pathlib
import random
import sys

import numpy as np

from tamaya import Game, Kind, Move, hle
from tamaya.game.hle.layout import TYPES

PATH = pathlib.Path(__file__).parent / "data" / "hle_observations.jsonl.gz"

VARIANTS = [
    *({"players": players} for players in (2, 3, 4, 5)),
    {"players": 2, "colors": 2, "hand_size": 2, "max_information_tokens": 3, "max_life_tokens": 1},
    {"players": 2, "colors": 1, "hand_size": 2, "max_information_tokens": 1},
    {"players": 3, "hand_size": 6, "ranks": 4, "max_life_tokens": 10},
    {"players": 5, "colors": 4, "ranks": 2, "hand_size": 3, "max_information_tokens": 30},
    {"players": 4, "colors": 3, "ranks": 1, "hand_size": 2, "max_life_tokens": 2},
    {"players": 3, "colors": 3, "ranks": 3, "hand_size": 3, "max_information_tokens": 2},
]
GAMES = 4


def digest(observations):
    """A short digest of some observations."""
    return hashlib.blake2b(b"".join(one.tobytes() for one in observations), digest_size=5).hexdigest()


def filled(params, observation_type):
    """Parameters with those that they leave to the rules."""
    settings = hle.settings_of(params)
    return {
        "players": settings.players,
        "colors": settings.colours,
        "ranks": settings.ranks,
        "hand_size": settings.hand_size,
        "max_information_tokens": settings.hint_tokens,
        "max_life_tokens": settings.lives,
        "observation_type": observation_type,
    }


def choose(game, chance, skill):
    """A random move; or, as often as the skill says, a card that can be played, found by peeking."""
    hits = [slot for slot, card in enumerate(game.hands[game.seat]) if int(game.table.playable) >> card.number & 1]
    if hits and chance.random() < skill:
        return hle.move_number(game, Move.play(chance.choice(hits)))
    careful = [move for move in game.legal_moves if move.kind is not Kind.PLAY]
    return hle.move_number(game, chance.choice(careful if careful and skill else game.legal_moves))


def play(params, seed, skill):
    """A game in OpenSpiel and in tamaya: its deck and moves, and the observations of all seats in each position."""
    import pyspiel

    chance, settings = random.Random(seed), hle.settings_of(params)
    game = Game(settings, seed)
    text = ",".join(f"{key}={value}" for key, value in params.items())
    state = pyspiel.load_game(f"hanabi({text})").new_initial_state()
    deck = [hle.card_number(card, settings) for card in game.deck]
    moves, seen, drawn = [], [], 0
    while True:
        while not state.is_terminal() and state.is_chance_node():
            state.apply_action(deck[drawn])
            drawn += 1
        observed = [np.array(state.observation_tensor(seat), np.uint8) for seat in range(settings.players)]
        seen.append([np.packbits(one) for one in observed])
        for seat in range(settings.players):
            mine = hle.observation(game, seat, params["observation_type"])
            assert np.array_equal(mine, observed[seat]), (params, seed, len(moves), seat)
        assert state.is_terminal() == game.is_over
        if game.is_over:
            return deck, moves, seen
        assert state.legal_actions() == hle.legal_numbers(game)
        moves.append(choose(game, chance, skill))
        game.push(hle.move_of(game, moves[-1]))
        state.apply_action(moves[-1])


def random_params(chance):
    """Parameters of a random game that can be dealt."""
    while True:
        params = {
            "players": chance.randint(2, 5),
            "colors": chance.randint(1, 5),
            "ranks": chance.randint(1, 5),
            "hand_size": chance.randint(2, 6),
            "max_information_tokens": chance.choice([1, 2, 3, 8, 20]),
            "max_life_tokens": chance.choice([1, 2, 3, 10]),
        }
        try:
            hle.settings_of(params)
        except ValueError:
            continue
        return filled(params, chance.choice(TYPES))


def compare(games):
    """Plays random games in random settings; every bit is compared."""
    positions = observations = 0
    for seed in range(games):
        params = random_params(random.Random(seed))
        _, _, seen = play(params, seed, (0, 0.7, 0.95)[seed % 3])
        positions += len(seen)
        observations += sum(map(len, seen))
    print(f"{games} games, {positions} positions, {observations} observations agree")


def write():
    """Writes the file."""
    with gzip.GzipFile(PATH, "wb", mtime=0) as file:
        for params in VARIANTS:
            for seed in range(GAMES):
                chosen = filled(params, TYPES[seed % 3])
                deck, moves, seen = play(chosen, seed, (0.95, 0, 0.7)[seed % 3])
                row = {"params": chosen, "deck": deck, "moves": moves, "digests": [digest(one) for one in seen]}
                file.write(json.dumps(row).encode() + b"\n")


if __name__ == "__main__":
    compare(int(sys.argv[1])) if sys.argv[1:] else write()
