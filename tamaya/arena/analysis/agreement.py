"""Agreement: how often, and how likely, agents make the moves of recorded games, as human-likeness is measured."""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec
import numpy as np

from tamaya.arena.statistics import student_95
from tamaya.engine.gameplay import legal_at
from tamaya.engine.moves import NO_MOVE
from tamaya.engine.randomness import derive_seed
from tamaya.game.game import Game
from tamaya.game.notation import Kind
from tamaya.game.view import View
from tamaya.policies.agent import Agent, Player, WrongAnswer, blame
from tamaya.policies.contract import PolicyError

FLOOR = 0.01
"""How likely an agent is taken to make a random legal move, so that no move is impossible."""

OTHER_LOTS = 1 << 21
"""The first stream of a game's lots from which agents that are asked again take their random numbers."""

KINDS = {Kind.PLAY: "play", Kind.DISCARD: "discard", Kind.COLOUR: "tell colour", Kind.RANK: "tell rank"}
PHASES = ("early", "middle", "late", "last round")
"""The parts of a game: three equal ones by the cards that can be drawn, and the moves after the last of them."""

RANDOM = "(random legal moves)"


class MadeMove(NamedTuple):
    """A move that was made: what its player saw, the move's number, its kind, the phase, and how many were legal."""

    view: View
    code: int
    kind: str
    phase: str
    choices: int


class AgreedShare(msgspec.Struct):
    """How far an agent agrees with some of the moves."""

    moves: int = 0
    """How many there are."""
    agrees: float = 0.0
    """The share of them that the agent makes too."""
    log_likelihood: float = 0.0
    """The mean logarithm of how likely the agent is to make them."""

    @property
    def likelihood(self) -> float:
        """The geometric mean of how likely the agent is to make them."""
        return math.exp(self.log_likelihood)

    def add(self, agrees: float, log_likelihood: float) -> None:
        """Counts a move."""
        self.moves += 1
        self.agrees += (agrees - self.agrees) / self.moves
        self.log_likelihood += (log_likelihood - self.log_likelihood) / self.moves


class Agreement(msgspec.Struct):
    """How far an agent agrees with the moves of recorded games."""

    agent: str
    games: int = 0
    total: AgreedShare = msgspec.field(default_factory=AgreedShare)
    margin: float = math.nan
    """Half of the 95 % interval of the share; moves of one game are not independent, so games are what is counted."""
    kinds: dict[str, AgreedShare] = msgspec.field(
        default_factory=lambda: {kind: AgreedShare() for kind in KINDS.values()}
    )
    phases: dict[str, AgreedShare] = msgspec.field(default_factory=lambda: {phase: AgreedShare() for phase in PHASES})


class AgreementCount:
    """Agents that are asked for the moves of recorded games, one game after the other.

    Each is first asked with the random numbers of the game itself, with which a recorded agent makes its very moves
    again; that says whether it agrees. Asked again with other random numbers, it shows how likely it makes the move.
    """

    def __init__(self, agents: Sequence[Agent], asks: int = 10) -> None:
        if asks < 1:
            raise ValueError(f"an agent must be asked at least once, not {asks} times")
        self.agents = agents
        self.asks = asks
        self.results = [Agreement(RANDOM), *(Agreement(str(agent)) for agent in agents)]
        self._games: list[list[tuple[float, int]]] = [[] for _ in self.results]

    def add(self, game: Game) -> None:
        """Asks all agents for the moves of a game."""
        made = list(made_moves(game))
        for agent in self.agents:
            agent.check_table(game.settings)
        columns = [[(1 / one.choices, 1 / one.choices) for one in made]]
        for agent in self.agents:
            asked = [answers_of(agent, game, made, stream) for stream in range(self.asks)]
            columns.append([(float(same[0]), sum(same) / self.asks) for same in zip(*asked, strict=True)])
        for number, rows in enumerate(columns):
            self._count(number, made, rows)

    def _count(self, number: int, made: Sequence[MadeMove], rows: Sequence[tuple[float, float]]) -> None:
        """Counts the moves of a game: whether an agent makes each of them, and in which share of the times."""
        result = self.results[number]
        for one, (agrees, share) in zip(made, rows, strict=True):
            likely = share if number == 0 else (1 - FLOOR) * share + FLOOR / one.choices
            for part in (result.total, result.kinds[one.kind], result.phases[one.phase]):
                part.add(agrees, math.log(likely))
        result.games += 1
        self._games[number].append((sum(agrees for agrees, _ in rows), len(rows)))
        result.margin = margin_of(self._games[number], result.total)


def margin_of(games: Sequence[tuple[float, int]], total: AgreedShare) -> float:
    """Half of the 95 % interval of a share whose moves come in games."""
    if len(games) < 2 or not total.moves:
        return math.nan
    squares = math.fsum((agrees - total.agrees * moves) ** 2 for agrees, moves in games)
    error = math.sqrt(squares * len(games) / (len(games) - 1)) / total.moves
    return student_95(len(games)) * error


def made_moves(game: Game) -> Iterator[MadeMove]:
    """The moves of a game, each with what its player saw."""
    now = game.copy()
    while now.moves:
        now.undo()
    drawable = now.deck_left
    for move in game.moves:
        view = now.view()
        left = now.deck_left
        phase = PHASES[3 if not left else min(2, 3 * (drawable - left) // max(1, drawable))]
        yield MadeMove(view, now.encode(move), KINDS[move.kind], phase, int(legal_at(view.tables)).bit_count())
        now.push(move)


def answers_of(agent: Agent, game: Game, made: Sequence[MadeMove], stream: int) -> list[bool]:
    """Whether an agent makes the moves of a game; stream 0 has the random numbers of the game itself."""
    players: dict[int, Player] = {}
    lots = np.uint64(game.lots if stream == 0 else derive_seed(np.uint64(game.lots), OTHER_LOTS + stream))
    answers = []
    for turn, one in enumerate(made):
        view = one.view
        if view.seat not in players:
            players[view.seat] = agent.sit_down()
        view.seed = int(derive_seed(lots, turn))
        vars(view).pop("random", None)  # a generator that was used with another seed
        answers.append(answer_of(players[view.seat], view) == one.code)
    for player in players.values():
        player.leave(game, not game.is_over)
    return answers


def answer_of(player: Player, view: View) -> int:
    """The number of a player's move; raises PolicyError with the place if it has none that is legal."""
    agent = player.agent
    try:
        code = player.answer(view)
        if code != NO_MOVE:
            player.understand(code, view)
    except WrongAnswer as error:
        raise PolicyError(f"{agent} {error}, at turn {view.turn}") from error
    except PolicyError:
        raise
    except (Exception, SystemExit) as error:
        raise PolicyError(f"{agent} raised {blame(error)}, at turn {view.turn}") from error
    return code
