"""``tamaya live``: agents at the tables of a site like hanab.live, which is one of the tests' own."""

import contextlib
import os
import random
import signal
import subprocess
import sys
import threading
import time
from typing import ClassVar

import pytest
from conftest import compiled_only, several

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("websockets")

from site_of_tests import Room, Site
from typer.testing import CliRunner

from tamaya import make_agent
from tamaya.cli.app import app
from tamaya.game.game import Game
from tamaya.game.hanab_live import VARIANTS
from tamaya.play.live import connection
from tamaya.play.live.bot_account import HEARD, BotAccount
from tamaya.play.live.chat import CHATS, Chat
from tamaya.play.live.connection import Connection
from tamaya.play.live.live_games import LiveGames
from tamaya.play.live.login import LoginRefused, Unreachable, check_site, log_in, socket_address
from tamaya.play.live.site_commands import read_frame
from tamaya.play.rate_limit import Allowance

PASSWORD = "correct-horse"
MANY = 10**9
ONE, TWO, THREE = BOTS = ("Bot-One", "Bot-Two", "Bot-Three")


@pytest.fixture
def site(monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(connection, "FIRST_PAUSE", 0.01)
    monkeypatch.setattr(connection, "PER_SECOND", 1e6)
    with Site(dict.fromkeys(BOTS, PASSWORD)) as site:
        yield site
        for bot in Running.started:
            bot.account.games.finished = MANY
            bot.account.games.by_table.clear()
        Running.started.clear()


class Running:
    """A bot at the site, in a thread of its own, and what it notes."""

    started: ClassVar = []

    def __init__(self, site, name, agent="smartbot", games=1, **options):
        self.notes, self.error = [], None
        self.started.append(self)
        chat = Chat(self.notes.append)
        self.account = BotAccount(LiveGames(make_agent(agent), 1, chat), chat, **options)
        self.connection = Connection(self.account, site.address, name, PASSWORD)
        self.thread = threading.Thread(target=self.run, args=(games,), daemon=True)
        self.thread.start()
        site.wait(lambda: self.account.name == name)

    def run(self, games):
        try:
            self.connection.run(games)
        except ValueError as error:
            self.error = error

    def end(self, seconds=60):
        self.thread.join(seconds)
        assert not self.thread.is_alive(), self.notes[-5:]


def played_here(agent, players, seed):
    """The moves of a game of one agent that is played without a site."""
    game = Game(players, seed)
    seats = [make_agent(agent).sit_down() for _ in range(players)]
    while not game.is_over:
        game.push(seats[game.seat].act(game.view()))
    return game.moves


@compiled_only
@pytest.mark.parametrize(("agent", "names"), [("smartbot", [ONE, TWO]), ("information", [THREE, ONE, TWO])])
def test_bots_play_whole_games_by_invitation_as_they_would_here(site, agent, names):
    room = Room(5, ["Alice"], password="sesame & co")
    bots = [Running(site, name, agent) for name in names]
    site.do(site.open(room))
    site.do(site.say("Alice", names[0], "/join wrong"))
    site.wait(lambda: site.warnings == [(names[0], "That is not the correct password for this game.")])
    for name in names[:-1]:
        site.do(site.say("Alice", name, "/join sesame &amp; co"))
    site.do(site.say("Alice", "lobby", f"@{names[-1]}: join sesame &amp; co"))
    site.wait(lambda: set(room.players) == {"Alice", *names})
    site.do(site.start(room, names, seed=5))
    for bot in bots:
        bot.end()
        assert any("the game is over" in note for note in bot.notes)
        assert PASSWORD not in "\n".join(bot.notes)
    assert room.game.is_over
    assert len(site.warnings) == 1
    assert room.game.moves == played_here(agent, len(names), 5)
    assert (names[0], "tableUnattend", {"tableID": 5}) in site.heard


@compiled_only
@pytest.mark.parametrize("variant", ["6 Suits", "Black (5 Suits)", "Rainbow (4 Suits)"])
def test_variants_that_our_rules_have_are_played(site, variant):
    room = Room(5, [], variant, oneLessCard=True)
    site.rooms[5] = room
    bots = [Running(site, name, "piers", wanted=5) for name in BOTS]
    site.wait(lambda: len(room.players) == 3)
    site.do(site.start(room, BOTS, hand_size=4, **VARIANTS[variant].settings))
    for bot in bots:
        bot.end()
    assert room.game.is_over
    assert not site.warnings


@compiled_only
def test_a_lost_connection_is_opened_again_and_the_game_goes_on(site):
    room = Room(8, [])
    site.rooms[8] = room
    bots = [Running(site, name, wanted=8) for name in (ONE, TWO)]
    site.wait(lambda: len(room.players) == 2)
    site.cut_after = 9
    site.do(site.start(room, [ONE, TWO], seed=6))
    for bot in bots:
        bot.end()
        assert any("the connection is lost" in note for note in bot.notes)
    assert site.logins == 4
    assert room.game.moves == played_here("smartbot", 2, 6)
    assert not site.warnings


def test_variants_that_our_rules_do_not_have_are_refused_in_words(site):
    bot = Running(site, ONE, "piers", games=MANY)
    strange, plain_room, odd = (
        Room(1, ["Alice"], "Ambiguous (6 Suits)"),
        Room(2, ["Bob"]),
        Room(3, ["Cathy"], deckPlays=True),
    )
    for room in (strange, plain_room, odd):
        site.do(site.open(room))
    site.do(site.say("Alice", ONE, "/join"))
    site.wait(lambda: site.chats)
    assert site.chats[0][:2] == (ONE, "Alice")
    assert "I do not play Ambiguous (6 Suits). I play No Variant" in site.chats[0][2]
    site.do(site.say("Bob", ONE, "/join"))
    site.wait(lambda: ONE in plain_room.players)
    site.do(site.change(plain_room, "Cow & Pig (5 Suits)"))
    site.wait(lambda: ONE not in plain_room.players)
    assert site.chats[1][:2] == (ONE, "table2")
    site.do(site.say("Cathy", ONE, "/join"))
    site.wait(lambda: ONE in odd.players)
    site.do(site.start(odd, ["Cathy", ONE]))
    site.wait(lambda: (ONE, "tableUnattend", {"tableID": 3}) in site.heard)
    assert "'deck_plays' is not supported" in site.chats[2][2]
    assert not bot.account.games.by_table


def test_it_leaves_when_told_and_obeys_only_whom_it_is_to_obey(site):
    bot = Running(site, ONE, "piers", games=MANY, obeys=["Alice"])
    room = Room(4, ["Alice", "Eve"])
    site.do(site.open(room))
    site.do(site.say("Eve", ONE, "/join"))
    site.do(site.say("Alice", ONE, "/leave"))
    site.wait(lambda: site.chats)
    assert site.chats == [(ONE, "Alice", "I do not sit at a table with you.")]
    assert room.players == ["Alice", "Eve"]
    site.do(site.say("Alice", ONE, "/join"))
    site.wait(lambda: 4 in bot.account.waits)
    site.do(site.say("Alice", f"table{4}", f"{ONE}, leave"))
    site.wait(lambda: ONE not in room.players)
    site.do(site.say("Alice", ONE, "hello?"))
    site.wait(lambda: len(site.chats) == 2)
    assert not any("makes no sense" in note for note in bot.notes)
    assert "/join" in site.chats[1][2]
    site.do(site.say("Alice", ONE, "/join"))
    site.wait(lambda: 4 in bot.account.waits)
    site.do(site.start(room, ["Alice", ONE, "Eve"]))
    site.wait(lambda: 4 in bot.account.games.by_table)
    site.do(site.say("Alice", ONE, "/leave"))
    site.wait(lambda: (ONE, "tableUnattend", {"tableID": 4}) in site.heard)


def test_another_login_ends_it(site):
    bot = Running(site, ONE, "piers")
    site.do(
        site.tell(ONE, "error", error="You have logged on from somewhere else, so you have been disconnected here.")
    )
    bot.end()
    assert "somebody else has logged in as Bot-One" in str(bot.error)


def test_what_fails_at_the_login_is_said(site):
    assert log_in(site.address, ONE, PASSWORD) == f"hanabi.sid={ONE}"
    with pytest.raises(LoginRefused, match="does not let Bot-One in: That is not the correct password"):
        log_in(site.address, ONE, "wrong")
    with pytest.raises(Unreachable, match="cannot be reached"):
        log_in("http://127.0.0.1:1", ONE, PASSWORD)


def live(*arguments, password=PASSWORD, site=None):
    address = ["--site", site.address] if site else []
    environment = {"TAMAYA_LIVE_PASSWORD": password}
    return CliRunner().invoke(app, ["live", *arguments, *address], env=environment)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["pierz", "--user", "x"], "did you mean piers?"),
        (["cheater", "--user", "x"], "sees hidden cards"),
        (["piers", "--user", "x", "--games", "-1"], "--games must be 0 or more"),
        (["piers", "--user", "x", "--delay", "11"], "--delay must be from 0 to 10 seconds"),
        (["piers", "--user", "x", "--seed", "-1"], "a seed is a whole number"),
        (["piers", "--user", "x", "--site", "hanab.live"], "--site must be an address such as https://hanab.live"),
        (["piers", "--user", "x", "--site", "http://example.org"], "could be read on its way; use https"),
        (["piers", "--user", "x", "--site", "http://127.0.0.1:1"], "cannot be reached"),
    ],
)
def test_what_cannot_be_done_is_told_in_a_line(arguments, words):
    answer = live(*arguments)
    assert isinstance(answer.exception, (ValueError, OSError))
    assert words in str(answer.exception)


def test_the_password_is_never_on_the_command_line(site):
    assert "there is no password" in str(live("piers", "--user", ONE, site=site, password="").exception)
    assert "That is not the correct password" in str(live("piers", "--user", ONE, site=site, password="x").exception)
    assert live("piers", "--user", ONE, "--password", PASSWORD, site=site).exit_code == 2


def test_without_its_extra_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "websockets", None)
    assert "pip install 'tamaya[web]'" in str(live("piers", "--user", "x").exception)


def test_addresses():
    assert check_site("https://hanab.live/lobby") == "https://hanab.live"
    assert socket_address("https://hanab.live") == "wss://hanab.live/ws"
    assert socket_address("http://localhost:8000/") == "ws://localhost:8000/ws"


def account_of(agent="piers", name=ONE):
    """An account without a connection, and what it notes."""
    notes = []
    chat = Chat(notes.append)
    account = BotAccount(LiveGames(make_agent(agent), 1, chat), chat)
    assert not list(account.hear("welcome", {"username": name}))
    return account, notes


def test_nobody_can_make_it_flood_the_chat():
    account, _ = account_of()
    asked = {"msg": "/help", "who": "Eve", "recipient": ONE}
    answers = [frame for _ in range(500) for frame in account.hear("chat", asked)]
    assert CHATS <= len(answers) <= CHATS + 2
    assert not list(account.hear("chat", {**asked, "who": ONE}))


def test_commands_are_sent_no_faster_than_is_allowed(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(time, "sleep", lambda seconds: clock.__setitem__(0, clock[0] + seconds + 1e-9))
    allowance = Allowance(20, 5.0)
    for _ in range(120):
        allowance.wait()
    assert clock[0] == pytest.approx(20.0, abs=0.01)


def opened(account, room, name=ONE):
    """Tells an account of a game from its beginning; the commands that it answers."""
    seat = room.players.index(name)
    told = {"tableID": room.number, "playerNames": room.players, "ourPlayerIndex": seat, "options": room.options}
    asked = list(account.hear("init", told))
    history = [room.shown(name, action) for action in room.actions]
    return asked + list(account.hear("gameActionList", {"tableID": room.number, "list": history}))


def played_without_a_wire(agent, players, seed):
    """The moves of a game in which every seat is an account of a site without a connection."""
    names = [f"Bot-{number}" for number in range(players)]
    room, accounts = Room(3, names), {}
    room.deal(Game(players).settings, seed)
    waiting = []
    for name in names:
        accounts[name], _ = account_of(agent, name)
        waiting += [(name, one) for one in opened(accounts[name], room, name) if one.startswith("action ")]
    while waiting:
        name, action = waiting.pop()
        assert not waiting
        for told in room.move(names.index(name), read_frame(action)[1]):
            for one, account in accounts.items():
                frames = account.hear("gameAction", {"tableID": 3, "action": room.shown(one, told)})
                waiting += [(one, frame) for frame in frames]
    assert room.game.is_over
    return room.game.moves


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_seat_follows_the_events_of_the_site_exactly(players):
    for seed in range(several(10, 1)):
        assert played_without_a_wire("smartbot", players, seed) == played_here("smartbot", players, seed)


def test_a_game_that_it_cannot_follow_is_asked_for_again_once():
    account, notes = account_of()
    room = Room(3, [ONE, "Alice"])
    room.deal(Game(2).settings, 5)
    frames = opened(account, room)
    assert [read_frame(one)[0] for one in frames] == ["getGameInfo2", "loaded", "action"]
    strange = {"tableID": 3, "action": {"type": "draw", "playerIndex": 0, "order": 40, "suitIndex": -1, "rank": -1}}
    assert [read_frame(one) for one in account.hear("gameAction", strange)] == [("getGameInfo1", {"tableID": 3})]
    assert [read_frame(one)[0] for one in opened(account, room)] == ["getGameInfo2", "loaded", "action"]
    assert [read_frame(one)[0] for one in account.hear("gameAction", strange)] == ["chat", "tableUnattend"]
    assert any("card 40 is drawn, but the next one is 10" in note for note in notes)


def test_a_move_that_a_pause_has_refused_is_made_after_it():
    account, _ = account_of()
    room = Room(3, [ONE, "Alice"])
    room.deal(Game(2).settings, 5)
    action = opened(account, room)[-1]
    assert not list(account.hear("gameAction", {"tableID": 3, "action": room.actions[-1]}))
    assert not list(account.hear("pause", {"tableID": 3, "active": True}))
    assert list(account.hear("pause", {"tableID": 3, "active": False})) == [action]


def test_an_agent_that_fails_leaves_its_game_and_no_other(own_module):
    account, notes = account_of("own_agents:quitting")
    room = Room(3, [ONE, "Alice"])
    room.deal(Game(2).settings, 5)
    assert [read_frame(one)[0] for one in opened(account, room)[-2:]] == ["chat", "tableUnattend"]
    assert not account.games.by_table
    assert any("leaves the game" in note for note in notes)


def test_commands_that_make_no_sense_do_no_harm():
    account, notes = account_of()
    rng = random.Random(1)
    values = [None, -1, 3, "x", [], {}, [{}], {"tableID": 3}, {"tableID": "3"}, {"msg": 1}, True, 1e300]
    members = ["tableID", "id", "list", "action", "players", "options", "playerNames", "ourPlayerIndex", "who", "msg"]
    for _ in range(several(3000, 300)):
        data = rng.choice([rng.choice(values), {name: rng.choice(values) for name in rng.sample(members, 4)}])
        name = rng.choice([one for one in HEARD if one != "welcome"])
        assert all(" " in frame for frame in account.hear(name, data))
    assert any("makes no sense" in note for note in notes)


@compiled_only
def test_ctrl_c_leaves_the_table_and_ends(site):
    room = Room(6, ["Alice"])
    site.rooms[6] = room
    command = [sys.executable, "-m", "tamaya", "live", "piers", "--user", ONE, "--site", site.address, "--table", "6"]
    environment = os.environ | {"TAMAYA_LIVE_PASSWORD": PASSWORD}
    with (
        subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as child,
        contextlib.ExitStack() as stack,
    ):
        stack.callback(child.kill)
        said = iter(child.stdout)
        assert any("joined table 6" in line for line in said)  # the site knows it before the child does
        child.send_signal(signal.SIGINT)
        output = "".join(said)
    assert child.returncode == 130
    assert (ONE, "tableLeave", {"tableID": 6}) in site.heard
    assert "tamaya: stopped" in output
    assert "Traceback" not in output
