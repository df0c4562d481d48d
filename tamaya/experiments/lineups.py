"""Line-ups: who is tested with whom, and who sits where."""

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np

from tamaya.engine.jit import kernel
from tamaya.engine.randomness import derive_seed, random_below
from tamaya.engine.settings import Settings
from tamaya.policies.language import parse

LINEUP_STREAM = -2
"""The stream of a game's seed that draws who sits where."""

ANYONE = ""
"""A seat of a cell whose agent is drawn from its pool, game by game."""


PARTNER = "{partner}"
"""What stands for the partners in the name of an agent that knows them, as in predictor({partner})."""


@kernel
def draw_lots(seeds: np.ndarray, lots: np.ndarray, pool: int) -> None:
    """Draws for each seed how far the table is turned and, from a pool, who sits at each place."""
    rng = np.empty(1, np.uint64)
    places = lots.shape[1] - 1
    for game in range(len(seeds)):
        rng[0] = derive_seed(seeds[game], LINEUP_STREAM)
        lots[game, 0] = random_below(rng, places)
        if pool:
            for place in range(places):
                lots[game, 1 + place] = random_below(rng, pool)


@functools.cache
def unofficial(settings: Settings) -> str:
    """Where rules are not the official ones, in words."""
    official = Settings(players=settings.players)
    pairs = [(name, getattr(settings, name)) for name in Settings.__struct_fields__]
    return ", ".join(f"{name} = {value}" for name, value in pairs if value != getattr(official, name))


@dataclass(frozen=True)
class Cell:
    """The games of one line of a table: who is tested with whom, and under which rules."""

    kind: str
    agent: str
    partner: str
    members: tuple[str, ...]
    """The agents in their order around the table; ANYONE is drawn from the pool."""
    pool: tuple[str, ...]
    is_turned: bool
    """Whether the seed of a game draws the seat of the first member, the others following."""
    settings: Settings

    @property
    def key(self) -> str:
        """What makes this cell the same in another run of the experiment."""
        parts = (self.members, self.pool, self.is_turned, self.settings)
        return msgspec.json.encode(parts).decode()

    @property
    def name(self) -> str:
        """Who plays with whom, in words."""
        return self.agent if self.partner in ("", self.agent) else f"{self.agent} with {self.partner}"

    @property
    def rules(self) -> str:
        """Where its rules are not the official ones."""
        return unofficial(self.settings)

    @property
    def table(self) -> str:
        """The number of players, and the rules if they are not the official ones, in words."""
        return ", ".join(filter(None, (f"{self.settings.players} players", self.rules)))

    @property
    def sizes(self) -> dict[str, int]:
        """The numbers by which figures choose cells."""
        return {"players": self.settings.players, "hand_size": self.settings.hand_size}

    @property
    def names(self) -> set[str]:
        """All who can sit down; of an agent that knows its partners, one of many."""
        return {*self.team([0] * (1 + len(self.members))), *self.pool}

    def team(self, lots: Sequence[int]) -> tuple[str, ...]:
        """The agents seat by seat for the draws of a game: how far the table is turned, then who sits down."""
        turn, *choices = lots
        team = [name or self.pool[choice] for name, choice in zip(self.members, choices, strict=True)]
        team[0] = team[0].replace(PARTNER, ", ".join(team[1:]))
        return (*team[-turn:], *team[:-turn]) if turn else tuple(team)

    def teams(self, seeds: np.ndarray) -> dict[tuple[str, ...], np.ndarray]:
        """The teams of the games of some seeds, each with the indices of its games."""
        lots = np.zeros((len(seeds), 1 + len(self.members)), dtype=np.int64)
        if self.is_turned:
            draw_lots(seeds, lots, len(self.pool))
        different, owners = np.unique(lots, axis=0, return_inverse=True)
        found: dict[tuple[str, ...], list[int]] = {}
        for index, row in enumerate(different.tolist()):
            found.setdefault(self.team(row), []).append(index)
        return {team: np.flatnonzero(np.isin(owners, rows)) for team, rows in found.items()}


class Lineup(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", forbid_unknown_fields=True):
    """What every line-up can set for itself instead of the experiment."""

    players: list[int] | None = None
    games: int | None = None
    rules: dict[str, Any] = {}
    """Rules that differ from those of the experiment."""

    def seatings(self, players: int) -> Iterator[tuple[str, str, Sequence[str], Sequence[str], bool]]:
        """Agent, partner, members, pool and turning of every cell."""
        raise NotImplementedError

    @property
    def pairs(self) -> int:
        """The most cells that each number of players can have."""
        agents: list[str] = getattr(self, "agents", None) or getattr(self, "teams", [])
        return len(agents) * len(getattr(self, "partners", [""]))


class SelfPlay(Lineup, frozen=True, kw_only=True, tag="self-play"):
    """Each agent with itself."""

    agents: list[str]

    def seatings(self, players: int) -> Iterator[tuple[str, str, Sequence[str], Sequence[str], bool]]:
        """One cell per agent."""
        for agent in self.agents:
            yield agent, agent, [agent] * players, (), False


class Pairing(Lineup, frozen=True, kw_only=True, tag="pairing"):
    """One agent among a team of another, at a seat that the seed of the game draws (Walton-Rivers et al.)."""

    agents: list[str]
    partners: list[str]

    def seatings(self, players: int) -> Iterator[tuple[str, str, Sequence[str], Sequence[str], bool]]:
        """One cell per agent and partner."""
        for agent in self.agents:
            for partner in self.partners:
                yield agent, partner, [agent.replace(PARTNER, partner), *[partner] * (players - 1)], (), True


class EveryPair(Lineup, frozen=True, kw_only=True, tag="every-pair"):
    """Every pair of agents, alternating around the table, whoever starts (Monis et al., with two players)."""

    agents: list[str]

    @property
    def pairs(self) -> int:
        """The number of pairs."""
        return len(self.agents) * (len(self.agents) + 1) // 2

    def seatings(self, players: int) -> Iterator[tuple[str, str, Sequence[str], Sequence[str], bool]]:
        """One cell per pair, including each agent with itself."""
        for index, agent in enumerate(self.agents):
            for partner in self.agents[index:]:
                yield agent, partner, [(agent, partner)[seat % 2] for seat in range(players)], (), True


class RandomTeams(Lineup, frozen=True, kw_only=True, tag="random-teams"):
    """One agent among others that are drawn from a pool for every game (the mixed track of the CIG competition)."""

    agents: list[str]
    pool: list[str]

    def seatings(self, players: int) -> Iterator[tuple[str, str, Sequence[str], Sequence[str], bool]]:
        """One cell per agent."""
        for agent in self.agents:
            yield agent, "the pool", [agent, *[ANYONE] * (players - 1)], self.pool, True


class Seats(Lineup, frozen=True, kw_only=True, tag="seats"):
    """Teams seat by seat, such as ``piers+iggi+vdb``."""

    teams: list[str]

    def seatings(self, players: int) -> Iterator[tuple[str, str, Sequence[str], Sequence[str], bool]]:
        """One cell per team of this size."""
        for team in self.teams:
            members = [str(member) for member in parse(team)]
            if len(members) == players:
                yield "+".join(members), "", members, (), False


AnyLineup = SelfPlay | Pairing | EveryPair | RandomTeams | Seats
KINDS: dict[str, type[Lineup]] = {
    str(kind.__struct_config__.tag): kind for kind in (SelfPlay, Pairing, EveryPair, RandomTeams, Seats)
}
