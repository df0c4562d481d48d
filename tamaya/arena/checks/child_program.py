"""The program in which a checked agent runs: it plays games or answers for one seat, as it is asked."""

import contextlib
import ctypes
import multiprocessing.connection
import os
import signal
import sys
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import numpy as np

from tamaya.agents.registry import make_agent
from tamaya.arena.checks.agent_process import Facts, Reply
from tamaya.arena.matches import can_sit
from tamaya.arena.seating import Seating
from tamaya.engine.settings import Settings
from tamaya.game.view import View
from tamaya.policies.agent import Agent, Player, blame
from tamaya.policies.contract import PolicyError
from tamaya.policies.language import AgentError


def introduce(agent: Agent, tables: Sequence[Settings]) -> Reply:
    """What an agent is, once it is compiled."""
    if agent.is_compiled:
        agent.policy.compiled("mover")
    fitting = [settings for settings in tables if can_sit([agent], settings)]
    return Reply(Facts(agent.is_compiled, agent.is_timed, agent.sees, agent.policy.shares, fitting))


def play_seeds(agent: Agent, settings: Settings, seeds: np.ndarray, among_strangers: bool, separate: bool) -> Reply:
    """The outcomes of games, played in this process; raises an error if one of them is forfeited."""
    others = make_agent("legal-random") if among_strangers else agent
    seating = Seating([agent, *[others] * (settings.players - 1)], settings)
    outcomes = (seating.separate() if separate else seating).play(seeds)
    for seed, reason in seating.forfeits.items():
        raise PolicyError(f"the game of seed {seed} is forfeited: {reason}")
    return Reply(outcomes=outcomes.tobytes())


PLAYERS: list[Player] = []
"""Who sits in this process: the player of one seat of one game."""


def sit_down(agent: Agent) -> Reply:
    """Takes a new seat."""
    PLAYERS[:] = [agent.sit_down()]
    return Reply()


def answer(agent: Agent, view: View) -> Reply:
    """The answer of the player who sits in this process, which holds no game."""
    return Reply(answer=PLAYERS[0].answer(view))


REQUESTS: dict[str, Callable[..., Reply]] = {
    "introduce": introduce,
    "play": play_seeds,
    "sit_down": sit_down,
    "answer": answer,
}


def reply_to(agent: Agent, request: str, arguments: tuple[Any, ...]) -> Reply:
    """The reply to a request about an agent."""
    try:
        return REQUESTS[request](agent, *arguments)
    except (Exception, SystemExit) as error:
        return Reply(error=str(error) if isinstance(error, PolicyError) else blame(error))


def die_with_the_parent() -> None:
    """Asks Linux to end this process when its parent is gone, whatever the agent is doing then."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def main() -> None:
    """Replies to requests until there are no more; the arguments are the channel and the agent."""
    die_with_the_parent()
    channel = multiprocessing.connection.Connection(int(sys.argv[1]))
    os.set_inheritable(channel.fileno(), False)
    with contextlib.suppress(EOFError):
        request, arguments = channel.recv()
        try:
            agent = make_agent(sys.argv[2])
        except AgentError as error:
            channel.send_bytes(msgspec.msgpack.encode(Reply(error=str(error), is_unknown=True)))
            return
        while True:
            channel.send_bytes(msgspec.msgpack.encode(reply_to(agent, request, arguments)))
            request, arguments = channel.recv()


if __name__ == "__main__":
    main()
