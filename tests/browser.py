"""Browsers for tests of the server, as simple as can be: they keep what they are told."""

import contextlib
import json
from typing import ClassVar

from starlette.testclient import TestClient

from tamaya.play.web.server import make_app

PIERS, PERSON = {"agent": "piers"}, {}
TABLES = "ws://localhost/table"


class Connected:
    """A browser with an open wire; ``keep`` is what it does with a message."""

    connected: ClassVar = []
    """Those that a test has not closed: the server of the tests waits for them."""

    def __init__(self, client, address):
        self.socket, self.wire = client.websocket_connect(address).__enter__(), []
        self.connected.append(self)

    def hear(self, kind=""):
        """The next message, or the next one of a kind; all before it are kept, too."""
        while True:
            self.wire.append(self.socket.receive_text())
            message = json.loads(self.wire[-1])
            self.keep(message)
            if kind in ("", message["type"]):
                return message

    def say(self, kind, **fields):
        self.socket.send_text(json.dumps({"type": kind, **fields}))

    def leave(self):
        self.connected.remove(self)
        self.socket.__exit__(None, None, None)


@contextlib.contextmanager
def client_of(sessions):
    """A client of a server; browsers that are still connected leave at the end."""
    with TestClient(make_app(sessions), base_url="http://localhost") as client:
        yield client
        for browser in [*Connected.connected]:
            browser.leave()


class Browser(Connected):
    """A browser at a table."""

    def __init__(self, client, table, token=""):
        super().__init__(client, f"{TABLES}/{table}")
        self.say("sit", token=token)
        self.events, self.legal, self.over, self.turn = [], [], None, 0
        self.room = None
        self.hear("news")

    def keep(self, message):
        if message["type"] == "room":
            self.room = message
        elif message["type"] == "news":
            self.events = (self.events if message["since"] >= 0 else []) + message["events"]
            self.legal, self.game = message["legal"], message["game"]
            self.turn = [event["num"] for event in self.events if event["type"] == "turn"][-1]
        elif message["type"] == "over":
            self.over = message["record"]

    def hear_until(self, is_so):
        while not is_so():
            self.hear()

    def wait_for_turn(self):
        self.hear_until(lambda: self.legal)

    def act(self, move):
        self.say("act", turn=self.turn, move=move)

    def play_on(self, choose):
        """Plays until the game is over."""
        while not self.over:
            if self.legal:
                move, self.legal = choose(self.legal), []
                self.act(move)
            self.hear()


def open_table(client, seats, mine=0, **order):
    """The answer to an order for a table."""
    answer = client.post("/tables", json={"seats": seats, "mine": mine, "delay": 0, **order})
    assert answer.status_code == 200, answer.text
    return answer.json()


def discard_or_hint(legal):
    """A choice that makes games long: the first discard, or else a hint."""
    return next((move for move in legal if move["type"] == 1), legal[-1])
