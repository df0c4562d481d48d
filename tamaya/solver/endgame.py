"""The end of a game, seen from the seat to move: what each move leaves in reach, over all deals it cannot exclude."""

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tamaya.game.game import Game
from tamaya.game.notation import Kind, Move
from tamaya.solver.solve import POSITIONS, Solution, solve

MOST_WORLDS = 1000
"""More deals than these are too many: the deck is empty or nearly so, or hints have told much."""


class TooManyWorlds(ValueError):
    """A position with too many deals that the seat to move cannot exclude."""


@dataclass(frozen=True)
class Prospect:
    """What a move leaves in reach if all cards are turned face up after it, over all deals the seat cannot exclude."""

    move: Move
    perfect: float
    """The chance that a perfect score can be reached."""
    points: float
    """The mean of the highest scores that can be reached."""


def prospects(
    game: Game, positions: int = POSITIONS, most: int = MOST_WORLDS, effort: float = math.inf
) -> list[Prospect]:
    """What each move of the seat to move leaves in reach, the best first; one hint stands for all, which pass the turn.

    The seat does not know its cards when it moves, and this is counted exactly: the deals are all that its view and its
    hints allow, each as often as it can be dealt. After the move everybody is supposed to know everything. So the last
    move of a game has exactly these chances, and any other move at most these.

    Raises TooManyWorlds if there are more than ``most`` deals, or if a deal takes more than so many positions, or all
    of them together more than ``effort``.
    """
    if game.is_over:
        raise ValueError("the game is over; there is no move to make")
    worlds = list(itertools.islice(worlds_of(game), most + 1))
    if len(worlds) > most:
        raise TooManyWorlds(f"the seat to move cannot exclude more than {most:,} deals; take a later turn")
    total, seen, found = sum(weight for _, weight in worlds), 0, []
    hints = [move for move in game.legal_moves if move.kind in (Kind.COLOUR, Kind.RANK)]
    for move in [move for move in game.legal_moves if move not in hints] + hints[:1]:
        scores = []
        for cards, weight in worlds:
            solution = solve_after(game_of_world(game, cards), move, positions)
            scores.append((solution.score, weight))
            seen += solution.positions
            if seen > effort:
                raise TooManyWorlds(f"the deals take more than {effort:,} positions; take a later turn")
        perfect = sum(weight for score, weight in scores if score == game.max_score)
        points = sum(score * weight for score, weight in scores)
        found.append(Prospect(move, perfect / total, points / total))
    return sorted(found, key=lambda one: (-one.perfect, -one.points))


def solve_after(world: Game, move: Move, positions: int) -> Solution:
    """Makes a move and finds what can be reached then."""
    world.push(move)
    found = solve(world, positions)
    if not found.is_exact:
        raise TooManyWorlds("a deal was not solved; allow more positions, or take a later turn")
    return found


def hidden_places(game: Game) -> list[int]:
    """The places in the deck of the cards that the seat to move does not see: its hand, then what is left to draw."""
    return [*game.orders[game.seat], *range(int(game.table.drawn), game.settings.deck_size)]


def worlds_of(game: Game) -> Iterator[tuple[Sequence[int], int]]:
    """The cards that may lie in the hidden places, and in how many ways, for all that the seat to move knows."""
    hand = len(game.orders[game.seat])
    told = [int(mask) for mask in game.table.knowledge[game.seat, :hand]]
    places = hidden_places(game)
    masks = told + [int(game.table.all_cards)] * (len(places) - hand)
    left = Counter(int(game.deck_array[place]) for place in places)

    def deal(before: tuple[int, ...], weight: int) -> Iterator[tuple[Sequence[int], int]]:
        if len(before) == len(masks):
            yield before, weight
            return
        for card in sorted(left):
            count = left[card]
            if count and masks[len(before)] >> card & 1:
                left[card] -= 1
                yield from deal((*before, card), weight * count)
                left[card] += 1

    return deal((), 1)


def game_of_world(game: Game, cards: Sequence[int]) -> Game:
    """A game with other cards in the hidden places."""
    world = game.copy()
    world.deck_array[hidden_places(game)] = cards
    hand = len(game.orders[game.seat])
    world.tables["hands"][0, game.seat, :hand] = cards[:hand]
    return world
