"""An experiment as data: agents, line-ups, players, rules, seed and games, read from a TOML file and checked."""

import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np

from tamaya.agents.registry import make_agent, make_team
from tamaya.core.randomness import derive_seed, random_below
from tamaya.core.settings import Settings
from tamaya.core.spelling import suggestion
from tamaya.game.game import check_seed
from tamaya.jit import kernel
from tamaya.policies.language import AgentError, parse

LINEUP_STREAM = -2
"""The stream of a game's seed that draws who sits where."""

MOST_GAMES = 10**9

ANYONE = ""
"""A seat of a cell that is drawn from its pool, game by game."""


class ExperimentError(ValueError):
    """An experiment that makes no sense, with the place and the reason."""


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
    def sizes(self) -> dict[str, int]:
        """The numbers by which figures choose cells."""
        return {"players": self.settings.players, "hand_size": self.settings.hand_size}

    def team(self, lots: Sequence[int]) -> tuple[str, ...]:
        """The agents seat by seat for the lots of a game: how far the table is turned, then who sits down."""
        turn, *choices = lots
        team = [name or self.pool[choice] for name, choice in zip(self.members, choices, strict=True)]
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
    """What every line-up can say for itself instead of the experiment."""

    players: list[int] | None = None
    games: int | None = None
    rules: dict[str, Any] = {}
    """Rules that differ from those of the experiment."""

    def seatings(self, players: int) -> Iterator[tuple[str, str, Sequence[str], Sequence[str], bool]]:
        """Agent, partner, members, pool and turning of every cell."""
        raise NotImplementedError


class SelfPlay(Lineup, frozen=True, kw_only=True, tag="self-play"):
    """Each agent with itself."""

    agents: list[str]

    def seatings(self, players: int) -> Iterator[tuple[str, str, Sequence[str], Sequence[str], bool]]:
        """One cell an agent."""
        for agent in self.agents:
            yield agent, agent, [agent] * players, (), False


PARTNER = "{partner}"
"""What stands for the partner in the name of an agent that knows it, as in predictor({partner})."""


class Pairing(Lineup, frozen=True, kw_only=True, tag="pairing"):
    """One agent among a team of another, at a seat that the seed of the game draws (Walton-Rivers et al.)."""

    agents: list[str]
    partners: list[str]

    def seatings(self, players: int) -> Iterator[tuple[str, str, Sequence[str], Sequence[str], bool]]:
        """One cell an agent and partner."""
        for agent in self.agents:
            for partner in self.partners:
                yield agent, partner, [agent.replace(PARTNER, partner), *[partner] * (players - 1)], (), True


class EveryPair(Lineup, frozen=True, kw_only=True, tag="every-pair"):
    """Every two agents, in turns around the table, whoever starts (Monis et al., with two players)."""

    agents: list[str]

    def seatings(self, players: int) -> Iterator[tuple[str, str, Sequence[str], Sequence[str], bool]]:
        """One cell a pair, an agent with itself included."""
        for index, agent in enumerate(self.agents):
            for partner in self.agents[index:]:
                yield agent, partner, [(agent, partner)[seat % 2] for seat in range(players)], (), True


class RandomTeams(Lineup, frozen=True, kw_only=True, tag="random-teams"):
    """One agent among others that are drawn from a pool for every game (the mixed track of the CIG competition)."""

    agents: list[str]
    pool: list[str]

    def seatings(self, players: int) -> Iterator[tuple[str, str, Sequence[str], Sequence[str], bool]]:
        """One cell an agent."""
        for agent in self.agents:
            yield agent, "the pool", [agent, *[ANYONE] * (players - 1)], self.pool, True


class Seats(Lineup, frozen=True, kw_only=True, tag="seats"):
    """Teams seat by seat, such as ``piers+iggi+vdb``."""

    teams: list[str]

    def seatings(self, players: int) -> Iterator[tuple[str, str, Sequence[str], Sequence[str], bool]]:
        """One cell a team of this size."""
        for team in self.teams:
            members = [str(member) for member in parse(team)]
            if len(members) == players:
                yield "+".join(members), "", members, (), False


AnyLineup = SelfPlay | Pairing | EveryPair | RandomTeams | Seats
KINDS: dict[str, type[Lineup]] = {
    str(kind.__struct_config__.tag): kind for kind in (SelfPlay, Pairing, EveryPair, RandomTeams, Seats)
}


class Experiment(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Line-ups to play, with what they share."""

    lineup: list[AnyLineup]
    title: str = ""
    seed: int = 1
    games: int = 1000
    players: list[int] = msgspec.field(default_factory=lambda: [2, 3, 4, 5])
    rules: dict[str, Any] = {}
    keep: Literal["outcomes", "moves"] = "outcomes"
    """Whether the games themselves are kept too, to be replayed."""

    def cells(self) -> dict[Cell, int]:
        """Every cell with its number of games; the same cell in two line-ups is played once."""
        cells: dict[Cell, int] = {}
        for lineup in self.lineup:
            for players in self.players if lineup.players is None else lineup.players:
                settings = Settings(players=players, **(self.rules | lineup.rules))
                kind = str(type(lineup).__struct_config__.tag)
                for agent, partner, members, pool, is_turned in lineup.seatings(players):
                    is_turned &= len(set(members)) > 1  # a team of one kind looks the same from every seat
                    cell = Cell(kind, agent, partner, tuple(members), tuple(pool), is_turned, settings)
                    games = self.games if lineup.games is None else lineup.games
                    cells[cell] = max(cells.get(cell, 0), games)
        return cells


def check_keys(table: dict[str, Any], kind: type[msgspec.Struct], place: str) -> None:
    """Refuses keys that a table of the file does not have, with the nearest one that it has."""
    known = [*kind.__struct_fields__, *(["kind"] if issubclass(kind, Lineup) else [])]
    for key in table:
        if key not in known:
            raise ExperimentError(f"{place}: there is no key {key!r}{suggestion(key, known)}")


def check_rules(rules: Any, place: str) -> None:
    """Refuses unknown rules."""
    if isinstance(rules, dict):
        check_keys(rules, Settings, place)
        try:
            msgspec.convert({"players": 2} | rules, Settings)
        except msgspec.ValidationError as error:
            raise ExperimentError(f"{place}: {error}") from error
        if "players" in rules:
            raise ExperimentError(f"{place}: players belong to the experiment or a line-up")


def check_raw(raw: dict[str, Any]) -> None:
    """Refuses unknown keys and kinds anywhere in the file."""
    check_keys(raw, Experiment, "the experiment")
    check_rules(raw.get("rules"), "rules")
    lineups = raw.get("lineup")
    for number, lineup in enumerate(lineups if isinstance(lineups, list) else [], 1):
        if isinstance(lineup, dict):
            kind = str(lineup.get("kind", ""))
            if kind not in KINDS:
                hint = suggestion(kind, KINDS)
                raise ExperimentError(f"line-up {number}: kind must be one of {', '.join(KINDS)}, not {kind!r}{hint}")
            check_keys(lineup, KINDS[kind], f"line-up {number} ({kind})")
            check_rules(lineup.get("rules"), f"line-up {number} ({kind}), rules")


def check_sense(experiment: Experiment) -> None:
    """Refuses agents that cannot be made, settings that cannot be played, and an experiment without games."""
    check_seed(experiment.seed)
    for number, lineup in enumerate(experiment.lineup, 1):
        for field in ("partners", "agents", "pool", "teams"):
            names = getattr(lineup, field, None)
            if names is None:
                continue
            if not names:
                raise ExperimentError(f"line-up {number}: {field} is empty")
            filled = [name.replace(PARTNER, one) for name in names for one in getattr(lineup, "partners", [PARTNER])]
            for name in dict.fromkeys(filled):
                if PARTNER in name:
                    raise ExperimentError(f"line-up {number}, {field}: {PARTNER} stands for something in pairings only")
                try:
                    team = make_team(name)
                except AgentError as error:
                    raise ExperimentError(f"line-up {number}, {field}: {error}") from error
                if len(team) > 1 and field != "teams":
                    raise ExperimentError(f"line-up {number}, {field}: {name} is a team; one agent expected")
        if not 1 <= (experiment.games if lineup.games is None else lineup.games) <= MOST_GAMES:
            raise ExperimentError(f"line-up {number}: games must be at least 1 and at most {MOST_GAMES:,}")
        sizes = experiment.players if lineup.players is None else lineup.players
        if not sizes:
            raise ExperimentError(f"line-up {number}: players is empty")
        for team in getattr(lineup, "teams", []):
            if len(parse(team)) not in sizes:
                raise ExperimentError(f"line-up {number}: {team} is a team of {len(parse(team))}, players are {sizes}")
    try:
        cells = experiment.cells()
    except ValueError as error:
        raise ExperimentError(str(error)) from error
    if not cells:
        raise ExperimentError("no line-up has a game to play at these numbers of players")
    check_seats(cells)


def check_seats(cells: Iterable[Cell]) -> None:
    """Refuses agents that cannot sit at a table of the size of their cell."""
    sizes = {(name, cell.settings.players) for cell in cells for name in (*cell.members, *cell.pool) if name}
    agents = {name: make_agent(name) for name in sorted({name for name, _ in sizes})}
    for name, players in sorted(sizes):
        try:
            agents[name].check_seats(players)
        except AgentError as error:
            raise ExperimentError(f"{error}, with {players} players") from error


def parse_experiment(raw: dict[str, Any]) -> Experiment:
    """The experiment of a decoded file, checked."""
    check_raw(raw)
    try:
        experiment = msgspec.convert(raw, Experiment)
    except msgspec.ValidationError as error:
        raise ExperimentError(str(error).replace("$.", "").replace("`$`", "the experiment")) from error
    check_sense(experiment)
    return experiment


def read_experiment(path: str | Path) -> Experiment:
    """The experiment of a TOML file, checked."""
    try:
        return parse_experiment(tomllib.loads(Path(path).read_text(encoding="utf-8")))
    except OSError as error:
        raise ExperimentError(f"{path} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise ExperimentError(f"{path} is no text file") from error
    except tomllib.TOMLDecodeError as error:
        raise ExperimentError(f"{path} is no TOML: {error}") from error
    except ExperimentError as error:
        raise ExperimentError(f"{path}: {error}") from error
