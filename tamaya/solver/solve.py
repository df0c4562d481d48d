"""The highest score that a game can still reach with all cards face up, and where a recorded game lost it."""

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import msgspec

from tamaya.engine.settings import RANKS
from tamaya.game.game import Game
from tamaya.game.notation import Move
from tamaya.solver.reachability import GoalSearch, Reachability, find_reachability, look_for

POSITIONS = 30_000_000
"""How many positions are looked at before a question is left open: about a minute."""


@dataclass(frozen=True)
class Solution:
    """What a game can still reach."""

    score: int
    """The highest score for which a line is known; zero if all lives are lost."""
    bound: int
    """No score above this one can be reached; the search was cut short if it is larger than the score."""
    max_score: int
    """The score of a perfect game."""
    moves: list[Move]
    """The moves that reach the score, played and checked."""
    positions: int
    """How many positions were looked at."""
    seconds: float

    @property
    def is_exact(self) -> bool:
        """Whether the highest score is known."""
        return self.score == self.bound

    @property
    def is_winnable(self) -> bool | None:
        """Whether a perfect score can be reached; None if that is not known."""
        return True if self.score == self.max_score else False if self.bound < self.max_score else None


def solve(game: Game, positions: int = POSITIONS) -> Solution:
    """The highest score that can still be reached in a game, whose cards and deck are all known.

    The last life is never lost for it. Each question, whether a score can be reached by some heights of the fireworks,
    is given up after this many positions.
    """
    start, seen = time.perf_counter(), 0
    bound = score = game.strict_score
    moves: list[Move] = []
    if not game.is_over:
        top = highest_fireworks(game)
        bound = min(sum(top), game.score + game.deck_left + int(game.table.turns_left))
    if bound > score:
        search, is_bound_proved = look_for(game), True
        for target in range(bound, game.score, -1):
            best, count = decide_score(search, top, target, positions)
            seen += count
            if best is not None and best.is_reachable:
                score, moves = target, best.moves
                break
            is_bound_proved = is_bound_proved and best is None
            bound -= is_bound_proved
    return Solution(score, bound, game.max_score, moves, seen, time.perf_counter() - start)


def decide_score(
    search: GoalSearch, top: Sequence[int], target: int, positions: int
) -> tuple[Reachability | None, int]:
    """A decision that a score can be reached, or else one left open, or none; and the positions seen."""
    best, seen = None, 0
    for goals in heights(search.game.fireworks, top, target):
        decision = find_reachability(search, goals, positions)
        seen += decision.positions
        if decision.is_reachable:
            return decision, seen
        if decision.is_reachable is None:
            best = decision
    return best, seen


def highest_fireworks(game: Game) -> list[int]:
    """The rank that each firework can reach for all the cards that are lost."""
    useless = int(game.table.useless)
    top = []
    for colour, height in enumerate(game.fireworks):
        while height < game.settings.ranks and not useless >> (RANKS * colour + height) & 1:
            height += 1
        top.append(height)
    return top


def heights(low: Sequence[int], high: Sequence[int], total: int) -> Iterator[list[int]]:
    """All heights of fireworks between others, with a sum."""
    if not low:
        if total == 0:
            yield []
        return
    for height in range(high[0], low[0] - 1, -1):
        if sum(low[1:]) <= total - height <= sum(high[1:]):
            for rest in heights(low[1:], high[1:], total - height):
                yield [height, *rest]


def is_winnable(game: Game, positions: int = POSITIONS) -> bool | None:
    """Whether a game can still be won with all points; None if that is not found out."""
    if game.is_over or highest_fireworks(game) != [game.settings.ranks] * game.settings.suits:
        return game.strict_score == game.max_score
    return find_reachability(look_for(game), [game.settings.ranks] * game.settings.suits, positions).is_reachable


@dataclass(frozen=True)
class Loss:
    """Between which turns of a game a perfect score went out of reach."""

    winnable: int | None
    """After so many moves it could still be reached; None if that is not known of any turn."""
    lost: int | None
    """After so many moves it could not be reached any more; None if that is not known of any turn."""

    @property
    def move(self) -> int | None:
        """The move, counted from 1, that put it out of reach, if that is known; 0 if the deal cannot be won."""
        if self.lost == 0:
            return 0
        return self.lost if self.lost is not None and self.winnable == self.lost - 1 else None


def find_loss(game: Game, positions: int = POSITIONS) -> Loss:
    """Finds the move of a game that put a perfect score out of reach.

    What is lost stays lost, so that the move is found by halving, from both sides where the search is cut short.
    """
    answers = dict[int, bool | None]()

    def answer(turn: int) -> bool | None:
        if turn not in answers:
            answers[turn] = is_winnable(at_turn(game, turn), positions)
        return answers[turn]

    last = len(game.moves)
    lost = first_turn(last, lambda turn: answer(turn) is False)
    uncertain = first_turn(min(lost, last), lambda turn: answer(turn) is not True)
    return Loss(uncertain - 1 if uncertain else None, lost if lost <= last else None)


def first_turn(last: int, is_late: Callable[[int], bool]) -> int:
    """The first turn up to the last one of which something is true, found by halving; one more if there is none."""
    low, high = 0, last + 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if is_late(middle) else (middle + 1, high)
    return low


def at_turn(game: Game, turn: int) -> Game:
    """A game as it was after some moves."""
    earlier = game.copy()
    while len(earlier.moves) > turn:
        earlier.undo()
    return earlier


class SolvedShare(msgspec.Struct, frozen=True):
    """How many deals can be won, how many cannot, and how long that took."""

    players: int
    deals: int
    winnable: int
    lost: int
    undecided: int
    """Deals of which it was not found out."""
    mean: float
    """The mean of the highest scores, as far as they are known."""
    within_second: int
    """Deals that were decided within a second."""
    median_seconds: float
    longest_seconds: float


def solved_share(players: int, solutions: Sequence[Solution]) -> SolvedShare:
    """What the solutions of some deals have in common."""
    answers = [one.is_winnable for one in solutions]
    times = [one.seconds for one in solutions]
    return SolvedShare(
        players=players,
        deals=len(answers),
        winnable=answers.count(True),
        lost=answers.count(False),
        undecided=answers.count(None),
        mean=statistics.mean(one.score for one in solutions),
        within_second=sum(
            one.seconds <= 1 and answer is not None for one, answer in zip(solutions, answers, strict=True)
        ),
        median_seconds=statistics.median(times),
        longest_seconds=max(times),
    )
