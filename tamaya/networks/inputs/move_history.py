"""What has happened in a game so far, as everybody saw it: the last moves, and when each card was drawn and told of."""

from tamaya.engine.cards import contains
from tamaya.engine.jit import kernel
from tamaya.engine.moves import TELL, target_from
from tamaya.engine.settings import SEATS, SLOTS
from tamaya.game.hle.encoding import LAST, LAST_MOVE, forget_move, note_seen

EARLIER = 3
"""How many moves before the last one are told."""

NEVER = -1

TRACE = {
    **LAST_MOVE,
    "rest": "i1",
    "hinted_at": ("i2", SEATS),  # the turn of the last hint to each seat
    "earlier": (LAST, EARLIER),  # the moves before the last one, the latest first
    "drawn_at": ("i2", (SEATS, SLOTS)),  # the turn from which on a card was in its hand
    "told_at": ("i2", (SEATS, SLOTS)),  # the turn of the last hint that touched it
}
"""What has happened so far, as everybody saw it: fields that the record of a game may have among others."""


@kernel
def forget_all(trace):
    """Notes that a game begins."""
    forget_move(trace)
    for number in range(EARLIER):
        forget_move(trace.earlier[number])
    for seat in range(SEATS):
        trace.hinted_at[seat] = NEVER
        for slot in range(SLOTS):
            trace.drawn_at[seat, slot] = 0
            trace.told_at[seat, slot] = NEVER


@kernel
def copy_last(target, source):
    """Copies what was noted of a move."""
    target.mover, target.move, target.shown = source.mover, source.move, source.shown
    target.has_scored, target.gave_token = source.has_scored, source.gave_token


@kernel
def age_cards(trace, before, mover, move, shown):
    """Notes when cards are drawn and told of."""
    if move >= TELL:
        target = target_from(before, mover, move)
        trace.hinted_at[target] = before.turn
        for slot in range(before.hand_size):
            if contains(shown, slot):
                trace.told_at[target, slot] = before.turn
        return
    last = before.hand_size - 1
    for slot in range(move % SLOTS, last):
        trace.drawn_at[mover, slot] = trace.drawn_at[mover, slot + 1]
        trace.told_at[mover, slot] = trace.told_at[mover, slot + 1]
    trace.drawn_at[mover, last], trace.told_at[mover, last] = before.turn + 1, NEVER


@kernel
def trace_seen(trace, before, mover, move, shown):
    """Notes a move as a seat saw it: the table or view before, who moved, the move, and what it showed."""
    for number in range(EARLIER - 1, 0, -1):
        copy_last(trace.earlier[number], trace.earlier[number - 1])
    copy_last(trace.earlier[0], trace)
    note_seen(trace, before, mover, move, shown)
    age_cards(trace, before, mover, move, shown)
