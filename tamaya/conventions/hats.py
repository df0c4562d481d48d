"""Hats: one number announced to all, of which everybody subtracts what it sees of the others and keeps its own."""

from tamaya.conventions.classes import NO_CLASS, class_of_hint, count_classes, index_slot
from tamaya.conventions.public import exclude, projected
from tamaya.conventions.questions import BY_HAND, run_questions
from tamaya.core.knowledge import next_seat
from tamaya.jit import kernel


@kernel
def playable_for(tables, view, mover, seat, projection):
    """The cards that questions to a seat take for playable."""
    return projected(tables, view, mover, seat) if projection else view.playable & ~view.useless


@kernel
def message_of(tables, view, mover, capacity, projection, centre):
    """The sum of the numbers of all seats that can be seen, but the mover's, with what each of them learns."""
    total = 0
    for offset in range(1, view.players):
        seat = (mover + offset) % view.players
        if seat != view.seat:
            playable = playable_for(tables, view, mover, seat, projection)
            total += run_questions(tables, view, seat, capacity, BY_HAND, playable, centre)
    return total % capacity


@kernel
def own_message(tables, view, capacity, projection, centre):
    """The message of the mover of a view; it is kept for the moment when the move is observed."""
    if tables.message_stamp != view.turn + 1 or tables.capacity != capacity:
        tables.message = message_of(tables, view, view.seat, capacity, projection, centre)
        tables.message_stamp, tables.capacity = view.turn + 1, capacity
    return tables.message


@kernel
def hear(tables, view, mover, capacity, message, projection, centre):
    """Learns what a message tells every seat but its mover.

    If the observer itself is to learn, its number is what the others' leave. The mover knows what it should have said:
    if it says something else, all others hear what is wrong by the difference.
    """
    if view.seat == mover:
        wrong = (message - own_message(tables, view, capacity, projection, centre)) % capacity
    else:
        wrong = 0
        own = (message - message_of(tables, view, mover, capacity, projection, centre)) % capacity
        playable = playable_for(tables, view, mover, view.seat, projection)
        run_questions(tables, view, view.seat, capacity, own, playable, centre)
    for offset in range(1, view.players):
        seat = (mover + offset) % view.players
        if wrong:
            playable = playable_for(tables, view, mover, seat, projection)
            number = run_questions(tables, view, seat, capacity, BY_HAND, playable, centre)
            run_questions(tables, view, seat, capacity, (number + wrong) % capacity, playable, centre)
        exclude(tables, view, seat)


@kernel
def hint_capacity(tables, view, mover, packing):
    """How many messages a hint of a seat can carry."""
    capacity = 0
    for offset in range(1, view.players):
        capacity += count_classes(tables, view, (mover + offset) % view.players, packing)
    return capacity


@kernel
def read_hint(tables, view, mover, target, hint, touched, packing):
    """The message of a hint to a seat that touched some slots; none if it carries none."""
    message = 0
    seat = (mover + 1) % view.players
    while seat != target:
        message += count_classes(tables, view, seat, packing)
        seat = (seat + 1) % view.players
    count_classes(tables, view, target, packing)
    number = class_of_hint(tables, target, hint, (touched >> index_slot(tables, view, target)) & 1)
    return NO_CLASS if number == NO_CLASS else message + number


@kernel
def target_of_message(tables, view, message, packing):
    """The seat to which the mover of a view gives the hint of a message, and the class of that hint."""
    seat = next_seat(view, 1)
    while message >= count_classes(tables, view, seat, packing):
        message -= count_classes(tables, view, seat, packing)
        seat = (seat + 1) % view.players
    return seat, message
