"""What an agent thought of the possible moves before it made one."""

import msgspec


class Candidate(msgspec.Struct, frozen=True):
    """A move that a search considered: how often it was tried, and what it is worth in points."""

    move: str
    visits: int
    value: float
    standard_error: float


class Thoughts(msgspec.Struct, frozen=True):
    """The decision of an agent for a view; for a search, also what it did and all moves considered, best first."""

    agent: str
    move: str
    candidates: list[Candidate] = []
    iterations: int = 0
    depth: int = 0
    milliseconds: float = 0.0
    policy_move: str = ""
    """The move of its policy, if it is a search that deviates from it only for a clearly better one."""
    beliefs: dict[int, dict[str, float]] = {}
    """For a search among strangers: for each of the others, by seat, how likely it is each policy of the pool."""
    chances: dict[str, float] = {}
    """For a learned policy, or a search on one: how likely the policy makes each move, the likeliest first."""
    own_cards: list[dict[str, float]] = []
    """For a search on a learned policy: how likely it takes each of its own cards, oldest first, for which card."""
    foreseen: float = 0.0
    """For a search that asks the policies of a pool: the chance that it gave the last moves of the others, a mean."""
