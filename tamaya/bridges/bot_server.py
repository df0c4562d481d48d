"""Our agents as bots: whoever speaks the protocol can let them play."""

from importlib.metadata import version
from typing import BinaryIO

import numpy as np

from tamaya.bridges.events import choice, choices, orders_of
from tamaya.bridges.followed_game import FollowedGame
from tamaya.bridges.processes import LONGEST_LINE
from tamaya.bridges.protocol import (
    PROTOCOL,
    Act,
    Choice,
    Hello,
    Init,
    Message,
    ProtocolError,
    end_game,
    read_host_message,
    to_lines,
)
from tamaya.engine.moves import NO_MOVE
from tamaya.engine.randomness import derive_seed
from tamaya.game.game import Game
from tamaya.policies.agent import Agent, Player
from tamaya.policies.contract import PolicyError
from tamaya.policies.seats import SEAT


class ServedAgent:
    """An agent that is told of games, one after the other, and answers when it is asked."""

    def __init__(self, agent: Agent, seed: int = 1) -> None:
        if agent.sees:
            raise PolicyError(f"{agent} sees hidden cards, which nobody shows to a bot")
        self.agent = agent
        self.seed = seed
        self.games = 0
        self.table: FollowedGame | None = None
        self.player: Player | None = None

    def hear(self, message: Message) -> Message | Choice | None:
        """What it says to a message, if anything."""
        if isinstance(message, Hello):
            if message.protocol != PROTOCOL:
                raise ProtocolError(f"this is version {PROTOCOL} of the protocol, not {message.protocol}")
            return Hello(PROTOCOL, str(self.agent), version("tamaya"))
        if isinstance(message, Init):
            self.table, self.player = FollowedGame(message), self.agent.sit_down()
            self.agent.check_table(self.table.settings)
            self.games += 1
        elif self.table is None:
            raise ProtocolError("there is no game; init comes first")
        elif isinstance(message, Act):
            return self.answer(message)
        else:
            self.table.hear(message)
        return None

    def answer(self, act: Act) -> Choice:
        """The agent's move."""
        assert self.table is not None
        assert self.player is not None
        view = self.table.view(self.seed_of(act))
        if view.mover != view.seat or view.is_over:
            raise ProtocolError(f"it is not the turn of seat {view.seat}")
        code = self.player.answer(view)
        if code == NO_MOVE:
            return end_game(view.seat)
        self.player.understand(code, view)
        return choice(view, code, orders_of(view))

    def seed_of(self, act: Act) -> int:
        """The seed of a decision: the one that it is given, or else one of its own."""
        assert self.table is not None
        if act.seed is None:
            lots = np.uint64(derive_seed(np.uint64(self.seed), self.games))
            return int(derive_seed(lots, len(self.table.past)))
        if not act.seed.isdecimal() or int(act.seed) >= 1 << 64:
            raise ProtocolError(f"a seed is a whole number from 0 to 2**64 - 1, not {act.seed!r}")
        return int(act.seed)


def warm_up(agent: Agent) -> None:
    """Compiles everything that a decision needs, before anybody waits for one."""
    agent.fill(np.zeros(1, SEAT)[0])
    game = Game(2)
    game.push(game.legal_moves[-1])
    choices(game.view())


def serve(agent: Agent, incoming: BinaryIO, outgoing: BinaryIO, seed: int = 1) -> None:
    """Lets an agent play as a bot until its input ends; raises ProtocolError at a line that makes no sense."""
    bot = ServedAgent(agent, seed)
    warm_up(agent)
    for number, line in enumerate(iter(lambda: incoming.readline(LONGEST_LINE), b""), 1):
        if not line.strip():
            continue
        try:
            if len(line) == LONGEST_LINE:
                raise ProtocolError(f"a line has at most {LONGEST_LINE:,} bytes")
            message = read_host_message(line)
            reply = None if message is None else bot.hear(message)
        except ProtocolError as error:
            raise ProtocolError(f"line {number}: {error}") from error
        if reply is not None:
            outgoing.write(to_lines([reply]))
            outgoing.flush()
