"""What a browser and the server say to each other about the analysis of a line of a study."""

import msgspec

from tamaya.bridges.messages import Choice
from tamaya.web.messages import Asked, Considered, Number, Said


class Analyse(Asked):
    """The moves of a line shall be analysed."""

    line: Number


class InReach(msgspec.Struct, rename="camel"):
    """What a move leaves in reach near the end: the chance of a perfect score, and the mean of the highest scores."""

    move: str
    perfect: float
    points: float
    is_made: bool


class Verdict(msgspec.Struct, rename="camel"):
    """What a move has cost, and what a search would have done, by what its player could see."""

    turn: int
    cost: float
    error: float
    expected: float
    """The expected score with the move of the search."""
    expected_error: float
    deals: int
    is_mistake: bool
    best: Choice
    best_words: str
    is_best: bool
    """Whether the move made is that of the search."""
    candidates: list[Considered]
    chances: list[InReach]


class SeatTotal(msgspec.Struct):
    """What the moves of a seat have cost together."""

    seat: int
    cost: float
    error: float
    mistakes: int


class Analysis(Said):
    """What has been found out about the moves of a line since a turn, and about the line as a whole."""

    line: int
    since: int
    verdicts: list[Verdict]
    assumption: str
    """Whom the search takes the players for."""
    points: int | None
    """The score at the end, zero if all lives are lost; nothing if the line has not ended."""
    in_reach: list[tuple[int, int]]
    """After each turn, the highest score in reach with all cards face up: at least, and at most."""
    lost: int | None
    """The move that put a perfect score out of reach, from 1; 0 if it never was; nothing if no move is known to."""
    totals: list[SeatTotal]
