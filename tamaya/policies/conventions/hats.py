"""Hats: one number is announced to all; each player subtracts what it sees of the others and is left with its own."""

from tamaya.engine.jit import kernel
from tamaya.engine.knowledge import next_seat
from tamaya.policies.conventions.hint_classes import NO_CLASS, class_of_hint, count_classes, index_slot
from tamaya.policies.conventions.hint_codes import number_told
from tamaya.policies.conventions.public_knowledge import exclude, projected
from tamaya.policies.conventions.questions import BY_HAND, run_questions


@kernel
def playable_for(public, view, mover, seat, projection):
    """The cards that questions to a seat treat as playable."""
    return projected(public, view, mover, seat) if projection else view.playable & ~view.useless


@kernel
def message_of(public, view, mover, capacity, projection, centre):
    """The sum of the numbers of all visible seats but the mover; also fills in what each of them learns."""
    total = 0
    for offset in range(1, view.players):
        seat = (mover + offset) % view.players
        if seat != view.seat:
            playable = playable_for(public, view, mover, seat, projection)
            total += run_questions(public, view, seat, capacity, BY_HAND, playable, centre)
    return total % capacity


@kernel
def own_message(public, view, capacity, projection, centre):
    """The message of the mover of a view; it is kept until the move is observed."""
    if public.message_stamp != view.turn + 1 or public.capacity != capacity:
        public.message = message_of(public, view, view.seat, capacity, projection, centre)
        public.message_stamp, public.capacity = view.turn + 1, capacity
    return public.message


@kernel
def hear(public, view, mover, capacity, message, projection, centre):
    """Learns what a message tells every seat but the mover."""
    if view.seat == mover:
        total = own_message(public, view, capacity, projection, centre)
    else:
        total = message_of(public, view, mover, capacity, projection, centre)
    rest = (message - total) % capacity
    for offset in range(1, view.players):
        seat = (mover + offset) % view.players
        if seat == view.seat or (view.seat == mover and rest):
            playable = playable_for(public, view, mover, seat, projection)
            seen = 0 if seat == view.seat else run_questions(public, view, seat, capacity, BY_HAND, playable, centre)
            number = number_told(view, mover, seat, seen, rest, capacity)
            run_questions(public, view, seat, capacity, number, playable, centre)
        exclude(public, view, seat)


@kernel
def hint_capacity(public, view, mover, packing):
    """How many different messages a hint by a seat can carry."""
    capacity = 0
    for offset in range(1, view.players):
        capacity += count_classes(public, view, (mover + offset) % view.players, packing)
    return capacity


@kernel
def read_hint(public, view, mover, target, hint, touched, packing):
    """The message of a hint to a seat that touched some slots; NO_CLASS if it carries none."""
    message = 0
    seat = (mover + 1) % view.players
    while seat != target:
        message += count_classes(public, view, seat, packing)
        seat = (seat + 1) % view.players
    count_classes(public, view, target, packing)
    number = class_of_hint(public, target, hint, (touched >> index_slot(public, view, target)) & 1)
    return NO_CLASS if number == NO_CLASS else message + number


@kernel
def target_of_message(public, view, message, packing):
    """The seat to which the mover of a view gives the hint of a message, and the class of that hint."""
    seat = next_seat(view, 1)
    while message >= count_classes(public, view, seat, packing):
        message -= count_classes(public, view, seat, packing)
        seat = (seat + 1) % view.players
    return seat, message
