"""Seatings: teams of agents at a table, and the games they play there."""

import copy
import logging
from collections.abc import Sequence
from typing import Any

import numpy as np

from tamaya.arena.game_loop import (
    DECK_OUT,
    FORFEITED,
    ILLEGAL,
    NO_RULE,
    OUTCOME,
    OVERRUN,
    RUNNING,
    continue_game,
    list_actions,
    play_games,
)
from tamaya.engine.gameplay import MAX_MOVES
from tamaya.engine.jit import kernel
from tamaya.engine.moves import ASK, MOVES
from tamaya.engine.randomness import derive_seed
from tamaya.engine.settings import SEATS, Settings
from tamaya.engine.table import fresh_deck, fresh_table
from tamaya.game.game import Game
from tamaya.game.hanab_live import END_GAME, Action, Record
from tamaya.game.notation import NAMES, Card
from tamaya.game.replay import make_record
from tamaya.policies.agent import Agent, Forfeit, WrongAnswer, blame
from tamaya.policies.contract import PolicyError
from tamaya.policies.seats import SEAT

GUARD = 16
"""The words behind every memory."""


LOG = logging.getLogger("tamaya")
MOST_TOLD = 10
"""How many forfeits of a team are told; all are counted."""


class GameFailure(PolicyError):
    """A game that an agent broke: who, where, and how; and the games played before it."""

    def __init__(
        self, fault: str, seed: int, place: str, played: np.ndarray, number: int | None = None, cell: str = ""
    ) -> None:
        game = f"the game of seed {seed}" if number is None else f"game {number:,}, of seed {seed}"
        super().__init__(f"{cell}{': ' * bool(cell)}{fault}, in {game}, {place}")
        self.fault = fault
        self.seed = seed
        self.place = place
        self.played = played
        self.number = number
        """The number of the game in its match, if that is known."""
        self.cell = cell
        """Who played, where several cells are played."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Travels between processes with its games."""
        return GameFailure, (self.fault, self.seed, self.place, self.played, self.number, self.cell)

    def after(self, games: int, cell: str = "") -> "GameFailure":
        """The same with the number of the game, given how many were played before its batch, and with its cell."""
        return GameFailure(self.fault, self.seed, self.place, self.played, games + len(self.played) + 1, cell)


@kernel
def fill_seeds(seeds: np.ndarray, match: np.uint64, numbers: np.ndarray) -> None:
    """Writes the seeds of the games with these numbers in a match."""
    for index in range(len(seeds)):
        seeds[index] = derive_seed(match, numbers[index])


def seeds_of(seed: int, numbers: np.ndarray) -> np.ndarray:
    """The seeds of the games with these numbers in a match; matches of different seeds share no game."""
    seeds = np.empty(len(numbers), dtype=np.uint64)
    fill_seeds(seeds, np.uint64(seed), numbers)
    return seeds


def game_seeds(seed: int, first: int, games: int) -> np.ndarray:
    """The seeds of the games of a match from number ``first`` on."""
    return seeds_of(seed, np.arange(first, first + games))


class Seating:
    """A team seated for games of some settings."""

    def __init__(self, team: Sequence[Agent], settings: Settings) -> None:
        if len(team) != settings.players:
            raise ValueError(f"{len(team)} agents cannot fill {settings.players} seats")
        for agent in team:
            agent.check_table(settings)
        self.team = tuple(team)
        self.settings = settings
        self.start, self.cards = fresh_table(settings), fresh_deck(settings)
        self.is_compiled = all(agent.is_compiled for agent in team)
        self.forfeits: dict[int, str] = {}
        """Why games were forfeited, by their seeds."""
        self.seats = np.zeros(SEATS, SEAT)
        shares = all(agent.shares_memory(team[0]) for agent in team)
        for number, agent in enumerate(team):
            agent.fill(self.seats[number])
            self.seats[number].shares = shares
            self.seats[number].row = 0 if shares else number

    def prepare(self) -> None:
        """Loads or compiles everything that games need, without playing any."""
        if self.is_compiled:
            self.play(game_seeds(0, 0, 0))

    def new_memory(self) -> np.ndarray:
        """The empty memory of all seats, with guard words behind each that nobody may write."""
        return np.zeros((SEATS, int(self.seats["words"].max()) + GUARD), dtype=np.int64)

    def separate(self) -> "Seating":
        """The same team, with a memory of its own at every seat."""
        apart = copy.copy(self)
        apart.seats = self.seats.copy()
        apart.seats["shares"], apart.seats["row"] = 0, np.arange(SEATS)
        return apart

    def play(self, seeds: np.ndarray) -> np.ndarray:
        """The outcomes of the games of some seeds; raises GameFailure when an agent breaks one."""
        outcomes = np.zeros(len(seeds), OUTCOME)
        outcomes["seed"] = seeds
        try:
            if self.is_compiled:
                play_games(outcomes, self.start, self.cards, self.seats, self.new_memory())
            else:
                for index in range(len(outcomes)):
                    self.play_in_python(outcomes[index : index + 1])
        except (Exception, SystemExit) as error:
            raise self.failure(outcomes, error) from error
        if (outcomes["ending"] >= ILLEGAL).any():
            raise self.failure(outcomes, None)
        return outcomes

    def play_in_python(self, outcomes: np.ndarray) -> None:
        """Plays one game; compiled seats move in the compiled loop, the others are asked here."""
        game = Game(self.settings, int(outcomes["seed"][0]))
        players = [agent.sit_down() for agent in self.team]
        arrays = (game.tables.copy(), game.deck_array.copy(), self.seats, self.new_memory())
        endings, answers, lengths, moves = (outcomes[name] for name in ("ending", "answer", "length", "moves"))
        answers[0] = ASK
        while True:
            continue_game(outcomes, *arrays)
            for code in moves[0, len(game.moves) : lengths[0]].tolist():
                game.advance(code)
            if endings[0] != RUNNING:
                break
            if self.team[game.seat].is_compiled:
                endings[0] = ILLEGAL
                return
            try:
                answers[0] = players[game.seat].answer(game.view())
            except Forfeit as reason:
                self.note_forfeit(game, str(reason))
                endings[0], arrays[0]["lives"][0] = FORFEITED, 0
        for player in players:
            player.leave(game, bool(endings[0] > DECK_OUT))

    def note_forfeit(self, game: Game, reason: str) -> None:
        """Keeps and tells why a game is forfeited."""
        assert game.seed is not None
        words = f"{self.team[game.seat]} {reason}, at turn {game.turn}, seat {game.seat} ({NAMES[game.seat]})"
        self.forfeits[game.seed] = words
        if len(self.forfeits) <= MOST_TOLD:
            LOG.warning("the game of seed %s is forfeited: %s", game.seed, words)
        if len(self.forfeits) == MOST_TOLD:
            LOG.warning("further forfeits are counted, but not told")

    def record(self, outcome: Any) -> Record:
        """The record of a game that was played here."""
        record = record_of(self.settings, [str(agent) for agent in self.team], outcome)
        assert record.tamaya is not None
        record.tamaya.forfeit = self.forfeits.get(int(outcome.seed), "")
        return record

    def failure(self, outcomes: np.ndarray, error: BaseException | None) -> GameFailure:
        """What went wrong in the first game that was not played to its end."""
        broken = np.flatnonzero(np.isin(outcomes["ending"], (RUNNING, ILLEGAL, OVERRUN)))[0]
        outcome = outcomes[broken]
        game = replay(self.settings, outcome)
        seat = int(outcome.answer) if outcome.ending == OVERRUN else game.seat
        agent = self.team[seat]
        breaker = agent.broken_by(int(outcome.answer))
        if outcome.ending == OVERRUN:
            answer = f"wrote beyond its {agent.policy.memory} words of memory"
        elif error is None and breaker:
            answer = f"asked {breaker} for a move in a rollout and got an illegal one"
        elif error is None:
            answer = describe_answer(game, int(outcome.answer))
        else:
            answer = str(error) if isinstance(error, WrongAnswer) else f"raised {blame(error)}"
        place = f"turn {game.turn}, seat {seat} ({NAMES[seat]}):\n{game}"
        return GameFailure(f"{agent} {answer}", int(outcome.seed), place, outcomes[:broken])


def record_of(settings: Settings, names: Sequence[str], outcome: Any) -> Record:
    """The record of a game of named agents, from its seed and moves alone."""
    deck, rows = fresh_deck(settings), np.zeros((MAX_MOVES, 3), dtype=np.int64)
    if list_actions(outcome, fresh_table(settings), deck, rows) < outcome.length:
        raise ValueError(f"the moves of game {outcome.seed} are not legal, or do not lead to its score")
    actions = [Action(*row) for row in rows[: outcome.length].tolist()]
    if outcome.ending in (NO_RULE, FORFEITED):
        actions.append(Action(END_GAME, int(outcome.length) % settings.players, END_GAME))
    return make_record(settings, [Card.of(card) for card in deck.tolist()], actions, names, int(outcome.seed))


def prepare_records(settings: Settings) -> None:
    """Loads or compiles what records of games need."""
    rows = np.zeros((MAX_MOVES, 3), dtype=np.int64)
    list_actions(np.zeros(1, OUTCOME)[0], fresh_table(settings), fresh_deck(settings), rows)


def describe_answer(game: Game, answer: int) -> str:
    """An illegal answer in words."""
    try:
        move = game.decode(answer) if 0 <= answer < MOVES else None
        if move is not None:
            game.verify(move)
    except ValueError as reason:
        return f"answered {answer}, which is illegal here: {reason}"
    return f"answered {answer}, which is not a move"


def replay(settings: Settings, outcome: Any) -> Game:
    """The game of an outcome, with its moves made."""
    game = Game(settings, int(outcome.seed))
    for code in outcome.moves[: outcome.length]:
        game.push(game.decode(int(code)))
    return game
