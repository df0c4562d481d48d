"""Bridges: our agents play in OpenSpiel, and agents of OpenSpiel and of the Hanabi Learning Environment play here."""

import re
import subprocess
import sys
import textwrap

import foreign_agents
import numpy as np
import pytest
from conftest import TESTS, compiled_only

from tamaya import AgentError, Game, Settings, hle, make_agent, run_match
from tamaya.arena.checks.conformance import check_games, inspect_agent
from tamaya.arena.seating import GameFailure, Seating, game_seeds, replay
from tamaya.bridges.hle_agents import as_dict, from_dict
from tamaya.bridges.openspiel import imagined_deck
from tamaya.policies.contract import PolicyError

pytestmark = [compiled_only, pytest.mark.usefixtures("own_module")]


@pytest.fixture
def pyspiel():
    return pytest.importorskip("pyspiel")


def play_there(pyspiel, name, settings, seed):
    """The numbers of the moves of a game that bots of ours play in OpenSpiel, with the deck of a seed."""
    from tamaya.bridges.openspiel import AgentBot, openspiel_game

    deck = iter(Game(settings, seed).deck)
    state = openspiel_game(settings).new_initial_state()
    bots = [AgentBot(make_agent(name), player, seed) for player in range(settings.players)]
    numbers = []
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(hle.card_number(next(deck), settings))
        else:
            numbers.append(bots[state.current_player()].step(state))
            state.apply_action(numbers[-1])
    return numbers, state.returns()[0]


@pytest.mark.parametrize("name", ["piers", "information"])
@pytest.mark.parametrize(
    "settings", [Settings(players=2), Settings(players=5), Settings(players=3, colours=3, ranks=4)]
)
def test_our_agents_play_the_same_games_in_openspiel(pyspiel, name, settings):
    for outcome in Seating([make_agent(name)] * settings.players, settings).play(game_seeds(5, 0, 2)):
        game, now = replay(settings, outcome), Game(settings, int(outcome.seed))
        numbers, score = play_there(pyspiel, name, settings, int(outcome.seed))
        for number in numbers:
            now.push(hle.move_of(now, number))
        assert now.moves == game.moves
        assert now.strict_score == score


def test_a_bot_of_openspiel_is_shown_what_its_seat_sees_and_nothing_else(pyspiel):
    settings = Settings(players=3)
    team = [make_agent("openspiel(foreign_agents:watching)"), make_agent("piers"), make_agent("iggi")]
    (outcome,) = Seating(team, settings).play(game_seeds(3, 0, 1))
    game, now, different = replay(settings, outcome), Game(settings, int(outcome.seed)), 0
    shown = iter(foreign_agents.SEEN[:])
    foreign_agents.SEEN.clear()
    for move in game.moves:
        if now.seat == 0:
            player, state, informed = next(shown)
            assert player == 0
            assert state.legal_actions() == hle.legal_numbers(now)
            assert state.observation_tensor(0) == hle.observation(now.view()).tolist()
            assert informed == now.turn - now.turn // 3
            different += str(state) != str(true_state(now))
        now.push(move)
    assert different > 3


def true_state(game):
    from tamaya.bridges.openspiel import deal_next, openspiel_game

    state, deck, now = (
        openspiel_game(game.settings).new_initial_state(),
        iter(game.deck),
        Game(game.settings, game.seed),
    )
    for move in game.moves:
        deal_next(state, deck, game.settings)
        state.apply_action(hle.move_number(now, move))
        now.push(move)
    deal_next(state, deck, game.settings)
    return state


def test_both_bridges_together_lead_back(pyspiel):
    """A match between the two sides: our agent behind OpenSpiel's bot behind our agent."""
    settings, seeds = Settings(players=3), game_seeds(9, 0, 3)
    ours, theirs = make_agent("information"), make_agent("openspiel(foreign_agents:information)")
    expected = Seating([ours] * 3, settings).play(seeds)
    for team in ([theirs] * 3, [ours, theirs, ours]):
        games = Seating(team, settings).play(seeds)
        assert (games["moves"] == expected["moves"]).all()
        assert (games["score"] == expected["score"]).all()


def test_bots_that_openspiel_brings_play_by_their_names(pyspiel):
    (summary,) = run_match("openspiel(uniform_random)", 2, games=20)
    assert summary.strike_outs == 20
    assert run_match("openspiel(uniform_random)", 2, games=20)[0].histogram == summary.histogram
    other = run_match("openspiel(uniform_random(seed=5))", 2, games=20)[0]
    assert other.histogram != summary.histogram


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("openspiel(uniform)", "OpenSpiel has no bot 'uniform'.*did you mean uniform_random"),
        ("openspiel", "one agent of that framework expected"),
        ("openspiel(uniform_random, piers)", "one agent of that framework expected"),
        ("openspiel(foreign_agents:nobody)", "has no 'nobody'"),
        ("hle(3)", "one agent of that framework expected"),
        ("hle(piers)", "one agent of that framework expected"),
        ("hle(there_is_no_module:Agent)", "there is no module"),
    ],
)
def test_what_is_wrong_with_the_name_of_a_foreign_agent_is_said(pyspiel, name, words):
    with pytest.raises(AgentError, match=words):
        make_agent(name)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (Settings(multicolour="wild"), "OpenSpiel has no Hanabi with multicolour=wild"),
        (Settings(colours=6), "with colours=6"),
        (Settings(empty_hints=True, discard_at_limit=True), "with discard_at_limit=True, empty_hints=True"),
    ],
)
def test_a_bot_of_openspiel_says_before_the_first_game_at_which_tables_it_cannot_play(pyspiel, settings, words):
    with pytest.raises(AgentError, match=words):
        make_agent("openspiel(uniform_random)").check_table(settings)


def test_the_check_leaves_out_tables_that_openspiel_does_not_have(pyspiel):
    (finding,) = inspect_agent("openspiel(uniform_random)", checks=[check_games])
    assert finding.is_fine
    assert "at 7 kinds of tables" in finding.text


def test_an_illegal_answer_of_a_bot_of_openspiel_is_said(pyspiel):
    with pytest.raises(GameFailure, match="answered 10000, which is not a legal action"):
        Seating([make_agent("openspiel(foreign_agents:illegal)")] * 2, Settings()).play(game_seeds(1, 0, 1))


def test_a_bot_of_ours_plays_nothing_but_hanabi(pyspiel):
    from tamaya.bridges.openspiel import AgentBot

    state = pyspiel.load_game("tic_tac_toe").new_initial_state()
    with pytest.raises(PolicyError, match="an AgentBot plays Hanabi, not tic_tac_toe"):
        AgentBot(make_agent("piers"), 0).step(state)


def test_a_bot_of_ours_needs_an_agent_and_not_its_name(pyspiel):
    from tamaya.bridges.openspiel import AgentBot

    with pytest.raises(PolicyError, match=r"AgentBot needs an agent, such as make_agent\('piers'\), not 'piers'"):
        AgentBot("piers", 0)


def test_without_openspiel_it_is_said_what_to_install():
    code = (
        "import sys; sys.modules['pyspiel'] = None\n"
        "from tamaya import make_agent\nmake_agent('hle(foreign_agents:Telling)')\n"
        "try:\n    make_agent('openspiel(uniform_random)')\nexcept ValueError as error:\n    print(error)"
    )
    child = subprocess.run([sys.executable, "-c", code], cwd=TESTS.parent, capture_output=True, text=True, check=True)
    assert child.stdout.startswith("OpenSpiel is not installed; `pip install")


@pytest.mark.parametrize("players", [2, 4])
def test_an_agent_of_hle_plays_what_it_answers(players):
    class Lowest:
        def act(self, view):
            return min(view.legal_moves, key=lambda move: hle.move_number(view, move))

    settings, seeds = Settings(players=players), game_seeds(2, 0, 3)
    games = [
        Seating([make_agent(one)] * players, settings).play(seeds)
        for one in (Lowest, "hle(foreign_agents:LowestNumber)")
    ]
    assert (games[0] == games[1]).all()
    (summary,) = run_match("hle(foreign_agents:Telling)", players, games=20)
    assert summary.mean > 4


def test_the_observation_of_hle_has_its_members():
    game = Game(3, 6)
    for move in ("tell 1 red", "play 4", "discard 0", "play 0", "play 0"):
        game.push(move)
    view = game.view()
    seen = as_dict(view)
    assert seen["current_player"] == 2
    assert seen["current_player_offset"] == 0
    assert (seen["life_tokens"], seen["information_tokens"], seen["num_players"]) == (game.lives, game.hint_tokens, 3)
    assert seen["deck_size"] == game.deck_left
    assert seen["fireworks"] == dict(zip("RYGWB", game.fireworks, strict=True))
    assert seen["observed_hands"][0] == [{"color": None, "rank": -1}] * 5
    assert seen["observed_hands"][1] == [{"color": str(card)[0], "rank": card.rank - 1} for card in game.hands[0]]
    assert seen["discard_pile"] == [{"color": str(card)[0], "rank": card.rank - 1} for card in game.discard_pile]
    assert seen["card_knowledge"][2] == [
        {"color": None if colour is None else "RYGWB"[colour], "rank": None if rank is None else rank - 1}
        for colour, rank in game.hinted[1]
    ]
    assert seen["legal_moves_as_int"] == hle.legal_numbers(game)
    assert [hle.move_number(view, from_dict(view, move)) for move in seen["legal_moves"]] == seen["legal_moves_as_int"]
    assert seen["vectorized"] == hle.observation(view).tolist()
    waiting = as_dict(game.view(0))
    assert (waiting["current_player_offset"], waiting["legal_moves"]) == (2, [])


def test_an_agent_of_hle_sees_every_turn_once():
    agent = make_agent("hle(foreign_agents:LowestNumber)")
    game, player = Game(3, 1), agent.sit_down()
    others = make_agent("piers").sit_down()
    while game.turn < 12:
        game.push((player if game.seat == 0 else others).act(game.view()))
    assert player.mind.agent.observations == 10


@pytest.mark.parametrize(
    ("answer", "words"),
    [("none", "answered None"), ("dict", "'JUMP'"), ("number", "not an HLE move"), ("text", "answered 'PLAY'")],
)
def test_what_an_agent_of_hle_answers_wrongly_is_said(answer, words):
    agent = make_agent(f"hle(foreign_agents:Wrong(answer={answer}))")
    with pytest.raises(GameFailure, match=words):
        Seating([agent] * 2, Settings()).play(game_seeds(1, 0, 1))


def test_an_imagined_deck_leads_to_the_same_view():
    settings = Settings(players=3)
    for outcome in Seating([make_agent("piers")] * 3, settings).play(game_seeds(4, 0, 3)):
        game = replay(settings, outcome)
        for _ in range(8):
            game.undo()
        for seat in range(3):
            view = game.view(seat)
            other = Game(settings, deck=imagined_deck(view))
            for move in game.moves:
                other.push(move)
            assert (other.view(seat).tables == view.tables).all()
            assert not np.array_equal(other.deck_array, game.deck_array)


def test_the_lines_of_the_page_about_openspiel_run(pyspiel):
    page = (TESTS.parent / "docs" / "bots.md").read_text()
    (code,) = re.findall(r"\n\n((?:    .*\n|\n)*    import pyspiel\n(?:    .*\n|\n)*)", page)
    found = {}
    exec(textwrap.dedent(code), found)
    assert len(found["returns"]) == 3
    assert found["returns"][0] > 15
