"""Searches among strangers: who they are is learned from their moves, and from nothing else."""

import re

import numpy as np
import pytest
from conftest import compiled_only
from test_learn_weights import naive_outputs
from test_search import position
from typer.testing import CliRunner

from tamaya import AgentError, Game, Settings, make_agent
from tamaya.agents.registry import make_team
from tamaya.arena.seating import Seating, game_seeds
from tamaya.cli.app import app
from tamaya.game.replay import dumps, to_record
from tamaya.learn.goodman.collection import Collection, collect
from tamaya.learn.goodman.likelihood_data import StrangerGames
from tamaya.learn.goodman.training_data import read_table
from tamaya.networks.json_weights import JUDGED, read_network, trained_network
from tamaya.networks.likelihood import likelihood_params, write_inputs, write_policy_chances
from tamaya.search.beliefs.strangers import hear_strangers


def beliefs_after(team, moves, ally="ally(iterations=5)", seed=4):
    """What an ally at seat 0 believes of the others after some moves of a team."""
    game = Game(players=len(team) + 1, seed=seed)
    seats = [make_agent(name).sit_down() for name in ("vdb", *team)]
    while len(game.moves) < moves and not game.is_over:
        game.push(seats[game.seat].act(game.view()))
    while game.is_over or game.seat != 0:
        game.undo()
    return make_agent(ally).think(game.view()).beliefs


def test_at_first_everybody_may_be_anyone():
    beliefs = beliefs_after(["iggi", "flawed"], 0)
    assert set(beliefs) == {1, 2}
    assert set(beliefs[1].values()) == {0.1}
    assert list(beliefs[1])[:3] == ["legal-random", "cautious", "iggi"]


@compiled_only
@pytest.mark.parametrize("likelihood", ["asked", "network"])
@pytest.mark.parametrize("name", ["flawed", "outer", "vdb"])
def test_strangers_are_known_by_their_moves(name, likelihood):
    """Those who differ from all others in the pool are found out within ten moves of theirs, in most games."""
    sums, ally = [0.0, 0.0], f"ally(iterations=5, likelihood={likelihood})"
    for seed in range(5):
        beliefs = beliefs_after([name, "piers"], 30, ally, seed)
        sums[0] += beliefs[1][name]
        sums[1] += sum(beliefs[2][one] for one in ("piers", "iggi", "risky(0.6)"))
    assert sums[0] > 3
    assert sums[1] > (3 if likelihood == "asked" else 1.5)


def test_an_ally_that_does_not_learn_keeps_its_beliefs():
    beliefs = beliefs_after(["flawed"], 10, "ally(iterations=5, learns=no)")
    assert set(beliefs[1].values()) == {0.1}


def test_an_ally_that_knows_the_others_seats_them_in_turn():
    """Whoever it is told of counts, not what it would learn."""
    beliefs = beliefs_after(["flawed", "iggi"], 9, "ally(flawed, iggi, knows=yes, iterations=5)")
    assert beliefs == {1: {"flawed": 1.0}, 2: {"iggi": 1.0}}
    assert make_agent("ally(iggi, knows=yes)").check_table(Settings(players=5)) is None
    with pytest.raises(AgentError, match="has 2 models; it needs one, or one for each of 3 others"):
        make_agent("ally(flawed, iggi, knows=yes)").check_table(Settings(players=4))


@compiled_only
def test_an_ally_that_cannot_foresee_the_others_plays_by_its_own_policy():
    """With players of a convention that the pool does not know it stops searching."""
    for other, is_known in (("smartbot", False), ("information", False), ("iggi", True), ("vdb", True)):
        game, players = Game(players=2, seed=3), [make_agent(name).sit_down() for name in ("piers", other)]
        while len(game.moves) < 24 and not game.is_over:
            game.push(players[game.seat].act(game.view()))
        thoughts = make_agent("ally(iterations=100)").think(game.view())
        assert bool(thoughts.candidates) is is_known, other
        assert (thoughts.foreseen > 0.15) is is_known
        if not is_known:
            assert thoughts.move == thoughts.policy_move


def test_an_observer_hears_a_hint_before_it_deals_its_own_hand():
    """What it then knows of its cards is what it knows after the hint."""
    game = Game(players=2, seed=1)
    game.push(game.legal_moves[-1])
    game.push(next(move for move in game.legal_moves if str(move).startswith("tell")))
    seen = game.view(0).past[1]
    heard = seen.tables.copy()
    hear_strangers(heard[0], seen.move, seen.shown)
    after = game.view(0).tables["knowledge"][0, 0]
    assert (heard["knowledge"][0, 0] == after).all()
    assert (seen.tables["knowledge"][0, 0] != after).any()


@pytest.mark.parametrize("likelihood", ["asked", "network"])
def test_beliefs_are_told_in_words(tmp_path, likelihood):
    path = tmp_path / "game.json"
    game = position(3, 5, 12)
    path.write_bytes(dumps(to_record(game)))
    shown = CliRunner().invoke(
        app, ["think", str(path), "-t", "12", "-a", f"ally(likelihood={likelihood}, iterations=5)"]
    )
    assert shown.exit_code == 0, shown.output
    assert ("were foreseen with " in shown.output) is (likelihood == "asked")
    assert (
        len(re.findall(r"^It finds that \w+ plays like .* \d+%, .* \d+%, .* \d+%\.$", shown.output, re.MULTILINE)) == 2
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ally(rollout=information)", "information cannot be one of a pool, nor its rollout"),
        ("ally(knows=2)", "knows must be yes or no"),
        ("ally(information)", "information cannot be one of a pool"),
        ("ally(cheater)", "cheater cannot be one of a pool"),
        ("ally(learns=2)", "learns must be yes or no"),
        ("ally(iggi, likelihood=network)", "the network knows only the pool that it was trained on, legal-random, "),
        ("ally(likelihood=netwrk)", "must be asked, network or a file of weights, not netwrk; did you mean network?"),
        ("ally(likelihood=nothing.json)", "nothing.json cannot be read"),
        ("ris(likelihood=network)", "ris has no setting 'likelihood'"),
    ],
)
def test_a_pool_takes_what_an_ally_can_imitate(text, message):
    with pytest.raises(AgentError, match=message):
        make_agent(text)


@compiled_only
def test_the_moves_of_random_teams_become_rows_that_a_network_learns_from(tmp_path):
    """The rows are those of the games that matches of these teams play, whatever the threads."""
    wanted = Collection("", (2, 5), games=120, seed=3, pool=("iggi", "flawed", "legal-random"))
    collect(wanted, tmp_path / "a", threads=2)
    collect(wanted, tmp_path / "b", threads=1)
    rows, seed = read_table(tmp_path / "a", "moves"), game_seeds(3, 0, 1)
    assert (rows == read_table(tmp_path / "b", "moves")).all()
    team = StrangerGames(wanted.pool).team(2, seed[0])
    names = [wanted.pool[number] for number in team]
    (outcome,) = Seating(make_team("+".join(names)), Settings(players=2)).play(seed)
    first = rows[rows["game"] == 0]
    assert first["policy"].tolist() == [team[turn % 2] for turn in range(outcome.length)]
    assert first["features"][:, JUDGED.index("IS_PLAY")].tolist() == (outcome.moves[: outcome.length] < 5).tolist()
    assert set(rows["policy"].tolist()) == {0, 1, 2}
    assert set(rows["players"].tolist()) == {2, 5}


@compiled_only
def test_the_commands_make_a_network_that_an_ally_believes(tmp_path):
    pytest.importorskip("torch")
    runner, moves, mine = CliRunner(), str(tmp_path / "moves"), str(tmp_path / "mine.json")
    result = runner.invoke(app, ["learn", "collect", "--to", moves, "--teams", "--games", "80"])
    assert result.exit_code == 0, result.output
    result = runner.invoke(app, ["learn", "train", moves, "--to", mine, "--task", "likelihood", "--batch", "64"])
    assert result.exit_code == 0, result.output
    assert "% right, of a constant 2." in result.output
    network = read_network(tmp_path / "mine.json", "likelihood")
    assert network.outputs == [str(one) for one in make_agent("ally").models]
    assert 0.1 < network.made["held_out_accuracy"] < 0.9
    agent = make_agent(f"ally(likelihood={mine}, iterations=5)")
    assert agent.code != make_agent("ally(likelihood=network, iterations=5)").code
    assert make_agent(str(agent)) == agent
    result = runner.invoke(app, ["learn", "collect", "--to", moves, "--teams", "--agent", "ris"])
    assert result.exit_code != 0
    result = runner.invoke(app, ["learn", "train", moves, "--to", mine])
    assert result.exit_code != 0


def test_a_likelihood_is_a_softmax_of_what_the_mover_knew():
    """What the kernels compute of a move, in plain Python."""
    game, network = position(3, 5, 14), trained_network("likelihood", 1)
    move, params, rng = game.encode(game.legal_moves[0]), likelihood_params(network), np.zeros(1, np.uint64)
    inputs, chances = np.empty(len(JUDGED)), np.empty(len(network.outputs))
    write_inputs(inputs, game.view().tables.copy(), move, params, rng)
    write_policy_chances(chances, inputs, params)
    wanted = np.exp(naive_outputs(network, inputs))
    assert chances == pytest.approx(wanted / wanted.sum())
    assert inputs[JUDGED.index("IS_PLAY")] == 1.0
    assert inputs[JUDGED.index("SCORE")] == inputs[JUDGED.index("SCORE_BY_CONVENTION")] == game.score / 25
