"""Matches: agents and teams, each on the same decks, summed up."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np

from tamaya.agents.registry import Team, make_team
from tamaya.arena.batches import MOST_THREADS, cores, play_batches
from tamaya.arena.forecast import Forecast, guess_seconds
from tamaya.arena.seating import GameFailure, Seating
from tamaya.arena.statistics import Summary, Tally, compared, summarise
from tamaya.engine.jit import ctrl_c_held_back
from tamaya.engine.settings import Settings
from tamaya.game.game import check_seed
from tamaya.game.replay import dumps
from tamaya.policies.agent import Agent
from tamaya.policies.language import AgentError

Progress = Callable[[int], None]
MOST_GAMES = 10**9
EVERY_TABLE = (2, 3, 4, 5)


@dataclass(frozen=True)
class MatchEntry:
    """One line of a match: an agent in self-play, or a mixed team, at one number of players."""

    name: str
    team: tuple[Agent, ...]
    settings: Settings


def can_sit(team: Sequence[Agent], settings: Settings) -> bool:
    """Whether all agents of a team can play at a table."""
    try:
        for agent in team:
            agent.check_table(settings)
    except AgentError:
        return False
    return True


def match_entries(teams: Iterable[Team], settings: Sequence[Settings], is_demanded: bool = True) -> list[MatchEntry]:
    """The lines of a match; a mixed team plays only at its own number of players.

    Tables that are not demanded are left to those who can play there; whoever can play at none is refused all the same.
    """
    lines = []
    for what in teams:
        team = make_team(what)
        name = "+".join(map(str, team))
        fitting = [one for one in settings if len(team) in (1, one.players)]
        if not fitting:
            counts = ", ".join(str(one.players) for one in settings)
            raise AgentError(f"{name} is a team of {len(team)}, but the match is for {counts} players")
        if not is_demanded:
            fitting = [one for one in fitting if can_sit(team, one)] or fitting
        lines += [MatchEntry(name, team * one.players if len(team) == 1 else team, one) for one in fitting]
    return lines


class Match:
    """Plays its entries one after the other and keeps what is needed for the summaries."""

    def __init__(self, lines: Sequence[MatchEntry], games: int, seed: int, threads: int | None = None) -> None:
        if not isinstance(games, int) or not 1 <= games <= MOST_GAMES:
            raise ValueError(f"games must be a whole number from 1 to {MOST_GAMES:,}, not {games}")
        if threads is not None and (not isinstance(threads, int) or not 1 <= threads <= MOST_THREADS):
            raise ValueError(f"threads must be a whole number from 1 to {MOST_THREADS:,}, not {threads}")
        self.lines = [(line, Seating(line.team, line.settings)) for line in lines]
        for _, seating in self.lines:
            seating.prepare()
        self.games = games
        self.seed = seed
        self.threads = threads
        self.save: BinaryIO | None = None
        """A file for the games."""
        self.done: list[Summary] = []
        """The summaries so far; after a failure or Ctrl-C, they include that of the games already played."""
        self._scores: dict[int, tuple[str, np.ndarray]] = {}
        guesses = {number: guess_seconds(map(str, line.team)) for number, line in enumerate(lines)}
        self.forecast = Forecast(dict.fromkeys(guesses, games), guesses)

    def run(self, progress: Progress = lambda games: None) -> list[Summary]:
        """Plays all games."""
        for number in range(len(self.lines)):
            self._play(number, progress)
        return self.done

    def seconds_left(self) -> float:
        """How long the games that are left will take."""
        return self.forecast.core_seconds_left() / (self.threads or cores())

    def _play(self, number: int, progress: Progress) -> None:
        """Plays the games of one line and adds its summary, whatever happens."""
        line, seating = self.lines[number]
        tally = Tally()
        scores: list[np.ndarray] = []
        start, core_seconds = time.perf_counter(), 0.0
        try:
            for outcomes, seconds in play_batches(seating, self.seed, self.games, self.threads):
                core_seconds += seconds
                self.forecast.add(number, len(outcomes), seconds)
                self._keep(seating, outcomes, tally, scores)
                progress(len(outcomes))
        except GameFailure as failure:
            named = failure.after(sum(one.games for one in self.done) + tally.games)
            self._keep(seating, failure.played, tally, scores)
            raise named from failure.__cause__
        finally:
            if tally.games:
                self._sum_up(line, tally, scores, (time.perf_counter() - start, core_seconds))

    def _keep(self, seating: Seating, outcomes: np.ndarray, tally: Tally, scores: list[np.ndarray]) -> None:
        """Saves games and counts them, all or none."""
        with ctrl_c_held_back():
            if self.save is not None:
                self.save.write(b"".join(dumps(seating.record(outcome)) + b"\n" for outcome in outcomes))
                self.save.flush()
            tally.add(outcomes)
            scores.append(outcomes["score"].copy())

    def _sum_up(self, line: MatchEntry, tally: Tally, batches: list[np.ndarray], times: tuple[float, float]) -> None:
        players, scores = line.settings.players, np.concatenate(batches)
        summary = summarise(line.name, players, line.settings.max_score, tally, *times)
        name, reference = self._scores.setdefault(players, (line.name, scores))
        if name != line.name:
            common = min(len(scores), len(reference))
            summary = compared(summary, name, [(scores[:common], reference[:common])])
        self.done.append(summary)


def run_match(
    agents: Team | list[Team],
    players: int | Sequence[int] | None = None,
    games: int = 10_000,
    seed: int = 1,
    threads: int | None = None,
    **options: Any,
) -> list[Summary]:
    """Plays each agent or team on the same decks; the options are those of Settings.

    An agent is a name, an agent, a policy or a class with ``act(view)``; a team is a text such as ``piers+iggi``, or a
    tuple of agents. Several of them are a list. Without ``players``, there are 2 to 5, as far as an agent can play so.
    """
    teams = agents if isinstance(agents, list) else [agents]
    asked = EVERY_TABLE if players is None else players
    counts = list(asked) if isinstance(asked, Iterable) else [asked]
    if not counts:
        raise ValueError("players is empty; name at least one number of players")
    settings = [Settings(players=count, **options) for count in counts]
    return Match(match_entries(teams, settings, players is not None), games, check_seed(seed), threads).run()
