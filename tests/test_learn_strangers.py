"""Searches among strangers: who they are is learned from their moves, and from nothing else."""

import pytest
from conftest import compiled_only

from tamaya import AgentError, Game, make_agent


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
@pytest.mark.parametrize("name", ["flawed", "outer", "vdb"])
def test_strangers_are_known_by_their_moves(name):
    """Those who differ from all others in the pool are found out within ten moves of theirs, in most games."""
    sums = [0.0, 0.0]
    for seed in range(5):
        beliefs = beliefs_after([name, "piers"], 30, seed=seed)
        sums[0] += beliefs[1][name]
        sums[1] += sum(beliefs[2][one] for one in ("piers", "iggi", "risky(0.6)"))
    assert sums[0] > 3
    assert sums[1] > 3


def test_an_ally_that_does_not_learn_keeps_its_beliefs():
    beliefs = beliefs_after(["flawed"], 10, "ally(iterations=5, learns=no)")
    assert set(beliefs[1].values()) == {0.1}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ally(information)", "information cannot be one of a pool"),
        ("ally(cheater)", "cheater cannot be one of a pool"),
        ("ally(learns=2)", "learns must be yes or no"),
    ],
)
def test_a_pool_takes_what_an_ally_can_imitate(text, message):
    with pytest.raises(AgentError, match=message):
        make_agent(text)
