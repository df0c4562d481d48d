"""Who sits where: learners, whose moves come from outside, and team-mates, who play in compiled code."""

from collections.abc import Sequence

import numpy as np

from tamaya.agents.registry import Playable, make_agent
from tamaya.arena.seating import GUARD
from tamaya.engine.settings import SEATS, Settings
from tamaya.policies.agent import Agent
from tamaya.policies.language import AgentError, parse
from tamaya.policies.seats import SEAT

LEARNER = "learner"

Member = Agent | None
"""An agent, or None for a learner."""


def split(team: str | Sequence[Playable]) -> list[Playable]:
    """The members of a team, as texts or as things that make agents."""
    if isinstance(team, str):
        return [str(call) for call in parse(team)] if team else []
    return list(team)


def seat_team(team: str | Sequence[Playable], settings: Settings) -> tuple[Member, ...]:
    """A member for each seat, the first learner first if the team does not say where the learners sit.

    A team of one is repeated until only one seat is left for a learner.
    """
    members, players = split(team), settings.players
    if not members:
        return (None,) * players
    if LEARNER not in members:
        members = [LEARNER, *(members * (players - 1) if len(members) == 1 else members)]
    if len(members) != players:
        words = f"{len(members) - (LEARNER not in split(team))} cannot sit at a table of {players}"
        raise AgentError(
            f"{team!r}: a team of {words}; name one team-mate, {players - 1}, or {players} with the word {LEARNER}"
        )
    return tuple(None if member == LEARNER else check_member(make_agent(member), settings) for member in members)


def check_member(agent: Agent, settings: Settings) -> Agent:
    """An agent, if it can sit down as a team-mate."""
    agent.check_table(settings)
    if not agent.is_compiled:
        raise AgentError(f"{agent} plays in plain Python; team-mates must be compiled, as those under @policy are")
    return agent


def seats_of(team: Sequence[Member]) -> np.ndarray:
    """[turned, seat]: the seats that kernels read, with the team turned by so many places; none if all are learners."""
    if not any(team):
        return np.zeros((0, SEATS), SEAT)
    seats = np.zeros((len(team), SEATS), SEAT)
    for number, agent in enumerate(team):
        if agent is not None:
            agent.fill(seats[0, number])
    for turned in range(len(team)):
        seats[turned, : len(team)] = np.roll(seats[0, : len(team)], turned) if turned else seats[0, : len(team)]
        seats[turned]["row"], seats[turned]["shares"] = np.arange(SEATS), 0
    return seats


def memory_words(team: Sequence[Member]) -> int:
    """The words of memory at each seat, with guard words behind them; none if all are learners."""
    return max(agent.words for agent in team if agent is not None) + GUARD if any(team) else 0
