"""The bots that people can choose: a short list, each with its convention, and those that the server's user has named.

A browser chooses among them by their texts. No other text that it sends is ever made into an agent: that could import a
module, start a program or read a file.
"""

from collections.abc import Sequence

import msgspec

from tamaya.agents.names import check_known
from tamaya.agents.registry import make_agent
from tamaya.engine.settings import Settings
from tamaya.engine.text import suggestion
from tamaya.policies.agent import Agent
from tamaya.policies.language import AgentError, parse


class Bot(msgspec.Struct, frozen=True):
    """A bot as people choose it: its agent, and what one must know to play with it."""

    agent: str
    convention: str
    title: str = ""
    """What people call it, if not by its agent."""


HUMAN = (
    "A hint says that a card is playable: one that it identifies, or else the newest touched card that may be. "
    "A rank hint on the card that you would discard next warns that it is the last copy."
)

OFFERED = (
    Bot("smartbot", HUMAN, "Smart"),
    Bot("search(smartbot, iterations=400)", f"{HUMAN} It also tries its moves in deals that it imagines.", "Thinker"),
    Bot(
        "confidence",
        "Every card that a hint touches can be played or thrown away right now: play what you are told of.",
        "Confident",
    ),
    Bot(
        "piers",
        "No convention: it hints at cards that can be played, and plays what is 60 % sure while lives are left.",
        "Piers",
    ),
    Bot("cautious", "No convention: it hints at cards that can be played, and never risks a life.", "Cautious"),
    Bot(
        "ally",
        "No convention: it watches how you play and looks for the move that fits.",
        "Ally",
    ),
    Bot(
        "information",
        "A code of hats for teams of its own kind: no person can follow it, but it is near perfect to watch.",
        "Hats",
    ),
)
"""The short list; the first is whom people meet if they choose nobody."""

STAND_IN = "piers"
"""Who goes on for a bot that has no move."""


class Bots:
    """The bots of a server, made when they are first needed."""

    def __init__(self, more: Sequence[str] = ()) -> None:
        known = {one.agent: one for one in OFFERED}
        named = [known.get(text) or Bot(text, "Named by whoever started this server.") for text in more]
        self.offered = {one.agent: one for one in (*named, *OFFERED)}
        for text in more:
            for call in parse(text):
                check_known(call)
        self.made = {text: make_agent(text) for text in more}
        for agent in self.made.values():
            if agent.sees:
                raise AgentError(f"{agent} sees hidden cards, so it cannot play with people")

    def check(self, text: str, settings: Settings) -> None:
        """Refuses what is not offered, or cannot play by these rules."""
        if text not in self.offered:
            raise AgentError(f"no bot {text[:60]!r} is offered here{suggestion(text[:60], self.offered)}")
        self.agent(text).check_table(settings)

    def agent(self, text: str) -> Agent:
        """The agent of a bot that is offered."""
        if text not in self.offered:
            raise AgentError(f"no bot {text[:60]!r} is offered here")
        if text not in self.made:
            self.made[text] = make_agent(text)
        return self.made[text]

    def title(self, text: str) -> str:
        """What people call a bot."""
        return self.offered[text].title or text if text in self.offered else text
