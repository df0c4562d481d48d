"""An agent under examination: its processes, what it says about itself, and how many games of it can be afforded."""

import contextlib
import functools
from collections.abc import Iterable

from tamaya.arena.checks.agent_process import AgentProcess, Facts
from tamaya.arena.checks.hidden_cards_check import Answer, SitDown, find_difference
from tamaya.engine.settings import Settings
from tamaya.game.game import Game
from tamaya.game.view import View
from tamaya.policies.contract import PolicyError

FEWEST_SCORES = 10
"""The fewest games of a kind that are compared with others; agents in plain Python are slow."""


TRIED = [
    *(Settings(players=players) for players in (2, 3, 4, 5)),
    Settings(players=5, hand_size=2, lives=1),
    Settings(players=2, hand_size=6, hint_tokens=2),
    Settings(players=3, colours=2, ranks=3, hand_size=2, hint_tokens=3, lives=1),
    Settings(players=4, colours=6),
    Settings(players=4, multicolour="single"),
    Settings(players=3, multicolour="wild"),
    Settings(players=2, empty_hints=True, discard_at_limit=True),
]
"""The settings with which an agent is tried."""


class CheckedAgent:
    """What is known about an agent while it is checked, and its processes."""

    def __init__(self, text: str, games: int, timeout: float) -> None:
        self.text = text
        self.games = games
        self.timeout = timeout
        self.open = contextlib.ExitStack()
        self.player = self.start()
        self.witnesses: dict[int, AgentProcess] = {}
        self.pace = 0.0
        """Seconds per game, as far as known."""

    @functools.cached_property
    def facts(self) -> Facts:
        """What the agent says about itself."""
        return self.player.facts(TRIED)

    def start(self, **environment: str) -> AgentProcess:
        """A new process of the agent."""
        return self.open.enter_context(AgentProcess(self.text, self.timeout, **environment))

    def witness(self, seat: int) -> SitDown:
        """A process that is asked for one seat only; it holds no game and never gets what other seats see."""
        if seat not in self.witnesses:
            self.witnesses[seat] = self.start()
        process = self.witnesses[seat]

        def answer(view: View) -> int:
            try:
                return process.answer(view)
            except PolicyError as error:
                raise type(error)(f"asked in a process without the game, it fails: {error}") from error

        def sit_down() -> Answer:
            process.sit_down()
            return answer

        return sit_down

    def compare_with_witnesses(self, game: Game, seats: Iterable[int]) -> None:
        """Raises when the moves of some seats in a game are not their players' answers in other processes."""
        for seat in seats:
            found = find_difference(self.witness(seat), game, seat)
            if found:
                raise PolicyError(found)

    @property
    def usual(self) -> Settings:
        """The table for checks that need only one."""
        return Settings(players=3 if 3 in self.facts.players else self.facts.players[0])

    def affordable(self, games: int, times: int) -> int:
        """How many games can be played this many times within half a minute, but enough to compare their scores."""
        return max(FEWEST_SCORES, min(games, int(30 / times / max(self.pace, 1e-6))))

    @property
    def few(self) -> int:
        """How many games are looked at move by move."""
        return min(20, max(1, self.games // 10)) if self.facts.is_compiled else 2
