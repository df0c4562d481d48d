"""Experiments: read strictly; line-ups and their teams."""

import tomllib

import numpy as np
import pytest
from conftest import several
from experiments import SMALL, small

from tamaya.arena.seating import game_seeds
from tamaya.experiments.cells import CellSeating, estimate
from tamaya.experiments.experiment import ExperimentError, parse_experiment, read_experiment
from tamaya.experiments.runs import Run


def teams_of(lineup, players, games=200, **changes):
    """The teams of the games of the first cell of a line-up."""
    experiment = parse_experiment({"lineup": [lineup], "players": [players], **changes})
    cell = next(iter(experiment.cells()))
    seeds = game_seeds(1, 0, games)
    teams = cell.teams(seeds)
    assert sorted(np.concatenate(list(teams.values())).tolist()) == list(range(games))
    return cell, {team: len(indices) for team, indices in teams.items()}


def test_a_pairing_puts_the_agent_at_a_seat_drawn_by_the_seed():
    _, teams = teams_of({"kind": "pairing", "agents": ["piers"], "partners": ["iggi"]}, 4)
    assert len(teams) == 4
    assert all(team.count("piers") == 1 for team in teams)
    assert min(teams.values()) > 25


def test_every_pair_alternates_around_the_table():
    _, teams = teams_of({"kind": "every-pair", "agents": ["piers", "iggi"]}, 2)
    assert set(teams) == {("piers", "piers")}
    experiment = parse_experiment({"lineup": [{"kind": "every-pair", "agents": ["piers", "iggi"]}], "players": [2]})
    assert [(cell.agent, cell.partner) for cell in experiment.cells()] == [
        ("piers", "piers"), ("piers", "iggi"), ("iggi", "iggi"),
    ]  # fmt: skip


def test_random_teams_are_drawn_anew_for_every_game():
    _, teams = teams_of({"kind": "random-teams", "agents": ["piers"], "pool": ["iggi", "outer"]}, 3)
    assert len(teams) == 3 * 4
    assert all("piers" in team for team in teams)


def test_an_agent_of_a_random_team_can_know_who_is_in_it():
    """It is told the others in turn, from the next player on, wherever it sits."""
    cell, teams = teams_of(
        {"kind": "random-teams", "agents": ["predictor({partner}, iterations=2)"], "pool": ["iggi", "outer"]}, 3
    )
    assert len(teams) == 3 * 4
    for team in teams:
        place = next(seat for seat, name in enumerate(team) if "predictor" in name)
        others = [team[(place + offset) % 3] for offset in (1, 2)]
        assert team[place] == f"predictor({', '.join(others)}, iterations=2)"
    assert len(CellSeating(cell).play(game_seeds(1, 0, several(12, 2)))) == several(12, 2)


def test_explicit_seats_play_at_their_own_number_of_players():
    experiment = parse_experiment({"lineup": [{"kind": "seats", "teams": ["piers+iggi", "vdb+vdb+iggi"]}]})
    assert [cell.members for cell in experiment.cells()] == [("piers", "iggi"), ("vdb", "vdb", "iggi")]


def test_a_lineup_has_rules_of_its_own_and_agents_that_know_their_partner(tmp_path):
    lineups = [
        {"kind": "self-play", "agents": ["piers"], "players": [2], "rules": {"hand_size": 3}},
        {
            "kind": "pairing",
            "agents": ["predictor({partner}, iterations=2)"],
            "partners": ["iggi", "flawed"],
            "players": [3],
        },
    ]
    experiment = parse_experiment({"games": 1, "rules": {"lives": 2}, "lineup": lineups})
    alone, *paired = experiment.cells()
    assert (alone.settings.hand_size, alone.settings.lives) == (3, 2)
    assert {cell.agent for cell in paired} == {"predictor({partner}, iterations=2)"}
    members = ["predictor(iggi, iterations=2)", "iggi", "iggi"]
    assert [list(cell.members) for cell in paired] == [members, [name.replace("iggi", "flawed") for name in members]]
    with Run(tmp_path, experiment) as run:
        run.play()
        assert run.missing() == 0
    for wrong, message in (
        ({"kind": "self-play", "agents": ["predictor({partner})"]}, "in pairings and random"),
        ({"kind": "random-teams", "agents": ["piers"], "pool": ["predictor({partner})"]}, "in pairings and random"),
        ({"kind": "random-teams", "agents": ["predictor({partner})"], "pool": ["seeing-mcts"]}, "sees the deck"),
        ({"kind": "pairing", "agents": ["predictor({partner})"], "partners": []}, "partners is empty"),
        (
            {"kind": "pairing", "agents": ["predictor({partner})"], "partners": ["iggi", "seeing-mcts"]},
            "sees the deck",
        ),
    ):
        with pytest.raises(ExperimentError, match=message):
            parse_experiment({"lineup": [wrong]})
    lineups[0]["rules"] = {"hand_sise": 3}
    with pytest.raises(ExperimentError, match=r"line-up 1.*hand_sise.*did you mean hand_size"):
        parse_experiment({"lineup": lineups})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"gmaes": 3}, "there is no key 'gmaes'; did you mean games"),
        ({"lineup": [{"kind": "self-pley", "agents": ["piers"]}]}, "line-up 1: kind must be .* did you mean self-play"),
        ({"lineup": [{"kind": "self-play", "agent": ["piers"]}]}, "line-up 1 .self-play.: .* did you mean agents"),
        ({"lineup": [{"kind": "self-play", "agents": ["pierz"]}]}, "line-up 1, agents: .* did you mean piers"),
        ({"lineup": [{"kind": "self-play", "agents": ["piers+iggi"]}]}, "is a team; one agent expected"),
        ({"lineup": [{"kind": "self-play", "agents": []}]}, "agents is empty"),
        ({"lineup": [{"kind": "self-play"}]}, "line-up 1 has no agents"),
        (
            {"lineup": [{"kind": "seats", "teams": ["piers+iggi"], "players": [3]}]},
            "is a team of 2, but players are .3.",
        ),
        (
            {"lineup": [{"kind": "self-play", "agents": ["predictor(iggi, piers)"], "players": [3, 2]}]},
            r"predictor\(iggi, piers\) has 2 models; .*, with 2 players",
        ),
        ({"lineup": []}, "no line-up has a game"),
        ({"lineup": 5}, "line-up must be a list, not a whole number"),
        ({"lineup": [{"kind": "self-play", "agents": ["piers"], "games": 0}]}, "games must be at least 1"),
        ({"lineup": [{"kind": "self-play", "agents": ["piers"], "players": []}]}, "players is empty"),
        ({"rules": {"empty_hints": "no"}}, "rules: empty_hints must be true or false, not a text"),
        ({"rules": {"livs": 3}}, "rules: there is no key 'livs'; did you mean lives"),
        ({"rules": {"players": 3}}, "players belong to the experiment"),
        ({"rules": {"lives": 99}}, "lives must be a whole number"),
        ({"players": [7]}, "players must be a whole number"),
        ({"games": "many"}, "games must be a whole number, not a text"),
        ({"games": 0}, "games must be at least 1"),
        ({"keep": "all"}, "keep must be outcomes or moves, not 'all'"),
        ({"seed": -1}, "a seed is"),
    ],
)
def test_a_wrong_experiment_is_refused_with_the_place(changes, message):
    with pytest.raises(ValueError, match=message):
        parse_experiment(tomllib.loads(SMALL.format(games=20)) | changes)


def test_a_file_that_is_no_experiment_is_refused(tmp_path):
    with pytest.raises(ExperimentError, match="cannot be read"):
        read_experiment(tmp_path / "none.toml")
    (tmp_path / "broken.toml").write_text("games = ")
    with pytest.raises(ExperimentError, match="is not valid TOML"):
        read_experiment(tmp_path / "broken.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ExperimentError, match="is not a text file"):
        read_experiment(tmp_path / "binary.toml")


def test_an_estimate_names_every_cell():
    rows = list(estimate(small(games=several(50, 1)).cells(), 3, seconds=0.01))
    assert [games for _, games, _ in rows] == [several(50, 1)] * 6
    assert all(seconds > 0 for _, _, seconds in rows)


def test_an_experiment_of_more_cells_than_anybody_can_play_is_refused_at_once():
    many = [f"risky(0.{number})" for number in range(1, 1500)]
    with pytest.raises(ExperimentError, match="have 4,497,000 cells; at most 100,000 are possible"):
        parse_experiment({"lineup": [{"kind": "every-pair", "agents": many}]}, with_agents=False)
    lineups = [{"kind": "pairing", "agents": ["piers", "iggi"], "partners": ["vdb"] * 3}]
    assert parse_experiment({"lineup": lineups}).size == 4 * 2 * 3
