"""The conformance check: an agent must obey the rules, see no hidden card, and answer the same when asked again.

The agent runs in processes of its own. This process holds the games and judges; it imports none of the agent's code.
"""

import contextlib
import math
import random
import re
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np

from tamaya.arena.apart import Apart, Facts, Gone, Late, last_words
from tamaya.arena.loop import NO_RULE
from tamaya.arena.peeking import Answer, SitDown, find_difference, find_peeking
from tamaya.arena.seating import game_seeds, replay, seeds_of
from tamaya.core.settings import Settings
from tamaya.core.sizes import SEATS
from tamaya.game.game import Game
from tamaya.game.position import View
from tamaya.game.replay import from_record, records
from tamaya.policies.agents import Agent
from tamaya.policies.contract import PolicyError
from tamaya.policies.language import parse

TRIED = [
    *(Settings(players=players) for players in (2, 3, 4, 5)),
    Settings(players=5, hand_size=2, lives=1),
    Settings(players=2, hand_size=6, hint_tokens=2),
    Settings(players=3, colours=2, ranks=3, hand_size=2, hint_tokens=3, lives=1),
    Settings(players=4, colours=6),
    Settings(players=4, multicolour="single"),
    Settings(players=3, multicolour="wild"),
    Settings(players=2, empty_hints=True, discard_at_limit=True),
]
"""The settings with which an agent is tried."""

DEFAULT_SEED = 1
LONGEST = 10**6
INTERPRETED_GAMES = 3

SUSPICIOUS = 5.0
"""By chance, games of known seeds are never this many standard errors better than games of fresh ones."""

KNOWN_GAMES = 10_000
KNOWN_SEEDS = {
    "the match of seed 1, the default": 1,
    "the match of seed 0": 0,
    "the match of seed 42": 42,
    "games of seeds 0, 1, 2 and so on": None,
}
"""Games that anybody can foresee: those of usual matches, and those of small seeds."""

FEWEST_SCORES = 10
"""The fewest games of a kind that are compared with others; agents in plain Python are slow."""


class Finding(msgspec.Struct, frozen=True):
    """One thing that was checked, and what came of it."""

    is_fine: bool
    text: str


class Check:
    """What is known about an agent while it is checked, and its processes."""

    def __init__(self, text: str, games: int, timeout: float) -> None:
        self.text = text
        self.games = games
        self.timeout = timeout
        self.open = contextlib.ExitStack()
        self.player = self.start()
        self.witnesses: dict[int, Apart] = {}
        self.pace = 0.0
        """Seconds per game, as far as known."""

    def start(self, **environment: str) -> Apart:
        """A new process of the agent."""
        return self.open.enter_context(Apart(self.text, self.timeout, **environment))

    def witness(self, seat: int) -> SitDown:
        """A process that is asked for one seat only; it holds no game and never gets what other seats see."""
        if seat not in self.witnesses:
            self.witnesses[seat] = self.start()
        process = self.witnesses[seat]

        def answer(view: View) -> int:
            try:
                return process.answer(view)
            except PolicyError as error:
                raise type(error)(f"asked in a process without the game, it fails: {error}") from error

        def sit_down() -> Answer:
            process.sit_down()
            return answer

        return sit_down

    def rules(self) -> str:
        """Plays at every table, with itself and with random players; raises when a rule is broken."""
        played = stuck = 0
        for settings in self.tables:
            for among_strangers in (False, True):
                start = time.monotonic()
                outcomes = self.player.play(settings, game_seeds(7, 0, self.games), among_strangers)
                self.pace = (time.monotonic() - start) / self.games
                played += len(outcomes)
                stuck += int((outcomes["ending"] == NO_RULE).sum())
        if stuck == played:
            raise PolicyError(f"{self.text} had no move in any game")
        note = f"; it had no move in {stuck} of them, which ends a game" if stuck else ""
        return f"plays by the rules in {played} games at {len(self.tables)} kinds of tables{note}"

    def order(self) -> str:
        """Plays games in two orders; raises when their moves differ."""
        seeds = game_seeds(11, 0, self.games)
        there = self.player.play(self.usual, seeds)
        back = self.player.play(self.usual, seeds[::-1].copy())[::-1]
        compare(there, back, "when other games were played before it")
        return f"plays a game the same whatever was played before ({self.games} games)"

    def sharing(self) -> str:
        """Plays games with one memory for all and with one per seat; raises when their moves differ."""
        if not self.facts.shares:
            return "keeps a memory of its own at every seat"
        seeds = game_seeds(17, 0, self.games)
        together, apart = (self.player.play(self.usual, seeds, separate=one) for one in (False, True))
        compare(together, apart, "with one memory per seat than with one for all")
        return f"plays the same with one memory for all as with one per seat ({self.games} games)"

    def seeds(self) -> str:
        """Plays games that anybody can foresee and games that nobody can; raises if it is better at the former."""
        largest = 0.0
        for turn, players in enumerate(self.facts.players):
            for name in list(KNOWN_SEEDS)[slice(None) if self.facts.is_compiled else slice(turn, turn + 1)]:
                z = self.foresight(name, players)
                if z > SUSPICIOUS:  # chance would not do this twice
                    z = min(z, self.foresight(name, players))
                if z > SUSPICIOUS:
                    raise PolicyError(
                        f"it foresees the cards of known seeds: {name}, {players} players ({z:.0f} standard errors)"
                    )
                largest = max(largest, z)
        return f"is no better at games of known seeds than at fresh ones (at most {largest:.1f} standard errors)"

    def foresight(self, name: str, players: int) -> float:
        """By how many standard errors games of known seeds, drawn anew each time, are better than fresh ones."""
        count = self.affordable(5 * self.games, 8 * len(self.facts.players))
        drawn = np.array([secrets.randbelow(KNOWN_GAMES) for _ in range(count)])
        fresh = np.array([secrets.randbits(64) for _ in range(count)], dtype=np.uint64)
        match = KNOWN_SEEDS[name]
        known = drawn.astype(np.uint64) if match is None else seeds_of(match, drawn)
        scores = [self.player.play(Settings(players=players), seeds)["score"] for seeds in (known, fresh)]
        return excess(*scores)

    def sight(self) -> str:
        """Deals the unseen cards anew, for a process that holds no game; raises when an answer changes."""
        if self.facts.sees:
            return f"is a yardstick that sees the {self.facts.sees}, as it says; this was not checked"
        chance, few = random.Random(1), self.few
        for settings in self.tables:
            for outcome in self.player.play(settings, game_seeds(19, 0, few)):
                seat = chance.randrange(settings.players)
                peek = find_peeking(self.witness(seat), replay(settings, outcome), seat, chance)
                if peek:
                    raise PolicyError(peek)
        return f"answers the same whatever its unseen cards are ({few * len(self.tables)} games, 4 decisions each)"

    def matches(self) -> str:
        """Plays matches with the command, as anybody would, with the default seed and with a fresh one.

        Raises when the agent foresees the former, or when its moves are not its players' answers in other processes.
        """
        if self.facts.sees:
            return "is not asked apart from its games, because what it sees exists only there"
        known, fresh = self.match(DEFAULT_SEED), self.match(secrets.randbits(64))
        looked_at = 0
        for players in self.facts.players:
            usual, others = ([game for game in games if game.players == players] for games in (known, fresh))
            z = excess(scores_of(usual), scores_of(others))
            if z > (SUSPICIOUS if len(usual) >= 100 else 2 * SUSPICIOUS):
                raise PolicyError(
                    f"it foresees the cards of known seeds: a match of the default seed, {players} players "
                    f"({z:.0f} standard errors)"
                )
            for game in usual[: self.few] + others[: self.few]:
                looked_at += 1
                self.compare_with_witnesses(game, range(players))
        return f"makes the same moves in matches as in processes that hold no game, one per seat ({looked_at} games)"

    def compare_with_witnesses(self, game: Game, seats: Iterable[int]) -> None:
        """Raises when the moves of some seats in a game are not their players' answers in other processes."""
        for seat in seats:
            found = find_difference(self.witness(seat), game, seat)
            if found:
                raise PolicyError(found)

    def match(self, seed: int) -> list[Game]:
        """The games of a match of the command; raises if they are not those of the seed, or if a mean is not theirs."""
        sizes = self.facts.players
        count = self.affordable(self.games, 2 * len(sizes))
        options = ["--games", str(count)] + ([] if seed == DEFAULT_SEED else ["--seed", str(seed)])
        options += [] if len(sizes) == SEATS - 1 else ["--players", ",".join(map(str, sizes))]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "games.jsonl"
            means = play_match(self.text, options, path, len(sizes) * self.timeout)
            try:
                games = [from_record(record) for record in records(path)]
            except ValueError as error:
                raise PolicyError(f"in a match, it spoils the saved games: {error}") from error
        expected = [(players, number) for players in sizes for number in game_seeds(seed, 0, count).tolist()]
        if [(game.players, game.seed) for game in games] != expected or not all(map(is_of_its_seed, games)):
            raise PolicyError("a match played other games than those of its seed")
        if len(means) != len(sizes):
            raise PolicyError("a match reports other tables than it was asked for")
        for players, mean in zip(sizes, means, strict=True):
            if abs(mean - scores_of([game for game in games if game.players == players]).mean()) > 1e-6:
                raise PolicyError(f"a match of {players} players reports other scores than its games have")
        return games

    def saved(self, path: Path) -> str:
        """Asks for the moves of some games of a file; raises if the answers differ, or if a deck is not its seed's."""
        name = str(parse(self.text)[0])
        found = [
            (number, record, record.tamaya.agents)
            for number, record in enumerate(records(path), 1)
            if record.tamaya and name in record.tamaya.agents
        ]
        if not found:
            raise ValueError(f"{path} has no game of {self.text}")
        chosen = random.Random(secrets.randbits(64)).sample(found, min(len(found), 10 * self.few))
        for number, record, names in chosen:
            try:
                game = from_record(record)
                if not is_of_its_seed(game):
                    raise PolicyError("its deck is not that of its seed")
                self.compare_with_witnesses(game, [seat for seat, one in enumerate(names) if one == name])
            except ValueError as error:
                raise PolicyError(f"game {number} of {path.name}: {error}") from error
        return f"made the moves of {len(chosen)} of the {len(found)} games of {path.name} that it plays in"

    def interpretation(self) -> str:
        """Plays games compiled and as plain Python; raises when their moves differ."""
        compiled, interpreted = self.start(), self.start(NUMBA_DISABLE_JIT="1")
        for number in range(INTERPRETED_GAMES):
            seeds = game_seeds(13, number, 1)
            settings = Settings(players=self.facts.players[number % len(self.facts.players)])
            try:
                slowly = interpreted.play(settings, seeds)
            except Late:
                return f"plays the same games compiled and as plain Python ({number} games; there was no time for more)"
            except PolicyError as error:
                raise PolicyError(f"run as plain Python: {error}") from error
            quickly = compiled.play(settings, seeds)
            compare(quickly, slowly, "as plain Python: look for an index out of bounds or an overflow")
        return f"plays the same games compiled and as plain Python ({INTERPRETED_GAMES} games)"

    @property
    def tables(self) -> list[Settings]:
        """The tables at which the agent can sit."""
        return [settings for settings in TRIED if settings.players in self.facts.players]

    @property
    def usual(self) -> Settings:
        """The table for checks that need only one."""
        return Settings(players=3 if 3 in self.facts.players else self.facts.players[0])

    def affordable(self, games: int, times: int) -> int:
        """How many games can be played this many times within half a minute, but enough to compare their scores."""
        return max(FEWEST_SCORES, min(games, int(30 / times / max(self.pace, 1e-6))))

    @property
    def few(self) -> int:
        """How many games are looked at move by move."""
        return min(20, max(1, self.games // 10)) if self.facts.is_compiled else 2

    def findings(self, *checks: Callable[[], str]) -> Iterator[Finding]:
        """One check after the other, until there is no point in going on."""
        self.facts: Facts = self.player.facts()
        if self.facts.is_timed:
            raise ValueError(f"{self.text} thinks by the clock, so no two games are the same; check it with iterations")
        if not self.facts.is_compiled:
            self.games = 2
        is_fine = True
        for check in checks or (self.rules, self.order, self.sharing, self.seeds, self.sight, self.matches):
            try:
                yield Finding(True, check())
            except Gone as error:
                yield Finding(False, str(error))
                break
            except PolicyError as error:
                yield Finding(False, str(error))
                is_fine = False
                if check == self.rules:
                    return
        if self.facts.is_compiled and is_fine and not checks:
            try:
                yield Finding(True, self.interpretation())
            except PolicyError as error:
                yield Finding(False, str(error))


def compare(one: np.ndarray, other: np.ndarray, when: str) -> None:
    """Raises when the moves of some games differ."""
    for first, second in zip(one, other, strict=True):
        if (first.length, first.ending) != (second.length, second.ending) or (first.moves != second.moves).any():
            raise PolicyError(f"game {first.seed} went differently {when}")


def scores_of(games: Sequence[Game]) -> np.ndarray:
    """The scores of some games."""
    return np.array([game.score for game in games])


def is_of_its_seed(game: Game) -> bool:
    """Whether the deck of a game that was read is that of its seed."""
    return game.seed is not None and game.deck == Game(game.settings, game.seed).deck


def excess(scores: np.ndarray, others: np.ndarray) -> float:
    """By how many standard errors of their difference some scores are above others."""
    if len(scores) < 2 or scores.mean() <= others.mean():
        return 0.0
    error = math.sqrt(scores.var(ddof=1) / len(scores) + others.var(ddof=1) / len(others))
    return float(scores.mean() - others.mean()) / error if error else math.inf


def play_match(text: str, options: Sequence[str], path: Path, timeout: float) -> list[float]:
    """Plays a match with the command and saves its games; returns the mean scores that it prints."""
    command = [sys.executable, "-m", "tamaya", "match", text, *options, "--json", "--save", str(path)]
    try:
        child = subprocess.run(command, capture_output=True, timeout=timeout, check=False)
    except subprocess.TimeoutExpired as expired:
        raise Late(f"a match was not done within {timeout:g} seconds; give it a longer --timeout") from expired
    printed = re.search(rb'\{\s*"tamaya".*', child.stdout, re.DOTALL)
    try:
        results = msgspec.json.decode(printed.group() if printed else b"")["results"]
        return [float(result["mean"]) for result in results]
    except (msgspec.MsgspecError, LookupError, TypeError, ValueError) as error:
        raise PolicyError(
            f"in a match, {last_words(child.returncode, child.stderr.decode(errors='replace'))}"
        ) from error


def inspect_agent(text: str, games: int = 200, timeout: float = 120.0, saved: Path | None = None) -> Iterator[Finding]:
    """The findings about an agent, or about saved games of it, one after the other."""
    if not 1 <= games <= KNOWN_GAMES:
        raise ValueError(f"a check needs at least 1 game and at most {KNOWN_GAMES:,}, not {games:,}")
    if not 0 < timeout <= LONGEST:
        raise ValueError(f"--timeout must be from 0 to {LONGEST:,} seconds, not {timeout:g}")
    check = Check(text, games, timeout)
    with check.open:
        try:
            yield from check.findings() if saved is None else check.findings(lambda: check.saved(saved))
        except PolicyError as error:
            yield Finding(False, str(error))


def check_agent(agent: str | Agent, games: int = 200, timeout: float = 120.0) -> list[Finding]:
    """All findings about an agent; it runs in processes of its own, which may hang or crash."""
    return list(inspect_agent(str(agent), games, timeout))
