"""The recommendation players of Cox et al. and of Bouzy: a hint recommends to all others a card to play or discard."""

import numpy as np

from tamaya.engine.cards import NO_CARD, bit
from tamaya.engine.gameplay import may_discard
from tamaya.engine.jit import kernel
from tamaya.engine.knowledge import count_unseen, critical_cards, hand_count, next_seat
from tamaya.engine.moves import DISCARD, TELL, discard, hint_of, play, target_from
from tamaya.engine.settings import SEATS, SLOTS
from tamaya.policies.contract import EXCLUSIONS, policy
from tamaya.policies.conventions.hint_codes import count_words, number_told, read_word, spell
from tamaya.policies.conventions.own_hand import own_moves
from tamaya.policies.conventions.recomprog import recommended_discard, recommended_play

ADVICE = EXCLUSIONS
PLAYS_SINCE = ADVICE + SEATS
WORDS = PLAYS_SINCE + 1
"""After the exclusions: 1 + the number recommended to each seat, 0 for none; then the cards played since."""


FREE = 0
"""The setting: whether hints that touch nothing may be given."""

LIKELY = np.array([0.0, 0.5, 0.6])
"""The chance from which a recommended card is played, after 0, 1, or more cards played since."""


@kernel
def recommended_number(view, seat, is_free):
    """The number of the move recommended to a seat whose hand can be seen; plays come first, then discards."""
    count = advised_slots(view, is_free)
    held = min(count, hand_count(view, seat))
    slot = recommended_play(view, seat, held)
    return slot if slot != NO_CARD else count + max(0, recommended_discard(view, seat, held, view.useless))


@kernel
def advised_slots(view, is_free):
    """How many slots the numbers cover."""
    return min(int(view.hand_size), count_words(view, is_free) // 2)


@kernel
def sum_of_recommendations(view, mover, is_free):
    """The sum of the numbers of all seats but the mover that the seat of a view can see."""
    total = 0
    for offset in range(1, view.players):
        seat = (mover + offset) % view.players
        if seat != view.seat:
            total += recommended_number(view, seat, is_free)
    return total


@kernel
def note_advice(view, memory, seat, number, is_free):
    """Notes what was recommended to a seat, and what that implies.

    A card to play is playable. A seat told to discard has none to play, and its card, unless the oldest, is not a last
    copy.
    """
    count = advised_slots(view, is_free)
    memory[ADVICE + seat] = 1 + number
    if number < count:
        memory[seat * SLOTS + number] = ~view.playable
        return
    for slot in range(min(count, hand_count(view, seat))):
        memory[seat * SLOTS + slot] |= view.playable
    if number > count:
        memory[seat * SLOTS + number - count] |= critical_cards(view)


@kernel
def observe_recommendation(view, mover, move, shown, memory, params):
    """Keeps what is recommended to every seat; a seat that moves has used up its recommendation."""
    is_free = params[FREE] != 0
    memory[ADVICE + mover] = 0
    if move < TELL:
        first, slot = mover * SLOTS, move % DISCARD
        for place in range(first + slot, first + view.hand_size - 1):
            memory[place] = memory[place + 1]
        memory[first + view.hand_size - 1] = 0
        memory[PLAYS_SINCE] += move < DISCARD
        return 0
    count = 2 * advised_slots(view, is_free)
    target = target_from(view, mover, move)
    word = read_word(view, mover, target, hint_of(move), is_free)
    if word >= count:
        return 0
    memory[PLAYS_SINCE] = 0
    rest = (word - sum_of_recommendations(view, mover, is_free)) % count
    for offset in range(1, view.players):
        seat = (mover + offset) % view.players
        seen = recommended_number(view, seat, is_free) if seat != view.seat else 0
        note_advice(view, memory, seat, number_told(view, mover, seat, seen, rest, count), is_free)
    return 0


@kernel
def is_worth_playing(view, memory, slot):
    """Whether a card recommended as playable still is: surely or, with a life to spare, probably."""
    cards = view.knowledge[view.seat, slot] & ~memory[view.seat * SLOTS + slot]
    copies, playable = count_unseen(view, cards), count_unseen(view, cards & view.playable)
    if playable == copies:
        return playable > 0
    return view.lives > 1 and playable >= LIKELY[min(memory[PLAYS_SINCE], 2)] * copies


@kernel
def has_news(view, memory, is_free):
    """Whether a hint would recommend a play that has not been recommended yet."""
    for offset in range(1, view.players):
        seat = next_seat(view, offset)
        number = recommended_number(view, seat, is_free)
        if number < advised_slots(view, is_free) and memory[ADVICE + seat] != 1 + number:
            return True
    return False


@kernel
def follow_advice(view, memory, is_free):
    """Plays what is recommended unless too much has changed, hints if it helps, discards what is recommended."""
    count, number = advised_slots(view, is_free), memory[ADVICE + view.seat] - 1
    if 0 <= number < count and is_worth_playing(view, memory, number):
        return play(number)
    if number >= count and may_discard(view) and not has_news(view, memory, is_free):
        return discard(number - count)
    if view.hint_tokens > 0:
        return spell(view, sum_of_recommendations(view, view.seat, is_free) % (2 * count), is_free)
    return discard(number - count if number >= count else 0)


@kernel
def keep_recommendation(view, memory, params):
    """The moves that tell nobody anything wrong, except plays that cannot succeed."""
    first, is_free = view.seat * SLOTS, params[FREE] != 0
    possible = view.knowledge[view.seat] & ~memory[first : first + SLOTS] & view.unseen[0]
    moves = own_moves(view, possible)
    if view.hint_tokens > 0:
        count = 2 * advised_slots(view, is_free)
        hint = spell(view, sum_of_recommendations(view, view.seat, is_free) % count, is_free)
        moves |= bit(hint)
    return moves


@policy(memory=WORDS, observe=observe_recommendation, keeps=keep_recommendation, shares=True, free=1.0)
def hat_recommendation(view, memory, params, rng):
    """Recommends a move to everybody by hats; with ``free``, hints may touch nothing."""
    return follow_advice(view, memory, params[FREE] != 0)
