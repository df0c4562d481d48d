"""SmartBot of O'Dwyer: the conventions of good human play.

A hint makes a card playable: one that it identifies as such, or else the newest touched card that may be. A rank hint
that touches the next seat's next discard warns that it is valuable, the last copy of a card that is needed; where no
warning comes, it is not. And who discards a card that all know to be playable tells that another seat holds its twin,
as the newest card.
"""

import numpy as np

from tamaya.cards import COLOURS, HINT_CARDS, NO_CARD, RANKS, bit, contains, lowest_bit, rank_hint
from tamaya.conventions.classes import possible_ranks
from tamaya.conventions.codes import is_stall
from tamaya.conventions.hands import MEMORY, hand_of, look_at_hand, own_moves
from tamaya.conventions.tables import forget_slot, is_single, refresh, tables_of
from tamaya.engine import hints_of_hand, legal_moves, shown_by, touched_cards
from tamaya.jit import kernel, popcount
from tamaya.knowledge import critical_cards, deck_left, next_seat
from tamaya.moves import DISCARD, NO_MOVE, TELL, discard, hint_of, play, target_from, tell
from tamaya.policies import policy
from tamaya.rules.discarding import may_discard

GAMBLING = np.array([0, 1, 1, 3])
"""With 1, 2 and 3 lives: cards left in the deck from which on the likeliest card is played."""


@kernel
def may_be(possible, cards):
    """Whether a card can be, but need not be, one of a mask."""
    return possible & cards != 0 and possible & ~cards != 0


@kernel
def next_discard(tables, view, seat):
    """The card that a seat will discard: the oldest of those most likely useless; none if it has something better."""
    best_slot, best, size = NO_CARD, 0, 1
    valuable = critical_cards(view)
    for slot in range(tables.counts[seat]):
        cards = tables.possible[seat, slot]
        if not cards & ~view.playable or not cards & ~view.useless:
            return NO_CARD
        if not cards & ~valuable:
            continue
        useless, count = popcount(cards & view.useless), popcount(cards)
        if best_slot == NO_CARD or useless * size > best * count:
            best_slot, best, size = slot, useless, count
    return best_slot


@kernel
def narrow(tables, seat, slot, cards):
    """Excludes all but the cards of a mask, unless that leaves nothing."""
    if tables.possible[seat, slot] & cards:
        tables.excluded[seat, slot] |= ~cards
        tables.possible[seat, slot] &= cards


@kernel
def is_warning(tables, view, mover, seat, due, hint, touched):
    """Whether a hint warns a seat of its next discard, which is due: if the seat moves next and the rank may matter."""
    if hint < COLOURS or due == NO_CARD or not (touched >> due) & 1 or seat != (mover + 1) % view.players:
        return False
    cards, valuable = tables.possible[seat, due], critical_cards(view)
    return may_be(cards, valuable) and cards & valuable & HINT_CARDS[hint] != 0


@kernel
def focus(tables, view, seat, hint, touched):
    """The card that a hint makes playable, if it does not identify one as such; and how many it identifies."""
    newest, identified = NO_CARD, 0
    cards = touched_cards(view, hint)
    for slot in range(tables.counts[seat] - 1, -1, -1):
        is_touched = (touched >> slot) & 1
        before = tables.possible[seat, slot]
        after = before & cards if is_touched else before & ~cards
        if may_be(before, view.playable) and after:
            if not after & ~view.playable:
                identified += 1
            elif is_touched and after & view.playable and newest == NO_CARD:
                newest = slot
    return newest, identified


@kernel
def hear_hint(tables, view, mover, seat, hint, touched):
    """Learns what a hint says beyond its words."""
    if is_stall(view, mover, seat, hint, touched):
        return
    due = next_discard(tables, view, seat)
    if is_warning(tables, view, mover, seat, due, hint, touched):
        narrow(tables, seat, due, critical_cards(view))
        return
    newest, identified = focus(tables, view, seat, hint, touched)
    if newest != NO_CARD and identified == 0:
        narrow(tables, seat, newest, view.playable)


@kernel
def hear_silence(tables, view, mover):
    """Concludes that the next discard of the next seat is not valuable, for nobody warned of it."""
    seat = (mover + 1) % view.players
    slot = next_discard(tables, view, seat)
    if slot != NO_CARD:
        narrow(tables, seat, slot, ~critical_cards(view))


@kernel
def hear_finesse(tables, view, mover, card):
    """Learns who holds the twin of a discarded playable card: the seat whose newest card it is, or the observer."""
    holder = view.seat
    for offset in range(1, view.players):
        seat = (mover + offset) % view.players
        count = tables.counts[seat]
        if seat != view.seat and count and view.hands[seat, count - 1] == card:
            holder = seat
    if holder != mover and tables.counts[holder]:
        narrow(tables, holder, tables.counts[holder] - 1, bit(card))


@kernel
def observe_smartbot(view, mover, move, shown, memory, params):
    """Keeps the public tables."""
    tables = tables_of(memory)
    refresh(tables, view, True)
    target = target_from(view, mover, move) if move >= TELL else mover
    if view.hint_tokens > 0 and deck_left(view) > 0 and target != (mover + 1) % view.players:
        hear_silence(tables, view, mover)
    if move >= TELL:
        hear_hint(tables, view, mover, target, hint_of(move), shown)
        return 0
    known = tables.possible[mover, move % DISCARD]
    if move >= DISCARD and is_single(known) and known & view.playable:
        hear_finesse(tables, view, mover, shown)
    forget_slot(tables, view, mover, move % DISCARD)
    return 0


@kernel
def weigh_hint(tables, view, seat, hint):
    """What a hint would do: the slots it touches, whether it makes a card playable, and identities that it excludes."""
    touched, total, cards = 0, 0, touched_cards(view, hint)
    for slot in range(tables.counts[seat]):
        is_touched = contains(cards, view.hands[seat, slot])
        touched |= int(is_touched) << slot
        total += popcount(tables.possible[seat, slot] & (~cards if is_touched else cards))
    newest, identified = focus(tables, view, seat, hint, touched)
    is_true = newest != NO_CARD and contains(view.playable, view.hands[seat, newest])
    return touched, identified > 0 or is_true, total


@kernel
def best_hint_to(tables, view, seat, most):
    """The hint to a seat that makes a card playable and whose words say most, more than ``most``; and how much."""
    best, hints, due = NO_MOVE, hints_of_hand(view, seat), next_discard(tables, view, seat)
    while hints:
        hint = lowest_bit(hints)
        hints &= hints - 1
        touched, is_helpful, words = weigh_hint(tables, view, seat, hint)
        if is_helpful and words > most and not is_warning(tables, view, view.seat, seat, due, hint, touched):
            best, most = tell(view, seat, hint), words
    return best, most


@kernel
def best_hint(tables, view):
    """The best hint to anybody."""
    best, most = NO_MOVE, 0
    for offset in range(1, view.players):
        hint, words = best_hint_to(tables, view, next_seat(view, offset), most)
        if hint != NO_MOVE:
            best, most = hint, words
    return best


@kernel
def save_next(tables, view):
    """A hint to the next seat if it is about to discard a valuable card: one to play, or else the warning."""
    seat = next_seat(view, 1)
    slot = next_discard(tables, view, seat)
    if view.hint_tokens == 0 or slot == NO_CARD or not contains(critical_cards(view), view.hands[seat, slot]):
        return NO_MOVE
    hint, _ = best_hint_to(tables, view, seat, 0)
    return hint if hint != NO_MOVE else tell(view, seat, rank_hint(int(view.hands[seat, slot])))


@kernel
def finesse(tables, view):
    """The discard of a known playable card whose twin is the newest card of exactly one other seat."""
    for slot in range(view.hand_size):
        cards = tables.possible[view.seat, slot]
        if is_single(cards) and cards & view.playable & ~critical_cards(view) and may_discard(view):
            holders = 0
            for offset in range(1, view.players):
                seat = next_seat(view, offset)
                count = tables.counts[seat]
                holders += count > 0 and bit(view.hands[seat, max(0, count - 1)]) == cards
            if holders == 1:
                return discard(slot)
    return NO_MOVE


@kernel
def lowest_play(tables, view, hand):
    """The own playable card to play first: one of which the others do not know it, then by rank, open ranks first."""
    best_slot, best = NO_CARD, 0
    for slot in range(view.hand_size):
        cards = hand.possible[slot]
        if cards & ~view.playable or not cards:
            continue
        ranks = possible_ranks(view, cards)
        value = RANKS - lowest_bit(ranks) if is_single(ranks) else RANKS + 2
        if tables.possible[view.seat, slot] & ~view.playable:
            value += 100
        if value > best:
            best_slot, best = slot, value
    return best_slot


@kernel
def gamble(view, hand):
    """The own card most likely playable, if the deck is nearly empty."""
    best_slot, best, size = NO_CARD, 0, 1
    if deck_left(view) > GAMBLING[min(view.lives, 3)]:
        return NO_CARD
    for slot in range(view.hand_size - 1, -1, -1):
        playable, count = popcount(hand.possible[slot] & view.playable), popcount(hand.possible[slot])
        if playable * size > best * count:
            best_slot, best, size = slot, playable, count
    return best_slot


@kernel
def useless_slot(tables, view, hand):
    """An own card that is useless for sure, rather one of which the others do not know it."""
    best_slot, best, size = NO_CARD, 0, 1
    for slot in range(view.hand_size):
        if hand.possible[slot] & ~view.useless:
            continue
        cards = tables.possible[view.seat, slot]
        useless, count = popcount(cards & view.useless), popcount(cards)
        if best_slot == NO_CARD or useless * size < best * count:
            best_slot, best, size = slot, useless, count
    return best_slot


@kernel
def discard_something(tables, view, hand):
    """Discards a useless card, else what is due, else the highest card."""
    slot = useless_slot(tables, view, hand)
    if slot == NO_CARD:
        slot = next_discard(tables, view, view.seat)
    if slot == NO_CARD:
        highest = -1
        for other in range(view.hand_size):
            ranks = possible_ranks(view, tables.possible[view.seat, other])
            rank = lowest_bit(ranks) if is_single(ranks) else 0
            if rank > highest:
                slot, highest = other, rank
    return discard(slot)


@kernel
def choose(tables, view, hand):
    """The decision."""
    if deck_left(view) == 0:
        slot = lowest_play(tables, view, hand)
        slot = gamble(view, hand) if slot == NO_CARD else slot
        if slot != NO_CARD:
            return play(slot)
    move = save_next(tables, view)
    if move == NO_MOVE:
        move = finesse(tables, view)
    if move == NO_MOVE:
        slot = lowest_play(tables, view, hand)
        move = play(slot) if slot != NO_CARD else NO_MOVE
    if move == NO_MOVE and view.hint_tokens > 0:
        move = best_hint(tables, view)
    if move == NO_MOVE:
        slot = gamble(view, hand)
        move = play(slot) if slot != NO_CARD else NO_MOVE
    if move != NO_MOVE:
        return move
    if not may_discard(view):
        seat = next_seat(view, view.players - 1)
        return tell(view, seat, rank_hint(int(view.hands[seat, 0])))
    return discard_something(tables, view, hand)


@kernel
def is_truthful(tables, view):
    """Whether all cards that the seat of a view sees are what their holders believe they can be."""
    for offset in range(1, view.players):
        seat = next_seat(view, offset)
        for slot in range(tables.counts[seat]):
            if contains(tables.excluded[seat, slot], view.hands[seat, slot]):
                return False
    return True


@kernel
def keep_smartbot(view, memory, params):
    """The moves after which nobody believes anything wrong, but for plays that cannot succeed."""
    tables, hand, kept = tables_of(memory), hand_of(memory), np.int64(0)
    refresh(tables, view, True)
    look_at_hand(tables, view, hand, True)
    moves = own_moves(view, hand.possible) | (legal_moves(view) >> TELL << TELL)
    after, twin = memory.copy(), finesse(tables, view)
    while moves:
        move = lowest_bit(moves)
        moves &= moves - 1
        shown = shown_by(view, move)
        if move < TELL:
            known = tables.possible[view.seat, move % DISCARD]
            shown = lowest_bit(hand.possible[move % DISCARD])
            if move >= DISCARD and is_single(known) and known & view.playable and move != twin:
                continue
        after[:] = memory
        observe_smartbot(view, view.seat, move, shown, after, params)
        if is_truthful(tables_of(after), view):
            kept |= np.int64(1) << np.int64(move)
    return kept


@policy(memory=MEMORY, observe=observe_smartbot, keeps=keep_smartbot, shares=True)
def smartbot(view, memory, params, rng):
    """Plays by the conventions of good human players: hints to play, warnings, and discards that point at twins."""
    tables, hand = tables_of(memory), hand_of(memory)
    refresh(tables, view, True)
    look_at_hand(tables, view, hand, True)
    return choose(tables, view, hand)
