"""The plan of a search: its settings and the policies it uses, as a record that kernels read by name."""

from tamaya.engine.jit import kernel, nanoseconds, record, record_reader
from tamaya.policies.seats import SEAT
from tamaya.search.search_settings import MOST_MODELS, NAMES, Flaw

NO_OWN_CARDS, PROPOSALS = int(Flaw.NO_OWN_CARDS), int(Flaw.PROPOSALS)
"""What a plan says of the flaw that a search has."""

ROLLOUT, LEAF, JUDGE, FIRST_MODEL = range(4)
MOST_RULES = 32
"""The parts of a plan: the rollout policy, the evaluator for where rollouts end, the network that judges who made a
move, and models of the others."""

PLAN = record(
    **dict.fromkeys(NAMES, "f8"),  # yes is 1, no is 0, and so is what a kind of search does not have
    fixes_deck="i8",  # whether all moves that it tries meet the same order of the deck
    pool="i8",  # whether its models are a pool of strangers, of which each of the others is one
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
