"""Bots over a pipe: they play what they answer, are told what their seat may know, and cannot make anything hang."""

import io
import json
import logging
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

import pytest
from conftest import TESTS, VARIANTS, compiled_only, short

from tamaya import AgentError, Game, Settings, make_agent, make_team, run_match
from tamaya.arena.checks.checked_agent import CheckedAgent
from tamaya.arena.checks.conformance import check_games, check_order, check_sight, findings, inspect_agent
from tamaya.arena.checks.hidden_cards_check import deal_anew
from tamaya.arena.game_loop import FORFEITED, NO_RULE
from tamaya.arena.matches import Match, match_entries
from tamaya.arena.seating import GameFailure, Seating, game_seeds, replay
from tamaya.bridges.bot_server import serve
from tamaya.bridges.events import news, opening
from tamaya.bridges.followed_game import FollowedGame
from tamaya.bridges.protocol import HostMessage, Init, read_line, to_lines
from tamaya.cli.printing.match_results import result_lines
from tamaya.game.story import in_short, tell_story
from tamaya.policies.language import Command, parse

pytestmark = compiled_only
PYTHON = sys.executable
BOTS = TESTS.parent / "examples" / "bots"


def rogue(mode, turn=2, **settings):
    """A bot that misbehaves at a turn."""
    inside = "".join(f", {key}={value}" for key, value in settings.items())
    return f"pipe({PYTHON} {TESTS / 'rogue.py'} {mode} {turn}{inside})"


def is_alive(process):
    """Whether a process runs; one that has ended but was not waited for does not."""
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def is_gone(process, seconds=5.0):
    """Whether a process ends soon."""
    end = time.monotonic() + seconds
    while is_alive(process) and time.monotonic() < end:
        time.sleep(0.01)
    return not is_alive(process)


class Last:
    def act(self, view):
        return view.legal_moves[-1]


@pytest.mark.parametrize(
    "text",
    [
        "pipe(./mybot --flag)",
        "pipe(./my-bot/run.sh -x=1 a,b --y 'two words' \"it's\")",
        "pipe(tamaya bot 'ris(rules=goodman, rollout=vdb)')",
        "pipe(tamaya bot search(piers))",
        "pipe(./bot + --plus)+piers",
        "piers+pipe(./a, deadline=2)+pipe(./b 'x, deadline=3', fail=forfeit, log=logs/b.log)",
        "pipe(./bot \\) '(' \")\" ~/file ünïcode)",
        "search(pipe(./bot))",
        "pipe(./bot 'a,' deadline=5)",
    ],
)
def test_commands_are_read_as_in_a_shell_and_written_so_that_they_read_back(text):
    team = parse(text)
    assert parse("+".join(map(str, team))) == team


def test_the_words_of_a_command_and_its_settings():
    first, second = parse("piers+pipe(./b 'x, deadline=3' a,b=1 \"(\", fail=forfeit, deadline=0.5)")
    assert str(first) == "piers"
    assert second.arguments == (Command(("./b", "x, deadline=3", "a,b=1", "(")),)
    assert {key: str(value) for key, value in second.keywords} == {"fail": "forfeit", "deadline": "0.5"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("pipe()", "needs a command"),
        ("pipe", "needs a command"),
        ("pipe(./bot", "the bracket after a command is not closed"),
        ("pipe(./bot 'x)", "the ' of a command is not closed"),
        ("pipe(./bot \\)", "is not closed"),
        ("pipe(./there-is-no-such-bot --x)", "'./there-is-no-such-bot' is not a program"),
        ("pipe(true, dedline=5)", "no setting 'dedline'.*did you mean deadline"),
        ("pipe(true, deadline=0)", "deadline must be a number of seconds"),
        ("pipe(true, deadline=soon)", "deadline must be a number of seconds"),
        ("pipe(true, fail=retry)", "fail must be stop or forfeit, not retry"),
        ("pipe(true, log=5)", "log must be the name of a file"),
        ("pipe(true, log=bot.py)", "log must be the name of a file that ends in .log, such as bot.log, not bot.py"),
        ("pip(true)", "did you mean pipe"),
        ("search(pipe(true))", "runs in another process"),
    ],
)
def test_what_is_wrong_with_a_pipe_is_said(text, words):
    with pytest.raises(AgentError, match=words):
        make_agent(text)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_bot_plays_the_games_of_its_answers(players):
    settings = Settings(players=players)
    ours, theirs = (Seating([make_agent(one)] * players, settings) for one in (Last, rogue("none", fail="forfeit")))
    seeds = game_seeds(3, 0, 3)
    assert (ours.play(seeds) == theirs.play(seeds)).all()


def test_bots_play_in_mixed_teams_beside_compiled_agents_and_classes():
    team = (*make_team(f"piers+{rogue('none')}+iggi"), make_agent(Last))
    same = (*make_team("piers"), make_agent(Last), *make_team("iggi"), make_agent(Last))
    settings, seeds = Settings(players=4), game_seeds(5, 0, 4)
    assert (Seating(team, settings).play(seeds) == Seating(same, settings).play(seeds)).all()


def test_the_number_of_threads_changes_nothing():
    results = [run_match(rogue("none"), 2, games=6, seed=4, threads=threads) for threads in (1, 3)]
    assert results[0][0].histogram == results[1][0].histogram


FAILURES = {
    "slow": "did not answer within 0.5 seconds",
    "crash": "exited with code 1: RuntimeError: out of ideas",
    "quit": "exited with code 0",
    "killed": "was killed by signal 9",
    "nonsense": "answered 'I play the red one': JSON is malformed",
    "wrong-type": "type must be a whole number, not a text",
    "fraction": "target must be a whole number, not one with a decimal point",
    "list": "answered '[0, 1]': it must be an object, not a list",
    "empty": "answered an empty line, in the game",
    "cut-short": """answered '{"type": 0': it is cut short""",
    "no-target": "which is illegal here: a move of type 1 needs a target",
    "not-held": "card 49 of the deck is not in its hand",
    "to-itself": "which is illegal here: tell 0 1: a hint must go to another seat",
    "no-such-type": "there is no move of type 7",
    "partial": "did not answer within 0.5 seconds",
    "endless": "bytes without ending a line",
    "binary": "answered",
    "deep": "answered",
    "flood": "without being asked",
    "closes-output": "closed its output",
    "closes-input": "closed its input",
}


@pytest.mark.parametrize("mode", FAILURES)
def test_a_bot_that_fails_stops_the_match_with_the_reason(mode):
    bot = make_agent(rogue(mode, deadline=0.5 if "0.5 seconds" in FAILURES[mode] else 10))
    seating = Seating([bot, make_agent("piers")], Settings(players=2))
    start, memory = time.monotonic(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(GameFailure) as failure:
        seating.play(game_seeds(1, 0, 3))
    assert FAILURES[mode] in str(failure.value)
    assert "turn " in str(failure.value)
    assert "seat 0 (Alice)" in str(failure.value)
    assert time.monotonic() - start < 20
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory < 100_000  # KB
    assert all(program.has_ended for program in bot.crew.living)


def test_a_bot_that_forfeits_loses_the_game_and_the_match_goes_on(tmp_path, caplog):
    bot = make_agent(rogue("crash", fail="forfeit"))
    match = Match(match_entries([[bot, make_agent("piers")]], [Settings(players=2)]), games=3, seed=1)
    with (tmp_path / "games.jsonl").open("wb") as file, caplog.at_level(logging.WARNING, "tamaya"):
        match.save = file
        (summary,) = match.run()
    assert (summary.games, summary.forfeits, summary.strict_mean) == (3, 3, 0.0)
    assert [record.message.count("out of ideas") for record in caplog.records] == [1, 1, 1]
    from tamaya.game.replay import load

    game = load(tmp_path / "games.jsonl")
    assert in_short(game) == "forfeited"
    assert "out of ideas" in list(tell_story(game))[-1]


def test_many_forfeits_are_not_all_told(caplog):
    seating = Seating([make_agent(rogue("nonsense", 1, fail="forfeit"))] * 2, Settings(players=2))
    with caplog.at_level(logging.WARNING, "tamaya"):
        outcomes = seating.play(game_seeds(1, 0, 12))
    assert (outcomes["ending"] == FORFEITED).all()
    assert len(seating.forfeits) == 12
    assert len(caplog.records) == 11


def test_a_bot_may_give_up_and_the_points_stand():
    bot = make_agent(rogue("give-up", 3))
    (outcome,) = Seating([bot] * 2, Settings(players=2)).play(game_seeds(1, 0, 1))
    assert outcome.ending == NO_RULE
    assert outcome.length == 4


def test_what_is_said_of_games_without_a_move_is_true_for_rule_lists_and_for_bots_that_give_up():
    lines = list(map(str, result_lines(run_match(["risky", rogue("give-up", 3)], 2, games=10), 200)))
    assert "no move: games that ended because a player made no move; their points count" in lines[-1]


@pytest.mark.parametrize("mode", ["parts", "flood-errors"])
def test_a_bot_may_write_its_answer_in_parts_and_anything_to_its_error_stream(mode, tmp_path):
    text = rogue(mode, 2)[:-1] + f", log={tmp_path}/bot.log)"
    seating = Seating([make_agent(text), make_agent(Last)], Settings(players=2))
    same = Seating([make_agent(Last)] * 2, Settings(players=2))
    assert (seating.play(game_seeds(1, 0, 1)) == same.play(game_seeds(1, 0, 1))).all()
    log = (tmp_path / "bot.log").read_bytes()
    assert (log.count(b"xx") > 2_000_000) == (mode == "flood-errors")
    assert log.startswith(b'> {"type":"hello","protocol":1,"name":"tamaya"')
    assert b'\n< {"type": 3, "target": 1, "value": ' in log


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        ("mute", "did not say hello: it did not answer within 1 second,"),
        ("no-hello", "did not say hello: it exited with code 3: cannot find my weights"),
        ("impolite", "did not say hello: it answered '.*': type cannot be 'play'"),
        ("newer", r"rogue.py newer 2, .*\) speaks version 9 of the protocol, not 1"),
    ],
)
def test_a_bot_that_does_not_say_hello_stops_the_match(mode, words):
    start = 1 if mode == "mute" else 20
    seating = Seating([make_agent(rogue(mode, start=start, fail="forfeit"))] * 2, Settings(players=2))
    with pytest.raises(GameFailure, match=words):
        seating.play(game_seeds(1, 0, 1))


def test_a_log_that_cannot_be_written_is_named_and_no_bot_is_started(tmp_path):
    bot = make_agent(rogue("none", log=tmp_path / "nowhere" / "bot.log"))
    with pytest.raises(ValueError, match=r"cannot write its log .*nowhere/bot\.log: No such file or directory"):
        bot.sit_down().act(Game(2, 1).view())
    assert bot.crew.living == []


def test_a_bot_that_does_not_read_is_given_up(monkeypatch):
    bot = make_agent(rogue("deaf", deadline=0.3))
    much = lambda messages: to_lines(messages) * (3000 if len(messages) > 1 else 1)  # noqa: E731
    monkeypatch.setattr("tamaya.bridges.pipe_agents.to_lines", much)
    with pytest.raises(ValueError, match=r"did not read its input within 0\.3 seconds"):
        bot.sit_down().act(Game(2, 1).view())


def test_programs_are_ended_with_their_children_when_the_agent_is_gone(tmp_path, monkeypatch):
    monkeypatch.setenv("ROGUE_FILE", str(tmp_path / "numbers"))
    bot = make_agent(rogue("stubborn"))
    bot.sit_down().act(Game(2, 1).view())
    numbers = (tmp_path / "numbers").read_text().split()
    assert all(map(is_alive, numbers))
    del bot
    assert all(map(is_gone, numbers))


def test_programs_are_ended_when_tamaya_is_killed(tmp_path):
    code = (
        "import os, signal; from tamaya import Game, make_agent\n"
        f"bot = make_agent({rogue('stubborn')!r}); bot.sit_down().act(Game(2, 1).view())\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    environment = os.environ | {"ROGUE_FILE": str(tmp_path / "numbers")}
    child = subprocess.run([PYTHON, "-c", code], env=environment, check=False)
    assert child.returncode == -signal.SIGKILL
    assert all(map(is_gone, (tmp_path / "numbers").read_text().split()))


def test_a_program_stays_for_the_next_game_and_every_seat_has_its_own():
    bot = make_agent(rogue("none"))
    seating = Seating([bot] * 3, Settings(players=3))
    seating.play(game_seeds(1, 0, 2))
    programs = {program.child.pid for program in bot.crew.living}
    seating.play(game_seeds(2, 0, 2))
    assert {program.child.pid for program in bot.crew.living} == programs
    assert len(programs) == 3


def test_two_games_at_once_do_not_share_a_program():
    bot, games = make_agent(rogue("none")), [Game(2, 1), Game(2, 2)]
    players = [[bot.sit_down(), bot.sit_down()] for _ in games]
    for _ in range(6):
        for game, seats in zip(games, players, strict=True):
            move = seats[game.seat].act(game.view())
            assert move == game.legal_moves[-1]
            game.push(move)


def wire(game, seat):
    """All that a seat is told of a game."""
    view = game.view(seat)
    return to_lines([*opening(view), *news(view, 0)])


@pytest.mark.parametrize("players", [2, 5])
def test_a_seat_is_told_the_same_whatever_it_cannot_see(players):
    chance = random.Random(1)
    (outcome,) = Seating([make_agent("piers")] * players, Settings(players=players)).play(game_seeds(9, 0, 1))
    game = replay(Settings(players=players), outcome)
    for _ in range(20):
        game.undo()
    for seat in range(players):
        assert wire(deal_anew(game, seat, chance), seat) == wire(game, seat)
        for line in wire(game, seat).splitlines():
            event = json.loads(line)
            if event["type"] == "draw":
                is_hidden = event["playerIndex"] == seat
                assert ((event["suitIndex"], event["rank"]) == (-1, -1)) == is_hidden


def test_the_check_has_nothing_against_a_bot():
    examined = CheckedAgent(rogue("none"), games=2, timeout=120.0)
    with examined.open:
        found = list(findings(examined, (check_order, check_sight)))
    assert [one.is_fine for one in found] == [True, True]


@pytest.mark.parametrize("mode", ["crash", "not-held"])
def test_the_check_does_not_overlook_games_that_a_bot_forfeits(mode):
    (finding,) = inspect_agent(rogue(mode, fail="forfeit"), checks=[check_games])
    assert not finding.is_fine
    assert "is forfeited: pipe(" in finding.text
    assert FAILURES[mode] in finding.text


def followed(game, seat):
    """What a bot at a seat has of a game, from what it was told."""
    table = None
    for line in wire(game, seat).splitlines():
        message = read_line(line, HostMessage)
        if isinstance(message, Init):
            table = FollowedGame(message)
        else:
            table.hear(message)
    return table.view(game.view(seat).seed)


@pytest.mark.parametrize("settings", VARIANTS, ids=short)
def test_what_is_told_leads_back_to_what_the_seat_sees(settings):
    (outcome,) = Seating([make_agent("iggi")] * settings.players, settings).play(game_seeds(2, 0, 1))
    game = replay(settings, outcome)
    for _ in range(3):
        for seat in range(settings.players):
            ours, theirs = game.view(seat), followed(game, seat)
            assert (ours.tables == theirs.tables).all()
            assert ours.mover == theirs.mover
            assert all(one.is_same(other) for one, other in zip(ours.past, theirs.past, strict=True))
        for _ in range(game.turn // 3):
            game.undo()


@pytest.mark.parametrize("name", ["piers", "information", "risky", "search(iggi, iterations=5)"])
def test_an_agent_behind_a_pipe_plays_its_very_games(name):
    settings, seeds = Settings(players=3), game_seeds(8, 0, 4)
    bot = make_agent(f"pipe({PYTHON} -m tamaya bot '{name}')")
    games = [Seating([agent] * 3, settings).play(seeds) for agent in (make_agent(name), bot)]
    for field in ("ending", "score", "length", "moves", "lives"):
        assert (games[0][field] == games[1][field]).all()


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["zzz"], "line 1: 'zzz': JSON is malformed"),
        (['{"type":"hello","protocol":2}'], "this is version 1 of the protocol, not 2"),
        (['{"protocol":1}'], "there is no type"),
        (["[1]"], "line 1: '[1]': it must be an object, not a list"),
        (['{"type":"act"}'], "there is no game; init comes first"),
        (['{"type":"init","playerNames":["a","b"],"ourPlayerIndex":2}'], "no seat 2 at a table of 2"),
        (['{"type":"init","playerNames":["a"],"ourPlayerIndex":0}'], "2 to 5 players"),
        (['{"type":"init","playerNames":["a","b"],"ourPlayerIndex":0,"rules":{"lives":99}}'], "cannot be played"),
        (
            ['{"type":"init","playerNames":["a","b"],"ourPlayerIndex":0,"options":{"variant":"Ambiguous (6 Suits)"}}'],
            "'Ambiguous",
        ),
        (
            ['{"type":"init","playerNames":["a","b"],"ourPlayerIndex":0,"options":{"variantName":"Prism (5 Suits)"}}'],
            "line 1: these rules cannot be played: the hanab.live variant 'Prism (5 Suits)' is not supported",
        ),
        (
            ['{"type":"init","playerNames":["a","b"],"ourPlayerIndex":0,"rules":{"players":3}}'],
            "line 1: these rules cannot be played: 2 names for a game of 3 players",
        ),
        (
            ['{"type":"init","playerNames":["a","b"],"ourPlayerIndex":0}', "act"],
            "line 2: the hands are not dealt yet: 0 of their 10 cards were drawn",
        ),
        (
            ['{"type":"init","playerNames":["a","b"],"ourPlayerIndex":0}', '{"type":"draw","playerIndex":0,"order":3}'],
            "line 2: card 3 is drawn, but the next one is 0",
        ),
        (["game", '{"type":"act","seed":"-3"}'], "a seed is a whole number"),
        (["game", '{"type":"play","playerIndex":1,"order":5,"suitIndex":0,"rank":1}'], "seat 1 cannot play"),
        (["game", '{"type":"play","playerIndex":0,"order":99,"suitIndex":0,"rank":1}'], "nobody holds card 99"),
        (["game", '{"type":"play","playerIndex":0,"order":0,"suitIndex":9,"rank":1}'], "no card with suit 9"),
        (
            ["game", '{"type":"discard","playerIndex":0,"order":0,"suitIndex":0,"rank":1}', '{"type":"act"}'],
            "cannot make",
        ),
        (
            ["game", '{"type":"clue","clue":{"type":0,"value":9},"giver":0,"target":0,"list":[]}'],
            "cannot give such a hint",
        ),
        (
            ["game", '{"type":"clue","clue":{"type":1,"value":1},"giver":0,"target":1,"list":[]}', "act"],
            "not the turn of seat 0",
        ),
    ],
)
def test_a_host_that_makes_no_sense_is_told_which_line(lines, words):
    game = wire(Game(2, 1), 0).decode().strip()
    text = "\n".join({"game": game, "act": '{"type":"act"}'}.get(line, line) for line in lines)
    with pytest.raises(ValueError, match=re.escape(words)):
        serve(make_agent("piers"), io.BytesIO(text.encode()), io.BytesIO())


def test_a_bot_of_ours_ignores_types_and_members_that_it_does_not_know():
    strange = b'{"type":"dance","to":["a","waltz"]}\n'
    lines = strange + wire(Game(2, 1), 0) + strange + b'{"type":"act","seed":"5","mood":"good"}\n'
    heard = io.BytesIO()
    serve(make_agent("piers"), io.BytesIO(lines), heard)
    assert set(json.loads(heard.getvalue())) == {"type", "target", "value"}


def test_a_host_may_name_a_variant_as_hanab_live_does():
    init = b'{"type":"init","playerNames":["a","b"],"ourPlayerIndex":0,"options":{"variantName":"Rainbow (6 Suits)"}}'
    assert FollowedGame(read_line(init, HostMessage)).settings == Settings(players=2, multicolour="wild")


def test_the_command_serves_an_agent_whose_prints_are_kept_away(own_module):
    lines = wire(Game(2, 1), 0).decode() + '{"type":"act","seed":"5"}\n'
    hello = '{"type":"hello","protocol":1}\n'
    child = subprocess.run(
        [PYTHON, "-m", "tamaya", "bot", "own_agents:Patient"],
        input=hello + lines,
        capture_output=True,
        text=True,
        check=True,
    )
    first, second = map(json.loads, child.stdout.splitlines())
    assert (first["type"], first["name"]) == ("hello", "own_agents:Patient")
    assert set(second) == {"type", "target", "value"}
    failed = subprocess.run(
        [PYTHON, "-m", "tamaya", "bot", "cheater"], input="", capture_output=True, text=True, check=False
    )
    assert failed.returncode == 1
    assert failed.stderr.startswith("tamaya: cheater sees hidden cards")


def test_the_examples_play_alike_and_well():
    commands = [f"{PYTHON} {BOTS}/bot.py"] + ([f"node {BOTS}/bot.js"] if shutil.which("node") else [])
    for settings in (Settings(players=2), Settings(players=4), Settings(players=3, multicolour="single")):
        seatings = [Seating([make_agent(f"pipe({one})")] * settings.players, settings) for one in commands]
        games = [seating.play(game_seeds(6, 0, 5)) for seating in seatings]
        assert all((one == games[0]).all() for one in games)
        assert games[0]["score"].mean() > 8
        assert (games[0]["lives"] == 3).all()


def test_a_run_says_which_bots_it_starts_and_counts_their_forfeits(tmp_path):
    bot = rogue("crash", fail="forfeit")
    text = f'games = 3\nplayers = [2]\n[[lineup]]\nkind = "self-play"\nagents = [{json.dumps(bot)}, "piers"]\n'
    (tmp_path / "bots.toml").write_text(text)
    command = [PYTHON, "-m", "tamaya", "run", str(tmp_path / "bots.toml"), "--json"]
    child = subprocess.run(command, capture_output=True, text=True, check=False)
    assert child.returncode == 0, child.stderr
    assert f"running {PYTHON} {TESTS / 'rogue.py'} crash 2, which bots of this run need" in child.stderr
    assert child.stderr.count("out of ideas") == 3
    results = {one["agent"]: one for one in json.loads(child.stdout)["results"]}
    assert (results[bot]["forfeits"], results[bot]["strict_mean"], results["piers"]["forfeits"]) == (3, 0.0, 0)


def test_a_file_of_games_starts_no_bot(tmp_path, monkeypatch):
    monkeypatch.setenv("ROGUE_FILE", str(tmp_path / "numbers"))
    match = Match(match_entries([rogue("none")], [Settings(players=2)]), games=1, seed=1)
    with (tmp_path / "games.jsonl").open("wb") as file:
        match.save = file
        match.run()
    games = tmp_path / "games.jsonl"
    games.write_text(games.read_text().replace("rogue.py none", "rogue.py stubborn"))
    command = [PYTHON, "-m", "tamaya", "think", str(games), "--json"]
    child = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(child.stdout)["thoughts"]["agent"].startswith("mo(")
    assert not (tmp_path / "numbers").exists()
    asked = subprocess.run([*command, "--agent", rogue("none")], capture_output=True, text=True, check=True)
    assert json.loads(asked.stdout)["thoughts"]["move"] == json.loads(asked.stdout)["made"]
    failed = subprocess.run([*command, "--agent", rogue("crash", 1)], capture_output=True, text=True, check=False)
    assert failed.returncode == 1
    assert "exited with code 1: RuntimeError: out of ideas, at turn " in failed.stderr


def test_a_bot_without_a_seed_has_its_own():
    lines = wire(Game(2, 1), 0) + b'{"type":"act"}\n'
    answers = []
    for seed in (1, 1, 2, 3, 4):
        heard = io.BytesIO()
        serve(make_agent("legal-random"), io.BytesIO(lines), heard, seed)
        answers.append(heard.getvalue())
    assert answers[0] == answers[1]
    assert len(set(answers)) > 2
