"""A person at a table with bots: what the person may see and do, and the moves of the bots."""

from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from tamaya.bridges.events import choices, code_of
from tamaya.bridges.protocol import Choice
from tamaya.engine.text import plain
from tamaya.game.position import IllegalMove, UntouchedHand
from tamaya.game.view import View
from tamaya.play.tables.bot_moves import bot_move, reason_for
from tamaya.play.tables.bots import STAND_IN, Bots
from tamaya.play.tables.game_table import Table
from tamaya.play.tables.journal import Made, Replaced
from tamaya.play.tables.lobby import keep_game
from tamaya.play.tables.messages import Reason
from tamaya.play.terminal.visible_cards import Deck
from tamaya.policies.agent import blame


class Person:
    """The one person at a table; all others are bots."""

    def __init__(self, table: Table, bots: Bots, games: Path, notice: str = "") -> None:
        self.table, self.bots, self.games = table, bots, games
        self.notice = notice
        """What the person should know before the first move."""
        self.seat = next(number for number, seat in enumerate(table.seats) if seat.is_persons)
        self.pool = ThreadPoolExecutor(1)

    @property
    def view(self) -> View:
        """What the person sees now."""
        return self.table.game.view(self.seat)

    @property
    def deck(self) -> Deck:
        """All cards, once the game is over."""
        return self.table.game.deck if self.table.game.is_over else None

    @property
    def titles(self) -> list[str]:
        """Who sits in the seats."""
        return [plain(self.bots.title(one.agent)) if one.agent else "you" for one in self.table.seats]

    @property
    def conventions(self) -> list[str]:
        """What one must know of the bots to play with them."""
        agents = dict.fromkeys(one.agent for one in self.table.seats if one.agent in self.bots.offered)
        return [f"{self.bots.title(agent)}: {self.bots.offered[agent].convention}" for agent in agents]

    @property
    def legal(self) -> list[Choice]:
        """The person's legal moves; none if it is a bot's turn."""
        game = self.table.game
        return choices(self.view) if game.seat == self.seat and not game.is_over else []

    def why_not(self, choice: Choice) -> str:
        """Why a move cannot be made now; nothing if it can."""
        if not self.legal:
            return "the game is over" if self.table.game.is_over else "it is not your turn"
        try:
            code_of(self.view, choice)
        except UntouchedHand as error:
            return f"it touches no card of {self.view.wording.player(error.seat)}"
        except IllegalMove as error:
            return error.reason
        return ""

    def act(self, choice: Choice) -> None:
        """Makes a move of the person."""
        self.table.play(self.seat, self.table.game.turn, choice)
        keep_game(self.table, self.games)

    def think(self) -> "Future[Choice]":
        """Lets the bot whose turn it is think, in a thread of its own."""
        return self.pool.submit(self.decide)

    def decide(self) -> Choice:
        """The move of the bot whose turn it is."""
        seat = self.table.seats[self.table.game.seat]
        seat.player = seat.player or self.bots.agent(seat.agent).sit_down()
        return bot_move(seat.player, self.table.game.view())

    def let_move(self, thought: "Future[Choice]") -> str:
        """Makes the move of a bot; if it has none, another one takes its place, and the reason is returned."""
        trouble, entry = "", None
        try:
            entry = Made(thought.result())
        except Exception as error:  # an agent may raise anything
            trouble = f"{self.table.bot} cannot move, so {STAND_IN} goes on: {blame(error)}"
        self.table.enter(entry or Replaced(self.table.game.seat, STAND_IN))
        keep_game(self.table, self.games)
        return trouble

    def again(self, is_fresh: bool) -> None:
        """Deals another game, or the same one."""
        self.table.again(is_fresh)

    def reason(self, turn: int) -> Reason | None:
        """Why a bot made a move, once the game is over; nothing for a person's own moves."""
        table = self.table
        if not table.game.is_over or not 0 <= turn < len(table.makers) or not table.makers[turn]:
            return None
        if turn not in table.reasons:
            agent = self.bots.agent(table.makers[turn])
            table.reasons[turn] = reason_for(agent, table.game.copy(), turn, table.dealt)
        return table.reasons[turn]
