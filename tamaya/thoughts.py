"""What an agent thought of the moves before it made one."""

import math

import msgspec
import numpy as np

from tamaya.moves import MOVES
from tamaya.players import Agent
from tamaya.position import View
from tamaya.search.crew import highest_value
from tamaya.search.plan import DEVIATES
from tamaya.search.policies import ponder, tree_search
from tamaya.search.sampling import FACTS, THOUGHT


class Candidate(msgspec.Struct, frozen=True):
    """A move that a search considered: how often it was tried, and what it is worth in points."""

    move: str
    visits: int
    value: float
    standard_error: float


class Thoughts(msgspec.Struct, frozen=True):
    """The decision of an agent for a view; of a search also what it did and all moves it considered, best first."""

    agent: str
    move: str
    candidates: list[Candidate] = []
    iterations: int = 0
    depth: int = 0
    milliseconds: float = 0.0
    policy_move: str = ""
    """The move of its policy, for a search that deviates from it only if another one is clearly better."""


def thoughts_of(agent: Agent, view: View) -> Thoughts:
    """What an agent thinks at a view."""
    if agent.policy is not tree_search:
        return Thoughts(str(agent), str(agent.sit_down().act(view)))
    player = agent.sit_down()
    player.catch_up(view)
    thoughts, facts = np.zeros(MOVES, THOUGHT), np.zeros(1, FACTS)
    rng = np.array([view.seed], dtype=np.uint64)
    answer = ponder(view.tables.copy(), np.zeros(0, np.int8), player.memory, agent.params, rng, thoughts, facts)
    move = player.understand(int(answer), view)
    unit = float(highest_value(view.table, agent.params))
    tried = [code for code in range(MOVES) if thoughts[code].visits]
    candidates = [candidate(str(view.decode(code)), thoughts[code], unit) for code in tried]
    by_visits = sorted(candidates, key=lambda one: (one.visits, one.value), reverse=True)
    return Thoughts(
        agent=str(agent),
        move=str(move),
        candidates=by_visits,
        iterations=int(facts[0].iterations),
        depth=int(facts[0].depth),
        milliseconds=float(facts[0].nanoseconds) / 1e6,
        policy_move=str(view.decode(int(facts[0].own))) if agent.settings[DEVIATES] else "",
    )


def candidate(move: str, thought: np.record, unit: float) -> Candidate:
    """What was thought of one move."""
    visits, mean = int(thought.visits), float(thought.total / thought.visits)
    spread = max(0.0, float(thought.squares) / visits - mean * mean)
    error = math.sqrt(spread / (visits - 1)) if visits > 1 else math.nan
    return Candidate(move, visits, unit * mean, unit * error)
