"""Foresight: an agent must not be better at games that anybody can foresee, nor play others in a match."""

import math
import re
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np

from tamaya.arena.checks.agent_process import ProcessLate, last_words
from tamaya.arena.checks.checked_agent import CheckedAgent
from tamaya.arena.seating import game_seeds, seeds_of
from tamaya.engine.settings import SEATS, Settings
from tamaya.engine.text import seconds_of
from tamaya.game.game import Game
from tamaya.game.replay import from_record, records
from tamaya.policies.contract import PolicyError

DEFAULT_SEED = 1

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


def check_seeds(agent: CheckedAgent) -> str:
    """Plays games that anybody can foresee and games that nobody can; raises if it is better at the former."""
    largest = 0.0
    for turn, players in enumerate(agent.facts.players):
        for name in list(KNOWN_SEEDS)[slice(None) if agent.facts.is_compiled else slice(turn, turn + 1)]:
            z = foresight(agent, name, players)
            if z > SUSPICIOUS:  # chance would not do this twice
                z = min(z, foresight(agent, name, players))
            if z > SUSPICIOUS:
                raise PolicyError(
                    f"it foresees the cards of known seeds: {name}, {players} players ({z:.0f} standard errors)"
                )
            largest = max(largest, z)
    return f"is no better at games of known seeds than at fresh ones (at most {largest:.1f} standard errors)"


def foresight(agent: CheckedAgent, name: str, players: int) -> float:
    """By how many standard errors games of known seeds, drawn anew each time, are better than fresh ones."""
    count = agent.affordable(5 * agent.games, 8 * len(agent.facts.players))
    drawn = np.array([secrets.randbelow(KNOWN_GAMES) for _ in range(count)])
    fresh = np.array([secrets.randbits(64) for _ in range(count)], dtype=np.uint64)
    match = KNOWN_SEEDS[name]
    known = drawn.astype(np.uint64) if match is None else seeds_of(match, drawn)
    scores = [agent.player.play(Settings(players=players), seeds)["score"] for seeds in (known, fresh)]
    return excess(*scores)


def excess(scores: np.ndarray, others: np.ndarray) -> float:
    """By how many standard errors of their difference some scores are above others."""
    if len(scores) < 2 or scores.mean() <= others.mean():
        return 0.0
    error = math.sqrt(scores.var(ddof=1) / len(scores) + others.var(ddof=1) / len(others))
    return float(scores.mean() - others.mean()) / error if error else math.inf


def check_matches(agent: CheckedAgent) -> str:
    """Plays matches with the command, as anybody would, with the default seed and with a fresh one.

    Raises when the agent foresees the former, or when its moves are not its players' answers in other processes.
    """
    if agent.facts.sees:
        return "is not asked apart from its games, because what it sees exists only there"
    known, fresh = match_of_seed(agent, DEFAULT_SEED), match_of_seed(agent, secrets.randbits(64))
    looked_at = 0
    for players in agent.facts.players:
        usual, others = ([game for game in games if game.players == players] for games in (known, fresh))
        z = excess(scores_of(usual), scores_of(others))
        if z > (SUSPICIOUS if len(usual) >= 100 else 2 * SUSPICIOUS):
            raise PolicyError(
                f"it foresees the cards of known seeds: a match of the default seed, {players} players "
                f"({z:.0f} standard errors)"
            )
        for game in usual[: agent.few] + others[: agent.few]:
            looked_at += 1
            agent.compare_with_witnesses(game, range(players))
    return f"makes the same moves in matches as in processes that hold no game, one per seat ({looked_at} games)"


def match_of_seed(agent: CheckedAgent, seed: int) -> list[Game]:
    """The games of a match of the command; raises if they are not those of the seed, or if a mean is not theirs."""
    sizes = agent.facts.players
    count = agent.affordable(agent.games, 2 * len(sizes))
    options = ["--games", str(count)] + ([] if seed == DEFAULT_SEED else ["--seed", str(seed)])
    options += [] if len(sizes) == SEATS - 1 else ["--players", ",".join(map(str, sizes))]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.jsonl"
        means = play_match(agent.text, options, path, len(sizes) * agent.timeout)
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


def play_match(text: str, options: Sequence[str], path: Path, timeout: float) -> list[float]:
    """Plays a match with the command and saves its games; returns the mean scores that it prints."""
    command = [sys.executable, "-m", "tamaya", "match", text, *options, "--json", "--save", str(path)]
    try:
        child = subprocess.run(command, capture_output=True, timeout=timeout, check=False)
    except subprocess.TimeoutExpired as expired:
        raise ProcessLate(f"a match was not done within {seconds_of(timeout)}; give it a longer --timeout") from expired
    printed = re.search(rb'\{\s*"tamaya".*', child.stdout, re.DOTALL)
    try:
        results = msgspec.json.decode(printed.group() if printed else b"")["results"]
        return [float(result["mean"]) for result in results]
    except (msgspec.MsgspecError, LookupError, TypeError, ValueError) as error:
        raise PolicyError(
            f"in a match, {last_words(child.returncode, child.stderr.decode(errors='replace'))}"
        ) from error


def scores_of(games: Sequence[Game]) -> np.ndarray:
    """The scores of some games."""
    return np.array([game.score for game in games])


def is_of_its_seed(game: Game) -> bool:
    """Whether the deck of a game that was read is that of its seed."""
    return game.seed is not None and game.deck == Game(game.settings, game.seed).deck
