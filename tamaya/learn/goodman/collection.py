"""Collections: games whose trees, or moves, become rows of training data, in files that survive a kill."""

import functools
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from tamaya.agents.registry import make_agent
from tamaya.arena.batches import in_order
from tamaya.arena.seating import game_seeds
from tamaya.engine.gameplay import is_over
from tamaya.engine.moves import MOVES
from tamaya.engine.settings import Settings
from tamaya.engine.table import fresh_deck, fresh_table
from tamaya.experiments.workspace import Workspace, WorkspaceError, named_options
from tamaya.game.game import check_seed
from tamaya.learn.goodman.likelihood_data import StrangerGames
from tamaya.learn.goodman.training_data import read_shards, write_shard
from tamaya.learn.goodman.tree_data import CHOICE, DEEPEST, ROW, Desk, take_turn
from tamaya.networks.evalfn import SETTINGS
from tamaya.policies.language import AgentError
from tamaya.policies.rules.rule_syntax import RULE_SETS, encode, parse_rules
from tamaya.search.search_agent import SearchAgent
from tamaya.search.search_settings import DeviationSettings, TreeSettings

GAMES_PER_SHARD, TEAMS_PER_SHARD = 4, 100
MOST_GAMES, MOST_VISITS = 100_000, 10**9
FEWEST_VISITS = 50
ABOUT = "collection.json"
NINE = np.array([*[0.0] * SETTINGS, *encode(parse_rules(RULE_SETS["goodman"][0]), 0.0)])
"""The rules that a classifier chooses from, as params of a learned agent."""


class Collection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is collected: whose games, at which tables, and from which nodes of their trees."""

    agent: str
    players: tuple[int, ...] = (5,)
    """The numbers of players, which the games take in turn."""
    games: int = 100
    seed: int = 1
    fewest: int = FEWEST_VISITS
    """Below the root, moves that were visited less often give no row."""
    root_only: bool = False
    pool: tuple[str, ...] = ()
    """Policies whose moves, in random teams, give the rows instead; then the agent is empty."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The tables that are written."""
        return ("moves",) if self.pool else ("rows", "choices")

    @property
    def shards(self) -> dict[int, int]:
        """The number of the first game of each shard, with how many games it has."""
        size = TEAMS_PER_SHARD if self.pool else GAMES_PER_SHARD
        return {first: min(size, self.games - first) for first in range(0, self.games, size)}

    def __post_init__(self) -> None:
        check_seed(self.seed)
        if not 1 <= self.games <= MOST_GAMES:
            raise ValueError(f"games must be from 1 to {MOST_GAMES:,}, not {self.games:,}")
        if not 1 <= self.fewest <= MOST_VISITS:
            raise ValueError(f"fewest must be from 1 to {MOST_VISITS:,} visits, not {self.fewest:,}")
        if not self.players:
            raise ValueError("a collection needs a number of players")
        for players in self.players:
            Settings(players=players)


@dataclass
class CollectionProgress:
    """How far a collection is."""

    games: int = 0
    rows: int = 0
    points: int = 0
    seconds: float = 0.0
    began: float = field(default_factory=time.perf_counter)

    def add(self, rows: int, scores: Sequence[int]) -> None:
        """Counts some games."""
        self.rows += rows
        self.games += len(scores)
        self.points += sum(scores)
        self.seconds = time.perf_counter() - self.began

    def __str__(self) -> str:
        speed = self.rows / max(self.seconds, 1e-9)
        mean = self.points / max(1, self.games)
        return f"{self.games:,} games, mean score {mean:.2f}, {self.rows:,} rows, {speed:,.0f} rows per second"


Played = tuple[dict[str, list[np.ndarray]], int]
Play = Callable[[int, np.uint64], Played]
"""Plays the game of a seed with some number of players; rows for each table, and the score."""


def searching_agent(text: str) -> SearchAgent:
    """The agent of a text, which must compare moves, in a tree or in the same deals, and not by the clock."""
    agent = make_agent(text)
    is_valuing = isinstance(agent, SearchAgent) and not isinstance(agent.settings, DeviationSettings)
    if not isinstance(agent, SearchAgent) or not is_valuing or agent.watches or agent.sees:
        raise AgentError(f"{text} values no moves to learn from; collect games of ris(...), mo(...) or flat(...)")
    if agent.is_timed:
        raise AgentError(f"{text}: collecting takes iterations, not ms, so that it can be repeated")
    return agent


def new_desk(agent: SearchAgent, wanted: Collection) -> Desk:
    """Room for the rows of one decision, and what it needs."""
    deepest = 0 if wanted.root_only else DEEPEST
    settings, most = agent.settings, MOVES
    if isinstance(settings, TreeSettings):
        most += settings.iterations // wanted.fewest * (deepest + 1)
    memory = np.zeros(agent.words, np.int64)
    return Desk(agent.params, memory, wanted.fewest, deepest, NINE, np.zeros(most, ROW), np.zeros(1, CHOICE))


def collect_game(agent: SearchAgent, wanted: Collection, players: int, seed: np.uint64) -> Played:
    """Plays one game, the one that a match of this seed would play; its rows, its choices and its score."""
    settings, desk = Settings(players=players), new_desk(agent, wanted)
    tables, deck = fresh_table(settings), fresh_deck(settings)
    rows: list[np.ndarray] = []
    choices: list[np.ndarray] = []
    while not is_over(tables[0]):
        count = take_turn(tables, deck, seed, desk)
        if count < 0:
            raise AgentError(f"{agent} has no legal move in the game of seed {seed}, turn {tables[0].turn}")
        rows.append(desk.rows[:count].copy())
        choices.append(desk.choices.copy())
    return {"choices": choices, "rows": rows}, int(tables[0].score)


def collect_shard(play: Play, wanted: Collection, first: int, directory: Path) -> tuple[int, list[int]]:
    """Plays the games of a shard, from number ``first`` on, and writes its files; the rows and the scores."""
    together: dict[str, list[np.ndarray]] = {}
    scores = []
    for number, seed in enumerate(game_seeds(wanted.seed, first, wanted.shards[first]), first):
        found, score = play(wanted.players[number % len(wanted.players)], seed)
        for kind, parts in found.items():
            for part in parts:
                part["game"] = number
            together.setdefault(kind, []).extend(parts)
        scores.append(score)
    for kind, parts in together.items():
        write_shard(directory, kind, first, np.concatenate(parts))
    return sum(map(len, together[wanted.kinds[0]])), scores


def read_collection(directory: Path) -> Collection:
    """What a directory holds."""
    found = Workspace(directory, ABOUT).read(Collection)
    if found is None:
        raise WorkspaceError(f"{directory} does not hold a collection: it has no {ABOUT}")
    return found


def binding(collection: Collection) -> dict[str, Any]:
    """What must stay the same in the directory of a collection; games can be added."""
    return {name: value for name, value in named_options(collection).items() if name != "games"}


def begin_collection(wanted: Collection, workspace: Workspace) -> None:
    """Writes down what is collected, or goes on with a collection that was begun alike."""
    begun = workspace.read(Collection)
    if begun is not None:
        workspace.check_same(binding(begun), binding(wanted))
        wanted = msgspec.structs.replace(wanted, games=max(begun.games, wanted.games))
    workspace.write(msgspec.json.format(msgspec.json.encode(wanted), indent=1))


def collect(
    wanted: Collection,
    directory: Path,
    threads: int | None = None,
    tell: Callable[[CollectionProgress], None] = lambda progress: None,
) -> CollectionProgress:
    """Plays the games that a collection still misses, on all cores; the files do not depend on their number."""
    if wanted.pool:
        play: Play = StrangerGames(wanted.pool).play
    else:
        play = functools.partial(collect_game, searching_agent(wanted.agent), wanted)
    workspace = Workspace(directory, ABOUT)
    workspace.check_free()
    with workspace.locked():
        begin_collection(wanted, workspace)
        progress = CollectionProgress()
        collect_one = functools.partial(collect_shard, play, wanted, directory=directory)
        for rows, scores in in_order(collect_one, missing_shards(wanted, directory), threads):
            progress.add(rows, scores)
            tell(progress)
    return progress


def missing_shards(wanted: Collection, directory: Path) -> list[int]:
    """The first games of the shards that are not there whole."""
    tables = [dict(read_shards(directory, kind)) for kind in wanted.kinds]
    return [first for first, games in wanted.shards.items() if min(one.get(first, 0) for one in tables) < games]
