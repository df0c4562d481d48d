"""The network that comes with tamaya, and the search on it."""

import hashlib

import numpy as np
import pytest
from conftest import compiled_only

from tamaya import Settings, make_agent, run_match
from tamaya.arena.peeking import find_peeking_here
from tamaya.arena.seating import Seating, game_seeds
from tamaya.evaluation.archives import TowerNetwork, read_archive
from tamaya.evaluation.policy_network import DUET
from tamaya.policies.language import AgentError

TWO = Settings(players=2)
pytestmark = compiled_only  # half a million products per layer and move


def scores(name, games, seed=1):
    """The strict scores of some games."""
    outcomes = Seating([make_agent(name)] * 2, TWO).play(game_seeds(seed, 0, games))
    return np.where(outcomes["lives"] == 0, 0, outcomes["score"])


def test_duet_scores_what_its_page_says():
    """24.505 over 20,000 games; the tolerance is four standard errors."""
    found = scores("duet", 2000)
    assert abs(found.mean() - 24.505) < 4 * found.std() / len(found) ** 0.5


def test_the_games_of_duet_are_those_on_record():
    outcomes = Seating([make_agent("duet")] * 2, TWO).play(game_seeds(5, 0, 20))
    moves = b"".join(bytes(one.moves[: one.length].tolist()) for one in outcomes)
    assert hashlib.sha256(moves).hexdigest()[:16] == "da6bbc7c7ffed6e0"


def test_duet_says_how_it_was_made_and_is_small():
    network = read_archive(DUET)
    assert isinstance(network, TowerNetwork)
    assert network.made["by"] == "tamaya learn ppo"
    assert network.made["curve"][0]["score"] > 24.4
    assert DUET.stat().st_size < 8e6


def test_duet_and_the_search_on_it_see_nothing_that_they_must_not():
    for name in ("duet", "search(duet, iterations=12, hands=32, fresh=16)"):
        assert find_peeking_here(make_agent(name), TWO, 3) is None


def test_duet_plays_with_two_players_only():
    with pytest.raises(AgentError, match="duet plays games with players=2 only, not with players=3"):
        run_match("duet", players=3, games=1)


def test_a_search_on_a_learned_policy_has_settings_of_its_own():
    learned, other = (make_agent(f"search({name})").settings for name in ("duet", "information"))
    assert (learned.rollout_depth, learned.prior, learned.margin, learned.confirm) == (8, 0.1, 0.02, 0)
    assert (other.rollout_depth, other.prior, other.margin, other.confirm) == (160, 0, 0.003, 1)
    assert make_agent("search(duet, rollout_depth=3)").settings.rollout_depth == 3


def test_search_makes_duet_stronger():
    """By 0.1 to 0.2 points in the long run; here it must not be weaker."""
    seeds = game_seeds(1, 0, 12)
    plain, searching = (
        Seating([make_agent(name)] * 2, TWO).play(seeds) for name in ("duet", "search(duet, iterations=60, fresh=64)")
    )
    assert (plain["moves"] != searching["moves"]).any()
    assert searching["score"].mean() > plain["score"].mean() - 0.5
    assert (searching["lives"] > 0).all()
