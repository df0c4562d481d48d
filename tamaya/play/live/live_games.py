"""The games that an account plays: begun, followed and moved in, command by command."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import numpy as np

from tamaya.bridges.bot_server import ServedAgent
from tamaya.bridges.protocol import Act, Choice, GameOver, ProtocolError, Status
from tamaya.engine.randomness import derive_seed
from tamaya.game.hanab_live import END_GAME, suits_of
from tamaya.game.notation import Kind
from tamaya.play.live.chat import LOST_TRACK, NO_MOVE, Chat, cannot_play
from tamaya.play.live.site_commands import ActionList, AtTable, GameStart, Happened, Opening, Pause, event_of, frame
from tamaya.policies.agent import Agent, blame


class LiveGame:
    """A game of the site as our seat sees it."""

    def __init__(self, opening: Opening, agent: Agent, seed: int) -> None:
        self.names, self.number = opening.player_names, opening.our_player_index
        self.variant = opening.init.options.variant
        self.bot = ServedAgent(agent, int(derive_seed(np.uint64(seed), opening.id)))
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


class LiveGames:
    """The games of an agent, by the numbers of their tables."""

    def __init__(self, agent: Agent, seed: int, chat: Chat) -> None:
        self.agent, self.seed, self.chat = agent, seed, chat
        self.by_table: dict[int, LiveGame] = {}
        self.lost: set[int] = set()
        """The tables whose game could not be followed, and was asked for again."""
        self.finished = 0

    def start(self, message: GameStart) -> Iterator[str]:
        """A game begins: asks for its rules."""
        if not message.replay:
            yield frame("getGameInfo1", tableID=message.id)

    def open(self, opening: Opening) -> Iterator[str]:
        """Learns the rules of a game and asks for its history; leaves if it cannot play by them."""
        if opening.spectating or opening.replay:
            return
        try:
            game = LiveGame(opening, self.agent, self.seed)
        except ValueError as error:
            yield from self.give_up(opening.id, cannot_play(error))
            return
        self.by_table[opening.id] = game
        others = ", ".join(name for place, name in enumerate(game.names) if place != game.number)
        self.chat.note(f"table {opening.id}: a game with {others}; {game.variant}")
        yield frame("getGameInfo2", tableID=opening.id)

    def catch_up(self, message: ActionList) -> Iterator[str]:
        """Learns what has happened in a game so far."""
        if message.id in self.by_table:
            self.by_table[message.id].has_history = True
            yield frame("loaded", tableID=message.id)
            yield from self.follow(message.id, message.list, may_move=True)

    def happen(self, message: Happened) -> Iterator[str]:
        """Learns what has happened in a game; what happens before its history is known is part of that."""
        if message.id in self.by_table and self.by_table[message.id].has_history:
            yield from self.follow(message.id, [message.action], message.action.get("type") == "turn")

    def follow(self, number: int, actions: Sequence[dict[str, Any]], may_move: bool) -> Iterator[str]:
        """Follows a game, and moves if it is the agent's turn."""
        game = self.by_table[number]
        was_over, choice = game.is_over, None
        try:
            for action in actions:
                game.hear(action)
            choice = game.answer() if may_move else None
        except (ProtocolError, msgspec.ValidationError) as error:
            yield from self.lose_track(number, str(error))
        except Exception as error:  # an agent may raise anything, and other games go on
            self.chat.note(f"table {number}: {blame(error)}")
            yield from self.give_up(number, NO_MOVE)
        if choice is not None:
            yield from self.move(number, game, choice)
        if game.is_over and not was_over:
            self.finished += 1
            self.chat.note(f"table {number}: the game is over, {game.score} points")

    def move(self, number: int, game: LiveGame, choice: Choice) -> Iterator[str]:
        """Makes a move; an agent that has none leaves."""
        if choice.type == END_GAME:
            yield from self.give_up(number, NO_MOVE)
            return
        self.chat.note(f"table {number}, move {game.answered + 1}: {game.words(choice)}")
        value = {"value": choice.value} if choice.type > 1 else {}
        yield frame("action", tableID=number, type=choice.type, target=choice.target, **value)

    def lose_track(self, number: int, reason: str) -> Iterator[str]:
        """Asks for a game again that it could not follow; leaves it if that has not helped before."""
        self.chat.note(f"table {number}: cannot follow the game: {reason}")
        if number in self.lost:
            yield from self.give_up(number, LOST_TRACK)
            return
        self.lost.add(number)
        del self.by_table[number]
        yield frame("getGameInfo1", tableID=number)

    def give_up(self, number: int, words: str) -> Iterator[str]:
        """Says why, and leaves a game."""
        yield from self.chat.at_table(number, words)
        yield from self.part(number)

    def part(self, number: int) -> Iterator[str]:
        """Leaves a game; if it is not over, it waits for the agent's return."""
        self.by_table.pop(number, None)
        self.lost.discard(number)
        self.chat.note(f"leaves the game at table {number}")
        yield frame("tableUnattend", tableID=number)

    def pause(self, message: Pause) -> Iterator[str]:
        """Moves when a game goes on after a pause: a move during it did not count."""
        if message.id in self.by_table and not message.active:
            self.by_table[message.id].answered = -1
            yield from self.follow(message.id, [], may_move=True)

    def finish(self, message: AtTable) -> Iterator[str]:
        """Leaves a table after the game."""
        if message.id in self.by_table:
            yield from self.part(message.id)
