"""How a search ends: its final move, by visits or by value, and what it reports."""

from tamaya.engine.jit import kernel
from tamaya.engine.moves import FAULT, MOVES, NO_MOVE
from tamaya.policies.contract import report_search


@kernel
def final_move(thoughts, by_value):
    """The move with the most visits, or with the best mean if ``by_value``; the other criterion breaks ties."""
    best, highest = NO_MOVE, (-1.0, -1.0)
    for move in range(MOVES):
        thought = thoughts[move]
        if thought.visits > 0:
            mean, visits = thought.total / thought.visits, float(thought.visits)
            key = (mean, visits) if by_value else (visits, mean)
            if key > highest:
                best, highest = move, key
    return best


@kernel
def conclude(memory, facts, by_value, fallback):
    """The answer of a search: its final move, or who broke the rules; if nothing was tried, the fallback."""
    move = final_move(facts.thoughts, by_value)
    return report_move(memory, facts, fallback if move == NO_MOVE else move)


@kernel
def report_move(memory, facts, move):
    """Reports what a search did; its answer is a move, or who broke the rules."""
    report_search(memory, facts.iterations, facts.depth)
    return FAULT - facts.fault if facts.fault else move
