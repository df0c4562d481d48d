"""Seers: as strong as published, and honest about what they see."""

import pytest
from conftest import compiled_only, several

from tamaya import Game, Settings, make_agent
from tamaya.agents.names import POLICIES
from tamaya.arena.checks.checked_agent import TRIED
from tamaya.arena.seating import Seating, game_seeds
from tamaya.policies.contract import PolicyError


@pytest.mark.parametrize("name", [name for name in POLICIES if make_agent(name).sees])
def test_a_seer_never_loses_a_life(name):
    assert make_agent(name).sees == ("deck" if name == "omniscient" else "hand")
    for settings in TRIED[:: several(1, 6)]:
        outcomes = Seating([make_agent(name)] * settings.players, settings).play(game_seeds(1, 0, several(50, 1)))
        assert outcomes["misplays"].sum() == 0


@compiled_only
@pytest.mark.parametrize(
    ("name", "players", "published"),
    [
        ("seer-recommendation", 2, 24.73),
        ("seer-recommendation", 3, 24.95),
        ("seer-recommendation", 4, 24.94),
        ("seer-recommendation", 5, 24.85),
        ("seer-information", 2, 24.76),
        ("seer-information", 4, 24.90),
        ("seer-information", 5, 24.60),
    ],
)
def test_seers_with_five_cards_are_as_strong_as_those_of_bouzy(name, players, published):
    settings = Settings(players=players, hand_size=5, empty_hints=True)
    outcomes = Seating([make_agent(name)] * players, settings).play(game_seeds(1, 0, 4000))
    assert outcomes["score"].mean() > published - 0.05


@compiled_only
@pytest.mark.parametrize(("players", "mean"), [(2, 24.88), (3, 24.97), (4, 24.97), (5, 24.96)])
def test_the_cheater_is_nearly_perfect(players, mean):
    outcomes = Seating([make_agent("cheater")] * players, Settings(players=players)).play(game_seeds(1, 0, 10_000))
    assert outcomes["score"].mean() > mean - 0.02


@compiled_only
def test_who_sees_the_deck_wins_nearly_always():
    outcomes = Seating([make_agent("omniscient")] * 2, Settings(players=2)).play(game_seeds(1, 0, 150))
    assert (outcomes["score"] == 25).mean() > 0.95


@pytest.mark.usefixtures("own_module")
@pytest.mark.parametrize("name", ["search", "flat", "ris", "predictor"][several(0, 2) :])
def test_a_search_on_a_player_who_sees_its_hand_sees_its_own_and_no_deck(name):
    agent = make_agent(
        f"{name}(own_agents:open_handed, {'deals' if name == 'flat' else 'iterations'}={several(20, 1)})"
    )
    assert agent.sees == "hand"
    Seating([agent] * 3, Settings(players=3)).play(game_seeds(1, 0, several(20, 1)))


@compiled_only
def test_search_improves_a_seer():
    scores = [
        Seating([make_agent(name)] * 2, Settings(players=2, hand_size=3)).play(game_seeds(1, 0, 60))["score"]
        for name in ("seer-recommendation", "search(seer-recommendation, iterations=200)")
    ]
    assert scores[1].mean() > scores[0].mean() + 0.2


def test_a_search_that_sees_says_so_and_plays_in_matches_only():
    agent = make_agent("seeing-mcts(iggi, iterations=10)")
    assert agent.sees == "deck"
    with pytest.raises(PolicyError, match="sees hidden cards"):
        agent.sit_down().act(Game(players=2, seed=1).view())


@compiled_only
def test_a_seeing_search_plays_better_than_an_honest_one():
    seeing, honest = (
        Seating([make_agent(f"{name}(iggi, iterations=200)")] * 2, Settings(players=2)).play(game_seeds(1, 0, 40))[
            "score"
        ]
        for name in ("seeing-mcts", "mcts")
    )
    assert seeing.mean() > honest.mean() + 5


@pytest.mark.usefixtures("own_module")
def test_a_policy_that_sees_the_deck_keeps_its_own_memory():
    seating = Seating([make_agent("own_agents:foreseeing")] * 2, Settings(players=2))
    outcomes = seating.play(game_seeds(1, 0, several(20, 2)))
    assert outcomes["misplays"].sum() == 0
    assert outcomes["searched"].sum() == 0
    assert outcomes["score"].mean() > 12
