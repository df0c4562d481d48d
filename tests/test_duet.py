"""The network that comes with tamaya, and the search on it."""

import hashlib
import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest
from conftest import compiled_only

from tamaya import Game, Kind, Move, Settings, analyse, make_agent, run_match
from tamaya.agents.reasons import reasons
from tamaya.arena.checks.hidden_cards_check import find_peeking_here
from tamaya.arena.seating import Seating, game_seeds
from tamaya.engine.moves import MOVES
from tamaya.networks.npz_weights import TowerNetwork, read_archive
from tamaya.networks.policy_network import DUET
from tamaya.policies.language import AgentError
from tamaya.search.compare.gains import best_deviation, margins_of
from tamaya.search.determinization import THOUGHT, begin
from tamaya.search.plan import PLAN

TWO = Settings(players=2)
pytestmark = compiled_only  # half a million products per layer and move


def scores(name, games, seed=1):
    """The strict scores of some games."""
    outcomes = Seating([make_agent(name)] * 2, TWO).play(game_seeds(seed, 0, games))
    return np.where(outcomes["lives"] == 0, 0, outcomes["score"])


def test_duet_scores_what_its_page_says():
    """24.55 over 60,000 games; the tolerance is four standard errors."""
    found = scores("duet", 2000)
    assert abs(found.mean() - 24.55) < 4 * found.std() / len(found) ** 0.5


def stamp_of_games():
    """A stamp of the moves of some games."""
    outcomes = Seating([make_agent("duet")] * 2, TWO).play(game_seeds(5, 0, 20))
    moves = b"".join(bytes(one.moves[: one.length].tolist()) for one in outcomes)
    return hashlib.sha256(moves).hexdigest()[:16]


def test_the_games_of_duet_are_those_on_record():
    assert stamp_of_games() == "5bc32fb142e1cf5e"


def test_the_games_of_duet_are_the_same_on_a_machine_without_wide_vectors(tmp_path):
    """Sums are then added in another order, and rounded elsewhere."""
    plain = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", "import test_duet; print(test_duet.stamp_of_games())"]
    done = subprocess.run(
        command, env=os.environ | plain, cwd=pathlib.Path(__file__).parent, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "5bc32fb142e1cf5e"


def test_duet_says_how_it_was_made_and_is_small():
    network = read_archive(DUET)
    assert isinstance(network, TowerNetwork)
    assert network.made["by"] == "tamaya learn ppo"
    assert network.made["curve"][0]["score"] > 24.4
    assert DUET.stat().st_size < 8e6


def test_duet_and_the_search_on_it_see_nothing_that_they_must_not():
    for name in ("duet", "search(duet, iterations=60, hands=64, fresh=16)"):
        assert find_peeking_here(make_agent(name), TWO, 3) is None


def test_without_a_number_of_players_everybody_plays_where_it_can():
    assert [(one.agent, one.players) for one in run_match("duet", games=2)] == [("duet", 2)]
    found = run_match(["duet", "piers"], games=2)
    assert [(one.agent, one.players) for one in found] == [("duet", 2), *(("piers", count) for count in (2, 3, 4, 5))]
    with pytest.raises(ValueError, match="duet plays games with colours=5 only, not with colours=2"):
        run_match("duet", games=2, colours=2)


def hand_told(search, view, move):
    """What a search on duet says of its own hand when it gives a hint."""
    why = reasons(search, view, view.encode(move), search.think(view))
    return next(re.search(r"It takes its own cards, oldest first, for (.*)\.$", line) for line in why if "own" in line)[
        1
    ]


def test_duet_says_how_likely_its_moves_are_and_what_it_takes_its_cards_for():
    agent, game, plays, hands = make_agent("duet"), Game(2, seed=6), [], []
    while not game.is_over:
        view = game.view()
        thoughts = agent.think(view)
        assert sum(thoughts.chances.values()) == pytest.approx(1, abs=1e-6)
        assert max(thoughts.chances, key=thoughts.chances.get) == next(iter(thoughts.chances)) == thoughts.move
        move = Move.parse(thoughts.move)
        why = reasons(agent, view, view.encode(move), thoughts)
        assert why[0].startswith("The odds of duet: ")
        if move.kind == Kind.PLAY:
            plays.append(int(re.search(r"playable at (\d+)%", why[1])[1]))
        elif move.kind != Kind.DISCARD and game.turn > 20:
            hands.append(hand_told(make_agent("search(duet, iterations=20, hands=64, fresh=16)"), view, move))
        game.push(move)
    assert len(plays) >= 20
    assert np.mean(plays) > 85  # by counting cards, it would be about half of that
    assert len(hands) >= 5
    assert all(re.fullmatch(r"((\w\d \d+%(, )?)+( or others)?(; )?){4,5}", hand) for hand in hands)


def test_games_of_duet_are_analysed_with_what_its_moves_say():
    """With all deals equally likely, the expected score before a play is up to ten points lower than before a hint."""
    agent, game = make_agent("duet"), Game(2, seed=6)
    while not game.is_over:
        game.push(agent.sit_down().act(game.view()))
    expected = [one.expected for one in analyse(game, "duet", range(10, 50, 3), iterations=40)]
    assert min(expected) > 23
    assert np.std(expected) < 1


def test_the_value_of_duet_is_for_its_own_search():
    with pytest.raises(AgentError, match=r"duet values positions only for search\(\.\.\.\); leaf needs"):
        make_agent("mo(leaf=duet, rollout_depth=0)")


def test_duet_takes_no_other_weights():
    with pytest.raises(AgentError, match="duet"):
        make_agent("duet(mine.npz)")


def test_duet_plays_with_two_players_only():
    with pytest.raises(AgentError, match="duet plays games with players=2 only, not with players=3"):
        run_match("duet", players=3, games=1)


def test_a_search_on_a_learned_policy_has_settings_of_its_own():
    learned, other = (make_agent(f"search({name})").settings for name in ("duet", "information"))
    assert (learned.rollout_depth, learned.prior, learned.margin, learned.confirm) == (8, 0.1, 0.005, 0)
    assert (other.rollout_depth, other.prior, other.margin, other.confirm) == (160, 0, 0.003, 1)
    assert make_agent("search(duet, rollout_depth=3)").settings.rollout_depth == 3
    plain, literal = (make_agent(f"search(duet, literal={word})").settings for word in ("no", "yes"))
    assert (plain.rollout_depth, literal.rollout_depth) == (8, 160)
    hasty, timed = (make_agent(f"search(duet, ms={ms}, fresh=32)").settings for ms in (10, 40))
    assert (hasty.rollout_depth, hasty.margin, hasty.hands, hasty.fresh) == (1, 0.02, 128, 32)
    assert (timed.rollout_depth, timed.margin, timed.hands, timed.fresh) == (8, 0.005, 512, 32)


def test_a_search_deviates_and_loses_no_game():
    seeds = game_seeds(1, 0, 8)
    plain, searching = (
        Seating([make_agent(name)] * 2, TWO).play(seeds) for name in ("duet", "search(duet, iterations=60, fresh=64)")
    )
    assert (plain["moves"] != searching["moves"]).any()
    assert (searching["lives"] > 0).all()
    assert searching["score"].min() >= 20


def test_unlikely_moves_must_gain_more():
    agent, view = make_agent("search(duet)"), Game(players=2, seed=1).view()
    rollout, start = begin(view.tables[0], agent.sit_down().memory, agent.params)
    chances = np.empty(MOVES)
    agent.rollout.policy.compiled("predictor")(
        start.believed.copy(), np.zeros(agent.rollout.words, np.int64), chances, agent.rollout.params
    )
    own = int(chances.argmax())
    margins, surprises = margins_of(start.believed, own, rollout), np.log(chances[own] / np.maximum(chances, 1e-300))
    assert margins[own] == pytest.approx(0.005)
    assert margins == pytest.approx(0.005 * (1 + surprises**2 / 30))


def test_a_prior_keeps_lucky_moves_from_winning():
    plan = make_agent("search(duet)").params.view(PLAN)[0]
    gains, margins = np.zeros(MOVES, THOUGHT), np.full(MOVES, 0.02)
    for move, (deals, mean) in {3: (8, 0.036), 4: (200, 0.03)}.items():
        gains[move] = (deals, deals * mean, deals * (mean**2 + 0.04))
    everything = (1 << 5) - 1
    assert best_deviation(gains, everything, 0, 1.0, margins, plan) == 4
    gains[4] = (2, 2.0, 2.0)
    assert best_deviation(gains, everything, 0, 1.0, margins, plan) == 0
