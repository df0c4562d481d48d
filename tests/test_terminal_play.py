"""``tamaya play --terminal``: what a person sees and can do there, by keys and by lines, and what is kept."""

import contextlib
import fcntl
import os
import pty
import random
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

import pytest
from conftest import TESTS, VARIANTS, compiled_only, several, short
from twins import random_game, twin
from typer.testing import CliRunner

from tamaya.cli.app import app
from tamaya.game.game import Game
from tamaya.game.notation import Kind
from tamaya.game.replay import from_record, records
from tamaya.play.tables.bots import Bots
from tamaya.play.tables.lobby import GAMES, Lobby, open_table
from tamaya.play.tables.messages import Order, Place
from tamaya.play.terminal.key_bindings import KeyControls
from tamaya.play.terminal.keyboard import Keys
from tamaya.play.terminal.line_play import LinePlay
from tamaya.play.terminal.person import Person
from tamaya.play.terminal.screen import screen_lines
from tamaya.play.terminal.terminal_session import SUFFIX, held, unfinished
from tamaya.policies.language import AgentError

ALL_KEYS = [*"ad;qwertyx?123456[] +-", "left", "right", "home", "end", "enter", "escape", "tab"]


def person_at(folder, players=3, seat=0, rules=(), **order):
    """A person at a new table with bots."""
    seats = [Place() if number == seat else Place(agent="piers") for number in range(players)]
    bots = Bots()
    table = open_table(Order(seats, seat, dict(rules), delay=0.0, **order), bots, folder, SUFFIX)
    return Person(table, bots, folder / GAMES)


def shown(controls, width=80, height=24):
    return [line.plain for line in screen_lines(controls, width, height)]


def styled(controls, width=80, height=24):
    """The screen with its colours."""
    return [(line.plain, line.spans) for line in screen_lines(controls, width, height)]


def let_bots_move(person):
    while person.table.bot:
        assert person.let_move(person.think()) == ""


def play_out(person, choose):
    """Plays a game to its end."""
    while not person.table.game.is_over:
        let_bots_move(person)
        if legal := person.legal:
            person.act(choose(legal))


def discard_or_hint(legal):
    return next((one for one in legal if one.type == Kind.DISCARD), legal[-1])


@pytest.mark.parametrize("size", [(80, 24), (50, 20), (140, 50)])
def test_screens_and_lines_do_not_depend_on_what_the_seat_cannot_see(tmp_path, size):
    """In the middle of games of every length, at every turn looked back at, whatever keys were pressed."""
    rng, differences = random.Random(sum(size)), 0
    for _ in range(12):
        game, seat = random_game(rng)
        if game.is_over:
            continue
        keys, screens = [rng.choice(ALL_KEYS) for _ in range(30)], []
        other = twin(game, seat, rng)
        differences += game.hands[seat] != other.hands[seat]
        for one in (game, other):
            person = person_at(tmp_path, game.players, seat, seed="1")
            person.table.game = one.copy()
            controls, said = KeyControls(person), []
            person.act = lambda choice, said=said: said.append(choice)
            lines = LinePlay(person, said.append)
            lines.go_on = lambda: None
            for line in ("look", "look 0", "moves", "knows alice", "knows bob", "why 1"):
                with contextlib.suppress(ValueError):
                    lines.hear(line.split())
            screen = [styled(controls, *size)]
            for key in keys:
                controls.press(key)
                screen.append(styled(controls, *size))
            screens.append((screen, said))
        assert screens[0] == screens[1]
    assert differences > 2


@pytest.mark.parametrize("settings", VARIANTS, ids=short)
def test_every_game_fits_a_small_terminal(tmp_path, settings):
    rules = {name: getattr(settings, name) for name in settings.__struct_fields__ if name != "players"}
    person = person_at(tmp_path, settings.players, rules=rules, seed="3")
    controls = KeyControls(person)
    for _ in range(several(6, 2)):
        let_bots_move(person)
        for width, height in ((80, 24), (40, 15), (200, 60)):
            lines = shown(controls, width, height)
            assert len(lines) == height
            assert {len(line) for line in lines} == {width}
            assert "score" in lines[0]
            for seat in range(settings.players):
                assert sum(person.view.wording.player(seat) in line[:11] for line in lines[2:-3]) == 1
        if person.legal:
            person.act(discard_or_hint(person.legal))


def test_the_screen_shows_what_a_player_must_know(tmp_path):
    person = person_at(tmp_path, 2, seed="6")
    controls = KeyControls(person)
    game = person.table.game
    game.push("tell 1 red")
    game.push("tell 0 1")
    text = "\n".join(shown(controls))
    touched = [slot for slot, card in enumerate(reversed(game.hands[0]), 1) if card.rank == 1]
    assert f"Bob tells Alice 1: slot{'s' * (len(touched) > 1)} {touched[0]}" in text
    assert text.count("[??]*") == len(touched)
    assert "hints 6/8" in text
    assert " Your turn " in text
    reds = [card for card in game.hands[1] if card.colour == 0]
    assert all(f"[{card}]" in text for card in reds)
    assert text.count("1····") == len(touched)
    controls.press(" ")
    as_known = "\n".join(shown(controls))
    assert as_known.count("??") == 10
    controls.press("left")
    assert "Turn 1 of 2" in "\n".join(shown(controls))


def test_last_copies_and_useless_cards_are_marked(tmp_path):
    person = person_at(tmp_path, 2, seed="1")
    deck = sorted(Game(2).deck, key=lambda card: (card.rank != 5, card.colour))
    person.table.game = Game(2, deck=deck)
    text = shown(KeyControls(person))
    assert not any("R5!" in line for line in text)
    person.table.game = Game(2, deck=deck[5:10] + deck[:5] + deck[10:])
    text = "\n".join(shown(KeyControls(person)))
    assert all(f"{letter}5 !" in text for letter in "RYGWB")


def press(controls, *keys):
    for key in keys:
        controls.press(key)
    return controls.chosen.trouble


def test_moves_are_made_by_the_keys_of_the_page(tmp_path):
    person = person_at(tmp_path, 3, seed="6")
    controls, game = KeyControls(person), person.table.game
    assert "all 8 hint tokens are available" in press(controls, "d")
    assert press(controls, ";") == ""
    assert controls.chosen.target == 1
    assert press(controls, "tab") == ""
    assert controls.chosen.target == 2
    absent = next(rank for rank in range(1, 6) if rank not in {card.rank for card in game.hands[2]})
    assert press(controls, str(absent)) == "it touches no card of Cathy"
    press(controls, "enter")
    assert not game.moves
    press(controls, "qwert"[game.hands[2][0].colour])
    assert "Enter gives the hint" in "\n".join(shown(controls))
    press(controls, "enter")
    assert str(game.moves[0]).startswith("tell 2 ")
    assert "not your turn" in press(controls, "a")
    let_bots_move(person)
    press(controls, "left")
    assert "looking back" in press(controls, "a")
    newest = game.orders[0][-1]
    press(controls, "end", "a", "1")
    assert game.moves[3].kind == Kind.PLAY
    assert game.moves[3].target == 4
    assert newest not in game.orders[0]
    let_bots_move(person)
    press(controls, "2", "d")
    assert game.moves[-1] == (Kind.DISCARD, 3, 0)
    let_bots_move(person)
    assert "there is no slot 6" in press(controls, "a", "6")


def test_whatever_keys_are_pressed_only_legal_moves_are_made(tmp_path):
    rng = random.Random(5)
    for players in (2, 3, 5):
        person = person_at(tmp_path, players, rules={"multicolour": "wild"}, seed=str(players))
        controls = KeyControls(person)
        keys = [key for key in ALL_KEYS if key != "x"]
        for _ in range(several(3000, 200)):
            controls.press(rng.choice(keys))
            let_bots_move(person)
        assert person.table.game.turn > several(20, 4)
        assert not controls.chosen.has_left


def test_after_the_game_bots_explain_and_the_same_deal_is_played_again(tmp_path):
    person = person_at(tmp_path, 2, seed="9")
    controls = KeyControls(person)
    assert person.reason(1) is None
    assert person.deck is None
    play_out(person, discard_or_hint)
    assert "same deal again" in "\n".join(shown(controls))
    press(controls, "home", "right", "right", "enter")
    text = " ".join("\n".join(shown(controls, 120, 40)).split())
    assert "Why? Bob" in text
    assert "Its rule" in text
    assert not any("??" in line for line in shown(controls))
    first = person.table.game
    press(controls, "s")
    assert person.table.game.deck == first.deck
    assert not person.table.game.moves
    play_out(person, discard_or_hint)
    press(controls, "n")
    assert person.table.game.deck != first.deck
    kept = [from_record(record) for record in records(tmp_path / GAMES)]
    assert [game.moves for game in kept] == [first.moves] * 2
    assert unfinished(tmp_path) == []


def invoke(folder, *arguments, lines=""):
    delay = [] if "--resume" in arguments else ["--delay", "0"]
    command = ["play", "--terminal", "--folder", str(folder), *delay, *arguments]
    return CliRunner().invoke(app, command, input=lines)


def test_a_game_by_lines_is_played_explained_and_kept(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "starlette", None)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    lines = [
        "help",
        "",
        "nonsense",
        "look",
        "tell Bob 9",
        "tell nobody r",
        "t bob mauve",
        "p 9",
        "d 1",
        "play",
        "why 0",
    ]
    lines += ["p 1"] * 30 + ["why 2", "moves", "look 1", "again", "look", "new", "p 1", "quit", "p 1"]
    done = invoke(tmp_path, "piers", "--players", "2", "--seed", "4", lines="\n".join(lines))
    assert done.exception is None, done.exception
    for words in (
        "play 1, or p 1: play the card in slot 1",
        "'nonsense' means nothing here",
        "there are only the ranks 1 to 5",
        "nobody is called 'nobody'; here are Alice, Bob",
        "'mauve' is not a rank or a colour",
        "a slot is a number from 1 to 5, not '9'",
        "all 8 hint tokens are available",
        "write it as in: play 1",
        "bots explain their moves when the game is over",
        "The last life is lost",
        "Its rule ",
        "the game is kept; tamaya play --terminal --resume",
    ):
        assert words in done.stdout, words
    (kept,) = records(tmp_path / GAMES)
    assert kept.tamaya.agents == ["person", "piers"]
    assert kept.tamaya.seed == 4
    assert from_record(kept).is_over


def test_a_game_that_was_left_goes_on(tmp_path):
    assert "no unfinished game" in str(invoke(tmp_path, "--resume").exception)
    assert invoke(tmp_path, "--seed", "3", lines="look\n").exception is None
    assert not list(tmp_path.glob("*"))
    first = invoke(tmp_path, "piers", "--seed", "3", lines="p 1\n").stdout
    assert "the game is kept" in first
    (path,) = tmp_path.glob(f"*{SUFFIX}")
    last = [line for line in first.splitlines() if line.startswith("turn 3")]
    again = invoke(tmp_path, "--resume", lines="moves\n").stdout
    assert last[0] in again
    assert "1 Alice " in again
    assert "not finished" in invoke(tmp_path, "--seed", "3").stdout
    with held(path):
        assert "no unfinished game" in str(invoke(tmp_path, "--resume").exception)
    assert not Lobby(tmp_path, Bots()).tables
    over = invoke(tmp_path, "--resume", lines="p 1\n" * 40).stdout
    assert "Write again, new, why 5 or quit" in over
    assert len(list(records(tmp_path / GAMES))) == 1
    assert "no unfinished game" in str(invoke(tmp_path, "--resume").exception)


def test_a_game_that_was_over_but_not_yet_kept_is_kept_at_the_next_start(tmp_path, monkeypatch):
    person = person_at(tmp_path, 2, seed="2")
    with monkeypatch.context() as patch:
        patch.setattr("tamaya.play.terminal.person.keep_game", lambda *_: None)
        play_out(person, discard_or_hint)
    assert not (tmp_path / GAMES).exists()
    opened, _ = person.table.journal.path.read_text().split("\n", 1)
    for number, text in enumerate(['{"entry":"opened"}', opened + '\n{"entry":"dropped","line":1}']):
        (tmp_path / f"damaged{number}{SUFFIX}").write_text(text + "\n")
    assert unfinished(tmp_path) == []
    (kept,) = records(tmp_path / GAMES)
    assert from_record(kept).moves == person.table.game.moves


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--terminal", "pierz"], "did you mean piers?"),
        (["--terminal", "cheater"], "sees hidden cards"),
        (["--terminal", "--players", "6"], "--players must be from 2 to 5, not 6"),
        (["--terminal", "piers", "iggi", "--players", "5"], "2 agents for 4 seats"),
        (["--terminal", "--delay", "-1"], "--delay must be from 0 to 10 seconds"),
        (["--terminal", "--seed", "-1"], "a seed is a whole number"),
        (["--terminal", "--lives", "0"], "lives must be a whole number from 1 to 10"),
        (["--terminal", "--hand-size", "0"], "--hand-size must be from 2 to 6"),
        (["--terminal", "--host", "0.0.0.0"], "--host is for the page, not for --terminal"),
        (["--terminal", "--replay", "games.jsonl"], "--replay is for the page, not for --terminal"),
        (["--players", "3"], "--players is for the terminal: add --terminal"),
        (["--resume"], "--resume is for the terminal"),
        (["--terminal", "--resume", "--seed", "3"], "it does not go with --seed"),
        (["--terminal", "--resume", "piers"], "it does not go with agents"),
    ],
)
def test_what_cannot_be_played_is_told_in_a_line(arguments, words, tmp_path):
    answer = CliRunner().invoke(app, ["play", "--folder", str(tmp_path / "games"), *arguments])
    assert isinstance(answer.exception, (ValueError, AgentError))
    assert words in str(answer.exception)


def test_the_agents_take_the_seats_in_order(tmp_path):
    done = invoke(tmp_path, "piers", "iggi", "cautious", lines="p 1\n")
    assert all(words in done.stdout for words in ("Bob (Piers)", "Cathy (iggi)", "Donald (Cautious)"))
    assert "Emily" in invoke(tmp_path, "--players", "5", "--colours", "3", lines="look\n").stdout


def test_a_bot_without_a_move_is_replaced_and_the_game_goes_on(tmp_path, own_module):
    done = invoke(tmp_path, "own_agents:quitting", "-p", "2", "-s", "1", lines="p 1\nmoves\n")
    assert "so piers goes on" in done.stdout
    assert "2 Bob " in done.stdout


def test_a_bot_that_raises_is_replaced_and_a_full_disk_is_not_its_fault(tmp_path, monkeypatch):
    person = person_at(tmp_path, 2, seed="1")
    person.act(person.legal[0])
    with monkeypatch.context() as patch:
        patch.setattr("tamaya.play.terminal.person.bot_move", lambda *_: {}["no move"])
        assert "piers cannot move, so piers goes on: KeyError" in person.let_move(person.think())
    thought = person.think()
    thought.result()
    monkeypatch.setattr("os.write", lambda *_: exec("raise OSError(28, 'No space left on device')"))
    with pytest.raises(OSError, match="No space left"):
        person.let_move(thought)
    assert person.table.game.turn == 1


def test_keys_are_read_as_terminals_send_them():
    ours, theirs = pty.openpty()
    typed = b"a\x1b[D\x1bOC\x1b[1~\x1b[F\t\r\n;\x1b[3~\xc3\xa9\x1b"
    with Keys(theirs) as keys:
        os.write(ours, typed)
        found = [keys.read(1.0) for _ in range(12)]
        assert keys.read(0.0) == ""
        os.write(ours, b"\x1b")
        assert keys.read(1.0) == "escape"
    assert found[:9] == ["a", "left", "right", "home", "end", "tab", "enter", "enter", ";"]
    assert found[9:] == ["\x1b[3~", "é", "escape"]
    with Keys(theirs) as keys:
        os.close(ours)
        with pytest.raises(EOFError):
            keys.read(1.0)
    os.close(theirs)


class Screen:
    """A process of ours in a terminal of its own, and what it shows."""

    def __init__(self, folder, *arguments, is_hardened=False):
        def take_terminal():
            fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)
            signal.signal(signal.SIGHUP, signal.SIG_IGN if is_hardened else signal.SIG_DFL)  # as nohup does

        self.ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        command = [sys.executable, "-m", "tamaya", "play", "--terminal", "--folder", str(folder), *arguments]
        environment = {
            name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")
        }
        self.process = subprocess.Popen(
            command,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=environment | {"TERM": "xterm-256color"},
            start_new_session=True,
            preexec_fn=take_terminal,
        )
        os.close(theirs)
        self.all = ""

    def press(self, keys, words, seconds=60.0):
        """Presses keys, and waits until the screen shows words."""
        self.all = ""
        os.write(self.ours, keys)
        end = time.monotonic() + seconds
        while words not in re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", self.all):
            assert time.monotonic() < end, self.all[-3000:]
            if select.select([self.ours], [], [], 0.1)[0]:
                with contextlib.suppress(OSError):
                    self.all += os.read(self.ours, 65536).decode(errors="replace")

    def end(self):
        os.close(self.ours)
        return self.process.wait(30)


@compiled_only
def test_the_page_shows_a_screen_that_is_drawn(tmp_path):
    seats, bots = [Place(), Place(agent="smartbot"), Place(agent="smartbot")], Bots()
    person = Person(open_table(Order(seats, 0, seed="6"), bots, tmp_path, SUFFIX), bots, tmp_path / GAMES)
    controls = KeyControls(person)
    press(controls, ";", "q", "enter")
    let_bots_move(person)
    page = (TESTS.parent / "docs" / "play.md").read_text()
    assert "\n".join(f"    {line}".rstrip() for line in shown(controls)).rstrip() in page


@compiled_only
def test_a_game_in_a_real_terminal_survives_a_kill_and_ends_cleanly(tmp_path):
    arguments = ("piers", "--players", "2", "--seed", "6", "--delay", "0")
    screen = Screen(tmp_path, *arguments)
    screen.press(b"", " Your turn ")
    assert "\x1b[31m" in screen.all or "\x1b[1;31m" in screen.all  # red
    screen.press(b"?", "choose whom to tell")
    screen.press(b" ", "pace")
    screen.press(b"a1", "2 Bob ")
    screen.press(b"\x1b[D", "Turn 1 of 2")
    screen.press(b"\x1b[F", " Your turn ")
    os.kill(screen.process.pid, signal.SIGSTOP)
    os.kill(screen.process.pid, signal.SIGCONT)
    screen.press(b"", " Your turn ")
    os.kill(screen.process.pid, signal.SIGKILL)
    screen.end()
    screen = Screen(tmp_path, "--resume")
    screen.press(b"", "moves: 2")
    screen.press(b"a1", "moves: 4")
    screen.press(b"\x03", "the game is kept; tamaya play --terminal --resume")
    assert screen.process.wait(30) == 130
    assert "\x1b[?1049l" in screen.all  # the usual screen is back
    assert termios.tcgetattr(screen.ours)[3] & termios.ECHO
    screen.end()
    screen = Screen(tmp_path, "--resume")
    screen.press(b"", "moves: 4")
    assert screen.end() in (0, -signal.SIGHUP)  # the connection is lost
    for _ in range(5):
        screen = Screen(tmp_path, "--resume", is_hardened=True)
        screen.press(b"", "moves: 4")
        assert screen.end() == 0
    assert len(unfinished(tmp_path)) == 1
