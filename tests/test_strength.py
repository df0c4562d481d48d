"""The agents against the scores of the original Java framework."""

import json
import pathlib

import numpy as np
import pytest
from conftest import compiled_only
from java import JavaRandom, java_deck

from tamaya import Game, Settings, make_agent
from tamaya.arena.batches import play_batches
from tamaya.arena.game_loop import OUTCOME, continue_game
from tamaya.arena.seating import Seating
from tamaya.engine.moves import ASK

MEANS = json.loads((pathlib.Path(__file__).parent / "data" / "java_means.json").read_text())["means"]


def games_of_java(name, players, seeds):
    """The scores of an agent on the first decks of the Java framework."""
    seating = Seating([make_agent(name)] * players, Settings(players=players))
    outcomes = np.zeros(seeds, OUTCOME)
    outcomes["answer"] = ASK
    for seed in range(seeds):
        game = Game(seating.settings, deck=java_deck(seed))
        arrays = (game.tables, game.deck_array, seating.seats, seating.new_memory())
        continue_game(outcomes[seed : seed + 1], *arrays)
    return outcomes["score"]


@compiled_only
@pytest.mark.parametrize(
    ("name", "seeds"),
    [
        ("vdb", 5000),
        ("vdb(useless=yes)", 3000),
        ("iggi2", 3000),
        ("vdb(counting=2017)", 1500),
        ("vdb(useless=yes, counting=2017)", 1500),
    ],
)
def test_agents_score_on_the_decks_of_java_what_java_scored(name, seeds):
    """These never draw at random, so the means agree to the digits given, not only within an error."""
    for players, mean in zip((2, 3, 4, 5), MEANS[name], strict=True):
        assert abs(games_of_java(name, players, seeds).mean() - mean) < 0.0051


def games_by_java(name):
    """How many games the means of the Java framework rest on, by number of players."""
    return 1500 if "2017" in name else 3000 if name in ("vdb(useless=yes)", "iggi2") else 5000


@compiled_only
@pytest.mark.parametrize(("name", "means"), MEANS.items())
def test_agents_reach_the_means_of_the_java_framework(name, means):
    """Within 3.5 standard errors of the difference: by chance, one test run in 30 would be beyond."""
    for players, mean in zip((2, 3, 4, 5), means, strict=True):
        seating = Seating([make_agent(name)] * players, Settings(players=players))
        scores = np.concatenate([batch["score"] for batch, _ in play_batches(seating, 1, 10_000)])
        error = scores.std() * np.sqrt(1 / len(scores) + 1 / games_by_java(name))
        assert abs(scores.mean() - mean) < 3.5 * error + 0.005


@compiled_only
def test_flawed_scores_in_mixed_teams_on_the_decks_and_seats_of_java_what_java_scored():
    """The pairings of Walton-Rivers et al.: a seed shuffles the deck and draws the seat of the agent under test."""
    names = ("iggi", "internal", "outer", "legal-random", "vdb", "flawed", "piers")
    partners = [make_agent(name if "-" in name else f"{name}(counting=2017)") for name in names]
    flawed = make_agent("flawed(counting=2017)")
    for index, (players, mean) in enumerate(zip((2, 3, 4, 5), (3.47, 4.65, 5.54, 6.49), strict=True)):
        settings = Settings(players=players)
        teams = [
            [[*[one] * seat, flawed, *[one] * (players - 1 - seat)] for seat in range(players)] for one in partners
        ]
        seatings = [[Seating(team, settings) for team in row] for row in teams]
        outcomes = np.zeros(3 * 120 * len(partners), OUTCOME)
        outcomes["seed"], outcomes["answer"] = np.arange(len(outcomes)), ASK
        for number in range(len(outcomes)):
            chance, seed = JavaRandom(number % 120), number % 120
            seat = [chance.next_int(size) for size in (2, 3, 4, 5)][index]
            seating = seatings[number // 120 % len(partners)][seat]
            game = Game(settings, deck=java_deck(seed))
            arrays = (game.tables, game.deck_array, seating.seats, seating.new_memory())
            continue_game(outcomes[number : number + 1], *arrays)
        assert abs(outcomes["score"].mean() - mean) < 0.15


@compiled_only
def test_risky_ends_half_of_its_games_of_two_without_a_move():
    seating = Seating([make_agent("risky")] * 2, Settings(players=2))
    outcomes = np.concatenate([batch for batch, _ in play_batches(seating, 1, 10_000)])
    assert abs((outcomes["ending"] == 4).mean() - 0.505) < 0.02
