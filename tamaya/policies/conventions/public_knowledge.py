"""Public knowledge: what everybody at the table can conclude about every card.

It rests on what was told, on what a convention excludes, and on counting: a card that is located, that is, publicly
identified in some hand, leaves one copy fewer for all others.
"""

from tamaya.engine.card_counts import NOTHING, count_copies, counted, used_up, write_rest
from tamaya.engine.cards import contains, lowest_bit
from tamaya.engine.jit import copy_items, kernel, record, record_reader
from tamaya.engine.knowledge import hand_count
from tamaya.engine.settings import RANKS, SEATS, SLOTS

PUBLIC = record(
    excluded=("i8", (SEATS, SLOTS)),  # by the convention; every policy that observes begins its memory with these words
    possible=("i8", (SEATS, SLOTS)),  # what each card can be
    learnt=("i8", (SEATS, SLOTS)),  # what it can be after a message
    copies=("i8", 3),  # cards with more than 0, 1, 2 copies neither revealed nor located
    counts=("i8", SEATS),  # the cards in each hand
    stamp="i8",  # 1 + the turn for which all this holds
    message="i8",  # the message of this turn's mover, its capacity and its stamp, if they have been computed
    capacity="i8",
    message_stamp="i8",
    asked=("i8", 2 * SLOTS),  # slots in the order in which a question asks about them
    odds=("i8", 2 * SLOTS),
    classes=("i1", (SEATS, 5)),  # of hints to each seat: all, by colour, by rank, and whether by sets
    sets=("i1", (SEATS, 2, SLOTS)),  # the sets of colours and of ranks that are told apart
    class_stamps=("i8", SEATS),
    values=("i1", SLOTS),
    unions=("i1", 1 << SLOTS),
)

PUBLIC_WORDS = PUBLIC.itemsize // 8
CERTAIN = 1_000_000
"""Odds are whole numbers out of this many."""


read_public = record_reader(PUBLIC)


@kernel
def public_of(memory):
    """The public knowledge that lies in the memory of a policy."""
    return read_public(memory, 0)


@kernel
def is_single(cards):
    """Whether a mask holds at most one card."""
    return cards & (cards - 1) == 0


@kernel
def exclude_everywhere(public, view, gone):
    """Excludes fully located cards everywhere else; returns whether that locates another card."""
    is_new = False
    for seat in range(view.players):
        for slot in range(public.counts[seat]):
            cards = public.possible[seat, slot]
            if not is_single(cards) and cards & gone and cards & ~gone:
                public.possible[seat, slot] = cards & ~gone
                is_new = is_new or is_single(cards & ~gone)
    return is_new


@kernel
def locate(public, view):
    """Excludes located cards elsewhere until nothing changes, and counts the copies that are left."""
    while True:
        located = NOTHING
        for seat in range(view.players):
            for slot in range(public.counts[seat]):
                if is_single(public.possible[seat, slot]):
                    located = counted(located, public.possible[seat, slot])
        gone = used_up(view.unrevealed, located)
        if not gone or not exclude_everywhere(public, view, gone):
            break
    write_rest(public.copies, view.unrevealed, located)


@kernel
def count_all(public, view, closure):
    """Fills in the copies, with or without the closure over located cards."""
    if closure:
        locate(public, view)
    else:
        copy_items(public.copies, view.unrevealed)


@kernel
def refresh(public, view, closure):
    """Brings the public knowledge up to date; a card that would be impossible falls back to what was told."""
    if public.stamp == view.turn + 1:
        return
    public.stamp = view.turn + 1
    for seat in range(view.players):
        public.counts[seat] = hand_count(view, seat)
        for slot in range(view.hand_size):
            told = view.knowledge[seat, slot] & view.unrevealed[0]
            cards = told & ~public.excluded[seat, slot]
            public.possible[seat, slot] = cards if cards else told
    count_all(public, view, closure)


@kernel
def exclude(public, view, seat):
    """Keeps what was learnt about the hand of a seat."""
    for slot in range(view.hand_size):
        public.excluded[seat, slot] = ~public.learnt[seat, slot]


@kernel
def forget_slot(public, view, seat, gone):
    """Forgets a card that leaves a hand; nothing is excluded for the card that replaces it."""
    for slot in range(gone, view.hand_size - 1):
        public.excluded[seat, slot] = public.excluded[seat, slot + 1]
    public.excluded[seat, view.hand_size - 1] = 0


@kernel
def odds(planes, cards, wanted):
    """The chance, out of CERTAIN, that a card known to be in a mask is one of those wanted."""
    return CERTAIN * count_copies(planes, cards & wanted) // max(1, count_copies(planes, cards))


@kernel
def has_one_of(masks, count, cards):
    """Whether one of the first ``count`` cards, given as a row of masks, is surely one of those wanted."""
    for slot in range(count):
        if not masks[slot] & ~cards:
            return True
    return False


@kernel
def knows_one_of(public, seat, cards):
    """Whether it is public that a seat holds a card of a mask, and where."""
    return has_one_of(public.possible[seat], public.counts[seat], cards)


@kernel
def holds_one_of(view, seat, cards):
    """Whether a seat, seen from another, holds a card of a mask."""
    for slot in range(hand_count(view, seat)):
        if contains(cards, view.hands[seat, slot]):
            return True
    return False


@kernel
def public_trash(possible, view, count):
    """The useless slots of a row of masks, as a mask of slots: dead cards, and cards identified as the same."""
    trash = 0
    for slot in range(count):
        cards = possible[slot]
        if not cards & ~view.useless:
            trash |= 1 << slot
        elif is_single(cards):
            for other in range(count):
                if other != slot and possible[other] == cards:
                    trash |= 1 << slot
    return trash


@kernel
def after_playing(playable, card, useless):
    """The cards that can be played after one of them, given as a mask, has been."""
    following = (card << 1) & ~useless if lowest_bit(card) % RANKS < RANKS - 1 else 0
    return (playable & ~card) | following


@kernel
def projected(public, view, mover, seat):
    """The cards that can be played when a seat moves, if the seats before it play what is publicly identified."""
    playable = view.playable & ~view.useless
    other = (mover + 1) % view.players
    while other != seat:
        best, lowest = 0, RANKS
        for slot in range(public.counts[other]):
            cards = public.possible[other, slot]
            if is_single(cards) and cards & playable and lowest_bit(cards) % RANKS < lowest:
                best, lowest = cards, lowest_bit(cards) % RANKS
        if best:
            playable = after_playing(playable, best, view.useless)
        other = (other + 1) % view.players
    return playable
