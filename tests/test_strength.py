"""The agents against the scores of the original Java framework."""

import numpy as np
import pytest
from conftest import compiled_only
from java import java_deck

from tamaya import Game, Settings, make_agent
from tamaya.arena import Table, play
from tamaya.loop import OUTCOME, continue_game

# Means of the Java framework at 2, 3, 4, 5 players: v0.2.4 counts correctly, v0.1 takes own past cards for unseen.
CORRECT = {
    "legal-random": (1.21, 1.24, 1.25, 1.24),
    "internal": (11.23, 10.99, 10.13, 9.98),
    "outer": (14.50, 14.39, 13.09, 12.64),
    "cautious": (16.69, 17.16, 16.44, 15.21),
    "iggi": (17.16, 16.78, 16.14, 15.05),
    "piers": (17.32, 17.54, 17.07, 16.27),
    "flawed": (1.46, 1.56, 1.68, 1.83),
    "risky(0.75)": (11.50, 16.75, 16.50, 15.69),
    "risky(0.6)": (11.17, 16.25, 16.35, 15.81),
    "vdb": (13.74, 17.74, 17.28, 16.28),
    "vdb(useless=yes)": (13.45, 17.52, 17.19, 16.21),
    "iggi2": (17.65, 17.42, 16.61, 15.35),
}
OF_2017 = {
    "internal(counting=2017)": (10.05, 9.63, 8.83, 8.44),
    "outer(counting=2017)": (13.54, 13.24, 11.99, 11.47),
    "iggi(counting=2017)": (16.45, 15.85, 15.29, 14.22),
    "piers(counting=2017)": (16.60, 16.65, 16.30, 15.47),
    "flawed(counting=2017)": (1.49, 1.60, 1.73, 1.84),
}


def games_of_java(name, players, seeds):
    """The scores of an agent on the first decks of the Java framework."""
    table = Table([make_agent(name)] * players, Settings(players=players))
    outcomes = np.zeros(seeds, OUTCOME)
    for seed in range(seeds):
        game = Game(table.settings, deck=java_deck(seed))
        arrays = (game.tables, game.deck_array, table.pointers, table.params, table.fresh_memory())
        continue_game(outcomes[seed : seed + 1], *arrays)
    return outcomes["score"]


@compiled_only
@pytest.mark.parametrize(
    ("name", "seeds", "means"),
    [
        ("vdb", 5000, CORRECT["vdb"]),
        ("vdb(useless=yes)", 3000, CORRECT["vdb(useless=yes)"]),
        ("vdb(counting=2017)", 1500, (11.74, 17.01, 16.47, 15.53)),
        ("vdb(useless=yes, counting=2017)", 1500, (11.56, 16.70, 16.40, 15.47)),
    ],
)
def test_van_den_bergh_scores_on_the_decks_of_java_what_java_scored(name, seeds, means):
    """These rules never draw lots, so the means agree to the digits given, not only within an error."""
    for players, mean in zip((2, 3, 4, 5), means, strict=True):
        assert abs(games_of_java(name, players, seeds).mean() - mean) < 0.0051


@compiled_only
@pytest.mark.parametrize(("name", "means"), [*CORRECT.items(), *OF_2017.items()])
def test_agents_reach_the_means_of_the_java_framework(name, means):
    for players, mean in zip((2, 3, 4, 5), means, strict=True):
        table = Table([make_agent(name)] * players, Settings(players=players))
        scores = np.concatenate([batch["score"] for batch in play(table, 1, 20_000)])
        assert abs(scores.mean() - mean) < 0.15


@compiled_only
def test_risky_ends_half_of_its_games_of_two_without_a_move():
    table = Table([make_agent("risky")] * 2, Settings(players=2))
    outcomes = np.concatenate(list(play(table, 1, 10_000)))
    assert abs((outcomes["ending"] == 4).mean() - 0.505) < 0.02
