"""The moves of a position, the likeliest to win first."""

from tamaya.engine.cards import contains, rank_of
from tamaya.engine.jit import kernel
from tamaya.engine.randomness import random_real
from tamaya.solver.bounds import slack
from tamaya.solver.positions import DISCARD, KEPT, STALL, playable_of

MOST_CHOICES = KEPT + 2

PLAYS = 10.0
"""A play is worth more than any other move, unless chance decides otherwise."""


@kernel
def seats_keeping(deal, position, card):
    """How many seats keep a card."""
    count = 0
    for seat in range(deal.players):
        for index in range(position.counts[seat]):
            count += deal.deck[position.orders[seat, index]] == card
    return count


@kernel
def value_of_play(deal, position, card):
    """How good it looks to play a card: low, held by few others, and followed by a card in a hand."""
    value = PLAYS + (10.0 - rank_of(card)) / seats_keeping(deal, position, card)
    if contains(deal.lasts, card):
        return value + 1
    is_followed = contains(position.needed, card + 1) and seats_keeping(deal, position, card + 1) > 0
    return value + 3 * is_followed


@kernel
def can_others_play(deal, position):
    """Whether a seat other than the mover keeps a card that can be played."""
    playable = playable_of(position.needed)
    for seat in range(deal.players):
        for index in range(position.counts[seat]):
            if seat != position.seat and contains(playable, deal.deck[position.orders[seat, index]]):
                return True
    return False


@kernel
def value_of_stall(deal, position):
    """How good it looks to pass the turn."""
    return 4.0 if can_others_play(deal, position) else 2.0


@kernel
def value_of_discard(deal, position):
    """How good it looks to discard: if there is a card that is not needed, better than to pass the turn."""
    if position.tokens == deal.max_tokens:
        return 0.0
    return 5.0 if position.counts[position.seat] < deal.hand_size else 3.0


@kernel
def may_throw(deal, position):
    """Whether a discard, or a misplay instead, is legal and leaves enough turns."""
    is_allowed = position.tokens < deal.max_tokens or deal.is_relaxed or position.spare > 0
    return is_allowed and slack(deal, position) > 0


@kernel
def add_choice(moves, values, count, move, value):
    """Inserts a move among those before it, the best first; returns how many there are then."""
    place = count
    while place > 0 and values[place - 1] < value:
        moves[place], values[place] = moves[place - 1], values[place - 1]
        place -= 1
    moves[place], values[place] = move, value
    return count + 1


@kernel
def list_plays(deal, position, stack, moves):
    """Lists the plays of the mover; returns how many there are."""
    playable, count = playable_of(position.needed), 0
    for index in range(position.counts[position.seat]):
        order = position.orders[position.seat, index]
        if contains(playable, deal.deck[order]):
            value = value_of_play(deal, position, int(deal.deck[order])) + random_chance(stack)
            count = add_choice(moves, stack.values, count, order, value)
    return count


@kernel
def random_chance(stack):
    """What chance adds to the value of a move."""
    return stack.noise[0] * random_real(stack.rng)


@kernel
def completes(deal, moves, count):
    """Whether one of the first moves, which are plays, completes a firework."""
    for index in range(count):
        if contains(deal.lasts, deal.deck[moves[index]]):
            return True
    return False


@kernel
def list_moves(deal, position, stack, moves):
    """Lists the moves of a position; returns how many there are.

    In the last round it does not matter how a seat passes. If discards are free, completing a firework is never worse
    than a discard: it also gives a token back, and what would have been discarded can be discarded later.
    """
    count = list_plays(deal, position, stack, moves)
    if position.drawn == deal.deck_size:
        if slack(deal, position) > 0:
            count = add_choice(moves, stack.values, count, STALL if position.tokens > 0 else DISCARD, 0.0)
        return count
    is_discard_worse = deal.is_relaxed and completes(deal, moves, count)
    if position.tokens > 0:
        value = value_of_stall(deal, position) + random_chance(stack)
        count = add_choice(moves, stack.values, count, STALL, value)
    if may_throw(deal, position) and not is_discard_worse:
        value = value_of_discard(deal, position) + random_chance(stack)
        count = add_choice(moves, stack.values, count, DISCARD, value)
    return count
