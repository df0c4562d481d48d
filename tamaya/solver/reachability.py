"""Whether a goal can be reached: searches that look for a line, and one that proves that there is none."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tamaya.game.game import Game
from tamaya.game.notation import Move
from tamaya.solver.deals import deal_of
from tamaya.solver.depth_first import LOST, UNDECIDED, WON, begin_search, explore, new_stack
from tamaya.solver.translation import play_line, write_position

GLANCES, GLANCE = 30, 2_000
"""Most answers are found by short searches that differ in what they try first: how many are made, and their length."""

LOOK = 100_000
"""How many positions the search for a proof and the later short ones see in turn."""

NOISES = (4.0, 8.0, 12.0)
"""How much chance is in what the searches try first, in turn; much chance finds what is far from the obvious."""

SMALL, LARGE = 1 << 16, 1 << 23
"""How many positions are remembered."""


class Reachability(NamedTuple):
    """Whether a goal can be reached, if that is known, with the moves that do it."""

    is_reachable: bool | None
    moves: list[Move]
    positions: int
    """How many positions were looked at."""


class GoalSearch:
    """A search of a game, by the rules or with free discards; it can be begun again, also for another goal."""

    goals: Sequence[int] = ()
    attempts = 0

    def __init__(self, game: Game, is_relaxed: bool, size: int) -> None:
        self.game = game
        self.deals = deal_of(game.tables, game.deck_array, is_relaxed)
        self.memory = np.zeros(size, np.uint64)
        self.stack = new_stack(1)

    def begin(self, goals: Sequence[int], noise: float) -> int:
        """Begins, perhaps with other moves first; what has been refuted is remembered."""
        self.goals, self.stack.noise[0] = goals, noise
        write_position(self.game, goals, self.stack.positions)
        return int(begin_search(self.deals, self.stack, self.memory))

    def go_on(self, budget: int) -> int:
        """Looks at some more positions."""
        return int(explore(self.deals, self.stack, self.memory, budget))

    def attempt(self, goals: Sequence[int], budget: int) -> int:
        """Looks at some positions, again and again from the start in another order."""
        outcome, end = UNDECIDED, self.seen + budget
        while outcome == UNDECIDED and self.seen < end:
            self.attempts += 1
            outcome = self.begin(goals, NOISES[self.attempts % len(NOISES)])
            outcome = self.go_on(GLANCE) if outcome == UNDECIDED else outcome
        return outcome

    @property
    def seen(self) -> int:
        """How many positions were looked at."""
        return int(self.stack.seen[0])

    def moves(self) -> list[Move] | None:
        """The moves that were found, checked by playing them; None if they are not legal."""
        line = [int(self.stack.moves[depth, self.stack.tried[depth] - 1]) for depth in range(int(self.stack.depth[0]))]
        played = self.game.copy()
        moves = play_line(played, line)
        if moves is not None and not (played.lives and all(map(int.__ge__, played.fireworks, self.goals))):
            raise AssertionError(f"the line {line} does not reach {self.goals}")
        return moves


def look_for(game: Game) -> GoalSearch:
    """A search that finds most answers about a game."""
    return GoalSearch(game, False, SMALL)


def find_reachability(quick: GoalSearch, goals: Sequence[int], most: int) -> Reachability:
    """Whether each firework of a game can reach its goal, looking at no more than about this many positions.

    Searches that try moves in a random order find nearly all lines that exist. In turn with them, another one looks
    for a proof that there is none. In that one discards are free even while all hint tokens are available, so that
    more tokens are never worse and fewer positions differ. If it finds a line, misplays may make that legal.
    """
    if not quick.game.lives:
        return Reachability(False, [], 0)
    before, outcome = quick.seen, quick.begin(goals, 0.0)
    if outcome == UNDECIDED:
        outcome = quick.go_on(GLANCE)
    if outcome == UNDECIDED:
        outcome = quick.attempt(goals, GLANCES * GLANCE)
    if outcome != UNDECIDED:
        return concluded(quick, outcome, quick.seen - before)
    return search_and_prove(quick.game, goals, most, quick.seen - before)


def search_and_prove(game: Game, goals: Sequence[int], most: int, seen: int) -> Reachability:
    """Looks for a line and for a proof in turn."""
    strict, relaxed = GoalSearch(game, False, LARGE), GoalSearch(game, True, LARGE)
    proof = relaxed.begin(goals, 0.0)
    while strict.seen + relaxed.seen + seen < most:
        if proof == UNDECIDED:
            proof = relaxed.go_on(LOOK)
        if proof == LOST or (proof == WON and relaxed.moves() is not None):
            return concluded(relaxed, proof, seen + strict.seen + relaxed.seen)
        outcome = strict.attempt(goals, LOOK)
        if outcome != UNDECIDED:
            return concluded(strict, outcome, seen + strict.seen + relaxed.seen)
    return Reachability(None, [], strict.seen + relaxed.seen + seen)


def concluded(search: GoalSearch, outcome: int, seen: int) -> Reachability:
    """The decision of a search that has found an answer."""
    moves = search.moves() if outcome == WON else []
    assert moves is not None
    return Reachability(outcome == WON, moves, seen)
