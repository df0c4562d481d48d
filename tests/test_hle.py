"""Games of an independent implementation, replayed step by step through the public API, and their observations."""

import gzip
import json
import pathlib
import random

import numpy as np
import pytest
from conftest import VARIANTS, several, short
from write_observations import PATH, digest

from tamaya import Game, Move, Settings, hle


def read(path):
    with gzip.open(path) as file:
        return [json.loads(line) for line in file]


GAMES = read(pathlib.Path(__file__).parent / "data" / "hle_games.jsonl.gz")
OBSERVED = read(PATH)


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


def replayed(played):
    """The positions of a game, from the deal to the end."""
    settings = hle.settings_of(played["params"])
    game = Game(settings, deck=[hle.card_of(card, settings) for card in played["deck"]])
    yield game
    for number in played["moves"]:
        game.push(hle.move_of(game, number))
        yield game


@pytest.mark.parametrize("played", OBSERVED[:: several(1, 5)], ids=lambda played: f"{played['params']}")
def test_every_bit_of_every_observation_is_that_of_hle(played):
    kind, seats = played["params"]["observation_type"], range(played["params"]["players"])
    for game, wanted in zip(replayed(played), played["digests"], strict=True):
        packed = [hle.packed_observation(game, seat, kind) for seat in seats]
        assert digest(packed) == wanted, game
        for seat in seats:
            whole = hle.observation(game, seat, kind)
            assert np.array_equal(np.packbits(whole), packed[seat])
            if kind != "seer":
                assert np.array_equal(hle.observation(game.view(seat), None, kind), whole)


def test_the_observations_on_record_reach_every_corner():
    endings = set()
    for played in OBSERVED:
        *_, game = replayed(played)
        endings.add("lives" if not game.lives else "perfect" if game.score == game.max_score else "deck")
    assert endings == {"lives", "perfect", "deck"}
    assert {played["params"]["observation_type"] for played in OBSERVED} == {"minimal", "card_knowledge", "seer"}


@pytest.mark.parametrize(("players", "length"), [(2, 658), (3, 956), (4, 1041), (5, 1280)])
def test_an_observation_is_as_long_as_published(players, length):
    settings = Settings(players=players)
    assert hle.observation_length(settings) == length == len(hle.observation(Game(settings)))
    assert hle.count_moves(settings) == {2: 20, 3: 30, 4: 38, 5: 48}[players]
    whole, minimal = hle.sections(settings), hle.sections(settings, "minimal")
    assert minimal == whole[:-1]
    assert [one.start + one.length for one in whole[:-1]] == [one.start for one in whole[1:]]


@pytest.mark.parametrize("settings", VARIANTS, ids=short)
def test_no_bit_of_an_observation_depends_on_what_its_seat_cannot_see(settings):
    """The same moves again, with the observer's own cards and the deck dealt anew as far as they were never shown."""
    chance, changed = random.Random(1), 0
    for seed in range(several(8, 2)):
        game = Game(settings, seed)
        while not game.is_over and (game.turn < 12 or chance.random() < 0.9):
            game.push(chance.choice(game.legal_moves))
        for seat in range(settings.players):
            twin = dealt_anew(game, seat, chance)
            changed += twin.hands[seat] != game.hands[seat]
            for kind in ("minimal", "card_knowledge"):
                assert np.array_equal(hle.observation(twin, seat, kind), hle.observation(game, seat, kind))
    assert changed or settings.max_score < 3


def dealt_anew(game, seat, chance):
    """A game that a seat cannot tell from this one: its own cards and the deck are shuffled until the hints fit."""
    twin, hand = game.copy(), game.hands[seat]
    hidden = hand + game.deck[len(game.deck) - game.deck_left :]
    for _ in range(200):
        cards = chance.sample(hidden, len(hidden))[: len(hand)]
        if all(card in possible for card, possible in zip(cards, game.possible[seat], strict=True)):
            twin.tables["hands"][0, seat, : len(hand)] = [card.number for card in cards]
            return twin
    return twin


def test_what_cannot_be_observed_is_refused_with_the_reason():
    game = Game(3, 1)
    with pytest.raises(ValueError, match="view of seat 1, not of seat 2"):
        hle.observation(game.view(1), 2)
    with pytest.raises(ValueError, match="no seat 3 at a table of 3"):
        hle.observation(game, 3)
    with pytest.raises(ValueError, match="does not show its own cards"):
        hle.observation(game.view(1), observation_type="seer")
    with pytest.raises(ValueError, match="minimal, card_knowledge or seer, not 'all'"):
        hle.observation(game, observation_type="all")
