"""A bot in plain Python that needs nothing else: it plays what it knows, tells of what is playable, or discards.

It speaks the protocol of docs/bots.md. In this folder: tamaya match "pipe(python3 bot.py)"
"""

import json
import sys

PLAY, DISCARD, COLOUR, RANK = range(4)


class Table:
    """What one seat has seen of a game; a card is known by its order, its place in the deck."""

    def __init__(self, init):
        self.hands = [[] for _ in init["playerNames"]]
        self.fireworks = [0] * (init["rules"]["colours"] + (init["rules"]["multicolour"] != "none"))
        self.cards = {}  # the suit and rank of each card that it sees
        self.told = {}  # the suit and rank that hints have named of each card, or None

    def hear(self, event):
        """Keeps what an event says."""
        kind, order = event["type"], event.get("order")
        if kind == "draw":
            self.hands[event["playerIndex"]].append(order)
            self.cards[order] = (event["suitIndex"], event["rank"])
            self.told[order] = [None, None]
        elif kind in ("play", "discard"):
            self.hands[event["playerIndex"]].remove(order)
            if kind == "play":
                self.fireworks[event["suitIndex"]] = event["rank"]
        elif kind == "clue":
            for touched in event["list"]:
                self.told[touched][event["clue"]["type"]] = event["clue"]["value"]

    def is_playable(self, suit, rank):
        """Whether a card comes next; if its suit is not known, whether it does in every suit."""
        tops = self.fireworks if suit is None else [self.fireworks[suit]]
        return rank is not None and all(top == rank - 1 for top in tops)

    def is_news(self, order, hint):
        """Whether a hint says something new about a playable card."""
        which = hint["type"] - COLOUR
        is_touched = self.cards[order][which] == hint["value"]
        return is_touched and self.told[order][which] is None and self.is_playable(*self.cards[order])

    def worth(self, move):
        """How good a move is: a safe play, then a useful hint, then a discard, the oldest card first."""
        if move["type"] == PLAY:
            return 3 if self.is_playable(*self.told[move["target"]]) else -1
        if move["type"] == DISCARD:
            return 1 - move["target"] / 100
        return 2 if any(self.is_news(order, move) for order in self.hands[move["target"]]) else 0


def say(message):
    """Writes a line; without the flush, nobody would read it."""
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "hello", "protocol": 1, "name": "example in Python"})
    elif message["type"] == "init":
        table = Table(message)
    elif message["type"] == "act":
        say(max(message["legal"], key=table.worth))
    else:
        table.hear(message)
