"""How fast the environments are, beside OpenSpiel and PettingZoo in the same run: python bench/environments.py.

It needs the extra `bench`. As in speed.py, each figure is the median of rounds that alternate between the contestants.
The seconds are those of the processor, so that other programs do not count, except where a row says otherwise.
"""

import argparse
import copy
import dataclasses
import importlib.util
import pathlib
import random
import sys
import time
import warnings
from collections.abc import Callable

import numpy as np
from speed import Effort, as_markdown, has_open_spiel, open_spiel_moves

from tamaya import Settings, make_agent
from tamaya.arena.seating import Seating, game_seeds
from tamaya.engine.jit import kernel
from tamaya.engine.randomness import random_below
from tamaya.environments import VectorHanabi
from tamaya.game.hle.encoding import write_observation

Row = tuple[str, str, str, str]


@kernel
def choose_randomly(actions, masks, rng):
    """Chooses a legal action for each game."""
    for game in range(len(actions)):
        left = random_below(rng, masks[game].sum())
        for action in range(masks.shape[1]):
            left -= masks[game, action]
            if left < 0:
                actions[game] = action
                break


def vector_moves(games: int, players: int, encoding: str = "bytes", team: str = "") -> Callable:
    """A hundred steps of all games with random actions; the learners' moves."""
    envs = VectorHanabi(games, players, threads=1, encoding=encoding, team=team)
    observations, _ = envs.reset(seed=1)
    actions, rng = np.zeros(games, np.int64), np.ones(1, np.uint64)

    def work() -> int:
        for _ in range(100):
            choose_randomly(actions, observations["action_mask"], rng)
            envs.step(actions)
        return 100 * games

    work()
    return work


@kernel
def observe_often(tables, episodes, words, rows, layouts):
    """Writes the observations of the players to move."""
    for game in range(len(tables)):
        write_observation(rows[game], words[game], tables[game], episodes[game], layouts[0], tables[game].seat)
    return len(tables)


def positions(players: int, games: int) -> VectorHanabi:
    """Games in their middle, as good players leave them."""
    envs = VectorHanabi(games, players, team="piers", seat=0)
    observations, _ = envs.reset(seed=1)
    actions, rng = np.zeros(games, np.int64), np.ones(1, np.uint64)
    for _ in range(4):
        choose_randomly(actions, observations["action_mask"], rng)
        envs.step(actions)
    return envs


def observed(players: int, games: int) -> Callable[[], int]:
    """The observations of some positions."""
    inside = positions(players, games).games
    arrays = (*inside.state[:2], inside.buffers.words, inside.buffers.observations, inside.plan.layouts)
    observe_often(*arrays)
    return lambda: int(observe_often(*arrays))


def open_spiel_observed(players: int) -> Callable[[], int]:
    """The observation of a position in OpenSpiel, asked for from Python."""
    import pyspiel

    state = pyspiel.load_game(f"hanabi(players={players})").new_initial_state()
    while state.is_chance_node():
        state.apply_action(random.choice(state.legal_actions()))

    def work() -> int:
        for _ in range(100):
            state.observation_tensor(0)
        return 100

    return work


def agent_moves(module, players: int) -> Callable[[], int]:
    """Ten random games of an environment of PettingZoo."""
    env = module.env(players=players, hand_size=Settings(players=players).hand_size)

    def work() -> int:
        moves = 0
        for _ in range(10):
            env.reset()
            for _ in env.agent_iter():
                observation, _, is_terminated, is_truncated, _ = env.last()
                if is_terminated or is_truncated:
                    break
                env.step(random.choice(np.flatnonzero(observation["action_mask"]).tolist()))
                moves += 1
        return moves

    work()
    return work


def copies(module, players: int) -> Callable[[], int]:
    """Ten deep copies of an environment of PettingZoo."""
    env = module.env(players=players, hand_size=Settings(players=players).hand_size)
    env.reset(seed=1)
    return lambda: len([copy.deepcopy(env) for _ in range(10)])


def learner_moves(players: int) -> Callable[[], int]:
    """A random game of the learner's environment."""
    from tamaya.environments.gym import Hanabi

    env = Hanabi(players, "piers")

    def work() -> int:
        moves, (_, info), ends = 0, env.reset(), [False]
        while not any(ends):
            _, _, *ends, info = env.step(random.choice(np.flatnonzero(info["action_mask"]).tolist()))
            moves += 1
        return moves

    work()
    return work


def bot_moves(players: int, games: int) -> Callable[[], int]:
    """The moves of games that the bot in Python of the examples plays over pipes, a program per seat."""
    bot = pathlib.Path(__file__).parent.parent / "examples" / "bots" / "bot.py"
    seating = Seating([make_agent(f"pipe({sys.executable} {bot})")] * players, Settings(players=players))
    seating.play(game_seeds(1, 0, 1))
    return lambda: int(seating.play(game_seeds(1, 0, games))["length"].sum())


def has(name: str) -> bool:
    """Whether a module is installed."""
    return importlib.util.find_spec(name) is not None


def compared(label: str, effort: Effort, ours: Callable, peer: str, theirs: Callable) -> Row:
    """A row of the table: two rates and their ratio."""
    mine, other = effort.alternate(ours, theirs)
    return label, f"{mine:,.0f}", f"{peer} {other:,.0f}", f"{mine / other:.0f} x"


def measure(effort: Effort) -> list[Row]:
    """The rows of the table."""
    rows, games = [], effort.count(1024)
    for players in (2, 5) if has_open_spiel() else ():
        label = f"VectorHanabi, {players} players, moves per second per core, with observations"
        theirs = open_spiel_moves(players, observes=True)
        peer = "OpenSpiel from Python, with observations"
        rows.append(compared(label, effort, vector_moves(games, players), peer, theirs))
        rows.append(
            compared("the same, packed bits", effort, vector_moves(games, players, encoding="bits"), peer, theirs)
        )
        label = f"HLE's observation in a kernel, {players} players, per second per core"
        peer = "OpenSpiel from Python"
        rows.append(compared(label, effort, observed(players, games), peer, open_spiel_observed(players)))
    (speed,) = effort.alternate(vector_moves(games, 3, team="piers+information"))
    label = "VectorHanabi, one learner with piers and information, its moves per second per core"
    rows.append((label, f"{speed:,.0f}", "", ""))
    if has("pettingzoo") and has("shimmy") and has_open_spiel():
        rows += beside_pettingzoo(effort)
    if has("gymnasium"):
        (speed,) = effort.alternate(learner_moves(3))
        rows.append(("tamaya/Hanabi-v0 with piers, 3 players, steps per second", f"{speed:,.0f}", "", ""))
    on_the_clock = dataclasses.replace(effort, clock=time.perf_counter)  # the bots are other processes
    (speed,) = on_the_clock.alternate(bot_moves(2, effort.count(20)))
    rows.append(("examples/bots/bot.py over pipes, 2 players, moves per second by the clock", f"{speed:,.0f}", "", ""))
    return rows


def beside_pettingzoo(effort: Effort) -> list[Row]:
    """The rows that compare hanabi_v0 with hanabi_v5."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pettingzoo.classic import hanabi_v5

        from tamaya.environments import hanabi_v0

    rows = []
    for players in (2, 5):
        label = f"hanabi_v0, {players} players, moves per second"
        rows.append(
            compared(label, effort, agent_moves(hanabi_v0, players), "hanabi_v5", agent_moves(hanabi_v5, players))
        )
        label = f"hanabi_v0, {players} players, deep copies per second"
        peer = "hanabi_v5, which loses the game,"
        rows.append(compared(label, effort, copies(hanabi_v0, players), peer, copies(hanabi_v5, players)))
    return rows


def main() -> None:
    """Prints the table, and writes it into a page between its two marks."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", type=pathlib.Path, help="a Markdown page with <!-- environments --> twice")
    arguments = parser.parse_args()
    table = as_markdown(measure(Effort(clock=time.process_time)))
    print(table)
    if arguments.write:
        before, _, after = arguments.write.read_text().split("<!-- environments -->")
        sign = "<!-- environments -->"
        arguments.write.write_text(f"{before}{sign}\n\n{table}\n\n{sign}{after}")


if __name__ == "__main__":
    main()
