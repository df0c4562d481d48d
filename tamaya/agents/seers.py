"""Seers: players that see their own cards, and one that also sees the deck; yardsticks for those that do not."""

import numpy as np

from tamaya.engine.cards import NO_CARD, bit, contains, lowest_bit, nth_bit, rank_of
from tamaya.engine.gameplay import apply, hints_of_hand, is_over, legal_moves, may_discard
from tamaya.engine.jit import kernel, popcount
from tamaya.engine.knowledge import cards_of_others, hand_count, has_time, next_seat, seats_holding
from tamaya.engine.moves import DISCARD, NO_MOVE, discard, play, tell
from tamaya.engine.randomness import random_below, random_real
from tamaya.engine.table import TABLE
from tamaya.policies.contract import policy, seen_deck
from tamaya.policies.conventions.recomprog import ranked_slot, recommended_discard, recommended_play


@kernel
def any_hint(view):
    """A hint to the next player, which only spends a token."""
    target = next_seat(view, 1)
    hints = hints_of_hand(view, target)
    return tell(view, target, lowest_bit(hints if hints else view.hints))


@kernel
def cards_held_twice(view):
    """The cards that a seat holds more than once in its own hand, as a mask."""
    once, twice = 0, 0
    for slot in range(hand_count(view, view.seat)):
        twice |= once & bit(view.hands[view.seat, slot])
        once |= bit(view.hands[view.seat, slot])
    return twice


@kernel
def throw_useless(view, cards):
    """Discards a card of a mask, if the rules allow it and there is time."""
    slot = ranked_slot(view, view.seat, hand_count(view, view.seat), cards, 1)
    return discard(slot) if slot != NO_CARD and may_discard(view) and has_time(view) else NO_MOVE


@kernel
def least_missed(view, cards):
    """The card that is missed least: one of a mask, else not a last copy, else any; always of the highest rank."""
    count = hand_count(view, view.seat)
    slot = recommended_discard(view, view.seat, count, cards)
    return slot if slot != NO_CARD else ranked_slot(view, view.seat, count, view.all_cards, 1)


@policy(sees="hand")
def seer_recommendation(view, memory, params, rng):
    """Follows RECOMPROG: plays a card that completes a firework, else the lowest playable one; discards by rank."""
    slot = recommended_play(view, view.seat, hand_count(view, view.seat))
    if slot != NO_CARD:
        return play(slot)
    move = throw_useless(view, view.useless)
    if move != NO_MOVE:
        return move
    return any_hint(view) if view.hint_tokens > 0 else discard(least_missed(view, view.useless))


@kernel
def play_first(view):
    """The playable card to play first: low, held by few others, and followed by a card in another hand."""
    best_slot, best, others = NO_CARD, 0.0, cards_of_others(view)
    for slot in range(hand_count(view, view.seat)):
        card = int(view.hands[view.seat, slot])
        if contains(view.playable, card):
            value = (10.0 - rank_of(card)) / (1 + seats_holding(view, card))
            if rank_of(card) == view.ranks:
                value += 1
            elif contains(others, card + 1):
                value += 3
            if value > best:
                best_slot, best = slot, value
    return best_slot


@kernel
def greedy_move(view, waits_for_plays):
    """Plays, throws useless cards away while there is time, waits while tokens last, discards what is missed least."""
    slot = play_first(view)
    if slot != NO_CARD:
        return play(slot)
    others, doubles = cards_of_others(view), cards_held_twice(view)
    move = throw_useless(view, view.useless | doubles)
    if move != NO_MOVE:
        return move
    is_worth_waiting = others & view.playable != 0 or not waits_for_plays
    if view.players == 2:
        is_worth_waiting = is_worth_waiting or others & view.useless != 0
    if view.hint_tokens > 0 and (is_worth_waiting or not may_discard(view)):
        return any_hint(view)
    useless = ranked_slot(view, view.seat, hand_count(view, view.seat), view.useless, 1)
    return discard(useless if useless != NO_CARD else least_missed(view, doubles | others))


@policy(sees="hand")
def seer_information(view, memory, params, rng):
    """Decides as the hat information player does: waits while there are hint tokens."""
    return greedy_move(view, False)


@policy(sees="hand")
def cheater(view, memory, params, rng):
    """Greedy: waits only while another player can play or, with two players, has a useless card to throw away."""
    return greedy_move(view, True)


@kernel
def try_greedily(worlds, deck, boldness, rng):
    """Plays a world to its end by greedy moves, some replaced at random, and returns the first move."""
    first = NO_MOVE
    while not is_over(worlds[0]):
        move = greedy_move(worlds[0], True)
        if random_real(rng) < boldness:
            moves = legal_moves(worlds[0])
            move = nth_bit(moves, random_below(rng, popcount(moves)))
            slot = int(move % DISCARD)
            if move < DISCARD and not contains(worlds[0].playable, worlds[0].hands[worlds[0].seat, slot]):
                move = greedy_move(worlds[0], True)
        first = move if first == NO_MOVE else first
        apply(worlds[0], deck, move)
    return first


@policy(sees="deck", restarts=1000)
def omniscient(view, memory, params, rng):
    """Sees the deck too: tries greedy games with some random moves until one is perfect; a bound on what can be won."""
    deck, worlds = seen_deck(memory).astype(np.int8), np.empty(1, TABLE)
    best_move, best = NO_MOVE, -1
    for restart in range(max(1, int(params[0]))):
        worlds[0] = view
        move = try_greedily(worlds, deck, 0.1 if restart else 0.0, rng)
        score = worlds[0].score if worlds[0].lives > 0 else 0
        if score > best:
            best_move, best = move, score
        if best == view.suits * view.ranks:
            break
    return best_move
