"""Agreement: agents agree with their own games, and with those of others as far as they would make their moves."""

import json
import math
import subprocess
import sys

import pytest
from conftest import TESTS, compiled_only

from tamaya import Settings, make_agent, make_team
from tamaya.arena.analysis.agreement import FLOOR, KINDS, PHASES, AgreementCount, made_moves
from tamaya.arena.matches import Match, match_entries
from tamaya.arena.seating import Seating, game_seeds, replay

pytestmark = compiled_only


def games_of(team, players=3, count=4, seed=2):
    settings, agents = Settings(players=players), make_team(team)
    seating = Seating(agents * players if len(agents) == 1 else agents, settings)
    return [replay(settings, outcome) for outcome in seating.play(game_seeds(seed, 0, count))]


def compared(names, games, asks=1):
    comparison = AgreementCount([make_agent(name) for name in names], asks)
    for game in games:
        comparison.add(game)
    return comparison.results


@pytest.mark.parametrize("name", ["piers", "legal-random", "information", "search(iggi, iterations=5)"])
def test_an_agent_agrees_with_all_of_its_own_moves(name):
    _, result = compared([name], games_of(name))
    assert result.total.agrees == 1
    assert result.margin == 0


def test_a_bot_and_a_class_agree_with_their_own_moves_too(own_module):
    for name in (f"pipe({sys.executable} {TESTS / 'rogue.py'} none)", "own_agents:Patient"):
        _, result = compared([name], games_of(name, players=2, count=2), asks=2)
        assert result.total.agrees == 1


def test_agreement_is_counted_by_seat_kind_and_phase():
    games = games_of("piers+iggi", players=2, count=10)
    chance, piers, iggi = compared(["piers", "iggi"], games)
    made = [one for game in games for one in made_moves(game)]
    for result in (chance, piers, iggi):
        assert result.total.moves == len(made) == sum(part.moves for part in result.kinds.values())
        assert sum(part.moves for part in result.phases.values()) == len(made)
        for parts in (result.kinds, result.phases):
            mean = sum(part.agrees * part.moves for part in parts.values()) / len(made)
            assert math.isclose(mean, result.total.agrees)
    for name, part in piers.kinds.items():
        assert part.moves == sum(one.kind == name for one in made)
    assert piers.kinds["play"].agrees == 1  # what iggi plays, piers plays too
    assert iggi.kinds["discard"].agrees == 1
    assert iggi.kinds["play"].agrees < 1
    assert 0.5 < iggi.total.agrees < 1


def test_likelihoods_are_those_of_the_moves():
    """Of random play they are known; an agent that never makes the moves keeps the floor."""
    games = games_of("legal-random", players=2, count=10)
    made = [one for game in games for one in made_moves(game)]
    expected = -sum(math.log(one.choices) for one in made) / len(made)
    chance, random, stubborn = compared(["legal-random", "rules(PlaySafeCard, DiscardOldestFirst)"], games, asks=200)
    assert math.isclose(chance.total.log_likelihood, expected)
    assert random.total.agrees == 1
    assert abs(random.total.log_likelihood - expected) < 0.15
    lowest = min(math.log(FLOOR / one.choices) for one in made)
    assert stubborn.kinds["tell rank"].agrees == 0
    assert lowest <= stubborn.kinds["tell rank"].log_likelihood < math.log(FLOOR / 5)


def test_the_margin_is_that_of_games_not_of_moves():
    games = games_of("piers+iggi", players=2, count=30)
    result = compared(["information"], games)[1]
    shares = [compared(["information"], [game])[1].total.agrees for game in games]
    spread = 1.96 * (sum((one - sum(shares) / 30) ** 2 for one in shares) / 29 / 30) ** 0.5
    assert spread / 1.5 < result.margin < spread * 1.5
    assert math.isnan(compared(["piers"], games[:1])[1].margin)


def test_phases_follow_the_deck():
    (game,) = games_of("piers", count=1)
    phases = [one.phase for one in made_moves(game)]
    assert [phase for index, phase in enumerate(phases) if index == 0 or phases[index - 1] != phase] == list(PHASES)
    assert phases.count("last round") == 3
    assert {one.kind for one in made_moves(game)} <= set(KINDS.values())


@pytest.fixture
def saved(tmp_path):
    match = Match(match_entries(["piers"], [Settings(players=2)]), games=3, seed=1)
    with (tmp_path / "games.jsonl").open("wb") as file:
        match.save = file
        match.run()
    return tmp_path / "games.jsonl"


def run(*arguments):
    command = [sys.executable, "-m", "tamaya", "agree", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_command_prints_a_table_or_json(saved):
    printed = run("piers", "iggi", saved, "--asks", 2)
    assert printed.returncode == 0, printed.stderr
    assert "piers                 100.0% ± 0.0%" in printed.stdout
    assert "by the kind of the move" in printed.stdout
    content = json.loads(run("piers", saved, "--asks", 2, "--games", 2, "--json").stdout)
    assert [one["games"] for one in content["results"]] == [2, 2]
    assert content["results"][1]["agrees"] == 1
    assert set(content["results"][1]["kinds"]) == set(KINDS.values())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["piers", "missing.jsonl"], "missing.jsonl cannot be read: No such file"),
        (["pires", "FILE"], "there is no agent 'pires'; did you mean piers?"),
        (["piers", "FILE", "--asks", "0"], "--asks must be at least 1"),
        (["piers", "FILE", "--games", "0"], "--games must be at least 1"),
        (["cheater", "FILE"], "cheater sees hidden cards"),
        ([f"pipe({sys.executable} {TESTS / 'rogue.py'} crash)", "FILE"], "out of ideas, at turn 2, of game 1 of"),
    ],
)
def test_what_is_wrong_is_said(saved, arguments, words):
    child = run(*(saved if one == "FILE" else one for one in arguments))
    assert child.returncode == 1
    assert words in child.stderr
    assert "Traceback" not in child.stderr
