"""Collecting: games whose trees, or moves, become rows of training data, in files that survive a kill."""

import functools
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import numpy as np

from tamaya.agents.registry import make_agent
from tamaya.arena.batches import cores
from tamaya.arena.seating import game_seeds
from tamaya.core.engine import is_over
from tamaya.core.moves import MOVES
from tamaya.core.settings import Settings
from tamaya.core.table import fresh_deck, fresh_table
from tamaya.evaluation.greedy import SETTINGS
from tamaya.experiments.files import replacing
from tamaya.learn.gathering import CHOICE, DEEPEST, ROW, Desk, take_turn
from tamaya.learn.tables import read_shards, write_shard
from tamaya.learn.teams import Strangers
from tamaya.policies.language import AgentError
from tamaya.rules.sets import RULE_SETS, parse_rules
from tamaya.rules.text import encode
from tamaya.search.agent import SearchAgent
from tamaya.search.searchers import tree_search

GAMES_PER_SHARD, TEAMS_PER_SHARD = 4, 100
FEWEST_VISITS = 50
ABOUT = "collection.json"
NINE = np.array([*[0.0] * SETTINGS, *encode(parse_rules(RULE_SETS["goodman"][0]), 0.0)])
"""The rules that a classifier chooses from, as params of a learned agent."""


class Collection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is collected: whose games, at which tables, and from which nodes of their trees."""

    agent: str
    players: tuple[int, ...] = (5,)
    """The numbers of players, which the games take in turns."""
    games: int = 100
    seed: int = 1
    fewest: int = FEWEST_VISITS
    """Below the root, moves that were visited less often give no row."""
    root_only: bool = False
    pool: tuple[str, ...] = ()
    """Policies whose moves, in random teams, give the rows instead; then the agent is empty."""

    @property
    def kind(self) -> str:
        """The table that is complete when a shard is."""
        return "moves" if self.pool else "rows"

    @property
    def shards(self) -> dict[int, int]:
        """The number of the first game of each shard, with how many games it has."""
        size = TEAMS_PER_SHARD if self.pool else GAMES_PER_SHARD
        return {first: min(size, self.games - first) for first in range(0, self.games, size)}


@dataclass
class Progress:
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
    """The agent of a text, which must grow trees by a number of iterations."""
    agent = make_agent(text)
    if not isinstance(agent, SearchAgent) or agent.policy is not tree_search or agent.watches or agent.sees:
        raise AgentError(f"{text} grows no trees to learn from; collect games of ris(...) or mo(...)")
    if agent.is_timed:
        raise AgentError(f"{text}: collecting takes iterations, not ms, so that it can be repeated")
    return agent


def new_desk(agent: SearchAgent, wanted: Collection) -> Desk:
    """Room for the rows of one decision, and what it needs."""
    deepest = 0 if wanted.root_only else DEEPEST
    most = MOVES + int(agent.settings.iterations) // wanted.fewest * (deepest + 1)
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
    return sum(map(len, together[wanted.kind])), scores


def read_collection(directory: Path) -> Collection:
    """What a directory holds."""
    about = directory / ABOUT
    try:
        return msgspec.json.decode(about.read_bytes(), type=Collection)
    except OSError as error:
        raise ValueError(f"{directory} holds no collection: {about} cannot be read, {error.strerror}") from error
    except msgspec.DecodeError as error:
        raise ValueError(f"{about} describes no collection: {error}") from error


def open_collection(wanted: Collection, directory: Path) -> None:
    """Makes the directory of a collection, or goes on with one that was begun alike; games can be added."""
    about = directory / ABOUT
    if about.exists():
        begun = read_collection(directory)
        if msgspec.structs.replace(begun, games=0) != msgspec.structs.replace(wanted, games=0):
            raise ValueError(f"{directory} holds another collection: {begun}; choose another directory")
    elif directory.exists() and any(directory.iterdir()):
        raise ValueError(f"{directory} is not empty and holds no collection; choose another directory")
    directory.mkdir(parents=True, exist_ok=True)
    with replacing(about) as file:
        file.write(msgspec.json.format(msgspec.json.encode(wanted), indent=1))


def collect(
    wanted: Collection,
    directory: Path,
    threads: int | None = None,
    tell: Callable[[Progress], None] = lambda progress: None,
) -> Progress:
    """Plays the games that a collection still misses, on all cores; the files do not depend on their number."""
    if wanted.pool:
        play: Play = Strangers(wanted.pool).play
    else:
        play = functools.partial(collect_game, searching_agent(wanted.agent), wanted)
    open_collection(wanted, directory)
    progress = Progress()
    for rows, scores in played_shards(play, wanted, directory, threads or cores()):
        progress.add(rows, scores)
        tell(progress)
    return progress


def missing_shards(wanted: Collection, directory: Path) -> list[int]:
    """The first games of the shards that are not there whole."""
    there = dict(read_shards(directory, wanted.kind))
    return [first for first, games in wanted.shards.items() if there.get(first, 0) < games]


def played_shards(play: Play, wanted: Collection, directory: Path, threads: int) -> Iterator[tuple[int, list[int]]]:
    """Plays the missing shards side by side, and tells of each in turn."""
    pool = ThreadPoolExecutor(threads)
    try:
        jobs = [
            pool.submit(collect_shard, play, wanted, first, directory) for first in missing_shards(wanted, directory)
        ]
        for job in jobs:
            yield job.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
