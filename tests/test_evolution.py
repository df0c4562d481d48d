"""Evolution: the same whatever stops it or helps it, and what it finds plays everywhere."""

import json
import os
import re
import subprocess
import sys

import msgspec
import numpy as np
import pytest
from conftest import compiled_only, several
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from tamaya import Game, Settings, make_agent
from tamaya.arena.seating import Seating, game_seeds
from tamaya.cli.app import app
from tamaya.experiments.experiment import read_experiment
from tamaya.learn.evolution.evolution_loop import evolve, first_state, niche_of, pruned
from tamaya.learn.evolution.evolution_results import (
    compare_with,
    measured,
    niche_lines,
    pool_file,
    results_of,
    write_results,
)
from tamaya.learn.evolution.evolution_state import (
    FRESH,
    STATE,
    EvolutionPlan,
    EvolutionState,
    read_evolution,
    workspace_of,
    write_evolution,
)
from tamaya.learn.evolution.fitness import Trial, Trials
from tamaya.learn.evolution.genes import GENES, LAST_RESORT, agent_of, text_of
from tamaya.learn.evolution.genetic_operators import Breeding, child_genome, next_population, random_genome

IGGI = "PlayIfCertain, PlaySafeCard, TellAnyoneAboutUsefulCard, OsawaDiscard, DiscardOldestFirst, TellRandomly"
SMALL = EvolutionPlan((2,), (), 3, several(12, 3), several(20, 2), 7, breeding=Breeding(elite=2))


def genes_of(text):
    return [GENES.index(rule) for rule in text.split(", ")]


def test_there_are_72_genes_as_published_and_their_texts_name_the_same_agent():
    assert len(set(GENES)) == 72
    genome = random_genome(np.random.default_rng(1))
    assert make_agent(text_of(genome)).settings == agent_of(genome).settings
    assert str(make_agent(text_of(genome))) == text_of(genome)


@given(st.integers(0, 2**32))
def test_children_are_orderings_of_all_genes(seed):
    rng = np.random.default_rng(seed)
    parents = random_genome(rng), random_genome(rng)
    child = child_genome(parents, Breeding(), rng)
    assert sorted(child) == list(range(len(GENES)))


def test_a_child_begins_like_one_parent_and_goes_on_like_the_other():
    rng = np.random.default_rng(3)
    first, second = random_genome(rng), random_genome(rng)
    child = child_genome((first, second), Breeding(crossover=1.0, mutation=0.0), rng)
    cut = next(place for place in range(len(child)) if child[place] != first[place])
    assert child[:cut] == first[:cut]
    assert [gene for gene in second if gene not in child[:cut]] == list(child[cut:])


def test_the_elite_goes_on_and_the_fitter_have_more_children():
    rng = np.random.default_rng(5)
    population = [random_genome(rng) for _ in range(30)]
    how = Breeding(elite=3, crossover=0.0, mutation=0.0)
    children = next_population(population, [float(one) for one in range(30)], how, rng)
    assert children[:3] == population[29:26:-1]
    places = [population.index(child) for child in children[3:]]
    assert np.mean(places) > 22


def naive_behaviour(agent, settings, seeds):
    """Communicativeness and risk aversion, move by move in plain Python."""
    told, could, chances = 0, 0, []
    for outcome in Seating([agent] * settings.players, settings).play(seeds):
        game = Game(settings, int(outcome["seed"]))
        for code in outcome["moves"][: outcome["length"]].tolist():
            move = game.decode(code)
            could += game.hint_tokens > 0
            told += game.hint_tokens > 0 and str(move).startswith("tell")
            if str(move).startswith("play"):
                chances.append(game.view().probability_playable(code))
            game.push(move)
    return told / could, float(np.mean(chances))


def test_behaviour_is_what_a_replay_in_python_counts():
    genes = genes_of("PlayProbablySafeCard(0.4), TellAnyoneAboutUsefulCard, DiscardOldestFirst, TellRandomly")
    seeds = game_seeds(2, 0, 4)
    trial = Trials([3]).try_out(genes, seeds, True)
    assert (trial.hints, trial.caution) == pytest.approx(naive_behaviour(agent_of(genes), Settings(players=3), seeds))


def test_who_plays_only_what_is_safe_is_as_cautious_as_can_be():
    trial = Trials([2]).try_out(genes_of(IGGI), game_seeds(1, 0, several(50, 2)), True)
    assert trial.caution == 1.0
    assert 0.3 < trial.hints < 0.7


def test_mirror_fitness_is_the_mean_of_a_match_and_mixed_teams_seat_it_everywhere():
    genes, seeds = genes_of(IGGI), game_seeds(1, 0, several(30, 6))
    mirror = Seating([make_agent("iggi")] * 3, Settings(players=3)).play(seeds)["score"].mean()
    assert Trials([3]).try_out(genes, seeds).fitness == pytest.approx(mirror)
    course = Trials([3], ["legal-random", "piers"])
    mixed = []
    for partner in ("legal-random", "piers"):
        for game, seed in enumerate(seeds):
            team = [make_agent(partner)] * 3
            team[game % 3] = make_agent("iggi")
            mixed.append(Seating(team, Settings(players=3)).play(np.array([seed]))["score"][0])
    assert course.try_out(genes, seeds).fitness == pytest.approx(np.mean(mixed))
    assert course.watch(make_agent("iggi"), seeds)[0].mean() == pytest.approx(np.mean(mixed))


@compiled_only
def test_what_was_found_is_compared_with_others_on_the_same_decks():
    plan = EvolutionPlan((2,), ("outer", "vdb"), breeding=SMALL.breeding)
    found = measured(plan, Trials(plan.players, plan.partners), tuple(genes_of(IGGI)), 200)
    iggi, outer = compare_with(plan, found, ["iggi", "outer"], 200)
    assert iggi[1] == pytest.approx(found.mean)
    assert iggi[2].mean == 0
    assert outer[2].mean == pytest.approx(found.mean - outer[1])


@compiled_only
def test_games_on_the_same_deck_are_not_taken_for_independent_ones():
    plan = EvolutionPlan((2, 3), ("outer", "vdb"), breeding=SMALL.breeding)
    course = Trials(plan.players, plan.partners)
    found = measured(plan, course, tuple(genes_of(IGGI)), 200)
    scores = course.watch(make_agent("iggi"), game_seeds(plan.seed + FRESH, 0, 200))[0]
    assert scores.shape == (4, 200)
    assert found.games == 800
    assert found.mean == pytest.approx(scores.mean())
    assert found.half == pytest.approx(1.97 * scores.mean(0).std(ddof=1) / 200**0.5, rel=0.01)


class Killed(BaseException):
    """Stands for a signal."""


@pytest.mark.parametrize("niches", [0, 4])
def test_an_evolution_that_was_stopped_goes_on_to_the_very_same_end(tmp_path, niches):
    plan = EvolutionPlan((2,), (), 3, SMALL.population, SMALL.games, 7, niches, SMALL.breeding)
    evolve(plan, tmp_path / "whole", 1)
    told = 0

    def kill(state, games):
        nonlocal told
        told += 1
        if told == SMALL.population + 2:
            raise Killed

    with pytest.raises(Killed):
        evolve(plan, tmp_path / "stopped", 3, kill)
    assert read_evolution(tmp_path / "stopped", plan).generation == 1
    evolve(plan, tmp_path / "stopped", 2)
    assert (tmp_path / "stopped" / STATE).read_bytes() == (tmp_path / "whole" / STATE).read_bytes()


def test_more_generations_go_on_and_another_plan_is_refused(tmp_path):
    one = EvolutionPlan((2,), (), 1, SMALL.population, SMALL.games, 7, breeding=SMALL.breeding)
    evolve(one, tmp_path)
    assert evolve(SMALL, tmp_path).generation == 3
    with pytest.raises(ValueError, match="at least as many"):
        evolve(one, tmp_path)
    with pytest.raises(ValueError, match="was begun with --seed=7, not with --seed=8; give the same options"):
        evolve(EvolutionPlan((2,), (), 3, SMALL.population, SMALL.games, 8, breeding=SMALL.breeding), tmp_path)
    (tmp_path / STATE).write_text("{")
    with pytest.raises(ValueError, match=r"is damaged: .*; delete it to begin anew, or choose another directory"):
        evolve(SMALL, tmp_path)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"players": (2, 3)}, "was begun with --players=2, not with --players=2,3"),
        ({"partners": ("iggi", "vdb")}, "was begun with --partners=none, not with --partners=iggi,vdb"),
        ({"niches": 3}, "was begun with --map-elites=0, not with --map-elites=3"),
        ({"breeding": Breeding(elite=2, mutation=0.2)}, "was begun with --mutation=0.1, not with --mutation=0.2"),
    ],
)
def test_what_differs_is_called_as_it_is_given(tmp_path, change, words):
    write_evolution(tmp_path, SMALL, first_state(SMALL))
    with pytest.raises(ValueError, match=words):
        evolve(msgspec.structs.replace(SMALL, **change), tmp_path)


@pytest.mark.parametrize("damage", ["gene", "twice", "fewer"])
def test_genomes_that_are_none_are_refused(tmp_path, damage):
    population = first_state(SMALL).population
    first = population[0]
    damaged = {"gene": (999, *first[1:]), "twice": (first[1], *first[1:])}
    whole = population[1:] if damage == "fewer" else [damaged[damage], *population[1:]]
    write_evolution(tmp_path, SMALL, EvolutionState(whole))
    with pytest.raises(ValueError, match="does not hold what evolves by its own plan; delete it to begin anew"):
        evolve(SMALL, tmp_path)


def test_a_directory_of_others_is_left_as_it_is(tmp_path):
    (tmp_path / "checkpoint.pt").touch()
    with pytest.raises(ValueError, match=r"holds checkpoint\.pt, but no evolution\.json; choose an empty directory"):
        evolve(SMALL, tmp_path)
    assert [one.name for one in tmp_path.iterdir()] == ["checkpoint.pt"]
    with pytest.raises(ValueError, match="is a file; choose a directory"):
        evolve(SMALL, tmp_path / "checkpoint.pt")


def test_two_processes_do_not_evolve_in_one_directory(tmp_path):
    write_evolution(tmp_path, SMALL, first_state(SMALL))
    with workspace_of(tmp_path).locked(), pytest.raises(ValueError, match="another process is running in"):
        evolve(SMALL, tmp_path)
    assert evolve(SMALL, tmp_path).generation == 3


@compiled_only
def test_a_short_evolution_beats_the_lists_that_people_made(tmp_path):
    """On fresh decks; iggi, piers and vdb have 17.1, 17.3 and 13.8 points."""
    plan = EvolutionPlan((2,), (), 12, 80, 50, 1, breeding=Breeding(elite=8))
    state = evolve(plan, tmp_path)
    (found,) = results_of(plan, state, 2000)
    assert found.mean - found.half > 18
    assert state.history[0].mean < state.history[-1].mean
    again = Seating([make_agent(found.agent)] * 2, Settings(players=2)).play(game_seeds(plan.seed + 2_000_000, 0, 2000))
    assert again["score"].mean() == pytest.approx(found.mean)


def test_pruned_genes_play_the_same_games():
    genome, course, seeds = random_genome(np.random.default_rng(2)), Trials([2]), game_seeds(4, 0, several(30, 2))
    genes = pruned(course, genome, seeds)
    assert len(genes) < len(genome)
    assert genes[-1] == LAST_RESORT
    assert course.moves(genes, seeds) == course.moves(genome, seeds)
    for gene in genes[:-1]:
        assert course.moves([one for one in genes if one != gene], seeds) != course.moves(genome, seeds)


@compiled_only
def test_elites_stand_in_their_niches_and_are_partners_for_experiments(tmp_path):
    plan = EvolutionPlan((2,), (), 2, SMALL.population, SMALL.games, 7, 4, SMALL.breeding)
    state = evolve(plan, tmp_path)
    for one in state.niches:
        assert niche_of(plan, Trial(one.fitness, one.hints, one.caution)) == (one.row, one.column)
        trial = Trials([2]).try_out(one.genome, game_seeds(7, 0, plan.games), True)
        assert trial == (one.fitness, one.hints, one.caution)
    found = results_of(plan, state, 10)
    write_results(tmp_path, plan, state, found)
    assert (tmp_path / "agents.txt").read_text().splitlines() == [one.agent for one in found]
    (lineup,) = read_experiment(tmp_path / "partners.toml").lineup
    assert lineup.partners == [one.agent for one in found]
    assert len(niche_lines(plan, found)) == 2 + plan.niches
    assert pool_file(plan, found).count("rules(") == len(state.niches)


def command(tmp_path, *arguments):
    environment = os.environ | {"NO_COLOR": "1"}
    return subprocess.run(
        [sys.executable, "-m", "tamaya", "evolve", *arguments],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--fitness", "miror"], "--fitness must be mirror or mixed, not 'miror'; did you mean mirror?"),
        (["--partners", "iggi"], "--partners are for --fitness mixed"),
        (["--fitness", "mixed", "--partners", "iggy"], "there is no agent 'iggy'"),
        (["--population", "1"], "--population must be from 2 to 100,000, not 1"),
        (["--population", "5", "--elite", "5"], "--elite must be from 1 to 4, not 5"),
        (["--map-elites", "4", "--elite", "5"], "--elite does nothing with --map-elites"),
        (["--map-elites", "4", "--tournament", "2"], "--tournament does nothing with --map-elites"),
        (["--mutation", "2"], "--mutation must be from 0 to 1, not 2"),
        (["--players", "7"], "--players must be from 2 to 5"),
        (["--fresh", "1"], "--fresh must be from 10"),
        (["--seed", str(2**64 - 1)], "--seed must be from 0 to 18,446,744,073,707,551,615"),
        (["--fitness", "mixed", "--partners", "duet", "--players", "3"], "duet plays games with players=2"),
    ],
)
def test_wrong_orders_are_refused_before_anything_is_written(tmp_path, arguments, words):
    done = command(tmp_path, "--to", "evolved", *arguments)
    assert done.returncode == 1
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "evolved").exists()


@compiled_only
def test_the_command_writes_what_it_found_with_all_that_made_it(tmp_path):
    orders = ["--to", "evolved", "--generations", "2", "--population", "10", "--games", "10", "--fresh", "50"]
    done = command(tmp_path, *orders, "--json")
    assert done.returncode == 0, done.stderr
    (found,) = json.loads(done.stdout)["found"]
    result = json.loads((tmp_path / "evolved" / "result.json").read_text())
    assert result["found"] == [found]
    assert result["command"].startswith("tamaya evolve --to evolved")
    assert result["plan"]["seed"] == 1
    assert make_agent(found["agent"])
    again = command(tmp_path, *orders, "--json")
    assert json.loads(again.stdout)["found"] == [found]


@compiled_only
def test_a_log_says_how_far_it_is(tmp_path, monkeypatch):
    monkeypatch.setattr("tamaya.cli.evolve.SILENCE", 0.0)
    orders = [
        "--to",
        str(tmp_path / "mine"),
        "--generations",
        "2",
        "--population",
        "5",
        "--games",
        "5",
        "--fresh",
        "10",
    ]
    done = CliRunner().invoke(app, ["evolve", *orders])
    assert re.search(r"^generation 2 of 2, best [\d.]+, .* left$", done.stderr, re.MULTILINE)
