"""Observations of the Hanabi Learning Environment as kernels: the bits of a row of words, then bytes.

Every other seat is counted from the observer on, who is 0. Nothing is read that a layout's type does not tell: the
observer's own cards only by SEER.
"""

import numpy as np

from tamaya.engine.cards import CARD_HINTS, NO_CARD, bit, colour_of, contains, rank_of
from tamaya.engine.gameplay import shown_by
from tamaya.engine.jit import kernel, record
from tamaya.engine.knowledge import deck_left
from tamaya.engine.moves import DISCARD, TELL, hint_of, target_from
from tamaya.engine.settings import COLOURS, RANKS, SLOTS
from tamaya.game.hle.layout import MINIMAL, SEER

LAST_MOVE = {
    "mover": "i1",  # -1 before the first move
    "move": "i1",
    "shown": "i1",  # the card that was played or discarded, or the slots that were touched, as a mask
    "has_scored": "i1",
    "gave_token": "i1",  # whether a play gave a hint token back
}
"""The last move, as everybody saw it: fields that the record of a game may have among others."""

LAST = record(**LAST_MOVE)

REVERSED = np.array([int(f"{byte:08b}"[::-1], 2) for byte in range(256)], dtype=np.uint8)
"""Each byte with its bits in reverse: numpy packs the first bit as the highest."""


@kernel
def forget_move(last):
    """Notes that no move was made yet."""
    last.mover = -1


@kernel
def note_seen(last, before, mover, move, shown):
    """Notes a move as a seat saw it: the table or view before, who moved, the move, and what it showed."""
    last.mover, last.move, last.shown = mover, move, shown
    last.has_scored = move < DISCARD and contains(before.playable, shown)
    is_complete = last.has_scored != 0 and rank_of(shown) == before.ranks
    last.gave_token = is_complete and before.hint_tokens < before.max_tokens


@kernel
def note_last_move(last, table, move):
    """Notes a move that is about to be made."""
    note_seen(last, table, table.seat, move, shown_by(table, move))


@kernel
def put(words, place, bits):
    """Sets bits of a row of words from a place on; a further word must follow."""
    word, shift = place >> 6, np.int64(place & 63)
    bits = np.int64(bits)
    words[word] |= bits << shift
    if shift:
        words[word + 1] |= bits >> (64 - shift)


@kernel
def mark(words, place):
    """Sets the bit of a place."""
    words[place >> 6] |= np.int64(1) << np.int64(place & 63)


@kernel
def ones(count):
    """As many ones."""
    return (np.int64(1) << np.int64(count)) - 1


@kernel
def card_place(table, card):
    """HLE's number of a card."""
    return colour_of(card) * table.ranks + rank_of(card) - 1


@kernel
def mask_by_number(table, cards):
    """A mask of cards by HLE's numbers."""
    if table.ranks == RANKS:
        return cards
    mask = np.int64(0)
    for colour in range(table.suits):
        mask |= ((cards >> (RANKS * colour)) & ones(table.ranks)) << (table.ranks * colour)
    return mask


@kernel
def put_hands(words, table, layout, seat):
    """The cards of the others, and whose hand lacks one."""
    place = layout.hands
    for offset in range(table.players):
        holder = (seat + offset) % table.players
        for slot in range(table.hand_size):
            card = int(table.hands[holder, slot])
            if card == NO_CARD:
                mark(words, layout.missing + offset)
                break
            if offset:
                mark(words, place + slot * layout.cards + card_place(table, card))
        if offset:
            place += table.hand_size * layout.cards


@kernel
def put_board(words, table, layout):
    """The deck, the fireworks, the tokens, the lives and the discards."""
    put(words, layout.deck, ones(deck_left(table)))
    put(words, layout.hint_tokens, ones(table.hint_tokens))
    put(words, layout.lives, ones(table.lives))
    for colour in range(table.suits):
        if table.fireworks[colour] > 0:
            mark(words, layout.fireworks + colour * table.ranks + table.fireworks[colour] - 1)
        for card in range(colour * RANKS, colour * RANKS + table.ranks):
            if table.discards[card]:
                put(words, layout.discards[card], ones(table.discards[card]))


@kernel
def put_last(words, table, layout, last, seat):
    """The last move."""
    move, shown = int(last.move), int(last.shown)
    mark(words, layout.mover + (last.mover - seat + table.players) % table.players)
    if move < TELL:
        mark(words, layout.kind + (move >= DISCARD))
        mark(words, layout.slot + move % SLOTS)
        mark(words, layout.card + card_place(table, shown))
        put(words, layout.scored, last.has_scored | last.gave_token << 1)
        return
    hint, target = hint_of(move), target_from(table, last.mover, move)
    mark(words, layout.kind + 2 + (hint >= COLOURS))
    mark(words, layout.target + (target - seat + table.players) % table.players)
    mark(words, layout.colour + hint if hint < COLOURS else layout.rank + hint - COLOURS)
    put(words, layout.touched, shown)


@kernel
def put_knowledge(words, table, layout, seat):
    """What hints say of each card; or the card itself, as if both hints had been given."""
    place = layout.knowledge
    for offset in range(table.players):
        holder = (seat + offset) % table.players
        for slot in range(table.hand_size):
            card = int(table.hands[holder, slot])
            if card != NO_CARD:
                possible, told = table.knowledge[holder, slot], np.int64(table.told[holder, slot])
                if layout.type == SEER:
                    possible, told = bit(card), CARD_HINTS[card]
                told = (told & ones(table.suits)) | (told >> COLOURS) << table.suits
                put(words, place, mask_by_number(table, possible) | told << layout.cards)
            place += layout.cards + table.suits + table.ranks


@kernel
def write_words(words, table, last, layout, seat):
    """Writes the bits of the observation of a seat into 64-bit words, the first bit being the lowest."""
    for word in range(len(words)):
        words[word] = 0
    put_hands(words, table, layout, seat)
    put_board(words, table, layout)
    if last.mover >= 0:
        put_last(words, table, layout, last, seat)
    if layout.type != MINIMAL:
        put_knowledge(words, table, layout, seat)


@kernel
def spread(row, words):
    """Writes bits into as many bytes."""
    for word in range((len(row) + 63) >> 6):
        bits = words[word]
        for place in range(min(64, len(row) - 64 * word)):
            row[64 * word + place] = (bits >> np.int64(place)) & 1


@kernel
def pack_bits(row, words):
    """Writes bits into bytes, eight in each, as numpy.packbits does."""
    for place in range(len(row)):
        row[place] = REVERSED[(words[place >> 3] >> np.int64(8 * (place & 7))) & 255]


@kernel
def write_observation(row, words, table, last, layout, seat):
    """Writes what a seat observes: a number for each bit, or a byte for eight where there are fewer bytes than bits."""
    write_words(words, table, last, layout, seat)
    if len(row) < layout.length:
        pack_bits(row, words)
    else:
        spread(row, words)
