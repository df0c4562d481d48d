"""Thousands of games in one call: the same games as everywhere else, whatever happens."""

import copy
import pickle

import numpy as np
import pytest
from conftest import VARIANTS, compiled_only, several, short

from tamaya import AgentError, Game, IllegalMove, PolicyError, Settings, hle, make_agent
from tamaya.arena.seating import Seating, game_seeds
from tamaya.environments import VectorHanabi
from tamaya.environments.vector import FEWEST_PER_THREAD


def random_actions(chance, masks):
    """A legal action for each game; 0 where there is none."""
    return (chance.random(masks.shape) * masks).argmax(1)


def digest_of(step):
    """What a step said, copied."""
    observations, rewards, terminations, truncations, infos = step
    return [one.copy() for one in (*observations.values(), rewards, terminations, truncations, *infos.values())]


def is_same(one, other):
    return all(np.array_equal(left, right) for left, right in zip(one, other, strict=True))


@pytest.mark.parametrize("settings", VARIANTS[:: several(1, 4)], ids=short)
def test_every_step_is_that_of_the_game(settings):
    """Observations, masks, seats, rewards and ends, beside games that are played move by move."""
    envs, chance = VectorHanabi(several(6, 2), settings), np.random.default_rng(1)
    observations, infos = envs.reset(seed=5)
    games = [Game(settings, int(seed)) for seed in envs.seeds]
    assert envs.seeds.tolist() == game_seeds(5, 0, envs.num_envs).tolist()
    ended = 0
    while ended < several(12, 2):
        for number, game in enumerate(games):
            assert np.array_equal(observations["observation"][number], hle.observation(game))
            assert np.flatnonzero(observations["action_mask"][number]).tolist() == hle.legal_numbers(game)
            assert infos["seat"][number] == game.seat
            for offset in range(settings.players):
                wanted = hle.observation(game, (game.seat + offset) % settings.players)
                assert np.array_equal(envs.observe(offset)[number], wanted)
        actions = random_actions(chance, observations["action_mask"])
        observations, rewards, terminations, truncations, infos = envs.step(actions)
        for number, game in enumerate(games):
            before = game.strict_score
            game.push(hle.move_of(game, int(actions[number])))
            assert rewards[number] == game.strict_score - before
            assert terminations[number] == game.is_over
            if game.is_over:
                assert infos["score"][number] == game.score
                assert infos["strict_score"][number] == game.strict_score
                assert infos["length"][number] == game.turn
                games[number] = Game(settings, int(envs.seeds[number]))
                ended += 1
        assert not truncations.any()


def test_places_play_the_games_of_a_match_in_turn():
    envs, chance = VectorHanabi(4, 2, lives=1), np.random.default_rng(2)
    observations, _ = envs.reset(seed=9)
    played = [[seed] for seed in envs.seeds.tolist()]
    for _ in range(100):
        _, _, terminations, _, _ = envs.step(random_actions(chance, observations["action_mask"]))
        for place in np.flatnonzero(terminations):
            played[place].append(int(envs.seeds[place]))
    wanted = game_seeds(9, 0, 500).tolist()
    for place, seeds in enumerate(played):
        assert len(seeds) > 2
        assert seeds == wanted[place::4][: len(seeds)]


TEAMS = [
    ("vdb", 2),
    pytest.param("piers+information", 3, marks=compiled_only),
    pytest.param("smartbot", 5, marks=compiled_only),
    pytest.param("learner+cox-recommendation+iggi+learner", 4, marks=compiled_only),
    pytest.param("seer-recommendation", 3, marks=compiled_only),
]


@pytest.mark.parametrize(("team", "players"), TEAMS)
def test_team_mates_play_as_in_a_match(team, players):
    """A learner that makes an agent's moves ends its games as that agent's seat does in a match."""
    games = several(8, 1)
    settings, seat = Settings(players=players), players - 1
    envs = VectorHanabi(games, settings, team=team, seat=seat, restart=False)
    envs.reset(seed=3)
    mates = [make_agent("iggi") if mate is None else mate for mate in envs.games.team]
    learners = {(place + seat) % players for place, mate in enumerate(envs.games.team) if mate is None}
    outcomes = Seating([mates[(place - seat) % players] for place in range(players)], settings).separate()
    outcomes = outcomes.play(game_seeds(3, 0, games))
    asked = [
        [move for turn, move in enumerate(one.moves[: one.length]) if turn % players in learners] for one in outcomes
    ]
    total, ended = np.zeros(games), np.zeros(games, bool)
    for turn in range(max(map(len, asked))):
        actions = [
            hle.move_number(game, game.decode(int(moves[turn]))) if turn < len(moves) else 0
            for moves, game in ((asked[place], envs.game(place)) for place in range(games))
        ]
        _, rewards, terminations, _, infos = envs.step(actions)
        total += rewards
        ended |= terminations
    assert ended.all()
    assert infos["score"].tolist() == outcomes["score"].tolist()
    assert infos["length"].tolist() == outcomes["length"].tolist()
    assert total.tolist() == infos["strict_score"].tolist()


@compiled_only
def test_the_learner_sits_anywhere_if_no_seat_is_named():
    envs, chance = VectorHanabi(64, 3, team="piers"), np.random.default_rng(1)
    observations, infos = envs.reset(seed=1)
    first = infos["seat"].copy()
    assert set(first.tolist()) == {0, 1, 2}
    returns = np.zeros(64)
    for _ in range(200):
        seats = infos["seat"].copy()
        _, rewards, terminations, _, _ = envs.step(random_actions(chance, observations["action_mask"]))
        returns += rewards
        assert (infos["seat"] == seats)[~terminations].all()
        assert (returns == infos["strict_score"])[terminations].all()
        returns[terminations] = 0


@compiled_only
@pytest.mark.parametrize("team", ["", "piers+information"])
def test_results_do_not_depend_on_threads(team):
    games, steps = 3 * FEWEST_PER_THREAD + 7, []
    for threads in (1, 2, 3):
        envs, chance = VectorHanabi(games, 3, team=team, threads=threads), np.random.default_rng(1)
        observations, _ = envs.reset(seed=1)
        steps.append([])
        for _ in range(40):
            step = envs.step(random_actions(chance, observations["action_mask"]))
            steps[-1].append(digest_of(step))
        assert len(envs._parts) == threads
        envs.close()
    assert all(is_same(one, other) for run in steps[1:] for one, other in zip(steps[0], run, strict=True))


def played_on(envs, steps, seed=4):
    """What the next steps say."""
    chance, said = np.random.default_rng(seed), []
    for _ in range(steps):
        said.append(digest_of(envs.step(random_actions(chance, envs.observations["action_mask"]))))
    return said


COPIES = {
    "copy": VectorHanabi.copy,
    "copy.copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda envs: pickle.loads(pickle.dumps(envs)),
}


@pytest.mark.parametrize("make", COPIES.values(), ids=COPIES)
@pytest.mark.parametrize("team", ["", pytest.param("piers+information", marks=compiled_only)])
def test_a_copy_in_any_position_goes_on_alone_and_alike(make, team):
    envs = VectorHanabi(several(5, 2), 3, team=team, encoding="bits")
    envs.reset(seed=7)
    for steps in (0, 3, 9):
        played_on(envs, steps)
        twin, saved = make(envs), envs.save()
        assert all(np.array_equal(twin.observations[name], envs.observations[name]) for name in envs.observations)
        ours = played_on(envs, several(30, 8))
        assert all(map(is_same, ours, played_on(twin, several(30, 8))))
        envs.restore(saved)
        assert all(map(is_same, ours, played_on(envs, several(30, 8))))


def test_packed_observations_are_the_same_bits():
    whole, packed = VectorHanabi(4, 5), VectorHanabi(4, 5, encoding="bits")
    for envs in (whole, packed):
        envs.reset(seed=1)
    said = zip(played_on(whole, 20), played_on(packed, 20), strict=True)
    for one, other in said:
        assert np.array_equal(np.unpackbits(other[0], axis=1, count=packed.num_bits), one[0])
        assert is_same(one[1:], other[1:])


def test_points_can_be_kept_when_the_last_life_is_lost():
    sums = {}
    for rewards in ("strict", "points"):
        envs, chance = VectorHanabi(several(50, 10), 2, rewards=rewards), np.random.default_rng(3)
        observations, _ = envs.reset(seed=1)
        sums[rewards] = np.zeros(envs.num_envs)
        for _ in range(40):
            _, given, terminations, _, infos = envs.step(random_actions(chance, observations["action_mask"]))
            sums[rewards] += given
            name = "strict_score" if rewards == "strict" else "score"
            assert (sums[rewards] == infos[name])[terminations].all()
            sums[rewards][terminations] = 0
    assert (infos["score"] > infos["strict_score"]).any()


def test_a_game_that_is_over_waits_if_it_must_not_restart():
    envs, chance = VectorHanabi(5, 2, restart=False, lives=1), np.random.default_rng(1)
    observations, _ = envs.reset(seed=1)
    ends = np.zeros(5, int)
    for _ in range(200):
        _, rewards, terminations, _, infos = envs.step(random_actions(chance, observations["action_mask"]))
        ends += terminations
    assert (ends == 1).all()
    assert not observations["action_mask"].any()
    assert not rewards.any()
    assert (infos["length"] > 0).all()


def test_seeds_that_are_not_given_follow_from_the_last_one():
    envs, twin = VectorHanabi(3), VectorHanabi(3)
    seeds = []
    for one in (envs, twin):
        one.reset(seed=1)
        one.reset()
        seeds.append(one.seeds.tolist())
    assert seeds[0] == seeds[1] != game_seeds(1, 0, 3).tolist()
    fresh = [VectorHanabi(3) for _ in range(2)]
    for one in fresh:
        one.reset()
    assert fresh[0].seeds.tolist() != fresh[1].seeds.tolist()


def test_wrong_actions_are_refused_with_the_reason_and_change_nothing():
    envs = VectorHanabi(3, 2)
    with pytest.raises(ValueError, match="call reset first"):
        envs.step([5, 5, 5])
    envs.reset(seed=1)
    before = envs.save()
    for actions, words in [
        ([5, 5, 0], "game 2, seat 0, action 0: discard 0: a discard is not allowed while all 8"),
        ([5, 20, 5], "game 1, seat 0, action 20: 20 is not an HLE move in this game; they run from 0 to 19"),
        ([-1, 5, 5], "game 0, seat 0, action -1: -1 is not"),
        ([1 << 62, 5, 5], "is not an HLE move"),
        ([5, 5], "one for each game, not of shape"),
        ([5.0, 5.0, 5.0], "whole numbers, one for each game, not of shape \\(3,\\) and type float64"),
        ([[5], [5], [5]], "not of shape \\(3, 1\\)"),
    ]:
        with pytest.raises(ValueError, match=words):
            envs.step(actions)
        assert is_same(envs.save(), before)
    refused = np.flatnonzero(envs.observations["action_mask"][0] == 0)
    with pytest.raises(IllegalMove, match=r"touches no card of seat 1"):
        envs.step([int(refused[refused >= 10][0]), 5, 5])
    assert is_same(envs.save(), before)
    envs.step(np.array([5, 5, 5], np.uint8))


@compiled_only
@pytest.mark.parametrize("team", ["", "piers"])
def test_illegal_actions_among_thousands_of_games_change_none_of_them(team):
    """Beside the same games without them."""
    envs, twin, chance = (*(VectorHanabi(2000, 4, team=team) for _ in range(2)), np.random.default_rng(1))
    for one in (envs, twin):
        one.reset(seed=1)
    refused = ended = 0
    for _ in range(50):
        masks = twin.observations["action_mask"]
        actions = random_actions(chance, masks)
        wild = actions.copy()
        places = chance.integers(2000, size=3)
        wild[places] = chance.integers(-5, 45, size=3)
        is_legal = all(0 <= wild[place] < 38 and masks[place, wild[place]] for place in places)
        if not is_legal:
            with pytest.raises(IllegalMove):
                envs.step(wild)
            refused += 1
        steps = [digest_of(one.step(actions)) for one in (envs, twin)]
        assert is_same(*steps)
        ended += steps[0][3].sum()
    assert refused > 40
    assert ended > 2000


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"games": 0}, "games must be a whole number from 1 on, not 0"),
        ({"encoding": "floats"}, "encoding must be bytes or bits, not 'floats'"),
        ({"rewards": "lenient"}, "rewards must be strict or points, not 'lenient'"),
        ({"observation_type": "all"}, "observation_type must be minimal, card_knowledge or seer"),
        ({"threads": 0}, "threads must be a whole number from 1 on, not 0"),
        ({"players": 6}, "players must be a whole number from 2 to 5, not 6"),
        ({"team": "piers+iggi+vdb"}, "a team of 3 cannot sit at a table of 3; name one team-mate, 2, or 3 with"),
        ({"team": "peirs"}, "piers"),
        ({"team": "piers", "seat": 3}, "there is no seat 3 at a table of 3"),
    ],
)
def test_wrong_settings_are_refused_with_the_reason(arguments, words):
    with pytest.raises(ValueError, match=words):
        VectorHanabi(**{"games": 4, "players": 3} | arguments)
    with pytest.raises(ValueError, match="there are no options"):
        VectorHanabi(1).reset(options={"deck": []})


def step_often(envs):
    for _ in range(100):
        envs.step(envs.observations["action_mask"].argmax(1))


@compiled_only
def test_a_team_mate_that_breaks_the_rules_is_named(own_module):
    for name, words in [
        (
            "nonsense",
            r"own_agents:nonsense answered \d+, which is not a legal move, in the game of seed \d+, turn 1, seat 1",
        ),
        ("spilling", "wrote beyond its 2 words of memory|raised IndexError"),
        ("raising", "own_agents:raising raised ValueError: lost my nerve"),
    ]:
        envs = VectorHanabi(4, 2, team=f"own_agents:{name}", seat=0, lives=10)
        envs.reset(seed=1)
        with pytest.raises(PolicyError, match=words):
            step_often(envs)


@compiled_only
def test_a_team_mate_without_a_move_ends_the_game_as_a_truncation(own_module):
    envs = VectorHanabi(4, 2, team="own_agents:quitting", seat=0)
    envs.reset(seed=1)
    _, _, terminations, truncations, infos = envs.step([5, 5, 5, 5])
    assert truncations.all()
    assert not terminations.any()
    assert (infos["length"] == 1).all()
    with pytest.raises(PolicyError, match="end every game before the first learner"):
        VectorHanabi(4, 2, team="own_agents:quitting", seat=1).reset(seed=1)


def test_an_agent_in_plain_python_is_refused(own_module):
    with pytest.raises(AgentError, match="plays in plain Python; team-mates must be compiled"):
        VectorHanabi(4, 2, team="patient:Patient")
