"""An experiment as data: line-ups, players, rules, seed and games, read from a TOML file and checked."""

import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec

from tamaya.agents.registry import make_agent, make_team
from tamaya.arena.matches import MOST_GAMES
from tamaya.engine.settings import Settings
from tamaya.engine.text import in_words, suggestion
from tamaya.experiments.lineups import KINDS, PARTNER, AnyLineup, Cell, Lineup, RandomTeams
from tamaya.game.game import check_seed
from tamaya.policies.language import AgentError, Call, parse, show

MOST_CELLS = 100_000

OBJECTS = "a table"
"""What TOML calls what has named members."""

Keep = Literal["outcomes", "moves"]


class ExperimentError(ValueError):
    """An experiment that makes no sense, with the place and the reason."""


class Experiment(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Line-ups to play, with what they share."""

    lineup: list[AnyLineup]
    title: str = ""
    seed: int = 1
    games: int = 1000
    players: list[int] = msgspec.field(default_factory=lambda: [2, 3, 4, 5])
    rules: dict[str, Any] = {}
    keep: Keep = "outcomes"
    """Whether the games themselves are kept too, to be replayed."""

    @property
    def size(self) -> int:
        """The number of cells, before equal ones are merged."""
        counts = [self.players if lineup.players is None else lineup.players for lineup in self.lineup]
        return sum(len(count) * lineup.pairs for count, lineup in zip(counts, self.lineup, strict=True))

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
    """Refuses keys that a table of the file does not have, and suggests the nearest one that it has."""
    known = [*kind.__struct_fields__, *(["kind"] if issubclass(kind, Lineup) else [])]
    for key in table:
        if key not in known:
            raise ExperimentError(f"{place}: there is no key {key!r}{suggestion(key, known)}")


def check_rules_table(rules: Any, place: str) -> None:
    """Refuses unknown rules."""
    if isinstance(rules, dict):
        check_keys(rules, Settings, place)
        try:
            msgspec.convert({"players": 2} | rules, Settings)
        except msgspec.ValidationError as error:
            raise ExperimentError(f"{place}: {in_words(error, 'a table')}") from error
        if "players" in rules:
            raise ExperimentError(f"{place}: players belong to the experiment or a line-up")


def check_raw(raw: dict[str, Any]) -> None:
    """Refuses unknown keys and kinds anywhere in the file."""
    if not isinstance(raw, dict):
        raise ExperimentError(f"an experiment has keys such as lineup and games; this is {str(raw)[:40]!r}")
    check_keys(raw, Experiment, "the experiment")
    check_rules_table(raw.get("rules"), "rules")
    if raw.get("keep", "moves") not in get_args(Keep):
        raise ExperimentError(f"keep must be {' or '.join(get_args(Keep))}, not {raw['keep']!r}")
    lineups = raw.get("lineup")
    for number, lineup in enumerate(lineups if isinstance(lineups, list) else [], 1):
        if isinstance(lineup, dict):
            kind = str(lineup.get("kind", ""))
            if kind not in KINDS:
                hint = suggestion(kind, KINDS)
                raise ExperimentError(f"line-up {number}: kind must be one of {', '.join(KINDS)}, not {kind!r}{hint}")
            check_keys(lineup, KINDS[kind], f"line-up {number} ({kind})")
            check_rules_table(lineup.get("rules"), f"line-up {number} ({kind}), rules")


def agents_named(lineup: AnyLineup, number: int) -> Iterator[tuple[str, str]]:
    """The agents and teams that a line-up names, each with its place in the file."""
    for field in ("partners", "agents", "pool", "teams"):
        names = getattr(lineup, field, None)
        if names is None:
            continue
        place = f"line-up {number}, {field}"
        if not names:
            raise ExperimentError(f"line-up {number}: {field} is empty")
        partners = getattr(lineup, "partners", [PARTNER])
        if isinstance(lineup, RandomTeams) and field == "agents":
            partners = lineup.pool or partners
        filled = [name.replace(PARTNER, one) for name in names for one in partners]
        for name in dict.fromkeys(filled):
            if PARTNER in name:
                raise ExperimentError(f"{place}: {PARTNER} has a meaning in pairings and random teams only")
            yield name, place


def calls_of(experiment: Experiment) -> Iterator[tuple[str, tuple[Call, ...], str]]:
    """The agents and teams of an experiment, as texts and parsed, each with its place in the file."""
    for number, lineup in enumerate(experiment.lineup, 1):
        for name, place in agents_named(lineup, number):
            try:
                yield name, parse(name), place
            except AgentError as error:
                raise ExperimentError(f"{place}: {error}") from error


def check_form(experiment: Experiment) -> None:
    """Refuses texts that name no agent, settings that cannot be played, and an experiment without games.

    No agent is made, and nothing is imported.
    """
    check_seed(experiment.seed)
    for name, team, place in calls_of(experiment):
        if len(team) > 1 and not place.endswith("teams"):
            raise ExperimentError(f"{place}: {name} is a team; one agent expected")
    for number, lineup in enumerate(experiment.lineup, 1):
        if not 1 <= (experiment.games if lineup.games is None else lineup.games) <= MOST_GAMES:
            raise ExperimentError(f"line-up {number}: games must be at least 1 and at most {MOST_GAMES:,}")
        sizes = experiment.players if lineup.players is None else lineup.players
        if not sizes:
            raise ExperimentError(f"line-up {number}: players is empty")
        for text in getattr(lineup, "teams", []):
            if len(parse(text)) not in sizes:
                raise ExperimentError(
                    f"line-up {number}: {text} is a team of {len(parse(text))}, but players are {sizes}"
                )
    if experiment.size > MOST_CELLS:
        raise ExperimentError(f"the line-ups have {experiment.size:,} cells; at most {MOST_CELLS:,} are possible")
    try:
        cells = experiment.cells()
    except ValueError as error:
        raise ExperimentError(str(error)) from error
    if not cells:
        raise ExperimentError("no line-up has a game to play at these numbers of players")


def check_agents(experiment: Experiment) -> None:
    """Refuses agents that cannot be made, or that cannot sit at the tables of their cells; imports their modules."""
    for name, _, place in calls_of(experiment):
        try:
            make_team(name)
        except AgentError as error:
            raise ExperimentError(f"{place}: {error}") from error
    check_tables(experiment.cells())


def calls_within(experiment: Experiment) -> list[Call]:
    """The agents of an experiment, and those that they call."""
    return [call for _, team, _ in calls_of(experiment) for one in team for call in one.within()]


def modules_of(experiment: Experiment) -> list[str]:
    """The modules of users that the agents of an experiment come from."""
    return sorted({call.name.partition(":")[0] for call in calls_within(experiment) if ":" in call.name})


def commands_of(experiment: Experiment) -> list[str]:
    """The commands of the bots of an experiment."""
    bots = (call for call in calls_within(experiment) if call.name == "pipe")
    return sorted({show(value) for call in bots for value in call.arguments})


def check_tables(cells: Iterable[Cell]) -> None:
    """Refuses agents that cannot sit at the tables of their cells."""
    tables = {(name, cell.settings): None for cell in cells for name in cell.names}
    agents = {name: make_agent(name) for name in sorted({name for name, _ in tables})}
    for name, settings in tables:
        try:
            agents[name].check_table(settings)
        except AgentError as error:
            raise ExperimentError(f"{error}, with {settings.players} players") from error


def parse_experiment(raw: dict[str, Any], with_agents: bool = True) -> Experiment:
    """The experiment of a decoded file, checked, with its agents or without making any."""
    check_raw(raw)
    try:
        experiment = msgspec.convert(raw, Experiment)
    except msgspec.ValidationError as error:
        raise ExperimentError(in_words(error, OBJECTS)) from error
    check_form(experiment)
    if with_agents:
        check_agents(experiment)
    return experiment


def read_experiment(path: str | Path, with_agents: bool = True) -> Experiment:
    """The experiment of a TOML file, checked, with its agents or without making any."""
    try:
        return parse_experiment(tomllib.loads(Path(path).read_text(encoding="utf-8")), with_agents)
    except OSError as error:
        raise ExperimentError(f"{path} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise ExperimentError(f"{path} is not a text file") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ExperimentError(f"{path} is not valid TOML: {error}") from error
    except ExperimentError as error:
        raise ExperimentError(f"{path}: {error}") from error
