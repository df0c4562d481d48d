"""Trained networks as agents: they compute what their files say, see nothing hidden, and broken files are refused."""

import contextlib
import hashlib
import io
import itertools
import zipfile

import msgspec
import numpy as np
import pytest
from conftest import VARIANTS, several, short
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from tamaya import AgentError, Game, Settings, hle, make_agent, run_match
from tamaya.arena.analysis.agreement import made_moves
from tamaya.arena.checks.hidden_cards_check import find_peeking_here
from tamaya.arena.seating import Seating, game_seeds, replay
from tamaya.cli.app import app
from tamaya.engine.moves import MOVES
from tamaya.environments import VectorHanabi
from tamaya.game.hle.layout import count_moves, observation_length
from tamaya.networks.json_weights import WeightsError
from tamaya.networks.npz_weights import LARGEST_FILE, PolicyNetwork, parse_archive, read_archive
from tamaya.networks.policy_network import outputs_of

SMALL = Settings(players=2, colours=2, ranks=3, hand_size=3, hint_tokens=3)


def drawn_network(game=SMALL, hidden=(20, 7), has_value=True, seed=1, observation="card_knowledge"):
    """A network of random weights."""
    sizes = [observation_length(game, observation), *hidden, count_moves(game) + has_value]
    rng = np.random.default_rng(seed)
    layers = [
        (rng.normal(size=above).astype(np.float32), rng.normal(0, 2 * below**-0.5, (above, below)).astype(np.float32))
        for below, above in itertools.pairwise(sizes)
    ]
    return PolicyNetwork(game, layers, observation, {"by": "chance"})


def written(folder, **how):
    """The name of an agent that plays a network of random weights, and the network."""
    network, path = drawn_network(**how), folder / "mine.npz"
    path.unlink(missing_ok=True)
    network.write(path)
    return f"network({path})", network


def naive_outputs(network, bits):
    """The outputs of a network, written plainly."""
    values = bits.astype(np.float32)
    for number, (biases, weights) in enumerate(network.layers, 1):
        values = weights @ values + biases
        values = np.maximum(values, 0) if number < len(network.layers) else values
    return values


def naive_move(network, view):
    """The legal move with the highest output."""
    values = naive_outputs(network, hle.observation(view, observation_type=network.observation))
    return max(view.legal_moves, key=lambda move: values[hle.move_number(view, move)])


def played(agent, settings, seed):
    """A game of self-play."""
    (outcome,) = Seating([agent] * settings.players, settings).play(game_seeds(seed, 0, 1))
    return replay(settings, outcome)


@pytest.mark.parametrize("settings", VARIANTS[:: several(1, 6)], ids=short)
def test_a_network_makes_the_legal_move_that_it_values_most(tmp_path, settings):
    for observation in ("card_knowledge", "minimal"):
        text, network = written(tmp_path, game=settings, observation=observation)
        game = played(make_agent(text), settings, 3)
        made = list(made_moves(game))
        for one in made:
            assert one.view.decode(one.code) == naive_move(network, one.view)
        assert any(one.view.past for one in made)


def test_a_network_computes_what_its_file_says(tmp_path):
    for has_value in (True, False):
        text, network = written(tmp_path, game=Settings(players=3), hidden=(40, 33, 9), has_value=has_value)
        agent = make_agent(text)
        for one in made_moves(played(agent, Settings(players=3), 1)):
            player = agent.sit_down()
            player.catch_up(one.view)
            outputs = outputs_of(one.view.tables[0], player.memory, agent.params)[: network.sizes[-1]]
            assert outputs == pytest.approx(naive_outputs(network, hle.observation(one.view)), rel=1e-3, abs=1e-3)


def test_chances_are_the_softmax_of_the_legal_moves(tmp_path):
    text, network = written(tmp_path, hidden=(6,))
    for temperature in (0, 0.5, 20):
        agent = make_agent(text.replace(")", f", temperature={temperature})"))
        for one in made_moves(played(agent, SMALL, 2)):
            player, chances = agent.sit_down(), np.full(MOVES, 9.0)
            player.catch_up(one.view)
            agent.policy.compiled("predictor")(one.view.tables, player.memory, chances, agent.params)
            values = naive_outputs(network, hle.observation(one.view))
            moves = one.view.legal_moves
            wanted = np.exp([values[hle.move_number(one.view, move)] / (temperature or 1) for move in moves])
            found = [chances[one.view.encode(move)] for move in moves]
            assert found == pytest.approx(wanted / wanted.sum(), abs=1e-3)
            assert chances.sum() == pytest.approx(1)


def test_moves_are_drawn_as_often_as_they_are_likely(tmp_path):
    text, _ = written(tmp_path)
    agent, view, chances = make_agent(text.replace(")", ", temperature=2)")), Game(SMALL, 1).view(), np.zeros(MOVES)
    agent.policy.compiled("predictor")(view.tables, np.zeros(agent.words, np.int64), chances, agent.params)
    counts, draws = np.zeros(MOVES), several(4000, 200)
    for seed in range(draws):
        view.seed = seed * 7919
        counts[agent.sit_down().answer(view)] += 1
    assert (chances > 0).sum() == len(view.legal_moves)
    assert (np.abs(counts / draws - chances) < 5 * np.sqrt(chances * (1 - chances) / draws) + 1e-9).all()


@pytest.mark.parametrize(("temperature", "digest"), [(0, "2243130c615085cc"), (2, "af9d6d652525e230")])
def test_games_of_a_network_are_those_on_record_compiled_or_not(tmp_path, temperature, digest):
    agent = make_agent(written(tmp_path)[0].replace(")", f", temperature={temperature})"))
    moves = hashlib.sha256()
    for one in Seating([agent] * 2, SMALL).play(game_seeds(5, 0, 5)):
        moves.update(bytes(one.moves[: one.length].tolist()))
    assert moves.hexdigest()[:16] == digest


@pytest.mark.parametrize("temperature", [0, 2])
def test_no_network_sees_what_it_must_not(tmp_path, temperature):
    for settings in (SMALL, Settings(players=3), Settings(players=4, multicolour="wild")):
        text, _ = written(tmp_path, game=settings)
        for seed in range(several(5, 1)):
            agent = make_agent(text.replace(")", f", temperature={temperature})"))
            assert find_peeking_here(agent, settings, seed) is None


def test_the_memory_of_a_network_can_be_shared(tmp_path):
    seating = Seating([make_agent(written(tmp_path)[0])] * 2, SMALL)
    assert seating.seats["shares"][:2].all()
    seeds = game_seeds(1, 0, several(50, 3))
    assert (seating.play(seeds)["moves"] == seating.separate().play(seeds)["moves"]).all()


def test_a_network_is_an_agent_like_any_other(tmp_path):
    text, _ = written(tmp_path)
    options = {"colours": 2, "ranks": 3, "hand_size": 3, "hint_tokens": 3}
    alone, mixed, *searches = run_match(
        [text, f"{text}+iggi", f"search({text}, iterations=20, hands=8, fresh=4)", f"predictor({text}, iterations=20)"],
        players=2,
        games=several(20, 1),
        **options,
    )
    assert 0 <= alone.mean <= 6
    assert mixed.games == alone.games
    assert all(one.games == alone.games for one in searches)
    envs = VectorHanabi(4, SMALL, team=text)
    observations, _ = envs.reset(seed=1)
    envs.step(observations["action_mask"].argmax(1))


def test_a_network_thinks_about_recorded_games(tmp_path):
    text, _ = written(tmp_path)
    saved = tmp_path / "games.jsonl"
    options = ["--players", "2", "--colours", "2", "--ranks", "3", "--hand-size", "3", "--hint-tokens", "3"]
    assert CliRunner().invoke(app, ["match", text, "--games", "2", "--save", str(saved), *options]).exit_code == 0
    thought = CliRunner().invoke(app, ["think", str(saved), "--agent", text, "--turn", "1", "--json"])
    answer = msgspec.json.decode(thought.stdout)
    assert answer["thoughts"]["move"] == answer["made"]


def test_a_network_at_another_table_says_which_games_it_plays(tmp_path):
    text, _ = written(tmp_path)
    words = r"mine.npz\) plays games with colours=2, ranks=3, hint_tokens=3 only, not with colours=5, ranks=5, hint"
    other = Settings(players=2, hand_size=3)
    for agent in (text, f"search({text})", f"predictor({text})"):
        with pytest.raises(AgentError, match=words):
            Seating([make_agent(agent)] * 2, other)
        with pytest.raises(AgentError, match=words):
            make_agent(agent).sit_down().act(Game(other).view())
    with pytest.raises(AgentError, match=words):
        VectorHanabi(1, other, team=text)
    failed = CliRunner().invoke(app, ["match", text])
    assert failed.exit_code != 0


@pytest.mark.parametrize("text", ["network", "network(3)", "network(temperature=1)"])
def test_a_network_needs_a_file(text):
    with pytest.raises(AgentError, match=r"expected a file of weights first, as in network\(mine.npz\)"):
        make_agent(text)


@pytest.mark.parametrize("name", ["mine", "mine.json", "mine:it", "small/checkpoint.pt", "checkpoint.pt", "'my net'"])
def test_a_network_is_read_from_an_archive_of_numpy_only(name):
    with pytest.raises(AgentError, match=rf"network\({name}\): a network is a file that ends in .npz, not "):
        make_agent(f"network({name})")


@pytest.mark.parametrize("name", ["net (1).npz", "é, ü+.npz", "it's.npz", 'a "good" one.npz'])
def test_a_network_may_have_any_name_in_quotes(tmp_path, name):
    folder, quote = tmp_path / "my nets", '"' if "'" in name else "'"
    folder.mkdir()
    drawn_network().write(folder / name)
    agent = make_agent(f"network({quote}{folder / name}{quote}, temperature=1)")
    assert make_agent(str(agent)) == agent
    assert run_match(str(agent), SMALL.players, games=1, colours=2, ranks=3, hand_size=3, hint_tokens=3)[0].games == 1


def test_settings_of_a_network_are_checked(tmp_path):
    text, _ = written(tmp_path)
    for setting, words in (
        ("temperature=-1", "must be from 0 to 1,000"),
        ("heat=1", "has no setting 'heat'"),
        ("1, 2", "2 values"),
    ):
        with pytest.raises(AgentError, match=words):
            make_agent(text.replace(")", f", {setting})"))


def test_a_file_can_be_read_again_and_is_not_overwritten(tmp_path):
    text, network = written(tmp_path)
    again = read_archive(tmp_path / "mine.npz")
    assert (again.game, again.observation, again.made, again.sizes) == (
        SMALL,
        "card_knowledge",
        {"by": "chance"},
        network.sizes,
    )
    for mine, other in zip(network.layers, again.layers, strict=True):
        assert all((one == two).all() for one, two in zip(mine, other, strict=True))
    with pytest.raises(FileExistsError):
        network.write(tmp_path / "mine.npz")
    assert make_agent(text).code != make_agent(written(tmp_path, seed=2)[0]).code


def archive(network=None, **changes):
    """The content of a file with some entries or fields of the header changed; None leaves an entry out."""
    network, file = network or drawn_network(), io.BytesIO()
    header = {
        "format": "tamaya policy network 1",
        "game": network.game,
        "observation": network.observation,
        "sizes": network.sizes,
    }
    fields = {key: value for key, value in changes.items() if key in header}
    entries = {"header": np.frombuffer(msgspec.json.encode(header | fields), np.uint8)}
    for number, (biases, weights) in enumerate(network.layers, 1):
        entries |= {f"biases_{number}": biases, f"weights_{number}": weights}
    entries |= {key: value for key, value in changes.items() if key not in header}
    np.savez(file, **{key: value for key, value in entries.items() if value is not None})
    return file.getvalue()


def one_array():
    file = io.BytesIO()
    np.save(file, np.zeros(5))
    return file.getvalue()


WHOLE = archive()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not an archive of weights, or not a whole one"),
        (WHOLE[:-100], "not an archive of weights, or not a whole one"),
        (WHOLE[: len(WHOLE) // 2], "not an archive of weights, or not a whole one"),
        (b"\x80\x04pickle", "not an archive of weights"),
        (one_array(), "not an archive of weights"),
        (archive(header=None), "not an archive of weights, or not a whole one: header is not a file in the archive$"),
        (archive(header=np.array([{}], object)), "Object arrays cannot be loaded when allow_pickle=False"),
        (archive(weights_1=np.array([print], object)), "Object arrays cannot be loaded when allow_pickle=False"),
        (archive(header=np.zeros(3, np.uint8)), "its header cannot be used"),
        (archive(header=np.frombuffer(b"{}", np.uint8)), "its header cannot be used: there is no format"),
        (archive(format="tamaya policy network 9"), "its format is 'tamaya policy network 9'"),
        (archive(game={"players": 7}), "its header cannot be used: .*players must be a whole number from 2 to 5"),
        (archive(game={"chess": 1}), "its header cannot be used"),
        (archive(observation="seer"), "observations of type seer, which show a player its own cards"),
        (archive(observation="all"), "observation_type must be minimal"),
        (archive(sizes=[143, 19]), "it must have a hidden layer"),
        (archive(sizes=[143, 0, 19]), "from 1 to 4,096 neurons, not 0"),
        (archive(sizes=[143] + [9] * 17 + [19]), "at most 16 hidden layers, not 17"),
        (archive(game=Settings()), "it has 143 inputs; the observations of its game have 658 bits"),
        (archive(sizes=[143, 20, 7, 3]), "it has 3 outputs; its game has 11 actions, and a value may follow"),
        (archive(sizes=[143, 20, 8, 12]), r"biases_2 is of shape \(7,\), not \(8,\)"),
        (archive(weights_2=np.zeros((20, 7), np.float32)), r"weights_2 is of shape \(20, 7\), not \(7, 20\)"),
        (archive(weights_1=None), "not an archive of weights, or not a whole one: .*weights_1"),
        (archive(biases_1=np.zeros(20)), "biases_1 must be reals of 32 or 16 bits, not float64"),
        (archive(biases_1=np.full(20, np.nan, np.float32)), "some of the numbers of biases_1 are not usable"),
        (archive(biases_1=np.full(20, np.inf, np.float16)), "some of the numbers of biases_1 are not usable"),
    ],
)
def test_a_file_that_cannot_be_used_says_why(tmp_path, content, message):
    path = tmp_path / "broken.npz"
    path.write_bytes(content)
    with pytest.raises(WeightsError, match=rf"broken.npz cannot be used: .*{message}"):
        make_agent(f"network({path})")


def test_a_file_that_is_not_there_or_too_large_is_not_read(tmp_path):
    with pytest.raises(WeightsError, match=r"nothing.npz cannot be read: No such file"):
        make_agent(f"network({tmp_path}/nothing.npz)")
    (tmp_path / "zero.npz").symlink_to("/dev/zero")
    with pytest.raises(WeightsError, match=r"zero.npz cannot be used: it is not a plain file"):
        make_agent(f"network({tmp_path}/zero.npz)")
    with (
        zipfile.ZipFile(tmp_path / "bomb.npz", "w", zipfile.ZIP_DEFLATED) as bomb,
        bomb.open("header.npy", "w") as file,
    ):
        for _ in range((LARGEST_FILE >> 24) + 1):
            file.write(bytes(1 << 24))
    with pytest.raises(WeightsError, match=r"bomb.npz cannot be used: it is too large"):
        make_agent(f"network({tmp_path}/bomb.npz)")


@pytest.mark.parametrize(
    "words",
    [
        "{'descr': '<f4', 'fortran_order': False, 'shape': (20,",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1180591620717411303424,), }",
        "{'descr': '<f4', 'fortran_order': False, 3: (20,), }",
        "{[]: 1}",
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_an_array_whose_own_header_is_broken_is_refused(words):
    """The bytes of an archive have sums that tell that they were changed; these are as they were written."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(WHOLE)) as whole, zipfile.ZipFile(file, "w") as broken:
        for name in whole.namelist():
            content = whole.read(name)
            if name == "biases_1.npy":
                text = words.encode().ljust(117) + b"\n"
                content = b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + bytes(80)
            broken.writestr(name, content)
    with pytest.raises(WeightsError, match="not an archive of weights, or not a whole one"):
        parse_archive(file.getvalue())


@given(start=st.integers(0, len(WHOLE)), length=st.integers(0, 40), put=st.binary(max_size=20))
@pytest.mark.filterwarnings("ignore")
def test_a_file_with_other_bytes_is_a_network_or_refused(start, length, put):
    with contextlib.suppress(WeightsError):
        network = parse_archive(WHOLE[:start] + put + WHOLE[start + length :])
        assert all(np.isfinite(weights).all() for _, weights in network.layers)


def test_weights_of_sixteen_bits_play_too(tmp_path):
    text, network = written(tmp_path)
    half = msgspec.structs.replace(
        network, layers=[(one.astype(np.float16), two.astype(np.float16)) for one, two in network.layers]
    )
    half.write(tmp_path / "half.npz")
    agent, other = make_agent(text), make_agent(f"network({tmp_path}/half.npz)")
    game = played(agent, SMALL, 1)
    same = [other.sit_down().act(one.view) == one.view.decode(one.code) for one in made_moves(game)]
    assert sum(same) > len(same) / 2
