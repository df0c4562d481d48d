"""Questions: what a number tells a seat about its hand, in a mixed radix that wastes nothing.

Whoever encodes and whoever decodes a number run the same questions; the true hand, or the number, decides the answers.
Later questions depend on earlier answers, which both know.
"""

import numpy as np

from tamaya.engine.cards import contains
from tamaya.engine.jit import kernel, popcount
from tamaya.policies.conventions.public_knowledge import CERTAIN, has_one_of, is_single, odds

BY_HAND = -1
"""In place of a number: the answers are those of the true hand."""

NEAR = 0.2


@kernel
def is_open(view, cards):
    """Whether a card is neither identified nor surely dead."""
    return not is_single(cards) and cards & ~view.useless != 0


@kernel
def enter(public, first, count, slot, chance):
    """Enters a slot into the list of slots to ask about, which from ``first`` on is sorted by increasing odds."""
    place = count
    while place > first and public.odds[place - 1] > chance:
        public.odds[place], public.asked[place] = public.odds[place - 1], public.asked[place - 1]
        place -= 1
    public.odds[place], public.asked[place] = chance, slot


@kernel
def enter_all(public, view, seat, first, wanted):
    """Enters all slots of a seat that may hold a card of a mask; returns the new length of the list."""
    count = first
    for slot in range(public.counts[seat]):
        cards = public.learnt[seat, slot]
        if is_open(view, cards) and cards & wanted:
            enter(public, first, count, slot, odds(public.copies, cards, wanted))
            count += 1
    return count


@kernel
def ask_first_yes(public, view, seat, room, number, playable):
    """Asks which card is the first that is playable, or else dead; unlikely ones first, as a yes denies all before it.

    If there is not room for all, the unlikely dead ones are left out first, then the unlikely playable ones.
    """
    plays = enter_all(public, view, seat, 0, playable)
    count = plays
    if not has_one_of(public.learnt[seat], public.counts[seat], view.useless):
        count = enter_all(public, view, seat, plays, view.useless)
    if count == 0:
        return 0, 0
    first_play = max(0, plays - (room - 1))
    first_dead = max(plays, count - max(0, room - 1 - plays))
    outcomes = plays - first_play + count - first_dead + 1
    answer = number % outcomes if number != BY_HAND else 0
    asked = 0
    for place in range(first_play, count):
        if plays <= place < first_dead:
            continue
        asked += 1
        slot, wanted = public.asked[place], playable if place < plays else view.useless
        if number == BY_HAND and contains(wanted, view.hands[seat, slot]):
            answer = asked
        if asked == answer:
            public.learnt[seat, slot] &= wanted
            break
        public.learnt[seat, slot] &= ~wanted
    return outcomes, answer


@kernel
def ask_if_playable(public, view, seat, number, playable, centre):
    """Asks whether the card with odds nearest to the centre, if they are near enough, is playable."""
    best_slot, best = -1, NEAR
    for slot in range(public.counts[seat]):
        cards = public.learnt[seat, slot]
        if is_open(view, cards):
            distance = abs(odds(public.copies, cards, playable) / CERTAIN - centre)
            if distance < best:
                best_slot, best = slot, distance
    if best_slot < 0 or not public.learnt[seat, best_slot] & playable or not public.learnt[seat, best_slot] & ~playable:
        return 0, 0
    answer = number % 2
    if number == BY_HAND:
        answer = int(contains(playable, view.hands[seat, best_slot]))
    public.learnt[seat, best_slot] &= playable if answer else ~playable
    return 2, answer


@kernel
def ask_which(public, view, seat, room, number):
    """Asks which card it is that is least likely dead; all dead cards are one class, the others fill the rest."""
    best_slot, best = -1, CERTAIN + 1
    for slot in range(public.counts[seat]):
        cards = public.learnt[seat, slot]
        if is_open(view, cards):
            chance = odds(public.copies, cards, view.useless)
            if chance < best:
                best_slot, best = slot, chance
    if best_slot < 0:
        return 0, 0
    cards = public.learnt[seat, best_slot]
    alive, has_dead = cards & ~view.useless, int(cards & view.useless != 0)
    step = room - has_dead
    classes = min(popcount(alive), step)
    answer = number % (classes + has_dead)
    if number == BY_HAND:
        card = np.int64(view.hands[seat, best_slot])
        is_dead = contains(view.useless, card)
        answer = classes if is_dead else popcount(alive & ((np.int64(1) << card) - 1)) % step
    if has_dead and answer == classes:
        public.learnt[seat, best_slot] = cards & view.useless
    else:
        public.learnt[seat, best_slot] = every_nth(alive, answer, step)
    return classes + has_dead, answer


@kernel
def every_nth(cards, first, step):
    """Every ``step``-th card of a mask, in order, starting at number ``first``."""
    chosen, index = np.int64(0), 0
    while cards:
        lowest = cards & -cards
        if index % step == first:
            chosen |= lowest
        cards ^= lowest
        index += 1
    return chosen


@kernel
def run_questions(public, view, seat, capacity, number, playable, centre):
    """Asks about a seat's hand what a number below the capacity can answer; returns the number and fills ``learnt``."""
    for slot in range(view.hand_size):
        public.learnt[seat, slot] = public.possible[seat, slot]
    value, modulus = 0, 1
    while True:
        room = (capacity - value - 1) // modulus + 1
        outcomes, answer = 0, 0
        if room > 1 and not has_one_of(public.learnt[seat], public.counts[seat], playable):
            outcomes, answer = ask_first_yes(public, view, seat, room, number, playable)
        if room > 1 and outcomes == 0:
            outcomes, answer = ask_if_playable(public, view, seat, number, playable, centre)
        if room > 1 and outcomes == 0:
            outcomes, answer = ask_which(public, view, seat, room, number)
        if outcomes == 0:
            return value
        if number != BY_HAND:
            number //= outcomes
        value += answer * modulus
        modulus = min(capacity, modulus * outcomes)
