"""Our seat in one game of the site: it follows the events, and answers when it is its turn."""

from typing import Any

import numpy as np

from tamaya.bridges.messages import Act, Choice, GameOver, Status
from tamaya.bridges.serving import Bot
from tamaya.core.randomness import derive_seed
from tamaya.game.hanab_live import suits_of
from tamaya.game.notation import Kind
from tamaya.live.messages import Opening, event_of
from tamaya.policies.agents import Agent


class Seat:
    """A game of the site as our seat sees it."""

    def __init__(self, opening: Opening, agent: Agent, seed: int) -> None:
        self.names, self.number = opening.player_names, opening.our_player_index
        self.variant = opening.init.options.variant
        self.bot = Bot(agent, int(derive_seed(np.uint64(seed), opening.id)))
        self.bot.hear(opening.init)
        self.score = 0
        self.is_over = self.has_history = False
        self.answered = -1
        """How many moves had been made when it last answered."""

    def hear(self, action: dict[str, Any]) -> None:
        """Follows an action of the game."""
        event = event_of(action)
        if isinstance(event, Status):
            self.score = event.score
        elif isinstance(event, GameOver):
            self.is_over = True
        elif event is not None:
            self.bot.hear(event)

    def answer(self) -> Choice | None:
        """The agent's move, if it is its turn and it has not answered yet."""
        table = self.bot.table
        assert table is not None
        if self.is_over or not self.has_history or table.known < table.settings.players * table.settings.hand_size:
            return None
        view = table.view(0)
        if view.mover != self.number or view.is_over or view.turn == self.answered:
            return None
        self.answered = view.turn
        choice = self.bot.hear(Act())
        assert isinstance(choice, Choice)
        return choice

    def words(self, choice: Choice) -> str:
        """A move in words."""
        if choice.type == Kind.COLOUR:
            return f"tell {self.names[choice.target]} {suits_of(self.variant).colours[choice.value]}"
        if choice.type == Kind.RANK:
            return f"tell {self.names[choice.target]} {choice.value}"
        return f"{'play' if choice.type == Kind.PLAY else 'discard'} card {choice.target}"
