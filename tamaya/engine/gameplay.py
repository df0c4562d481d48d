"""The rules of Hanabi: dealing, legal moves, moving, the end and the score."""

import numpy as np

from tamaya.engine.card_counts import add_copy, remove_copy
from tamaya.engine.cards import CARD_HINTS, HINT_CARDS, HINTS, NO_CARD, bit, colour_of, contains, rank_of
from tamaya.engine.jit import kernel
from tamaya.engine.moves import DISCARD, MOVES, PLAY, TELL, hint_of, target_of
from tamaya.engine.randomness import DEAL_STREAM, derive_seed, shuffle
from tamaya.engine.settings import COLOURS, RANKS, SLOTS

COLOUR_HINTS = (1 << COLOURS) - 1
ALL_RANKS = (1 << RANKS) - 1

MAX_MOVES = 160
"""No game is longer: its moves are at most 2 * (60 - 4 + 2) + 30 for the tokens + 6 for the suits."""


@kernel
def touched_cards(table, hint):
    """The cards that a hint touches, as a mask."""
    return HINT_CARDS[hint] | table.wild_cards if hint < COLOURS else HINT_CARDS[hint]


@kernel
def deal(table, deck):
    """Deals the hands from the top of the deck, seat by seat."""
    for seat in range(table.players):
        for slot in range(table.hand_size):
            table.slot_at[seat, slot] = slot
            take_card(table, deck, seat, slot)


@kernel
def deal_seeded(table, deck, seed):
    """Shuffles the sorted deck with a seed and deals."""
    rng = np.empty(1, np.uint64)
    rng[0] = derive_seed(seed, DEAL_STREAM)
    shuffle(rng, deck, table.deck_size)
    deal(table, deck)


@kernel
def take_card(table, deck, seat, slot):
    """Puts the top card of the deck into a slot."""
    table.hands[seat, slot] = deck[table.drawn]
    table.orders[seat, slot] = table.drawn
    table.knowledge[seat, slot] = table.all_cards
    table.told[seat, slot] = 0
    table.drawn += 1


@kernel
def clear_slot(table, seat, slot):
    """Marks a slot as empty."""
    table.hands[seat, slot] = NO_CARD
    table.orders[seat, slot] = NO_CARD
    table.knowledge[seat, slot] = 0
    table.told[seat, slot] = 0


@kernel
def close_gap(table, seat, gap):
    """Moves the younger cards of a full hand down over the gap; the lost card's place is kept for the new one."""
    last = table.hand_size - 1
    for slot in range(SLOTS - 1):
        source = slot + (slot >= gap)
        table.hands[seat, slot] = table.hands[seat, source]
        table.orders[seat, slot] = table.orders[seat, source]
        table.knowledge[seat, slot] = table.knowledge[seat, source]
        table.told[seat, slot] = table.told[seat, source]
    clear_slot(table, seat, last)
    for place in range(table.hand_size):
        slot = table.slot_at[seat, place]
        table.slot_at[seat, place] = last if slot == gap else slot - (slot > gap)


@kernel
def forget_place(table, seat, empty_slot):
    """Notes that no card took the place of a lost one."""
    for place in range(table.hand_size):
        if table.slot_at[seat, place] == empty_slot:
            table.slot_at[seat, place] = NO_CARD


@kernel
def update_useless(table, colour):
    """Recomputes which card of a colour comes next on its firework, and which can never be played.

    The five ranks of a colour are five bits; the first one lost for good blocks all above it. It still counts as the
    next one: a player that counts its own past cards as unseen, as in 2017, takes it for playable too.
    """
    shift = RANKS * np.int64(colour)
    played = bit(table.fireworks[colour]) - 1
    lost = ~(played | (table.unrevealed[0] >> shift)) & ALL_RANKS
    blocked = -(lost & -lost) & ALL_RANKS
    others = ~(ALL_RANKS << shift)
    table.useless = (table.useless & others) | (((played | blocked) << shift) & table.all_cards)
    table.playable = (table.playable & others) | (((played + 1) << shift) & ~others & table.all_cards)


@kernel
def reveal(table, seat, card):
    """Notes that a card has left a hand for all to see."""
    remove_copy(table.unrevealed, card)
    add_copy(table.spent[seat], card)


@kernel
def throw_away(table, card):
    """Puts a card on the discard pile."""
    table.discards[card] += 1
    update_useless(table, colour_of(card))


@kernel
def add_token(table):
    """Gives a hint token back, if one is missing."""
    if table.hint_tokens < table.max_tokens:
        table.hint_tokens += 1


@kernel
def play_card(table, card):
    """Plays a card on its firework, or loses a life and the card."""
    colour, rank = colour_of(card), rank_of(card)
    if contains(table.playable, card):
        table.fireworks[colour] = rank
        table.score += 1
        update_useless(table, colour)
        if rank == table.ranks:
            add_token(table)
    else:
        table.lives -= 1
        throw_away(table, card)


@kernel
def give_hint(table, target, hint):
    """Tells a seat which of its cards the hint touches, and so which it does not."""
    cards = touched_cards(table, hint)
    table.hint_tokens -= 1
    touched = np.int64(0)
    for slot in range(table.hand_size):
        card = table.hands[target, slot]
        if card == NO_CARD:
            break
        is_touched = contains(cards, card)
        table.knowledge[target, slot] &= cards if is_touched else ~cards
        table.told[target, slot] |= np.int16(is_touched << hint)
        touched |= np.int64(is_touched) << slot
    if target == (table.seat + 1) % table.players and touched & (touched - 1) == 0:
        table.singled[target] |= np.int8(touched)


@kernel
def use_card(table, deck, move):
    """Plays or discards a card and draws its replacement, unless the game is over."""
    seat, slot = table.seat, move % SLOTS
    card = int(table.hands[seat, slot])
    reveal(table, seat, card)
    if move < DISCARD:
        table.singled[:] = 0
        play_card(table, card)
    else:
        older = (1 << slot) - 1
        table.singled[seat] = (table.singled[seat] & older) | ((table.singled[seat] >> 1) & ~older)
        add_token(table)
        throw_away(table, card)
    close_gap(table, seat, slot)
    if table.drawn < table.deck_size and not is_over(table):
        take_card(table, deck, seat, table.hand_size - 1)
    else:
        forget_place(table, seat, table.hand_size - 1)


@kernel
def apply(table, deck, move):
    """Makes a legal move."""
    is_last_round = table.drawn == table.deck_size
    if move < TELL:
        use_card(table, deck, move)
    else:
        give_hint(table, target_of(table, move), hint_of(move))
    if is_last_round:
        table.turns_left -= 1
    table.turn += 1
    table.seat = (table.seat + 1) % table.players


@kernel
def is_over(table):
    """Whether the game has ended."""
    return table.lives == 0 or table.turns_left == 0 or table.score == table.suits * table.ranks


@kernel
def hints_of_hand(table, target):
    """The hints that touch a card of a seat, as a mask over hints."""
    hints, cards = np.int64(0), np.int64(0)
    for slot in range(table.hand_size):
        card = table.hands[target, slot]
        if card == NO_CARD:
            break
        hints |= CARD_HINTS[card]
        cards |= bit(card)
    if cards & table.wild_cards:
        hints |= COLOUR_HINTS
    return hints & table.hints


@kernel
def may_discard(table):
    """Whether a discard is legal."""
    return table.hint_tokens < table.max_tokens or table.discard_at_limit != 0


@kernel
def hints_for(table, target):
    """The hints that can be given to a seat while there are tokens, as a mask over hints."""
    return table.hints if table.empty_hints else hints_of_hand(table, target)


@kernel
def legal_moves(table):
    """The legal moves of the seat to move, as a mask over moves.

    The seat to move always holds a full hand: once the deck is empty, everybody moves only once.
    """
    slots = bit(table.hand_size) - 1
    moves = slots << PLAY
    if may_discard(table):
        moves |= slots << DISCARD
    if table.hint_tokens > 0:
        for offset in range(1, table.players):
            target = (table.seat + offset) % table.players
            moves |= np.int64(hints_for(table, target)) << (TELL + (offset - 1) * HINTS)
    return moves


@kernel
def shown_by(table, move):
    """What a move shows to all: the card that is played or discarded, or the slots that a hint touches, as a mask."""
    if move < TELL:
        return int(table.hands[table.seat, move % DISCARD])
    target, cards, slots = target_of(table, move), touched_cards(table, hint_of(move)), 0
    for slot in range(table.hand_size):
        card = table.hands[target, slot]
        slots |= int(card != NO_CARD and contains(cards, card)) << slot
    return slots


@kernel
def is_legal(table, move):
    """Whether a number is a legal move of the seat to move."""
    if move < 0 or move >= MOVES:
        return False
    if move < TELL:
        slot = move % SLOTS
        if slot >= table.hand_size:
            return False
        return move < DISCARD or may_discard(table)
    offset, hint = (move - TELL) // HINTS + 1, hint_of(move)
    if table.hint_tokens == 0 or offset >= table.players:
        return False
    return contains(hints_for(table, target_of(table, move)), hint)


@kernel
def is_over_at(tables):
    """Whether the game has ended."""
    return is_over(tables[0])


@kernel
def legal_at(tables):
    """The legal moves of the seat to move, as a mask; none when the game has ended."""
    return 0 if is_over(tables[0]) else legal_moves(tables[0])


@kernel
def is_legal_at(tables, move):
    """Whether a number is a legal move of the seat to move."""
    return is_legal(tables[0], move)


@kernel
def apply_at(tables, deck, move):
    """Makes a legal move."""
    apply(tables[0], deck, move)
