"""What Python users build: matches of anything that plays, agents with settings, experiments, and frames of games."""

import pickle

import numpy as np
import pytest
from conftest import several
from own_agents import Patient

from tamaya import (
    AgentError,
    Experiment,
    ExperimentError,
    Game,
    IllegalMove,
    Pairing,
    Results,
    SelfPlay,
    make_agent,
    make_team,
    policy,
    run_experiment,
    run_match,
)
from tamaya.agents.user_agents import UnknownModule
from tamaya.arena.batches import play_batches
from tamaya.arena.seating import GameFailure, Seating, game_seeds
from tamaya.engine.cards import HIDDEN
from tamaya.engine.settings import Settings
from tamaya.experiments.experiment import parse_experiment
from tamaya.experiments.results import ENDINGS
from tamaya.experiments.runs import Run
from tamaya.game.position import UntouchedHand
from tamaya.moves import play
from tamaya.policies.agent import PythonAgent
from tamaya.replay import from_record


@policy(slot=0)
def stubborn(view, memory, params, rng):
    """Plays a slot."""
    return play(int(params[0]))


class Bold:
    """Plays what is likely enough, else hints or discards."""

    def __init__(self, threshold=0.8, style="plain"):
        self.threshold, self.style = threshold, style

    def act(self, view):
        best = max(range(len(view.hands[view.seat])), key=view.probability_playable)
        if view.probability_playable(best) >= self.threshold:
            return f"play {best}"
        return next((move for move in view.legal_moves if move.kind >= 2), "discard 0")


@pytest.mark.parametrize(
    "agents", ["piers", make_agent("piers"), ["piers"], stubborn, Bold, [stubborn, ("iggi", Bold, "piers")]]
)
def test_a_match_takes_whatever_plays_one_or_several(agents):
    results = run_match(agents, players=3, games=2)
    assert len(results) == (len(agents) if isinstance(agents, list) else 1)
    assert all(one.games == 2 and one.players == 3 for one in results)


def test_policies_and_classes_play_as_they_do_by_name():
    by_name = run_match("own_agents:Patient", 2, games=2)[0]
    assert run_match(Patient, 2, games=2)[0].histogram == by_name.histogram
    assert by_name.agent == str(make_agent(Patient)) == "own_agents:Patient"


def test_settings_reach_policies_and_classes_by_text_and_from_python():
    assert make_agent(stubborn, slot=3).params.tolist() == [3.0]
    assert str(make_agent(Bold, threshold=0.5)) == "test_python:Bold(threshold=0.5)"
    written = make_agent("test_python:Bold(0.5, style=fancy)").sit_down().mind
    assert (written.threshold, written.style) == (0.5, "fancy")
    assert make_agent("test_python:Bold(threshold=1)").sit_down().mind.threshold == 1
    for wrong, words in (
        ("test_python:Bold(0.5, 1, 2)", r"Bold takes \(threshold=0.8, style='plain'\); too many"),
        ("test_python:Bold(risk=1)", "unexpected keyword argument 'risk'"),
        ("own_agents:Patient(1)", "takes no settings"),
    ):
        with pytest.raises(AgentError, match=words):
            make_agent(wrong)


@pytest.mark.parametrize("wrong", [5, None, dict, object()])
def test_what_cannot_play_is_refused(wrong):
    with pytest.raises(AgentError, match="is not an agent: name one, or give"):
        make_team(wrong)


def test_settings_of_named_agents_can_come_from_python():
    assert str(make_agent("risky", threshold=0.5)) == "risky(threshold=0.5)"
    assert str(make_agent("flat", rollout="piers", deals=3)) == "flat(rollout=piers, deals=3)"
    with pytest.raises(AgentError, match="settings in the text"):
        make_agent(make_agent("risky"), threshold=0.5)


def test_a_tuple_is_a_team_and_a_list_is_several():
    (team,) = run_match(("piers", "iggi", "vdb"), players=3, games=2)
    assert team.agent == "piers+iggi+vdb"
    assert len(run_match(["piers", "iggi", "vdb"], players=3, games=2)) == 3


@pytest.mark.parametrize(
    "wrong", [{"games": 1.5}, {"games": "10"}, {"threads": 0}, {"players": []}, {"players": 3.0}, {"players": "3"}]
)
def test_numbers_that_are_not_whole_are_refused(wrong):
    with pytest.raises(ValueError, match=r"must be|is empty"):
        run_match("piers", **({"players": 3, "games": 2} | wrong))


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("PlayProbablySafeCard(2)", "threshold must be from 0 to 1"),
        ("PlayProbablySafeLate(0.4, -5)", "cards_left must be"),
    ],
)
def test_settings_of_rules_that_make_no_sense_are_refused(rule, words):
    with pytest.raises(AgentError, match=words):
        make_agent(f"rules({rule})")


def test_a_deck_can_be_given_as_texts_and_what_is_not_a_move_is_refused():
    game = Game(players=2, seed=3)
    assert Game(2, deck=[str(card) for card in game.deck]).hands == game.hands
    with pytest.raises(IllegalMove, match="is not a move"):
        game.push(None)


def test_python_agents_play_in_batches_the_games_of_one_by_one():
    seating = Seating([make_agent(Bold)] * 2, Settings(players=2))
    batches = [outcomes for outcomes, _ in play_batches(seating, 7, 12)]
    together = np.concatenate(batches)
    alone = [seating.play(game_seeds(7, number, 1)) for number in range(12)]
    assert all((together[name] == np.concatenate(alone)[name]).all() for name in ("seed", "score", "length", "moves"))


def test_a_failure_names_the_number_of_the_game():
    class Tired(Bold):
        left = 100

        def act(self, view):
            Tired.left -= 1
            if not Tired.left:
                raise RuntimeError("enough")
            return "play 0"

    with pytest.raises(GameFailure, match=r"enough .*, in game [0-9]+, of seed [0-9]+, turn"):
        run_match(PythonAgent("tired", Tired), 2, games=100)


PLAN = Experiment(
    games=several(30, 4), players=[2, 3], keep="moves",
    lineup=[SelfPlay(agents=["piers", "flawed"]), Pairing(agents=["piers"], partners=["outer"], players=[2])],
)  # fmt: skip


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return run_experiment(PLAN, tmp_path_factory.mktemp("runs") / "some.run")


def test_an_experiment_is_built_run_and_opened_from_python(results):
    assert results.missing == 0
    assert results.experiment == PLAN == Results(str(results.directory)).experiment
    assert [(one.agent, one.players) for one in results.summaries()] == [
        ("piers", 2), ("flawed", 2), ("piers", 3), ("flawed", 3), ("piers with outer", 2),
    ]  # fmt: skip
    ranking, pairing = results.rankings()
    assert [one.name for one in pairing.standings] == ["piers"]
    assert [one.name for one in ranking.standings] == ["piers", "flawed"]
    assert run_experiment(PLAN, results.directory).missing == 0


def test_an_experiment_is_run_from_its_file(tmp_path):
    file = tmp_path / "tiny.toml"
    file.write_text('games = 2\nplayers = [2]\n[[lineup]]\nkind = "self-play"\nagents = ["piers"]\n')
    done = []
    assert run_experiment(file, progress=done.append).directory == (tmp_path / "tiny.run").resolve()
    assert sum(done) == 2


def test_games_are_read_as_records_arrays_and_frames(results):
    games = list(results.games())
    assert len(games) == 5 * PLAN.games
    arrays = results.arrays()
    assert [game.score for game in games] == arrays["score"].tolist()
    assert set(arrays["ending"]) <= set(ENDINGS.values())
    assert {len(column) for column in arrays.values()} == {len(games)}
    for summary in results.summaries():
        if " with " not in summary.agent:
            chosen = (arrays["agent"] == summary.agent) & (arrays["players"] == summary.players)
            chosen &= arrays["kind"] == "self-play"
            assert arrays["score"][chosen].mean() == pytest.approx(summary.mean)
    frame = results.polars()
    assert frame["score"].to_list() == arrays["score"].tolist()
    assert frame["seed"][0] == games[0].seed
    scores = [from_record(record).score for record in results.records()]
    assert scores == arrays["score"].tolist()


def test_a_library_that_is_missing_is_named(results, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(ValueError, match="this needs pandas"):
        results.pandas()


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        (Experiment(games="many", lineup=PLAN.lineup), "games must be a whole number"),
        (Experiment(lineup=[SelfPlay(agents=["pierz"])]), "did you mean piers"),
    ],
)
def test_an_experiment_from_python_is_checked_like_a_file(plan, words, tmp_path):
    with pytest.raises(ExperimentError, match=words):
        run_experiment(plan, tmp_path / "some.run")


def test_an_experiment_needs_a_directory():
    with pytest.raises(ValueError, match="needs a directory"):
        run_experiment(PLAN)


def test_the_past_of_a_view_is_what_its_seat_saw():
    game = Game(players=3, seed=6)
    for move in ("tell 1 red", "play 4", "tell 0 1"):
        game.push(move)
    past = game.view(1).past
    assert [seen.mover for seen in past] == [0, 1, 2]
    assert game.view(1).moves == game.moves
    assert past[1].shown == game.deck[9].number
    assert all((seen.tables["hands"][0, 1, :5] == HIDDEN).all() for seen in past)


def test_games_that_are_not_asked_for_any_more_are_counted(tmp_path):
    run_experiment(Experiment(games=6, players=[2], lineup=[SelfPlay(agents=["piers"])]), tmp_path / "some.run")
    plan = parse_experiment(
        {"games": 4, "players": [2], "lineup": [{"kind": "self-play", "agents": ["piers", "iggi"]}]}
    )
    with Run(tmp_path / "some.run", plan) as run:
        assert run.unasked() == 2
        run.play()
        assert run.unasked() == 2
        assert run.missing() == 0


def test_what_cannot_be_stored_is_refused_in_words(tmp_path):
    with pytest.raises(ExperimentError, match="an experiment is made of texts, numbers and lists"):
        run_experiment(Experiment(lineup=[SelfPlay(agents=[Bold])]), tmp_path / "some.run")


def test_errors_travel_between_processes_with_their_fields():
    named = GameFailure("mine answered 99", 7, "turn 3", np.zeros(2)).after(10, "mine with piers")
    for error, words in (
        (named, "mine with piers: mine answered 99, in game 13, of seed 7, turn 3"),
        (UntouchedHand(1, "tell 1 red"), "tell 1 red: it touches no card of seat 1"),
        (IllegalMove("the game is over", "play 0"), "play 0: the game is over"),
        (IllegalMove("a move needs a target"), "a move needs a target"),
        (UnknownModule("mine"), "there is no module 'mine' here or among those installed"),
    ):
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error)
        assert str(again) == str(error) == words
        assert vars(again).keys() == vars(error).keys()
