"""Playing many games: threads over batches of a compiled loop, with the same result whatever their number."""

import math
import os
import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Protocol

import numpy as np

from tamaya.agents import blame
from tamaya.cards import SEATS
from tamaya.engine import MAX_MOVES
from tamaya.game import Game
from tamaya.jit import kernel
from tamaya.loop import (
    ILLEGAL,
    NO_RULE,
    OUTCOME,
    RUNNING,
    SHARES,
    WATCHES,
    continue_game,
    list_actions,
    play_games,
)
from tamaya.moves import ASK, FAULT, MOVES
from tamaya.notation import Card
from tamaya.players import Agent
from tamaya.policies import PolicyError
from tamaya.randomness import derive_seed
from tamaya.replay import END_GAME, Action, Record, make_record
from tamaya.settings import Settings
from tamaya.table import fresh_deck, fresh_table

BATCH_SECONDS = 0.05
LARGEST_BATCH = 2048
"""Batches grow until one takes this long or is this large: no overhead is felt, and Ctrl-C is heard."""


class GameFailure(PolicyError):
    """A game that an agent broke: who, where, and how; and the games played before it."""

    def __init__(self, message: str, played: np.ndarray) -> None:
        super().__init__(message)
        self.played = played

    def __reduce__(self) -> tuple[Any, ...]:
        """Travels between processes with its games."""
        return GameFailure, (str(self), self.played)


@kernel
def fill_seeds(seeds: np.ndarray, match: np.uint64, first: int) -> None:
    """Writes the seeds of the games of a match, from number ``first`` on."""
    for index in range(len(seeds)):
        seeds[index] = derive_seed(match, first + index)


def game_seeds(seed: int, first: int, games: int) -> np.ndarray:
    """The seeds of games number ``first`` and on of a match; matches of different seeds share no game."""
    seeds = np.empty(games, dtype=np.uint64)
    fill_seeds(seeds, np.uint64(seed), first)
    return seeds


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Table:
    """A team seated at a table, ready to play games."""

    def __init__(self, team: Sequence[Agent], settings: Settings) -> None:
        if len(team) != settings.players:
            raise ValueError(f"{len(team)} agents cannot fill {settings.players} seats")
        for agent in team:
            agent.check_seats(settings.players)
        self.team = tuple(team)
        self.settings = settings
        seats = [*team, *[team[0]] * (SEATS - len(team))]
        self.pointers = tuple(agent.policy.pointer for agent in seats), tuple(agent.policy.observer for agent in seats)
        self.params = np.zeros((SEATS, max(1, *(len(agent.params) for agent in seats))))
        for seat, agent in enumerate(seats):
            self.params[seat, : len(agent.params)] = agent.params
        self.memory = max(agent.words for agent in seats)
        watching = SHARES if all(agent.shares_memory(team[0]) for agent in team) else WATCHES
        self.habits = np.array([agent.policy.sight + watching * agent.watches for agent in seats])
        self.start, self.cards = fresh_table(settings), fresh_deck(settings)
        self.is_compiled = all(agent.python is None for agent in team)

    def arrays(self) -> tuple[Any, ...]:
        """What the loop needs to know of the team, with an empty memory."""
        memory = np.zeros((SEATS, self.memory), dtype=np.int64)
        return *self.pointers, self.params.copy(), memory, self.habits

    def play(self, seeds: np.ndarray) -> np.ndarray:
        """The outcomes of the games of some seeds; raises GameFailure when an agent breaks one."""
        outcomes = np.zeros(len(seeds), OUTCOME)
        outcomes["seed"] = seeds
        try:
            if self.is_compiled:
                play_games(outcomes, self.start, self.cards, *self.arrays())
            else:
                for index in range(len(outcomes)):
                    self.play_in_python(outcomes[index : index + 1])
        except (Exception, SystemExit) as error:
            raise self.failure(outcomes, error) from error
        if (outcomes["ending"] == ILLEGAL).any():
            raise self.failure(outcomes, None)
        return outcomes

    def play_in_python(self, outcomes: np.ndarray) -> None:
        """Plays one game; compiled seats move in the compiled loop, the others are asked here."""
        outcome = outcomes[0]
        game = Game(self.settings, int(outcome.seed))
        players = [agent.sit_down() for agent in self.team]
        arrays = (game.tables.copy(), game.deck_array.copy(), *self.arrays())
        outcome.answer = ASK
        while True:
            continue_game(outcomes, *arrays)
            if outcome.ending != RUNNING:
                return
            for code in outcome.moves[len(game.moves) : outcome.length]:
                game.push(game.decode(int(code)))
            if players[game.seat].mind is None:
                outcome.ending = ILLEGAL
                return
            outcome.answer = players[game.seat].answer(game.view())

    def record(self, outcome: Any) -> Record:
        """The record of a game that was played here."""
        deck, rows = self.cards.copy(), np.zeros((MAX_MOVES, 3), dtype=np.int64)
        list_actions(outcome, self.start.copy(), deck, rows)
        actions = [Action(*row) for row in rows[: outcome.length].tolist()]
        if outcome.ending == NO_RULE:
            actions.append(Action(END_GAME, int(outcome.length) % self.settings.players, END_GAME))
        names = [str(agent) for agent in self.team]
        return make_record(self.settings, [Card.of(card) for card in deck.tolist()], actions, names, int(outcome.seed))

    def failure(self, outcomes: np.ndarray, error: BaseException | None) -> GameFailure:
        """What went wrong in the first game that was not played to its end."""
        broken = np.flatnonzero(np.isin(outcomes["ending"], (RUNNING, ILLEGAL)))[0]
        outcome = outcomes[broken]
        game = replay(self.settings, outcome)
        agent = self.team[game.seat]
        if error is None and outcome.answer < FAULT:
            breaker = agent.played_by(FAULT - int(outcome.answer))
            answer = f"asked {breaker} for a move in a rollout and got an illegal one"
        elif error is None:
            answer = describe_answer(game, int(outcome.answer))
        else:
            answer = f"raised {blame(error)}"
        place = f"in game {outcome.seed}, turn {game.turn}, seat {game.seat}"
        return GameFailure(f"{agent} {answer}, {place}:\n{game}", outcomes[:broken])


def describe_answer(game: Game, answer: int) -> str:
    """An illegal answer in words."""
    try:
        move = game.decode(answer) if 0 <= answer < MOVES else None
        if move is not None:
            game.verify(move)
    except ValueError as reason:
        return f"answered {answer}, which is illegal: {reason}"
    return f"answered {answer}, which is no move"


def replay(settings: Settings, outcome: Any) -> Game:
    """The game of an outcome, with its moves made."""
    game = Game(settings, int(outcome.seed))
    for code in outcome.moves[: outcome.length]:
        game.push(game.decode(int(code)))
    return game


class Playing(Protocol):
    """What can play games of seeds: a table, or the tables of a cell."""

    is_compiled: bool

    def play(self, seeds: np.ndarray) -> np.ndarray:
        """The outcomes of the games of some seeds."""
        ...


class Threads:
    """Workers on this machine: threads, for the compiled loop lets them run side by side."""

    def __init__(self, count: int | None = None) -> None:
        self.count = count or cores()
        self.pool = ThreadPoolExecutor(self.count)

    def submit(self, table: Playing, seeds: np.ndarray) -> Future[tuple[np.ndarray, float]]:
        """Starts a batch of games."""
        return self.pool.submit(timed_play, table, seeds)

    def stop(self) -> None:
        """Lets go of the batches that have not started."""
        self.pool.shutdown(wait=False, cancel_futures=True)


class Workers(Protocol):
    """Who plays batches of games: threads, or a cluster."""

    count: int

    def submit(self, table: Any, seeds: np.ndarray) -> Any:
        """Starts a batch; the result of what is returned are its outcomes and the seconds it took."""
        ...

    def stop(self) -> None:
        """Lets go of the batches that have not started."""
        ...


def play(
    table: Playing,
    seed: int,
    games: int,
    workers: Workers | int | None = None,
    first: int = 0,
    until: float = math.inf,
) -> Iterator[tuple[np.ndarray, float]]:
    """The outcomes of the games of a match, from number ``first`` on, batch by batch, in order.

    Each batch comes with the seconds that its worker took. After the time ``until`` no batch is begun any more.
    """
    team = Threads(workers) if workers is None or isinstance(workers, int) else workers
    running: deque[Any] = deque()
    most = 2 * team.count if until == math.inf else team.count  # what is begun is finished
    number, size, largest = first, 1, LARGEST_BATCH if table.is_compiled else 1
    try:
        while running or (number < first + games and time.perf_counter() < until):
            while number < first + games and len(running) < most and time.perf_counter() < until:
                seeds = game_seeds(seed, number, min(size, first + games - number))
                running.append(team.submit(table, seeds))
                number += len(seeds)
            outcomes, seconds = running.popleft().result()
            if seconds < BATCH_SECONDS:
                size = min(2 * size, largest)
            yield outcomes, seconds
    finally:
        for waiting in running:
            waiting.cancel()
        if team is not workers:
            team.stop()


def timed_play(table: Playing, seeds: np.ndarray) -> tuple[np.ndarray, float]:
    """The outcomes of a batch, and the time it took."""
    start = time.perf_counter()
    return table.play(seeds), time.perf_counter() - start
