"""The conformance check: an agent must obey the rules, see no hidden card, and answer the same when asked again.

The agent runs in processes of its own. This process holds the games and judges; it imports none of the agent's code.
"""

import functools
import random
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np

from tamaya.arena.checks.agent_process import ProcessGone, ProcessLate
from tamaya.arena.checks.checked_agent import CheckedAgent
from tamaya.arena.checks.hidden_cards_check import find_peeking
from tamaya.arena.checks.seed_check import KNOWN_GAMES, check_matches, check_seeds, is_of_its_seed
from tamaya.arena.game_loop import NO_RULE
from tamaya.arena.seating import game_seeds, replay
from tamaya.engine.settings import Settings
from tamaya.game.replay import from_record, records
from tamaya.policies.agent import Agent
from tamaya.policies.contract import PolicyError
from tamaya.policies.language import parse

LONGEST = 10**6
INTERPRETED_GAMES = 3


class Finding(msgspec.Struct, frozen=True):
    """One thing that was checked, and what came of it."""

    is_fine: bool
    text: str


def check_games(agent: CheckedAgent) -> str:
    """Plays at every table, with itself and with random players; raises when a rule is broken."""
    played = stuck = 0
    for settings in agent.facts.tables:
        for among_strangers in (False, True):
            start = time.monotonic()
            outcomes = agent.player.play(settings, game_seeds(7, 0, agent.games), among_strangers)
            agent.pace = (time.monotonic() - start) / agent.games
            played += len(outcomes)
            stuck += int((outcomes["ending"] == NO_RULE).sum())
    if stuck == played:
        raise PolicyError(f"{agent.text} had no move in any game")
    note = f"; it had no move in {stuck} of them, which ends a game" if stuck else ""
    return f"plays by the rules in {played} games at {len(agent.facts.tables)} kinds of tables{note}"


def check_order(agent: CheckedAgent) -> str:
    """Plays games in two orders; raises when their moves differ."""
    seeds = game_seeds(11, 0, agent.games)
    there = agent.player.play(agent.usual, seeds)
    back = agent.player.play(agent.usual, seeds[::-1].copy())[::-1]
    check_same_moves(there, back, "when other games were played before it")
    return f"plays a game the same whatever was played before ({agent.games} games)"


def check_sharing(agent: CheckedAgent) -> str:
    """Plays games with one memory for all and with one per seat; raises when their moves differ."""
    if not agent.facts.shares:
        return "keeps a memory of its own at every seat"
    seeds = game_seeds(17, 0, agent.games)
    together, apart = (agent.player.play(agent.usual, seeds, separate=one) for one in (False, True))
    check_same_moves(together, apart, "with one memory per seat than with one for all")
    return f"plays the same with one memory for all as with one per seat ({agent.games} games)"


def check_sight(agent: CheckedAgent) -> str:
    """Deals the unseen cards anew, for a process that holds no game; raises when an answer changes."""
    if agent.facts.sees:
        return f"is a yardstick that sees the {agent.facts.sees}, as it says; this was not checked"
    chance, few = random.Random(1), agent.few
    for settings in agent.facts.tables:
        for outcome in agent.player.play(settings, game_seeds(19, 0, few)):
            seat = chance.randrange(settings.players)
            peek = find_peeking(agent.witness(seat), replay(settings, outcome), seat, chance)
            if peek:
                raise PolicyError(peek)
    return f"answers the same whatever its unseen cards are ({few * len(agent.facts.tables)} games, 4 decisions each)"


def check_saved(agent: CheckedAgent, path: Path) -> str:
    """Asks for the moves of some games of a file; raises if the answers differ, or if a deck is not its seed's."""
    name = str(parse(agent.text)[0])
    found = [
        (number, record, record.tamaya.agents)
        for number, record in enumerate(records(path), 1)
        if record.tamaya and name in record.tamaya.agents
    ]
    if not found:
        raise ValueError(f"{path} has no game of {agent.text}")
    chosen = random.Random(secrets.randbits(64)).sample(found, min(len(found), 10 * agent.few))
    for number, record, names in chosen:
        try:
            game = from_record(record)
            if not is_of_its_seed(game):
                raise PolicyError("its deck is not that of its seed")
            agent.compare_with_witnesses(game, [seat for seat, one in enumerate(names) if one == name])
        except ValueError as error:
            raise PolicyError(f"game {number} of {path.name}: {error}") from error
    return f"made the moves of {len(chosen)} of the {len(found)} games of {path.name} that it plays in"


def check_interpretation(agent: CheckedAgent) -> str:
    """Plays games compiled and as plain Python; raises when their moves differ."""
    compiled, interpreted = agent.start(), agent.start(NUMBA_DISABLE_JIT="1")
    for number in range(INTERPRETED_GAMES):
        seeds = game_seeds(13, number, 1)
        settings = Settings(players=agent.facts.players[number % len(agent.facts.players)])
        try:
            slowly = interpreted.play(settings, seeds)
        except ProcessLate:
            return f"plays the same games compiled and as plain Python ({number} games; there was no time for more)"
        except PolicyError as error:
            raise PolicyError(f"run as plain Python: {error}") from error
        quickly = compiled.play(settings, seeds)
        check_same_moves(quickly, slowly, "as plain Python: look for an index out of bounds or an overflow")
    return f"plays the same games compiled and as plain Python ({INTERPRETED_GAMES} games)"


def check_same_moves(one: np.ndarray, other: np.ndarray, when: str) -> None:
    """Raises when the moves of some games differ."""
    for first, second in zip(one, other, strict=True):
        if (first.length, first.ending) != (second.length, second.ending) or (first.moves != second.moves).any():
            raise PolicyError(f"game {first.seed} went differently {when}")


ALL = (check_games, check_order, check_sharing, check_seeds, check_sight, check_matches, check_interpretation)


def findings(agent: CheckedAgent, checks: Sequence[Callable[[CheckedAgent], str]]) -> Iterator[Finding]:
    """One check after the other, until there is no point in going on."""
    if not agent.facts.players:
        raise ValueError(f"{agent.text} does not play by the official rules; the check needs a table that does")
    if agent.facts.is_timed:
        raise ValueError(f"{agent.text} thinks by the clock, so no two games are the same; check it with iterations")
    if not agent.facts.is_compiled:
        agent.games = 2
    is_fine = True
    for check in checks:
        if check is check_interpretation and not (is_fine and agent.facts.is_compiled):
            return
        try:
            yield Finding(True, check(agent))
        except PolicyError as error:
            yield Finding(False, str(error))
            is_fine = False
            if check is check_games or isinstance(error, ProcessGone):
                return


def inspect_agent(
    text: str,
    games: int = 200,
    timeout: float = 120.0,
    saved: Path | None = None,
    checks: Sequence[Callable[[CheckedAgent], str]] = (),
) -> Iterator[Finding]:
    """The findings about an agent, or about saved games of it, one after the other."""
    if not 1 <= games <= KNOWN_GAMES:
        raise ValueError(f"a check needs at least 1 game and at most {KNOWN_GAMES:,}, not {games:,}")
    if not 0 < timeout <= LONGEST:
        raise ValueError(f"--timeout must be from 0 to {LONGEST:,} seconds, not {timeout:g}")
    agent = CheckedAgent(text, games, timeout)
    with agent.open:
        try:
            yield from findings(
                agent, checks or (ALL if saved is None else [functools.partial(check_saved, path=saved)])
            )
        except PolicyError as error:
            yield Finding(False, str(error))


def check_agent(agent: str | Agent, games: int = 200, timeout: float = 120.0) -> list[Finding]:
    """All findings about an agent; it runs in processes of its own, which may hang or crash."""
    return list(inspect_agent(str(agent), games, timeout))
