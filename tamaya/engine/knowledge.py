"""What a seat knows: its view of the table, and the odds on its own cards."""

from tamaya.engine.card_counts import NOTHING, add_planes, count_copies, counted, write_rest
from tamaya.engine.cards import HIDDEN, HINT_CARDS, HINTS, NO_CARD, bit, card_of
from tamaya.engine.gameplay import shown_by
from tamaya.engine.jit import kernel, popcount
from tamaya.engine.settings import COLOURS


@kernel
def look(views, tables, seat):
    """Writes what a seat sees into a view: everything but its own cards, and a count of the cards it has not seen."""
    views[0] = tables[0]
    view = views[0]
    view.seat = seat
    hide_hand(view, seat)
    write_unseen(view.unseen, view, seat)


@kernel
def write_unseen(unseen, table, seat):
    """Writes the cards that a seat has not seen, as three planes."""
    seen = NOTHING
    for other in range(table.players):
        for slot in range(table.hand_size):
            card = table.hands[other, slot]
            if other == seat or card == NO_CARD:
                break
            seen = counted(seen, bit(card))
    write_rest(unseen, table.unrevealed, seen)


@kernel
def hide_hand(view, seat):
    """Turns the cards of a seat over."""
    for slot in range(view.hand_size):
        if view.hands[seat, slot] != NO_CARD:
            view.hands[seat, slot] = HIDDEN


@kernel
def show_hand(view, table):
    """Lets the seat of a view see its own hand."""
    for slot in range(view.hand_size):
        view.hands[view.seat, slot] = table.hands[view.seat, slot]


@kernel
def recall_spent(view):
    """Counts the seat's own past cards as unseen again, as the code of Walton-Rivers et al. 2017 did."""
    add_planes(view.unseen, view.spent[view.seat])


@kernel
def count_unseen(view, cards):
    """How many copies of the cards of a mask the seat has not seen."""
    return count_copies(view.unseen, cards)


@kernel
def probability(view, slot, cards):
    """The chance that the seat's own card in a slot is one of a mask; -1 if nothing is possible."""
    possible = view.knowledge[view.seat, slot]
    total = count_unseen(view, possible)
    return count_unseen(view, possible & cards) / total if total > 0 else -1.0


@kernel
def candidates(view, slot):
    """What the seat's own card in a slot can be, as a mask, after counting the cards it has seen."""
    return view.knowledge[view.seat, slot] & view.unseen[0]


@kernel
def hand_count(view, seat):
    """How many cards a seat holds."""
    count = 0
    while count < view.hand_size and view.hands[seat, count] != NO_CARD:
        count += 1
    return count


@kernel
def next_seat(view, offset):
    """The seat that moves ``offset`` turns from now."""
    return (view.seat + offset) % view.players


@kernel
def knows_colour(view, seat, slot):
    """Whether the hints leave only one colour for a card."""
    possible = view.knowledge[seat, slot]
    for colour in range(view.suits):
        if not possible & ~HINT_CARDS[colour]:
            return True
    return False


@kernel
def knows_rank(view, seat, slot):
    """Whether the hints leave only one rank for a card."""
    possible = view.knowledge[seat, slot]
    for hint in range(COLOURS, HINTS):
        if not possible & ~HINT_CARDS[hint]:
            return True
    return False


@kernel
def knows_card(view, seat, slot):
    """Whether the hints leave only one identity for a card."""
    return popcount(view.knowledge[seat, slot]) == 1


@kernel
def critical_cards(view):
    """The cards that are still needed and have only one copy left, as a mask."""
    return view.unrevealed[0] & ~view.unrevealed[1] & ~view.useless


@kernel
def played_cards(view):
    """The cards that lie on the fireworks, as a mask."""
    played = 0
    for colour in range(view.suits):
        for rank in range(1, view.fireworks[colour] + 1):
            played |= bit(card_of(colour, rank))
    return played


@kernel
def completed_cards(view):
    """The cards of the colours whose firework is complete, as a mask."""
    completed = 0
    for colour in range(view.suits):
        if view.fireworks[colour] == view.ranks:
            completed |= HINT_CARDS[colour]
    return completed


@kernel
def passed_cards(view):
    """The cards of the ranks that every firework has reached, as a mask."""
    lowest = view.ranks
    for colour in range(view.suits):
        lowest = min(lowest, view.fireworks[colour])
    passed = 0
    for rank in range(lowest):
        passed |= HINT_CARDS[COLOURS + rank]
    return passed


@kernel
def is_known_useless(view, seat, slot):
    """Whether a card's colour or rank or both, as known from hints, make it useless."""
    possible = view.knowledge[seat, slot]
    if knows_card(view, seat, slot):
        return not possible & ~view.useless
    if knows_colour(view, seat, slot):
        return not possible & ~completed_cards(view)
    return knows_rank(view, seat, slot) and not possible & ~passed_cards(view)


@kernel
def deck_left(view):
    """How many cards can still be drawn."""
    return view.deck_size - view.drawn


@kernel
def seats_holding(view, card):
    """How many other seats hold a card."""
    count = 0
    for offset in range(1, view.players):
        seat = next_seat(view, offset)
        for slot in range(hand_count(view, seat)):
            if view.hands[seat, slot] == card:
                count += 1
                break
    return count


@kernel
def cards_of_others(view):
    """The cards in the other hands, as a mask."""
    cards = 0
    for offset in range(1, view.players):
        seat = next_seat(view, offset)
        for slot in range(hand_count(view, seat)):
            cards |= bit(view.hands[seat, slot])
    return cards


@kernel
def spare_discards(view):
    """How many cards can be discarded so that there is still one to draw for each point to be made."""
    return view.deck_size - view.suits * view.ranks - view.players * view.hand_size


@kernel
def has_time(view):
    """Whether there is still at least one card to draw for each point to be made."""
    return view.discards.sum() <= spare_discards(view)


@kernel
def chance_at(tables, slot, mask):
    """The chance that a card of the seat's own hand is one of a mask."""
    return probability(tables[0], slot, mask)


@kernel
def see_move(before, tables, seat, move):
    """Writes what a seat sees before a move and returns what the move shows to all."""
    look(before, tables, seat)
    return shown_by(tables[0], move)
