"""The analysis of games: blunders cost, obvious moves do not, and nothing depends on what the player could not see."""

import json
import random
import subprocess
import sys
from itertools import pairwise

import msgspec
import pytest
from conftest import VARIANTS, compiled_only, several, short
from test_search import hand_made, position
from test_solver import SMALL, wandering
from typer.testing import CliRunner

from tamaya import AgentError, Game, Move, PolicyError, Settings, make_agent, replay, solve
from tamaya.arena.analysis import game_analysis as analysis
from tamaya.arena.analysis.game_analysis import (
    Analyst,
    TurnAnalysis,
    agents_of,
    analyse,
    assumption,
    make_analyst,
    totals,
)
from tamaya.arena.checks.hidden_cards_check import deal_anew
from tamaya.cli import app as cli
from tamaya.cli.printing.curve import HEIGHT, curve_lines
from tamaya.search.compare.move_values import price, team_of
from tamaya.solver.endgame import prospects
from tamaya.solver.hindsight import Reach, lost_by, reach_by_turn
from tamaya.solver.solve import at_turn, find_loss

BY = "search(piers, iterations=400)"
TOLD = "R1 R2 W3 Y4 B3 R3 Y2 G3 W4 R3"
"""The first hands of a game: Alice holds red 1 and 2, Bob both copies of red 3."""


def judged(*moves):
    """The analysis of the last of some moves of Bob, who has been told of a red 3 that he can play and of its twin."""
    game = hand_made(TOLD)
    for move in ("play 0", "tell 0 2", "play 0", "tell 0 4", "tell 1 red", "tell 0 yellow", "tell 1 3", *moves):
        game.push(move)
    made = game.undo()
    return Analyst(make_agent(BY), 400).judge(game, made)


@compiled_only
def test_an_obvious_move_costs_nothing():
    one = judged("play 0")
    assert (one.made, one.cost, one.error, one.is_mistake) == (one.best, 0.0, 0.0, False)


@compiled_only
def test_discarding_what_is_known_to_be_the_last_copy_is_a_mistake():
    """One red 3 is discarded, and later the other one, which everybody waits for."""
    one = judged("discard 0", "tell 1 4", "discard 3")
    assert one.is_mistake
    assert one.cost > 1
    assert one.best == "play 3"


@compiled_only
def test_playing_what_is_known_to_be_useless_is_a_mistake():
    one = judged("play 0", "tell 1 4", "play 3")
    assert one.is_mistake
    assert one.cost > 0.2


@compiled_only
def test_to_the_yardstick_a_five_that_is_thrown_away_costs_a_point():
    game = Game(players=3, seed=6)
    for move in ("tell 2 5", "tell 0 1"):
        game.push(move)
    analyst = make_analyst(iterations=400)
    for text in ("play 4", "play 3"):
        one = analyst.judge(game, Move.parse(text))
        assert one.is_mistake
        assert abs(one.cost - 1) < 0.2 + 3 * one.error


@compiled_only
def test_the_last_move_is_worth_what_it_leads_to():
    """A card that is known to be the last one needed wins for certain; any other move has a point less."""
    game = Game(Settings(players=2, colours=1, ranks=3, hand_size=2), deck=["R1", "R2", "R3", "R1", "R2", "R1"])
    for move in ("tell 1 3", "tell 0 1", "play 0", "tell 0 2", "play 0"):
        game.push(move)
    analyst = Analyst(make_agent("search(piers, iterations=64)"), 64)
    right, wrong = analyst.judge(game, Move.parse("play 0")), analyst.judge(game, Move.parse("tell 0 1"))
    assert (right.best, right.expected, right.expected_error, right.cost) == ("play 0", 3.0, 0.0, 0.0)
    assert (wrong.best, wrong.cost, wrong.error, wrong.is_mistake) == ("play 0", 1.0, 0.0, True)
    assert [(one.perfect, one.points) for one in map(right.chance_of, ("play 0", "tell 0 1"))] == [(1, 3), (0, 2)]


def redealt(game, chance):
    """The game with the cards that its seat to move cannot see dealt anew, played again from the start."""
    other = Game(game.settings, seed=chance.getrandbits(30), deck=deal_anew(game, game.seat, chance).deck)
    for move in game.moves:
        other.push(move)
    return other


@pytest.mark.parametrize(
    "by", ["search(piers, iterations=40)", "search(information, literal=yes, iterations=20)", "smartbot"]
)
def test_no_figure_depends_on_what_the_player_could_not_see(by):
    chance = random.Random(1)
    analyst = Analyst(make_agent(by), several(40, 4))
    whole = position(3, 4, 200)
    for turn in (0, 9, 30, 45)[:: several(1, 3)]:
        game, made = at_turn(whole, turn), whole.moves[turn]
        found = analyst.judge(game, made)
        for _ in range(several(3, 1)):
            other = redealt(game, chance)
            assert other.deck != game.deck
            assert msgspec.json.encode(analyst.judge(other, made)) == msgspec.json.encode(found)


@compiled_only
def test_the_exact_chances_are_there_near_the_end_and_see_nothing_hidden():
    chance, game = random.Random(2), position(3, 4, 200)
    found = {one.turn: one for one in analyse(game, BY, range(len(game.moves) - 4, len(game.moves)), iterations=20)}
    known = [one for one in found.values() if one.chances]
    assert known
    for one in known:
        before = at_turn(game, one.turn)
        assert [(Move.parse(two.move), two.perfect, two.points) for two in one.chances] == [
            (two.move, two.perfect, two.points) for two in prospects(before)
        ]
        assert one.chance_of(one.made) in one.chances
        assert Analyst(make_agent("piers"), 4).chances(redealt(before, chance)) == one.chances


def test_moves_are_compared_in_the_same_deals():
    view = position(3, 1, several(12, 3)).view()
    team, codes = team_of(make_agent("piers")), [view.encode(move) for move in view.legal_moves[:2]]
    both = price(team, view, codes, several(100, 5), 0, 7)
    assert both.shape == (several(100, 5), 2)
    assert (price(team, view, codes[::-1], several(100, 5), 0, 7) == both[:, ::-1]).all()
    alone = price(team, view, codes[1:], 1, 0, 7)
    assert alone[0, 0] == both[0, 1]


@compiled_only
def test_prices_are_the_values_of_a_flat_search():
    """What a search in the same number of other deals finds, within its errors."""
    game = position(3, 1, 12)
    view = game.view()
    thoughts = make_agent("flat(piers, deals=1000)").think(view)
    codes = [view.encode(Move.parse(one.move)) for one in thoughts.candidates]
    values = price(team_of(make_agent("flat(piers)")), view, codes, 1000, 0, 3)
    for one, column in zip(thoughts.candidates, values.T, strict=True):
        assert abs(one.value - column.mean()) < 4.5 * one.standard_error * 2**0.5


@compiled_only
def test_a_search_that_agrees_with_itself_makes_no_mistakes():
    game = position(3, 8, 200)
    found = list(analyse(game, "piers", iterations=100, seed=3))
    assert [one.turn for one in found] == list(range(len(game.moves)))
    assert all(one.cost == 0 for one in found if one.made == one.best)
    assert sum(one.made == one.best for one in found) > 0.8 * len(found)


@compiled_only
@pytest.mark.parametrize("settings", VARIANTS, ids=short)
def test_every_kind_of_game_can_be_analysed(settings):
    """The last point of the curve is the score, whatever the rules."""
    game, seats = Game(settings, 3), [make_agent("piers").sit_down() for _ in range(settings.players)]
    while not game.is_over:
        game.push(seats[game.seat].act(game.view()))
    analyst, last = make_analyst(iterations=6), len(game.moves) - 1
    first, *_, end = analyse(game, analyst, sorted({0, last // 2, last}))
    assert 0 <= first.expected <= game.max_score
    assert end.expected - end.cost == pytest.approx(analyst.points(game), abs=0.5 + 3 * end.expected_error)


@compiled_only
def test_threads_do_not_change_anything():
    game = position(2, 3, 200)
    turns = range(10, 20)
    assert [*analyse(game, BY, turns, threads=2)] == [*analyse(game, BY, turns, threads=1)]


@compiled_only
def test_moves_of_a_policy_cost_more_than_those_of_a_search_on_top_of_it():
    """The games of piers, and of a search with piers, by a search with a larger budget."""
    costs = {}
    for name in ("piers", "search(piers, iterations=400)"):
        seats = [make_agent(name).sit_down() for _ in range(3)]
        game = Game(3, 5)
        while not game.is_over:
            game.push(seats[game.seat].act(game.view()))
        costs[name] = totals([*analyse(game, "search(piers, iterations=600)", iterations=300)], 3)
    cost, other = (sum(one.cost for one in found) for found in costs.values())
    error = sum(one.error**2 for found in costs.values() for one in found) ** 0.5
    assert cost > other + 3 * error


def test_hindsight_is_what_the_solver_finds_turn_by_turn():
    for number, settings in enumerate(SMALL[: several(5, 1)]):
        game = wandering(Game(settings, number), 12, number)
        reach = reach_by_turn(game)
        scores = [solve(at_turn(game, turn)).score for turn in range(len(game.moves) + 1)]
        assert reach == [Reach(score, score) for score in scores]
        assert all(before >= after for before, after in pairwise(scores))
        assert lost_by(reach, game.max_score) == find_loss(game).move


@compiled_only
def test_hindsight_says_where_a_whole_game_was_lost():
    game = position(3, 8, 200)
    reach = reach_by_turn(game)
    assert lost_by(reach, 25) == find_loss(game).move > 0
    assert reach[-1] == Reach(game.score, game.score)
    assert lost_by([Reach(24, 24)] * 3, 25) == 0
    assert lost_by([Reach(25, 25)] * 3, 25) is None
    assert lost_by([Reach(25, 25), Reach(24, 25), Reach(24, 24)], 25) is None


@pytest.mark.parametrize(
    ("agents", "by"),
    [
        ([], ""),
        (["piers"] * 3, ""),
        (["smartbot", "", "smartbot"], "smartbot"),
        (["smartbot", "information", "smartbot"], ""),
        (["search(information, ms=10)"] * 2, "information"),
        (["mo(iterations=10)"] * 2, ""),
        (["cheater"] * 2, ""),
        (["pipe(touch started)"] * 2, ""),
        (["own_agents:whispering"] * 2, ""),
        (["search(own_agents:whispering)"] * 2, ""),
        (["network(gone.npz)"] * 2, ""),
        (["information(faithful, order=yes)"] * 2, "information(faithful, order=yes)"),
        (["Alice (me)"] * 2, ""),
    ],
)
def test_a_convention_is_used_if_it_is_known(agents, by, tmp_path, monkeypatch, own_module):
    """Names from a file start no program and import no module."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "own_agents", raising=False)
    analyst = make_analyst(agents=agents, iterations=300)
    assert str(analyst.agent) == f"search({by or 'information, literal=yes'}, iterations=600)"
    words = "everybody plays on like information, and hints so far mean only what they say"
    assert assumption(analyst) == (f"everybody plays on like {by}" if by else words)
    assert not (tmp_path / "started").exists()
    assert "own_agents" not in sys.modules


def test_the_model_is_said():
    words = {
        "ally(iterations=5)": "each of the others plays like one of 10 policies, found out from their moves",
        "predictor(iggi, rollout=piers)": "the others play like iggi",
        "flat(vdb, deals=5)": "everybody plays on like vdb",
        "ris-nr(3)": "everybody plays on like evalfn",
    }
    for name, sentence in words.items():
        assert assumption(make_analyst(name)).startswith(sentence)
    assert make_analyst("flat(vdb)").points(struck_out()) == struck_out().score
    assert make_analyst("vdb").points(struck_out()) == 0


def struck_out():
    """A game whose last life is lost after a point."""
    game = hand_made("R1 R5 Y5 G5 W5 R4 Y4 G4 W4 B4")
    for move in ("play 0", "play 0", "play 0", "play 0"):
        game.push(move)
    assert game.is_over
    assert game.score == 1
    return game


@pytest.mark.parametrize(
    ("by", "words"),
    [
        ("cheater", "cheater sees hidden cards"),
        ("own_agents:Patient", "cannot play imagined games, because it is not a compiled @policy"),
        ("ris", r"ris imagines games of random moves; name its rollout policy, as in ris\(..., rollout=piers\)"),
    ],
)
def test_agents_that_cannot_analyse_are_refused(by, words, own_module):
    with pytest.raises(AgentError, match=words):
        make_analyst(by)


@compiled_only
def test_whoever_breaks_the_rules_in_an_imagined_game_is_named(own_module):
    with pytest.raises(PolicyError, match="own_agents:nonsense made an illegal move in a rollout"):
        price(team_of(make_agent("own_agents:nonsense")), Game(2, 1).view(), [10], 10, 0, 1)


def test_wrong_turns_and_budgets_are_refused():
    game = struck_out()
    with pytest.raises(ValueError, match="there is no turn 4 in a game of 4 moves"):
        analyse(game, "piers", [4])
    with pytest.raises(TypeError, match="iterations: an analyst has its own budget"):
        analyse(game, make_analyst("piers"), iterations=5)
    for budget in ({"iterations": 1}, {"ms": -1}, {"threshold": float("nan")}):
        with pytest.raises(ValueError, match="must be at least"):
            make_analyst("piers", **budget)


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """A file with two games of piers."""
    path = tmp_path_factory.mktemp("games") / "games.jsonl"
    records = [replay.dumps(replay.to_record(position(2, seed, 200), ["piers"] * 2)) for seed in (1, 2)]
    path.write_bytes(b"\n".join(records))
    return path


def invoke(*arguments):
    result = CliRunner().invoke(cli.app, ["analyse", *map(str, arguments)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.stdout


@compiled_only
def test_the_command_prints_a_curve_a_table_and_the_mistakes(saved, monkeypatch):
    monkeypatch.setattr(cli.console.out, "_width", 80)
    lines = invoke(saved, "--game", 2, "--by", BY, "--iterations", 60, "--threshold", 0.1).splitlines()
    game = replay.from_record(list(replay.records(saved))[1])
    assert lines[0].startswith(f"{BY}: everybody plays on like piers; a lost last life counts as zero")
    heads = next(number for number, line in enumerate(lines) if line.startswith("move  player"))
    table = lines[heads + 1 : heads + 1 + len(game.moves)]
    assert [line.split()[0] for line in table] == [str(number + 1) for number in range(len(game.moves))]
    assert max(map(len, table)) <= 80
    lost = find_loss(game).move
    assert f"25 → {reach_by_turn(game)[lost].bound}" in table[lost - 1]
    assert any(line.startswith("with all cards face up, 25 of 25 points could be reached, until") for line in lines)
    count = int(next(line for line in lines if "at a cost of at least 0.1 points" in line).split()[0])
    assert sum(" × " in line for line in table) == count
    wrong = [line.split()[1][:-1] for line in lines if line.startswith("  move ") and "costs" in line]
    assert len(wrong) == count
    command = f"`tamaya think {saved} --game 2 --turn {int(wrong[0]) - 1}`"
    assert f"{command} shows the table before move {wrong[0]}" in lines
    assert any(line.startswith("the last cards") for line in lines)


@compiled_only
def test_json_holds_every_figure(saved):
    content = json.loads(invoke(saved, "--moves", "60-", "--iterations", 60, "--json"))
    turns = msgspec.convert(content["turns"], list[TurnAnalysis])
    game = replay.load(saved)
    assert [one.turn for one in turns] == list(range(59, len(game.moves)))
    assert turns == list(analyse(game, None, range(59, len(game.moves)), iterations=60))
    assert agents_of(game) == ["piers"] * 2
    assert msgspec.convert(content["face_up"]["reach"], list[Reach]) == reach_by_turn(game)
    assert content["score"] == game.score
    assert content["mistakes"] == [one.turn for one in turns if one.is_mistake]
    assert sum(one["cost"] for one in content["totals"]) == pytest.approx(sum(one.cost for one in turns))


@compiled_only
def test_a_link_will_do_and_a_curve_is_drawn(saved, tmp_path):
    pytest.importorskip("matplotlib")
    game = replay.load(saved)
    picture = tmp_path / "curve.svg"
    text = invoke(replay.link(game), "--moves", "3-6", "--iterations", 20, "--plot", picture)
    assert "search(information, literal=yes, iterations=40)" in text
    assert picture.read_text().startswith("<?xml")


@compiled_only
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["missing.jsonl"], "missing.jsonl cannot be read: No such file"),
        (["FILE", "--game", "3"], "holds 2 games; there is no game 3"),
        (["FILE", "--by", "pires"], "there is no agent 'pires'; did you mean piers?"),
        (["FILE", "--by", "cheater"], "cheater sees hidden cards"),
        (["FILE", "--moves", "0-3"], "--moves must be from 1 to"),
        (["FILE", "--moves", "x"], "--moves must be written like 12, 10-20 or 50-, not 'x'"),
        (["FILE", "--iterations", "1"], "--iterations must be at least 2"),
        (["FILE", "--ms", "0"], "--ms must be above 0"),
        (["FILE", "--ms", "5", "--iterations", "5"], "choose one"),
        (["FILE", "--threshold", "-1"], "--threshold must be at least 0"),
        (["FILE", "--plot", "curve.doc"], "curve.doc: a plot is written as one of"),
        (["FILE", "--plot", "nowhere/curve.svg"], "there is no folder nowhere"),
    ],
)
def test_what_is_wrong_is_said(saved, arguments, words, monkeypatch):
    errors = []
    monkeypatch.setattr(cli.os, "_exit", errors.append)
    monkeypatch.setattr(
        sys, "argv", ["tamaya", "analyse", *(str(saved) if one == "FILE" else one for one in arguments)]
    )
    monkeypatch.setattr(cli.console.err, "print", lambda *texts, **_: errors.extend(texts))
    cli.run_command()
    assert words in errors[0]
    assert errors[-1] == 1


@compiled_only
def test_what_was_done_is_printed_when_it_is_stopped(saved, monkeypatch):
    def stopped(*arguments):
        for number, one in enumerate(given(*arguments)):
            if number == 3:
                raise KeyboardInterrupt
            yield one

    given = analysis.analyse
    monkeypatch.setattr(analysis, "analyse", stopped)
    result = CliRunner().invoke(cli.app, ["analyse", str(saved), "--iterations", "20", "--json"])
    assert result.exit_code == 130
    assert len(json.loads(result.stdout)["turns"]) == 3


def test_a_curve_fits_and_can_be_spelt_in_ascii():
    points, tops = [10 + turn / 4 for turn in range(40)], [25] * 40
    for width, step in ((80, 1), (30, 2)):
        lines = [line.plain for line in curve_lines(points, tops, {7}, 11, width)][1:]
        assert len(lines) == HEIGHT + 2
        assert max(map(len, lines)) <= width
        assert sum(line.count("●") for line in lines) == 40 // step
        assert lines[-2].index("×") == 5 + 7 // step
        assert lines[-1].split() == ["11", *(str(11 + 10 * step * number) for number in range(1, 4 // step))]
    flat = [line.plain for line in curve_lines([25, 25], [25, 25], {}, 1, 80)]
    assert [line.split()[0] for line in (flat[1], flat[HEIGHT])] == ["25", "24"]
    command = "from tamaya.cli.printing.characters import shown; print(shown('●─│→'))"
    child = subprocess.run(
        [sys.executable, "-c", command], env={"PYTHONIOENCODING": "ascii"}, capture_output=True, text=True, check=True
    )
    assert child.stdout.strip() == "o-|->"
