"""The conventions of SmartBot, which are those of good human players.

A hint says that a card is playable: one that it identifies as such, or else the newest touched card that may be. A rank
hint that touches the next seat's next discard warns that it is valuable, the last copy of a needed card; where no
warning comes, it is not. And discarding a card that all know to be playable tells that another seat holds its twin as
its newest card.
"""

from tamaya.engine.cards import HINT_CARDS, NO_CARD, bit, contains
from tamaya.engine.gameplay import touched_cards
from tamaya.engine.jit import kernel, popcount
from tamaya.engine.knowledge import critical_cards, deck_left
from tamaya.engine.moves import DISCARD, TELL, hint_of, target_from
from tamaya.engine.settings import COLOURS
from tamaya.policies.conventions.hint_codes import is_stall
from tamaya.policies.conventions.public_knowledge import forget_slot, is_single, public_of, refresh


@kernel
def may_be(possible, cards):
    """Whether a card can be, but need not be, one of a mask."""
    return possible & cards != 0 and possible & ~cards != 0


@kernel
def next_discard(public, view, seat):
    """The card that a seat will discard: the oldest of those most likely useless; none if it has something better."""
    best_slot, best, size = NO_CARD, 0, 1
    valuable = critical_cards(view)
    for slot in range(public.counts[seat]):
        cards = public.possible[seat, slot]
        if not cards & ~view.playable or not cards & ~view.useless:
            return NO_CARD
        if not cards & ~valuable:
            continue
        useless, count = popcount(cards & view.useless), popcount(cards)
        if best_slot == NO_CARD or useless * size > best * count:
            best_slot, best, size = slot, useless, count
    return best_slot


@kernel
def narrow(public, seat, slot, cards):
    """Excludes all but the cards of a mask, unless that leaves nothing."""
    if public.possible[seat, slot] & cards:
        public.excluded[seat, slot] |= ~cards
        public.possible[seat, slot] &= cards


@kernel
def is_warning(public, view, mover, seat, due, hint, touched):
    """Whether a hint warns a seat of its next discard, ``due``: if the seat moves next and the rank may matter."""
    if hint < COLOURS or due == NO_CARD or not contains(touched, due) or seat != (mover + 1) % view.players:
        return False
    cards, valuable = public.possible[seat, due], critical_cards(view)
    return may_be(cards, valuable) and cards & valuable & HINT_CARDS[hint] != 0


@kernel
def focus(public, view, seat, hint, touched):
    """The card that a hint calls playable, unless it identifies one as such; and how many it identifies."""
    newest, identified = NO_CARD, 0
    cards = touched_cards(view, hint)
    for slot in range(public.counts[seat] - 1, -1, -1):
        is_touched = contains(touched, slot)
        before = public.possible[seat, slot]
        after = before & cards if is_touched else before & ~cards
        if may_be(before, view.playable) and after:
            if not after & ~view.playable:
                identified += 1
            elif is_touched and after & view.playable and newest == NO_CARD:
                newest = slot
    return newest, identified


@kernel
def hear_hint(public, view, mover, seat, hint, touched):
    """Learns what a hint says beyond its literal meaning."""
    if is_stall(view, mover, seat, hint, touched):
        return
    due = next_discard(public, view, seat)
    if is_warning(public, view, mover, seat, due, hint, touched):
        narrow(public, seat, due, critical_cards(view))
        return
    newest, identified = focus(public, view, seat, hint, touched)
    if newest != NO_CARD and identified == 0:
        narrow(public, seat, newest, view.playable)


@kernel
def hear_silence(public, view, mover):
    """Concludes that the next discard of the next seat is not valuable, because nobody warned of it."""
    seat = (mover + 1) % view.players
    slot = next_discard(public, view, seat)
    if slot != NO_CARD:
        narrow(public, seat, slot, ~critical_cards(view))


@kernel
def hear_finesse(public, view, mover, card):
    """Learns who holds the twin of a discarded playable card: the seat whose newest card it is, or the observer."""
    holder = view.seat
    for offset in range(1, view.players):
        seat = (mover + offset) % view.players
        count = public.counts[seat]
        if seat != view.seat and count and view.hands[seat, count - 1] == card:
            holder = seat
    if holder != mover and public.counts[holder]:
        narrow(public, holder, public.counts[holder] - 1, bit(card))


@kernel
def observe_smartbot(view, mover, move, shown, memory, params):
    """Keeps the public knowledge."""
    public = public_of(memory)
    refresh(public, view, True)
    target = target_from(view, mover, move) if move >= TELL else mover
    if view.hint_tokens > 0 and deck_left(view) > 0 and target != (mover + 1) % view.players:
        hear_silence(public, view, mover)
    if move >= TELL:
        hear_hint(public, view, mover, target, hint_of(move), shown)
        return 0
    known = public.possible[mover, move % DISCARD]
    if move >= DISCARD and is_single(known) and known & view.playable:
        hear_finesse(public, view, mover, shown)
    forget_slot(public, view, mover, move % DISCARD)
    return 0
