"""The plan of a search: its settings and the policies it uses, as a record that kernels read by name."""

import dataclasses
from dataclasses import dataclass

from tamaya.engine.jit import kernel, nanoseconds, record, record_reader
from tamaya.policies.seats import SEAT


@dataclass(frozen=True)
class SearchSettings:
    """The settings of a search; yes is 1 and no is 0."""

    iterations: float = 1000.0
    ms: float = 0.0
    """The time for a decision in milliseconds; unless 0, it replaces the number of iterations as the limit."""
    exploration: float = 0.1
    rollout_depth: float = 160.0
    tree_depth: float = 3.0
    """In rounds."""
    by_value: float = 0.0
    """Whether the final move is the one with the best mean value, not the one with the most visits."""
    redeals: float = 0.0
    """Whether the others' hands are dealt again at their nodes."""
    convention: float = 0.0
    """Whether it takes cards that the previous player touched alone for playable."""
    published: float = 0.0
    """Which flaw of the published code it has."""
    score: float = 1.0
    lives: float = 0.0
    cards: float = 0.0
    """The weights of score, lives and cards left at the end of a rollout."""
    deals: float = 0.0
    """The number of worlds in a search without a tree."""
    deviates: float = 0.0
    """Whether it makes the move of its policy unless another gains more than both ``margin`` and ``confidence``."""
    confidence: float = 1.0
    """In standard errors."""
    margin: float = 0.003
    """In points."""
    prior: float = 0.0
    """By how many points a move differs from the policy's as a rule; unless 0, gains are drawn towards 0 by it."""
    confirm: float = 1.0
    """Whether half of the budget finds such a move, and the other half confirms its gain in fresh deals."""
    strict: float = 0.0
    """Whether no points count when all lives are lost."""
    expands: float = 0.0
    """Whether all moves of a leaf are added at once, valued by what appraises them, and nothing is rolled out."""
    pool: float = 0.0
    """Whether its models are a pool of strangers, of which each of the others is one."""
    learns: float = 1.0
    """Whether it learns from their moves who the strangers are."""
    knows: float = 0.0
    """Whether the pool names the others one by one, from the next player on, so that nothing is left to learn."""
    literal: float = 0.0
    """Whether the moves made so far, and those compared, mean only what they say: conventions hold after them."""
    hands: float = 0.0
    """How many hands of its own it keeps in mind, weighted by how likely its policy makes the others' moves."""
    fresh: float = 0.0
    """How many it deals anew at most where it has too few; it tries to change twice as many, or as time allows."""
    infers: float = 0.0
    """Whether it infers its own cards from the hints that it gets, by where its rules and policy would give them."""


NO_OWN_CARDS, PROPOSALS = 1, 2
"""Flaws of published searches: the rules count the mover's own cards as seen; or the tree holds only what the rollout
policy proposes."""

ROLLOUT, LEAF, JUDGE, FIRST_MODEL = range(4)
MOST_MODELS, MOST_RULES = 12, 32
"""The parts of a plan: the rollout policy, the evaluator for where rollouts end, the network that judges who made a
move, and models of the others."""

PLAN = record(
    **{one.name: "f8" for one in dataclasses.fields(SearchSettings)},
    models="i8",  # how many policies predict the others
    rules="i8",  # how many policies propose the moves to consider, 0 to consider all moves
    sight="i8",  # what it sees beyond its view
    first_hand="i8",  # where it keeps these hands
    parts=(SEAT, FIRST_MODEL + MOST_MODELS),
    proposers=(SEAT, MOST_RULES),
)

read_plan = record_reader(PLAN)


@kernel
def plan_of(params):
    """The plan in the params of a search."""
    return read_plan(params, 0)


@kernel
def part_of_seat(view, plan, seat):
    """The number of the part that plays for a seat in rollouts."""
    offset = (seat - view.seat + view.players) % view.players
    return ROLLOUT if offset == 0 or plan.models == 0 else FIRST_MODEL + (offset - 1) % plan.models


@kernel
def memory_of(part, memory):
    """What a search keeps for a part that observes."""
    return memory[part.first : part.first + part.words]


@kernel
def is_time_left(plan, done, wanted, start, share=1.0):
    """Whether another round fits into a share of the time or, without one, the wanted rounds; the first always does."""
    if done == 0:
        return True
    if plan.ms > 0:
        return nanoseconds() - start < share * plan.ms * 1e6
    return done < wanted
