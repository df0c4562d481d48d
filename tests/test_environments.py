"""The environments of PettingZoo and Gymnasium: their own tests, HLE's games, and inputs that nobody should give."""

import copy
import pickle
import random
import sys
import warnings

import numpy as np
import pytest
from conftest import VARIANTS, compiled_only, several, short
from naive import NaiveHanabi
from test_hle import GAMES

from tamaya import Card, Game, IllegalMove, PolicyError, Settings, hle, make_agent
from tamaya.arena.seating import Seating, game_seeds

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # importing PettingZoo's tests imports environments that warn
    import gymnasium
    from gymnasium.utils.env_checker import check_env
    from pettingzoo.test import api_test, performance_benchmark, render_test, seed_test

    from tamaya.environments import VectorHanabi, hanabi_v0, rendering
    from tamaya.environments import gym as registered


def options_of(settings):
    """The parameters of hanabi_v0 for some settings."""
    return {
        "players": settings.players,
        "colors": settings.colours,
        "ranks": settings.ranks,
        "hand_size": settings.hand_size,
        "max_information_tokens": settings.hint_tokens,
        "max_life_tokens": settings.lives,
        "discard_at_limit": settings.discard_at_limit,
        "empty_hints": settings.empty_hints,
        "multicolour": settings.multicolour,
    }


def play_randomly(env, chance, moves=1000):
    """Plays on; the agents that are left at the end have not taken their leave."""
    while moves and not env.terminations[env.agent_selection]:
        env.step(chance.choice(env.legal_moves))
        moves -= 1
    return env


# PettingZoo's own tests

USUAL = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be",
    "Action mask numpy array is all zeros",
)
"""What PettingZoo says of every environment with action masks whose name it does not know."""


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_pettingzoo_finds_nothing_wrong_with_the_interface(players):
    with warnings.catch_warnings():
        for words in USUAL:
            warnings.filterwarnings("ignore", words)
        api_test(hanabi_v0.env(players=players), num_cycles=several(100, 5))


def test_pettingzoo_finds_the_same_games_for_the_same_seeds():
    seed_test(lambda: hanabi_v0.env(players=3, random_start_player=True), num_cycles=several(50, 5))


def test_pettingzoo_can_render_it(capsys):
    render_test(lambda render_mode: hanabi_v0.env(players=4, render_mode=render_mode))
    assert "to move: score" in capsys.readouterr().out


def test_pettingzoo_can_measure_its_speed(monkeypatch, capsys):
    now = iter(range(0, 10**6, 3))
    monkeypatch.setattr("time.time", lambda: next(now))
    performance_benchmark(hanabi_v0.env())
    assert "turns per second" in capsys.readouterr().out


# Games of HLE, and the slow twin


@pytest.mark.parametrize("played", GAMES[:: several(3, 15)], ids=lambda played: f"{played['params']}-{played['id']}")
def test_a_game_of_hle_goes_the_same_way(played):
    params = played["params"]
    env, settings = hanabi_v0.env(**params), hle.settings_of(params)
    env.reset(seed=1, options={"deck": played["deck"]})
    game = Game(settings, deck=[hle.card_of(card, settings) for card in played["deck"]])
    totals = dict.fromkeys(env.agents, 0.0)
    for step, number, reward in zip(played["steps"], played["moves"], played["rewards"], strict=True):
        assert env.agent_selection == f"player_{step['cur']}"
        assert env.legal_moves == step["legal"]
        for seat, agent in enumerate(env.agents):
            seen = env.observe(agent)
            assert np.array_equal(seen["observation"], hle.observation(game, seat))
            assert seen["action_mask"].any() == (agent == env.agent_selection)
            assert env.infos[agent]["strict_score"] == step["score"]
        totals[env.agent_selection] = 0.0
        env.step(np.int64(number))
        game.push(hle.move_of(game, number))
        assert set(env.rewards.values()) == {float(reward)}
        totals = {agent: total + reward for agent, total in totals.items()}
    for seat, agent in enumerate(env.possible_agents):
        observation, reward, is_terminated, is_truncated, info = env.last()
        assert (env.agent_selection, is_terminated, is_truncated) == (agent, True, False)
        assert np.array_equal(observation["observation"], hle.observation(game, seat))
        assert not observation["action_mask"].any()
        assert reward == totals[agent]
        assert (info["score"], info["strict_score"]) == (game.score, game.strict_score)
        env.step(None)
    assert not env.agents
    with pytest.raises(ValueError, match="call reset first"):
        env.step(None)


def naive_number(game, move):
    """HLE's number of a move of the slow twin."""
    settings, offset = game.settings, (move[1] - game.seat - 1) % game.settings.players
    if move[0] in ("play", "discard"):
        return move[1] + settings.hand_size * (move[0] == "play")
    start = 2 * settings.hand_size
    if move[0] == "colour":
        return start + offset * settings.suits + move[2]
    return start + (settings.players - 1) * settings.suits + offset * settings.ranks + move[2] - 1


@pytest.mark.parametrize("settings", VARIANTS[:: several(1, 5)], ids=short)
def test_random_actions_legal_or_not_never_lead_to_a_wrong_state(settings):
    """Beside the slow twin: what is not legal is refused and changes nothing, and the rest is as the rules say."""
    env, chance = hanabi_v0.env(**options_of(settings)), random.Random(1)
    refused = 0
    for seed in range(several(100, 2)):
        env.reset(seed=seed)
        twin = NaiveHanabi(settings, [tuple(card) for card in Game(settings, seed).deck])
        while not twin.is_over:
            legal = {naive_number(twin, move): move for move in twin.legal_moves()}
            number = chance.randint(-2, hle.count_moves(settings) + 1)
            if number not in legal:
                before, words = env.save(), env._game.tobytes()
                with pytest.raises(IllegalMove, match="player_"):
                    env.step(number)
                refused += 1
                assert env._game.tobytes() == words
                assert (env.agent_selection, env.rewards) == (before["agent_selection"], before["rewards"])
                continue
            twin.move(legal[number])
            env.step(number)
            now = env.game()
            assert [[(card.colour, card.rank) for card in hand] for hand in twin.hands] == now.hands
            assert (twin.fireworks, twin.lives, twin.tokens) == (now.fireworks, now.lives, now.hint_tokens)
            assert sorted(twin.discards) == sorted(now.discards)
            assert env.infos[env.agent_selection]["score"] == twin.score
        assert all(env.terminations.values())
    assert refused > several(50, 2)


@pytest.mark.parametrize("action", [1.5, "play", None, [1], 10**30, -(10**30), np.float64(1)])
def test_what_is_not_an_action_is_refused(action):
    env = hanabi_v0.env()
    with pytest.raises(ValueError, match="call reset first"):
        env.step(5)
    env.reset(seed=1)
    with pytest.raises(IllegalMove, match="player_0"):
        env.step(action)
    env.step(5)


# What hanabi_v5 does not do, or not rightly


def test_the_start_player_is_the_one_who_is_asked():
    env, starters = hanabi_v0.env(players=3, random_start_player=True), set()
    for seed in range(20):
        env.reset(seed=seed)
        starters.add(env.agent_selection)
        assert env.agent_selection == f"player_{env.game().seat}"
        assert env.observe(env.agent_selection)["action_mask"].any()
        order = []
        for _ in range(6):
            order.append(int(env.agent_selection[-1]))
            env.step(env.legal_moves[-1])
        assert [(seat - order[0]) % 3 for seat in order] == [0, 1, 2, 0, 1, 2]
    assert starters == {"player_0", "player_1", "player_2"}


COPIES = {
    "copy": lambda env: env.copy(),
    "copy.copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
}


@pytest.mark.parametrize("make", COPIES.values(), ids=COPIES)
@pytest.mark.parametrize("players", [2, 5])
def test_a_copy_in_any_position_goes_on_alone_and_alike(make, players):
    env, chance = hanabi_v0.env(players=players), random.Random(1)
    fresh = make(env)
    for one in (env, fresh):
        one.reset(seed=3)
    for _ in range(several(12, 4)):
        twin, saved, seed = make(env), env.save(), chance.random()
        ends = [story(play_randomly(one, random.Random(seed), 4)) for one in (env, twin)]
        assert ends[0] == ends[1] != story(fresh)
        env.restore(saved)
        play_randomly(env, random.Random(seed), 2)
        env.restore(saved)
        assert story(play_randomly(env, random.Random(seed), 4)) == ends[0]
        while env.terminations[env.agent_selection] and len(env.agents) > 1:
            env.step(None)
            assert story(env) != ends[0]
            assert len(twin.agents) == players
        if env.terminations[env.agent_selection]:
            env.step(None)
            assert not make(env).agents
            env.reset(seed=chance.randrange(100))


def story(env):
    """Everything that an agent could see of an environment."""
    masks = {agent: info["action_mask"].tolist() for agent, info in env.infos.items()}
    fields = (env.agents, env.agent_selection, env.rewards, env.terminations, env._cumulative_rewards)
    return [masks, env.state().tolist(), *map(copy.copy, fields)]


def test_a_given_deck_is_dealt_whatever_its_form():
    settings = Settings(players=3)
    deck = Game(settings, 7).deck
    seen = []
    for form in (deck, [str(card) for card in deck], [hle.card_number(card, settings) for card in deck]):
        env = hanabi_v0.env(players=3)
        env.reset(options={"deck": form})
        seen.append(env.state().tolist())
    env.reset(seed=7)
    assert seen[0] == seen[1] == seen[2] == env.state().tolist()
    before = env.save()["_game"].tolist()
    with pytest.raises(ValueError, match="the deck has 49 of 50 cards"):
        env.reset(options={"deck": deck[1:]})
    with pytest.raises(ValueError, match="no card"):
        env.reset(options={"deck": [*deck[1:], Card(5, 1)]})
    assert env.save()["_game"].tolist() == before


def test_the_state_tells_all_hands_and_whose_turn_it_is():
    env = hanabi_v0.env(players=3)
    env.reset(seed=2)
    play_randomly(env, random.Random(1), 7)
    state, game = env.state(), env.game()
    assert env.state_space.contains(state)
    length = hle.observation_length(game.settings)
    assert np.array_equal(state[:length], env.observe("player_0")["observation"])
    own = state[length:-3].reshape(5, 25).argmax(1).tolist()
    assert own == [hle.card_number(card, game.settings) for card in game.hands[0]]
    assert state[-3:].tolist() == [seat == game.seat for seat in range(3)]


def test_points_can_be_kept():
    for rewards, name in (("strict", "strict_score"), ("points", "score")):
        env, kept = hanabi_v0.env(rewards=rewards), 0
        for seed in range(several(30, 6)):
            env.reset(seed=seed)
            chance, total = random.Random(seed), 0
            while not env.terminations[env.agent_selection]:
                env.step(chance.choice(env.legal_moves))
                total += env.rewards["player_0"]
            info = env.infos["player_0"]
            assert total == info[name]
            kept += info["score"] - info["strict_score"]
        assert kept > 0


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"players": 7}, "players must be a whole number from 2 to 5, not 7"),
        ({"colors": 9}, "colours must be"),
        ({"render_mode": "vr"}, "render_mode must be one of ansi, human, rgb_array, not 'vr'"),
        ({"observation_type": "x"}, "observation_type must be minimal, card_knowledge or seer"),
        ({"rewards": "x"}, "rewards must be strict or points"),
    ],
)
def test_wrong_settings_are_refused_with_the_reason(settings, words):
    with pytest.raises(ValueError, match=words):
        hanabi_v0.env(**settings)


def test_a_picture_shows_the_table_and_keeps_its_shape():
    pytest.importorskip("PIL")
    for settings in (Settings(players=2), *VARIANTS):
        env = hanabi_v0.env(**options_of(settings), render_mode="rgb_array")
        env.reset(seed=1)
        before = env.render()
        play_randomly(env, random.Random(1))
        after = env.render()
        assert before.dtype == np.uint8
        assert before.shape == after.shape == (26 * (settings.players + 5), 960, 3)
        assert (before != after).any()


@pytest.mark.parametrize(("players", "hand_size"), [(2, 2), (5, 6)])
def test_a_picture_has_room_for_the_longest_text_of_a_table(players, hand_size):
    """When nearly all cards of six suits have been discarded."""
    settings = Settings(
        players=players, hand_size=hand_size, multicolour="suit", lives=10, hint_tokens=8, discard_at_limit=True
    )
    game, longest = Game(settings, seed=1), 0
    while not game.is_over:
        game.push("discard 0")
        longest = max(longest, len(rendering.lines_of(game)))
    assert longest == players + rendering.LINES - (players == 5)


def test_pictures_say_what_they_need(monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(ValueError, match=r"rgb_array needs Pillow: pip install 'tamaya\[rl\]'"):
        hanabi_v0.env(render_mode="rgb_array")
    assert hanabi_v0.env(render_mode="ansi")


# Gymnasium


@pytest.mark.parametrize(("players", "team"), [(2, "iggi"), (3, "piers+information"), (5, "smartbot")])
@compiled_only
def test_gymnasium_finds_nothing_wrong(players, team, capsys):
    """It samples actions before the game starts in which it makes them, so they may be illegal there."""
    env = gymnasium.make("tamaya/Hanabi-v0", players=players, team=team, illegal="end")
    check_env(env.unwrapped)
    assert "to move" in capsys.readouterr().out


@compiled_only
def test_an_illegal_action_can_end_the_game():
    env = registered.Hanabi(3, "iggi", seat=0, illegal="end")
    env.reset(seed=1)
    observation, *rest, info = env.step(0)
    assert rest == [-1.0, True, False]
    assert "a discard is not allowed" in info["illegal"]
    assert not info["action_mask"].any()
    assert np.array_equal(observation, hle.observation(env.game(), 0))
    with pytest.raises(ValueError, match="call reset first"):
        env.step(5)
    env.reset(seed=1)
    assert not env.step(5)[2]
    with pytest.raises(ValueError, match="illegal must be raise or end, not 'x'"):
        registered.Hanabi(3, illegal="x")


@compiled_only
def test_a_learner_that_plays_like_an_agent_scores_like_it():
    """Its games are those of a match: with the learner's moves made by iggi, the scores are the same."""
    settings = Settings(players=3)
    env = gymnasium.make("tamaya/Hanabi-v0", players=3, team="piers+vdb", seat=1).unwrapped
    for seed in range(5):
        env.reset(seed=seed)
        (outcome,) = Seating([make_agent(name) for name in ("vdb", "iggi", "piers")], settings).play(
            game_seeds(seed, 0, 1)
        )
        total, is_terminated, infos = 0.0, False, {}
        for move in outcome.moves[1 : outcome.length : 3]:
            game = env.game()
            _, reward, is_terminated, _, infos = env.step(hle.move_number(game, game.decode(int(move))))
            total += reward
        assert is_terminated
        assert (infos["score"], total) == (outcome.score, infos["strict_score"])


@compiled_only
def test_the_learner_sees_the_end_from_its_own_seat():
    env, chance = registered.Hanabi(3, "piers", seat=1), random.Random(1)
    env.action_space.seed(1)
    for seed in range(20):
        _, info = env.reset(seed=seed)
        assert info["seat"] == 1
        is_over = False
        while not is_over:
            assert env.action_masks().tolist() == info["action_mask"].astype(bool).tolist()
            observation, _, *ends, info = env.step(chance.choice(np.flatnonzero(info["action_mask"])))
            is_over = any(ends)
        length = hle.sections(env.settings)[0].length
        assert observation[:length].sum() == sum(len(env.game().hands[seat]) for seat in (0, 2))
        assert info["seat"] == 1
        with pytest.raises(ValueError, match="call reset first"):
            env.step(5)


@compiled_only
def test_a_learner_s_environment_can_be_copied_in_any_position():
    env = registered.Hanabi(3, "piers+information", render_mode="ansi")
    with pytest.raises(ValueError, match="call reset first"):
        env.step(5)
    env.reset(seed=4)
    for _ in range(6):
        twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
        saved, action = env.save(), int(np.flatnonzero(env.action_masks())[-1])
        steps = [one.step(action) for one in (env, *twins)]
        for observation, *rest, _ in steps[1:]:
            assert np.array_equal(observation, steps[0][0])
            assert rest == list(steps[0][1:4])
        pictures = {one.render() for one in (env, *twins)}
        assert len(pictures) == 1
        env.restore(saved)
        assert env.render() not in pictures
        env.step(action)


@compiled_only
def test_gymnasium_takes_a_deck_and_refuses_what_is_wrong(own_module):
    env = registered.Hanabi(2, "iggi", seat=0)
    deck = Game(2, 9).deck
    env.reset(options={"deck": deck})
    assert env.game().deck == deck
    before = env.save()
    for action, words in [(0, "a discard is not allowed"), (99, "99 is not an HLE move"), (1.5, "a whole number")]:
        with pytest.raises(ValueError, match=words):
            env.step(action)
        assert all(np.array_equal(one, other) for one, other in zip(env.save(), before, strict=True))
    with pytest.raises(ValueError, match="leaves 2 seats for learners; there is only one"):
        registered.Hanabi(3, "learner+piers+learner")
    with pytest.raises(ValueError, match="before the learner's first turn"):
        registered.Hanabi(2, "own_agents:quitting", seat=1).reset(options={"deck": deck})
    with pytest.raises(PolicyError, match="before the first learner has had its turn"):
        registered.Hanabi(2, "own_agents:quitting", seat=1).reset(seed=1)


# What nobody may see, and what nobody may break


@pytest.mark.parametrize("encoding", ["bytes", "bits"])
def test_no_observation_of_a_learned_policy_s_inputs_has_the_own_hand(encoding):
    envs = VectorHanabi(64, players=3, observation_type="insight", encoding=encoding)
    envs.reset(seed=1)
    for _ in range(20):
        envs.step(envs.observations["action_mask"].argmax(1))
    before, own, mates = envs.observations["observation"].copy(), envs.observations["own_hand"], envs.observe(1)
    assert before.shape == mates.shape
    assert np.array_equal(envs.observe(0), before)
    hands = envs.games.state.tables["hands"]
    for game, seat in enumerate(envs.infos["seat"]):
        hands[game, seat, :5] = np.roll(hands[game, (seat + 1) % 3, :5], 1)
    assert np.array_equal(envs.observe(0), before)
    assert not np.array_equal(envs.observe(1), mates)
    assert own.any()


def test_gymnasium_shows_a_learned_policy_s_inputs_without_the_own_hand():
    env = gymnasium.make("tamaya/Hanabi-v0", observation_type="insight")
    observation, _ = env.reset(seed=1)
    envs = VectorHanabi(1, players=2, observation_type="insight")
    assert observation.shape == envs.observations["observation"][0].shape
    assert env.observation_space.contains(observation)


@pytest.mark.parametrize("other", [{"players": 2}, {"empty_hints": True}, {"rewards": "points"}])
def test_what_other_games_have_saved_is_refused_and_changes_nothing(other):
    mine, theirs = ({"players": 3}, {"players": 3} | other)
    envs, foreign = VectorHanabi(8, **mine), VectorHanabi(8, **theirs)
    envs.reset(seed=1)
    foreign.reset(seed=2)
    before = envs.save()
    with pytest.raises(ValueError, match="this was saved from"):
        envs.restore(foreign.save())
    for wrong in ([], before[:-1], [None] * len(before)):
        with pytest.raises(ValueError, match="this was saved from other games"):
            envs.restore(wrong)
    assert all(np.array_equal(old, new) for old, new in zip(before, envs.save(), strict=True))
    env, another = hanabi_v0.env(**mine), hanabi_v0.env(**theirs)
    env.reset(seed=1)
    another.reset(seed=2)
    for wrong in (another.save(), {"x": 1}, None):
        with pytest.raises(ValueError, match="was not saved from an environment with the same rules"):
            env.restore(wrong)
    assert str(env.game()) == str(Game(players=3, seed=1))


def test_a_mask_that_a_learner_changes_is_its_own():
    env = hanabi_v0.env()
    env.reset(seed=1)
    twins = [env, env.copy(), copy.deepcopy(env)]
    saved, legal = env.save(), env.legal_moves
    env.observe("player_0")["action_mask"][:] = 0
    with pytest.raises(ValueError, match="read-only"):
        env.infos["player_0"]["action_mask"][:] = 0
    env.restore(saved)
    assert [one.legal_moves for one in twins] == [legal] * 3
    learner = registered.Hanabi(seat=0)
    _, info = learner.reset(seed=1)
    info["action_mask"][:] = 0
    assert learner.action_masks().any()


@pytest.mark.parametrize("make", [hanabi_v0.env, registered.Hanabi])
def test_an_option_of_reset_that_does_not_exist_is_refused(make):
    env = make()
    with pytest.raises(ValueError, match="there is no option 'decks'; did you mean deck"):
        env.reset(options={"decks": []})
    with pytest.raises(ValueError, match="a deck is a list of cards in the order in which they are drawn, not 5"):
        env.reset(options={"deck": 5})


def test_parameters_come_in_the_order_of_hanabi_v5():
    env = hanabi_v0.raw_env(4, 3, 2)
    assert (env.settings.colours, env.settings.ranks, env.settings.players) == (4, 3, 2)
    assert hanabi_v0.env(colours=3).settings.colours == 3
    for make in (hanabi_v0.env, registered.Hanabi):
        with pytest.raises(TypeError, match="there is no option 'coulors'; did you mean colours"):
            make(coulors=3)


class Mine(hanabi_v0.raw_env):
    """An environment of a user's own."""


class Other(registered.Hanabi):
    """Another one."""


def test_a_copy_of_many_games_keeps_what_a_user_s_class_has():
    class Named(VectorHanabi):
        """Games with a name."""

    envs = Named(4)
    envs.name = "mine"
    envs.reset(seed=1)
    twin = envs.copy()
    twin.step(twin.observations["action_mask"].argmax(1))
    assert (type(twin), twin.name, envs.game(0).turn, twin.game(0).turn) == (Named, "mine", 0, 1)


@pytest.mark.parametrize("kind", [Mine, Other])
def test_copies_are_of_the_same_class_and_share_nothing(kind):
    env = kind()
    env.reset(seed=1)
    for twin in (copy.copy(env), env.copy(), copy.deepcopy(env)):
        assert type(twin) is kind
        before = str(env.game())
        twin.step(11)
        assert str(env.game()) == before != str(twin.game())


def test_before_the_first_reset_there_is_no_game():
    env, envs, learner = hanabi_v0.env(render_mode="ansi"), VectorHanabi(2), registered.Hanabi(render_mode="ansi")
    env_calls = (env.last, env.render, env.game, env.state, lambda: env.legal_moves, lambda: env.observe("player_0"))
    for call in (*env_calls, lambda: envs.game(0), lambda: envs.observe(1), learner.game, learner.render):
        with pytest.raises(ValueError, match="call reset first"):
            call()


@pytest.mark.parametrize("module", ["gym", "hanabi_v0"])
def test_without_the_libraries_an_environment_says_what_to_install(module, monkeypatch):
    import importlib
    import sys

    name = f"tamaya.environments.{module}"
    monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    with pytest.raises(ImportError, match=r"pip install 'tamaya\[rl\]'"):
        importlib.import_module(name)


def test_thousands_of_games_need_no_other_library():
    import subprocess
    import sys

    code = (
        "import sys, tamaya.environments; print([name for name in ('gymnasium', 'pettingzoo') if name in sys.modules])"
    )
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert child.stdout == "[]\n"
    assert VectorHanabi(2).num_actions == 20
