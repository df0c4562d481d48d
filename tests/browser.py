"""A browser for tests of the server, as simple as can be: it keeps what it is told."""

import json
from typing import ClassVar

PIERS, PERSON = {"agent": "piers"}, {}
TABLES = "ws://localhost/table"


class Browser:
    """A browser at a table."""

    connected: ClassVar = []
    """Those that a test has not closed: the server of the tests waits for them."""

    def __init__(self, client, table, token=""):
        self.socket = client.websocket_connect(f"{TABLES}/{table}").__enter__()
        self.connected.append(self)
        self.say("sit", token=token)
        self.wire, self.events, self.legal, self.over, self.turn = [], [], [], None, 0
        self.room = None
        self.hear("news")

    def hear(self, kind=""):
        """The next message, or the next one of a kind; all before it are kept, too."""
        while True:
            self.wire.append(self.socket.receive_text())
            message = json.loads(self.wire[-1])
            self.keep(message)
            if kind in ("", message["type"]):
                return message

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

    def say(self, kind, **fields):
        self.socket.send_text(json.dumps({"type": kind, **fields}))

    def act(self, move):
        self.say("act", turn=self.turn, move=move)

    def play_on(self, choose):
        """Plays until the game is over."""
        while not self.over:
            if self.legal:
                move, self.legal = choose(self.legal), []
                self.act(move)
            self.hear()

    def leave(self):
        self.connected.remove(self)
        self.socket.__exit__(None, None, None)


def open_table(client, seats, mine=0, **order):
    """The answer to an order for a table."""
    answer = client.post("/tables", json={"seats": seats, "mine": mine, "delay": 0, **order})
    assert answer.status_code == 200, answer.text
    return answer.json()


def discard_or_hint(legal):
    """A choice that makes games long: the first discard, or else a hint."""
    return next((move for move in legal if move["type"] == 1), legal[-1])
