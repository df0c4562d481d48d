"""Searches that infer their own cards from the hints that they get."""

import numpy as np
import pytest
from conftest import compiled_only
from test_search import hand_made

from tamaya import AgentError, Settings, make_agent
from tamaya.arena.seating import Seating, game_seeds
from tamaya.engine.settings import COLOURS, RANKS, SLOTS
from tamaya.policies.contract import DECK_WORDS, REPORT
from tamaya.search.beliefs.hint_inference import HUNCH_WORDS
from tamaya.search.determinization import FACT_WORDS

MO = "mo(rules=goodman, rollout=vdb, infers={}, iterations=20)"


def hunches(text, game, seat=1):
    """How much likelier a search makes each card in each of its slots, [slot, colour, rank]."""
    player = make_agent(text).sit_down()
    player.catch_up(game.view(seat))
    end = len(player.memory) - REPORT - DECK_WORDS - FACT_WORDS
    logs = player.memory[end - HUNCH_WORDS : end].view(np.float64)
    return np.exp(logs).reshape(SLOTS, COLOURS, RANKS)


def told(*moves):
    """R1, Y1 and G1 are played, and Bob's only 2 is R2; then come some moves, the first by Alice."""
    game = hand_made("R1 Y1 G1 B4 W3 W4 R2 G3 B5 Y3")
    for move in 3 * ("play 0", "tell 0 4"):
        game.push(move)
    for move in moves:
        game.push(move)
    return game


def test_a_hint_says_that_its_card_can_be_played():
    twos = hunches(MO.format("yes"), told("tell 1 2"))[1, :5, 1]
    assert twos[:3].min() > 1.2 * twos[3:].max()
    plays = {}
    for word in ("yes", "no"):
        thoughts = make_agent(MO.format(word)).think(told("tell 1 2").view())
        plays[word] = [one.move for one in thoughts.candidates if one.move.startswith("play")]
    assert plays == {"yes": ["play 1"], "no": []}


def test_hunches_stay_with_their_cards():
    told_first = hunches(MO.format("yes"), told("tell 1 2"))
    discarded = hunches(MO.format("yes"), told("tell 1 2", "discard 0"))
    assert (discarded[:4] == told_first[1:5]).all()
    assert (discarded[4:] == 1).all()


def test_hints_to_others_and_hints_at_random_say_nothing():
    assert (hunches(MO.format("yes"), told("play 0")) == 1).all()
    alice = hunches(MO.format("yes"), told(), seat=0)
    assert (alice != 1).any()
    assert (alice == hunches(MO.format("yes"), told("tell 1 2"), seat=0)).all()
    assert np.allclose(hunches("mo(infers=yes)", told("tell 1 2")), 1)


@compiled_only
def test_it_sits_at_tables_with_others_and_in_other_searches():
    inferring = make_agent("ris(rules=goodman, infers=yes, iterations=4)")
    nested = make_agent("flat(mo(rules=goodman, rollout=vdb, infers=yes, iterations=2), deals=1, rollout_depth=3)")
    seating = Seating([inferring, nested, make_agent("information")], Settings(players=3))
    seating.play(game_seeds(1, 0, 2))


@pytest.mark.parametrize(
    ("text", "message"),
    [("mo(infers=2)", "infers must be yes or no"), ("is-mcts(infers=yes)", "is-mcts has no setting 'infers'"),
     ("ris(infer=yes)", "did you mean infers")],
)  # fmt: skip
def test_wrong_settings_are_refused(text, message):
    with pytest.raises(AgentError, match=message):
        make_agent(text)
