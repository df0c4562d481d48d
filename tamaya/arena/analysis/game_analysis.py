"""The analysis of games: what a search would have done at each turn, and how many points the move made has cost."""

import dataclasses
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np

from tamaya.agents.names import POLICIES
from tamaya.agents.registry import Playable, make_agent
from tamaya.agents.rule_based_agents import RECIPES
from tamaya.agents.searches import SEARCHES
from tamaya.arena.batches import in_order
from tamaya.engine.randomness import derive_seed
from tamaya.game.game import Game
from tamaya.game.notation import Kind, Move
from tamaya.policies.agent import Agent, Candidate
from tamaya.policies.language import AgentError, Call, parse
from tamaya.search.compare.move_values import price, team_of
from tamaya.search.search_agent import SearchAgent
from tamaya.solver.endgame import TooManyWorlds, prospects
from tamaya.solver.solve import at_turn

YARDSTICK = "search(information, literal=yes, {})"
"""Who analyses games of players without a known convention.

It knows of the past only what hints say, so it misunderstands nobody, and expects near-perfect play from then on.
"""

ITERATIONS, TIMES_TO_CHOOSE = 1000, 2
"""How many games are imagined to find out what a move costs; a search has this many times as many to choose its own.

With half of the games to choose, three in a hundred choices were worse than moves of ``piers`` by 0.1 points or more.
"""

MISTAKE, SURE = 0.25, 3.0
"""A move is a mistake if it costs at least so many points, and at least so many standard errors."""

LAST_CARDS, WORLDS, EFFORT = 2, 150, 6_000
"""Exact chances are worked out with at most so many cards in the deck, for at most so many deals that the seat to move
cannot exclude, if so many positions are enough: less than about a second."""


class Chance(msgspec.Struct, frozen=True):
    """What a move leaves in reach near the end of a game, exactly, if all cards are turned face up after it."""

    move: str
    """For hints, one that stands for all."""
    perfect: float
    """The chance that a perfect score can be reached."""
    points: float
    """The mean of the highest scores that can be reached."""


class TurnAnalysis(msgspec.Struct, frozen=True):
    """A move of a game beside that of a search, by all that its player could see, and by nothing else."""

    turn: int
    """How many moves were made before."""
    seat: int
    made: str
    """The move that was made in the game."""
    best: str
    """The move of the search."""
    cost: float
    """How many points the move made leads to fewer than that of the search, in the same deals; 0 if it is the same."""
    error: float
    """The standard error of the cost."""
    expected: float
    """The expected score with the move of the search."""
    expected_error: float
    deals: int
    """In how many deals both moves were tried, other ones than those in which the search chose its move."""
    is_mistake: bool
    candidates: list[Candidate] = []
    """What the search thought of the moves that it considered, best first."""
    chances: list[Chance] = []
    """Near the end of a game, what each move leaves in reach, best first."""

    def chance_of(self, move: str) -> Chance | None:
        """What a move leaves in reach, if that was worked out."""
        return next((one for one in self.chances if is_like(one.move, move)), None)


class Total(msgspec.Struct, frozen=True):
    """What the moves of a player have cost together."""

    seat: int
    moves: int
    cost: float
    error: float
    mistakes: int


@dataclass(frozen=True)
class Analyst:
    """Somebody who analyses moves: an agent that says what it would have done, and a budget for the cost."""

    agent: Agent
    iterations: int = ITERATIONS
    """How many games are imagined to find out what a move and that of the agent are worth."""
    ms: float = 0.0
    """If not 0, the milliseconds for that instead."""
    threshold: float = MISTAKE
    worlds: int = WORLDS
    seed: int = 1
    team: SearchAgent = dataclasses.field(init=False)
    """Who plays the imagined games to their end."""

    def __post_init__(self) -> None:
        for name, least in (("iterations", 2), ("ms", 0), ("threshold", 0), ("worlds", 0)):
            value = getattr(self, name)
            if not least <= value < math.inf:
                raise ValueError(f"{name} must be at least {least}, not {value}")
        object.__setattr__(self, "team", team_of(self.agent))

    def points(self, game: Game) -> int:
        """The score of a game as it is counted here: that of a search, or zero if all lives are lost."""
        return game.strict_score if self.team.settings.strict else game.score

    def judge(self, game: Game, made: Move) -> TurnAnalysis:
        """What a move is worth that the seat to move makes in a game."""
        lots = derive_seed(np.uint64(self.seed), game.turn)
        view = game.view(seed=int(lots))
        thoughts = self.agent.think(view)
        best = Move.parse(thoughts.move)
        values = price(
            self.team,
            view,
            [view.encode(best), view.encode(made)],
            max(2, self.iterations // 2),
            self.ms,
            int(derive_seed(np.uint64(lots), 1)),
        )
        expected, expected_error = sample_mean(values[:, 0])
        cost, error = sample_mean(values[:, 0] - values[:, 1])
        return TurnAnalysis(
            turn=game.turn,
            seat=game.seat,
            made=str(made),
            best=str(best),
            cost=cost,
            error=error,
            expected=expected,
            expected_error=expected_error,
            deals=len(values),
            is_mistake=cost > 0 and cost >= max(self.threshold, SURE * error),
            candidates=thoughts.candidates,
            chances=self.chances(game),
        )

    def chances(self, game: Game) -> list[Chance]:
        """What each move leaves in reach, if the deals that the seat to move cannot exclude are few."""
        if game.deck_left > LAST_CARDS:
            return []
        try:
            found = prospects(game, EFFORT, self.worlds, EFFORT)
        except TooManyWorlds:
            return []
        return [Chance(str(one.move), one.perfect, one.points) for one in found]


def analyse(
    game: Game,
    by: Playable | Analyst | None = None,
    turns: Sequence[int] | None = None,
    threads: int | None = 1,
    **budget: Any,
) -> Iterator[TurnAnalysis]:
    """Analyses the moves of a game, one by one, or only those of some turns, each number that of the moves before.

    ``by`` says what it would have done: an agent, by default ``YARDSTICK`` or, if those who played have a convention, a
    search with their policy. ``budget`` are the settings of an ``Analyst``.
    """
    if isinstance(by, Analyst) and budget:
        raise TypeError(f"{', '.join(budget)}: an analyst has its own budget")
    analyst = by if isinstance(by, Analyst) else make_analyst(by, agents_of(game), **budget)
    analyst.agent.check_table(game.settings)
    asked = range(len(game.moves)) if turns is None else turns
    for turn in asked:
        if not 0 <= turn < len(game.moves):
            raise ValueError(f"there is no turn {turn} in a game of {len(game.moves)} moves")

    def work(turn: int) -> TurnAnalysis:
        return analyst.judge(at_turn(game, turn), game.moves[turn])

    return in_order(work, asked, threads)


def make_analyst(by: Playable | None = None, agents: Sequence[str] = (), **budget: Any) -> Analyst:
    """An analyst with an agent or, without one, with a search that suits the agents that played, as far as known."""
    if by is None:
        kind = "ms" if budget.get("ms") else "iterations"
        limit = f"{kind}={TIMES_TO_CHOOSE * budget.get(kind, ITERATIONS)}"
        model = shared_convention(agents)
        by = f"search({model}, {limit})" if model else YARDSTICK.format(limit)
    return Analyst(make_agent(by), **budget)


def shared_convention(agents: Sequence[str]) -> str:
    """The policy of some agents, if it is one, has a convention, and can play imagined games; else nothing.

    Who is not named may be anybody. A search is taken for the policy in its rollouts. Names come from files, and these
    start no program, import no module and read no other file.
    """
    (name, *others) = {*filter(None, agents)} or {""}
    try:
        if not name or others or not all(is_plain(one) for call in parse(name) for one in call.within()):
            return ""
        agent = make_agent(name)
    except AgentError:
        return ""
    model = agent.rollout if isinstance(agent, SearchAgent) else agent
    return model.name if model.watches and not model.sees else ""


def is_plain(call: Call) -> bool:
    """Whether a name, or a word among its settings, stands for something of the package alone."""
    presets = {preset for known in POLICIES.values() for preset in known.presets}
    return call.name in {*RECIPES, *SEARCHES, *POLICIES, *presets, "yes", "no"}


def agents_of(game: Game) -> list[str]:
    """The agents that played a game, seat by seat, as far as its file says so."""
    extension = game.origin.tamaya if game.origin is not None else None
    return list(extension.agents) if extension is not None else []


def assumption(analyst: Analyst) -> str:
    """Whom an analyst takes the players for, in words."""
    team = analyst.team
    if team.settings.strangers and not team.settings.strangers.knows:
        return f"each of the others plays like one of {len(team.models)} policies, found out from their moves"
    if team.models:
        return f"the others play like {', '.join(map(str, team.models))}"
    past = ", and hints so far mean only what they say" if team.settings.literal else ""
    return f"everybody plays on like {team.rollout}{past}"


def totals(turns: Sequence[TurnAnalysis], players: int) -> list[Total]:
    """What the moves of each player have cost together."""
    found = []
    for seat in range(players):
        own = [one for one in turns if one.seat == seat]
        error = math.sqrt(math.fsum(one.error**2 for one in own))
        cost = math.fsum(one.cost for one in own)
        found.append(Total(seat, len(own), cost, error, sum(one.is_mistake for one in own)))
    return found


def sample_mean(values: np.ndarray) -> tuple[float, float]:
    """A mean and its standard error."""
    return float(values.mean()), float(values.std(ddof=1) / math.sqrt(len(values)))


def is_like(move: str, other: str) -> bool:
    """Whether two moves are the same, all hints being one."""
    kinds = [Move.parse(one).kind in (Kind.COLOUR, Kind.RANK) for one in (move, other)]
    return move == other or all(kinds)
