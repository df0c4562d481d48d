"""The command ``tamaya play``: what it refuses, and a server that is killed in the middle of a game."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("websockets")

from test_links import PERFECT
from typer.testing import CliRunner
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tamaya.cli import play
from tamaya.cli.app import app
from tamaya.game import links
from tamaya.game.replay import dumps

COMMAND = [sys.executable, "-m", "tamaya", "play", "--no-browser", "--folder"]


@contextlib.contextmanager
def served(folder):
    """The address of a server in a process of its own, which is killed in the end."""
    with subprocess.Popen([*COMMAND, str(folder), "--port", "0"], stdout=subprocess.PIPE, text=True) as server:
        try:
            yield re.search(r"http://([^/]+)/", server.stdout.readline())[1]
        finally:
            os.kill(server.pid, signal.SIGKILL)


def told(wire, kind):
    """The next message of a kind."""
    while True:
        message = json.loads(wire.recv(timeout=20))
        if message["type"] == kind:
            return message


def open_table(host):
    """A table with a bot."""
    order = json.dumps({"seats": [{}, {"agent": "piers"}], "mine": 0, "delay": 0}).encode()
    with urllib.request.urlopen(f"http://{host}/tables", order, timeout=20) as answer:
        return json.load(answer)


def test_a_server_that_is_killed_in_the_middle_of_a_game_goes_on_with_it(tmp_path):
    with served(tmp_path) as host:
        table = open_table(host)
        sit, move = json.dumps({"type": "sit", "token": table["token"]}), {"type": 0, "target": 0}
        with connect(f"ws://{host}/table/{table['id']}") as wire:
            wire.send(sit)
            told(wire, "news")
            wire.send(json.dumps({"type": "act", "turn": 0, "move": move}))
            events = told(wire, "news")["events"]
            while events[-1]["num"] < 2:
                events += told(wire, "news")["events"]
    with served(tmp_path) as host, connect(f"ws://{host}/table/{table['id']}") as wire:
        wire.send(sit)
        assert told(wire, "room")["seat"] == 0
        news = told(wire, "news")
        assert news["events"][-len(events) :] == events
        assert news["legal"]
        wire.send("x" * 10_000)
        with pytest.raises(ConnectionClosed, match="1009"):
            told(wire, "nothing more")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["pierz"], "did you mean piers?"),
        (["cheater"], "sees hidden cards"),
        (["piers+iggi"], "one agent expected"),
        (["--port", "70000"], "--port must be from 0 to 65535"),
        (["--host", "nowhere.invalid"], "cannot listen at nowhere.invalid"),
        (["--folder", __file__], "File exists"),
        (["--replay", "nothing.json"], "nothing.json cannot be read"),
        (["--replay", __file__], "not a game"),
    ],
)
def test_what_cannot_be_served_is_told_in_a_line(arguments, words, tmp_path, monkeypatch):
    monkeypatch.setattr("uvicorn.Server.run", lambda *_, **__: pytest.fail("it was served"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    answer = CliRunner().invoke(app, ["play", "--no-browser", "--port", "0", *arguments])
    assert isinstance(answer.exception, (ValueError, OSError))
    assert words in str(answer.exception)


def test_a_port_that_is_taken_is_refused_if_it_was_asked_for_and_else_replaced(monkeypatch):
    with play.listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        taken.listen()
        with pytest.raises(ValueError, match="already in use"):
            play.listen("127.0.0.1", port)
        monkeypatch.setattr(play, "PORT", port)
        with play.listen("127.0.0.1", None) as other:
            assert other.getsockname()[1] != port


def test_it_listens_to_this_machine_only_unless_told_otherwise(tmp_path, monkeypatch):
    served = []
    monkeypatch.setattr("uvicorn.Server.run", lambda server, sockets: served.append(sockets[0].getsockname()))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    CliRunner().invoke(app, ["play", "--no-browser", "--port", "0"], catch_exceptions=False)
    CliRunner().invoke(app, ["play", "--no-browser", "--port", "0", "--host", "0.0.0.0"], catch_exceptions=False)
    assert [address for address, _ in served] == ["127.0.0.1", "0.0.0.0"]
    assert (tmp_path / "tamaya").stat().st_mode & 0o777 == 0o700
    assert play.shown_host("::1") == "[::1]"
    assert socket.inet_aton(play.shown_host("0.0.0.0"))


def test_without_its_extra_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    answer = CliRunner().invoke(app, ["play", "--no-browser"])
    assert "pip install 'tamaya[web]'" in str(answer.exception)


def test_a_recorded_game_is_opened_at_once(tmp_path, monkeypatch):
    opened, ready = [], []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr(
        "tamaya.play.web.server.make_app", lambda sessions, when_ready, name, library: ready.append(when_ready)
    )
    monkeypatch.setattr("uvicorn.Server.run", lambda *_, **__: ready[-1]())
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    games = tmp_path / "games.jsonl"
    games.write_bytes(dumps(links.decode_link(PERFECT)) + b"\n" + dumps(links.decode_link(PERFECT)) + b"\n")
    for source in (PERFECT, str(games)):
        command = ["play", "--port", "0", "--replay", source]
        CliRunner().invoke(app, command, catch_exceptions=False)
    assert re.fullmatch(r"http://127.0.0.1:\d+/study/[\w-]{11}", opened[0])
    assert re.fullmatch(r"http://127.0.0.1:\d+/", opened[1]), "one of several games is chosen in the page"
