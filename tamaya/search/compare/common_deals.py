"""The same deals for all moves: one is drawn, and each move is made in it and played on."""

from tamaya.engine.cards import contains
from tamaya.engine.gameplay import apply
from tamaya.engine.jit import copy_items, copy_rows, kernel, popcount
from tamaya.engine.knowledge import look
from tamaya.engine.moves import MOVES
from tamaya.search.beliefs.strangers import seat_strangers
from tamaya.search.compare.batched_rollouts import enter_world, new_crowd, play_on, write_values
from tamaya.search.determinization import finish, sample_world
from tamaya.search.plan import ROLLOUT, plan_of
from tamaya.search.rollouts import NOBODY, move_on


@kernel
def deal_world(dealt, start, rollout, rng):
    """Deals what the root cannot see, for all moves that are compared; among strangers, it also draws who they are."""
    sample_world(dealt.worlds, dealt.deck, start, rollout, rng)
    if plan_of(rollout.params).pool:
        seat_strangers(rollout, rollout.beliefs, start.worlds[0].seat, start.worlds[0].players, rng)


@kernel
def try_moves(values, moves, dealt, scratch, rollout, facts, rng):
    """Makes each of some moves in one deal and plays on, with the same deck and the same random numbers for each."""
    views, worlds, deck = scratch
    root, lots, is_literal = dealt.worlds[0].seat, rng[0], plan_of(rollout.params).literal
    for move in range(MOVES):
        if contains(moves, move):
            worlds[0] = dealt.worlds[0]
            copy_items(deck, dealt.deck)
            copy_rows(rollout.memory, rollout.remembered)
            rng[0] = lots
            if is_literal:
                apply(worlds[0], deck, move)
            else:
                look(views, worlds, root)
                move_on(views, worlds, deck, rollout, move, rng)
            values[move] = finish(scratch, rollout, root, facts, rng)
            facts.iterations += 1


@kernel
def try_together(values, moves, deals, dealt, start, rollout, facts, rng):
    """Makes each of some moves in some deals and plays on in all of them side by side."""
    part = plan_of(rollout.params).parts[ROLLOUT]
    crowd, number = new_crowd(deals * popcount(moves), len(start.deck), part.words), 0
    for _ in range(deals):
        deal_world(dealt, start, rollout, rng)
        for move in range(MOVES):
            if contains(moves, move):
                enter_world(crowd, number, dealt, move, rollout)
                number += 1
    breaker, root, players = play_on(crowd, rollout, rng), start.worlds[0].seat, start.worlds[0].players
    if breaker != NOBODY:
        facts.fault = 1 + (breaker - root + players) % players
    facts.iterations += number
    write_values(values, crowd, moves)
