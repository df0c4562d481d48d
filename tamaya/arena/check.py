"""The conformance check: does an agent play by the rules, see no hidden card, and answer the same when asked again."""

import os
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from tamaya.agents.registry import make_agent
from tamaya.arena.loop import NO_RULE
from tamaya.arena.seating import Seating, game_seeds
from tamaya.core.cards import NO_CARD
from tamaya.core.engine import is_legal
from tamaya.core.moves import MOVES
from tamaya.core.settings import Settings
from tamaya.game.game import Game
from tamaya.policies.agents import Agent, Player
from tamaya.policies.contract import PolicyError

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

INTERPRETED_GAMES = 3


class Finding(msgspec.Struct, frozen=True):
    """One thing that was checked, and what came of it."""

    is_fine: bool
    text: str


def deal_anew(game: Game, seat: int, chance: random.Random) -> Game:
    """The game with everything that a seat cannot see dealt anew, in keeping with what it was told."""
    twin = game.copy()
    table, drawn = twin.table, int(twin.table.drawn)
    held = [slot for slot in range(game.settings.hand_size) if table.hands[seat, slot] != NO_CARD]
    hidden = [int(table.hands[seat, slot]) for slot in held] + [int(card) for card in twin.deck_array[drawn:]]
    for _ in range(10_000):
        pool, hand = chance.sample(hidden, len(hidden)), {}
        for slot in sorted(held, key=lambda slot: int(table.knowledge[seat, slot]).bit_count()):
            fitting = [card for card in pool if int(table.knowledge[seat, slot]) >> card & 1]
            if not fitting:
                break
            hand[slot] = fitting[0]
            pool.remove(fitting[0])
        if len(hand) == len(held):
            for slot, card in hand.items():
                table.hands[seat, slot] = card
                twin.deck_array[table.orders[seat, slot]] = card
            twin.deck_array[drawn:] = pool
            return twin
    raise RuntimeError(f"no new deal was found for seat {seat} of\n{game}")


def ask(player: Player, game: Game) -> int:
    """What a player answers as the seat to move."""
    return player.answer(game.view())


def decisions(agent: Agent, settings: Settings, seed: int, seat: int) -> Iterator[tuple[Game, int]]:
    """The positions of a game of self-play in which a seat decides, with its answers."""
    game = Game(settings, seed)
    players = [agent.sit_down() for _ in range(settings.players)]
    while not game.is_over:
        answer = ask(players[game.seat], game)
        if game.seat == seat:
            yield game.copy(), answer
        if not is_legal(game.table, answer):
            return
        game.push(game.decode(answer))


def find_peeking(agent: Agent, settings: Settings, seed: int) -> str | None:
    """Where an agent's answer changes with cards that it cannot see, or with nothing at all."""
    chance = random.Random(seed)
    seat = chance.randrange(settings.players)
    history = list(decisions(agent, settings, seed, seat))
    for turn in sorted(chance.sample(range(len(history)), min(4, len(history)))):
        past, answer = history[turn]
        for world, what in ((past, "asked again"), (deal_anew(past, seat, chance), "its unseen cards were dealt anew")):
            player = agent.sit_down()
            for earlier, _ in history[:turn]:
                ask(player, earlier)
            again = ask(player, world)
            if again != answer:
                words = [str(past.decode(code)) if 0 <= code < MOVES else str(code) for code in (answer, again)]
                return (
                    f"in game {seed} of {settings.players} players, turn {past.turn}, it answered {words[0]}, "
                    f"but {words[1]} when {what}:\n{past}"
                )
    return None


def check_rules(agent: Agent, games: int) -> str:
    """Plays at every table, with itself and with random players; raises when a rule is broken."""
    stranger = make_agent("legal-random")
    played = stuck = 0
    for settings in TRIED:
        for team in ([agent] * settings.players, [agent, *[stranger] * (settings.players - 1)]):
            outcomes = Seating(team, settings).play(game_seeds(7, 0, games))
            played += games
            stuck += int((outcomes["ending"] == NO_RULE).sum())
    if stuck == played:
        raise PolicyError(f"{agent} had no move in any game")
    note = f"; it had no move in {stuck} of them, which ends a game" if stuck else ""
    return f"plays by the rules in {played} games at {len(TRIED)} kinds of tables{note}"


def check_order(agent: Agent, games: int) -> str:
    """Plays games in two orders; raises when their moves differ."""
    settings = Settings(players=3)
    seating = Seating([agent] * 3, settings)
    seeds = game_seeds(11, 0, games)
    there, back = seating.play(seeds), seating.play(seeds[::-1].copy())[::-1]
    for one, other in zip(there, back, strict=True):
        if one.length != other.length or (one.moves != other.moves).any():
            raise PolicyError(f"game {one.seed} went differently when other games were played before it")
    return f"plays a game the same whatever was played before ({games} games)"


def check_sharing(agent: Agent, games: int) -> str:
    """Plays games with one memory for all and with one a seat; raises when their moves differ."""
    if not agent.policy.shares:
        return "keeps a memory of its own at every seat"
    seating = Seating([agent] * 3, Settings(players=3))
    seeds = game_seeds(17, 0, games)
    for one, other in zip(seating.play(seeds), seating.separate().play(seeds), strict=True):
        if one.length != other.length or (one.moves != other.moves).any():
            raise PolicyError(f"game {one.seed} went differently with a memory a seat than with one for all")
    return f"plays the same with one memory for all as with one a seat ({games} games)"


def check_sight(agent: Agent, games: int) -> str:
    """Deals the unseen cards anew; raises when an answer changes, but for one who says that it sees them."""
    if agent.sees:
        return f"is a yardstick that sees the {agent.sees}, as it says; this was not checked"
    for settings in TRIED:
        for seed in range(games):
            peek = find_peeking(agent, settings, seed)
            if peek:
                raise PolicyError(peek)
    return f"answers the same whatever its unseen cards are ({games * len(TRIED)} games, 4 decisions each)"


def moves_of(agent: Agent, games: int) -> list[list[int]]:
    """The moves of a few games, to compare compiled with interpreted play."""
    seating = Seating([agent] * 3, Settings(players=3))
    return [one.moves[: one.length].tolist() for one in seating.play(game_seeds(13, 0, games))]


def inspect_agent(text: str, games: int) -> Iterator[Finding]:
    """The findings of one process."""
    try:
        agent = make_agent(text)
        if agent.is_compiled:
            agent.policy.compiled("mover")
    except (ValueError, PolicyError) as error:
        yield Finding(False, str(error))
        return
    few = max(1, games // 10) if agent.is_compiled else 2
    checks: list[Callable[[], str]] = [
        lambda: check_rules(agent, games if agent.is_compiled else few),
        lambda: check_order(agent, games if agent.is_compiled else few),
        lambda: check_sharing(agent, games),
        lambda: check_sight(agent, min(few, 20)),
    ]
    for number, check in enumerate(checks):
        try:
            yield Finding(True, check())
        except Exception as error:
            yield Finding(False, str(error))
            if number == 0:
                return


def run_child(arguments: list[str], timeout: float, environment: dict[str, str]) -> tuple[list[Any], str | None]:
    """The findings of a child process, and what ended it early, if anything."""
    command = [sys.executable, "-m", "tamaya.arena.check", *arguments]
    try:
        child = subprocess.run(command, capture_output=True, timeout=timeout, check=False, env=os.environ | environment)
        output, problem = child.stdout, None
        if child.returncode:
            problem = last_words(child.returncode, child.stderr.decode(errors="replace"))
    except subprocess.TimeoutExpired as expired:
        output = expired.stdout or b""
        problem = f"not done within {timeout:g} seconds: it never returns, or is too slow for --games and --timeout"
    return [msgspec.json.decode(line) for line in output.splitlines() if line.startswith((b"{", b"["))], problem


def last_words(code: int, errors: str) -> str:
    """What a child process said when it died."""
    if code < 0:
        return f"it crashed the process (signal {-code}); look for an index out of bounds"
    found = re.search(r"^tamaya\.[\w.]+: (.*)", errors, re.MULTILINE | re.DOTALL)
    lines = errors.strip().splitlines() or ["no message"]
    return found.group(1).strip() if found else lines[-1]


def check_agent(text: str, games: int = 200, timeout: float = 120.0) -> list[Finding]:
    """All findings about an agent; each pass runs in a process of its own, which may hang or crash."""
    if games < 1:
        raise ValueError("a check needs at least 1 game")
    if make_agent(text).is_timed:
        raise ValueError(f"{text} thinks by the clock, so that no two games are the same; check it with iterations")
    rows, problem = run_child(["rules", text, str(games)], timeout, {})
    findings = [msgspec.convert(row, Finding) for row in rows]
    if problem:
        findings.append(Finding(False, problem))
    if problem is None and not all(finding.is_fine for finding in findings):
        return findings
    if not make_agent(text).is_compiled:
        return findings
    interpreted, problem = run_child(["moves", text], timeout, {"NUMBA_DISABLE_JIT": "1"})
    if problem or not interpreted:
        findings.append(Finding(False, f"run as plain Python: {problem or 'no answer'}"))
    elif all(finding.is_fine for finding in findings):
        compiled, _ = run_child(["moves", text], timeout, {})
        same = "plays the same games compiled and as plain Python"
        other = "plays other games compiled than as plain Python: look for an index out of bounds or an overflow"
        findings.append(Finding(compiled == interpreted, same if compiled == interpreted else other))
    return findings


def main() -> None:
    """One pass in a process of its own: ``rules AGENT GAMES`` or ``moves AGENT``."""
    mode, text, *rest = sys.argv[1:]
    if mode == "rules":
        for finding in inspect_agent(text, int(rest[0])):
            print(msgspec.json.encode(finding).decode(), flush=True)
    else:
        print(msgspec.json.encode(moves_of(make_agent(text), INTERPRETED_GAMES)).decode(), flush=True)


if __name__ == "__main__":
    main()
