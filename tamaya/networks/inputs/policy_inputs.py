"""The inputs of learned policies: HLE's observation with the odds of each card, earlier moves, ages and more.

An input is a byte: 255 for 1, and chances and ages in between. Every seat can work all of them out from what it sees.
"""

import functools
from typing import Any, NamedTuple

import numpy as np

from tamaya.engine.card_counts import count_copies
from tamaya.engine.cards import NO_CARD, contains
from tamaya.engine.jit import kernel, popcount, record
from tamaya.engine.knowledge import critical_cards, deck_left
from tamaya.engine.settings import CARDS, RANKS, Settings
from tamaya.game.hle.encoding import card_place, mask_by_number, pack_bits, put_last, write_words
from tamaya.game.hle.layout import LAYOUT, layout_of, sections
from tamaya.networks.inputs.move_history import EARLIER, NEVER

WHOLE = 255
"""The byte that stands for 1."""

INSIGHT = record(
    layouts=(LAYOUT, EARLIER + 1),  # that of the observation, and those that put the earlier moves behind it
    bits="i8",  # how many inputs are bits
    chances="i8",  # where the chances of each card to be playable, useless or critical begin
    shown="i8",  # which cards of the others are
    ages="i8",  # how long ago each card was drawn and told of
    board="i8",  # numbers of the whole table
    length="i8",
    width="i8",  # with the player's own hand behind it, which only the value of a position may know
    packed="i8",  # the bytes of the bits; in a packed row, ages, the turns left and its own cards follow
    packed_width="i8",
)

SCALES = np.array([0, *(255 / total for total in range(1, 100))], dtype=np.float32)
"""What one copy of so many is as a byte."""

KINDS = 3
"""Playable, useless, critical."""


class InputSection(NamedTuple):
    """A part of the inputs: its name, how many there are, and what they mean."""

    name: str
    length: int
    meaning: str


def move_length(settings: Settings) -> int:
    """The bits that tell a move."""
    found = {section.name: section for section in sections(settings)}
    return found["knowledge"].start - found["mover"].start


def further_sections(settings: Settings) -> list[InputSection]:
    """The inputs behind HLE's, and last those of the player's own hand."""
    players, hand, cards = settings.players, settings.hand_size, settings.suits * settings.ranks
    return [
        InputSection("earlier", EARLIER * move_length(settings), "the three moves before the last one, told like it"),
        InputSection("chances", players * hand * KINDS, "the chance of each card to be playable, useless, critical"),
        InputSection(
            "shown", (players - 1) * hand * KINDS, "whether each card of the others is playable, useless, critical"
        ),
        InputSection(
            "ages",
            players * hand * KINDS,
            "each card: touched by the last hint to its holder; how recently told, drawn",
        ),
        InputSection(
            "board", 3 + players, "score, highest score within reach, pace; the turns left once the deck is empty"
        ),
        InputSection(
            "own", hand * (cards + KINDS), "the player's own cards, and whether they are playable, useless, critical"
        ),
    ]


@functools.lru_cache
def insight_of(settings: Settings) -> np.ndarray:
    """Where everything stands, as an array of one record."""
    plans = np.zeros(1, INSIGHT)
    plan: Any = plans[0]
    layouts = layout_of(settings)
    place, lengths = int(layouts[0].length), {section.name: section.length for section in further_sections(settings)}
    moves = [section.name for section in sections(settings)]
    moves = moves[moves.index("mover") : moves.index("knowledge")]
    plan.layouts[:] = layouts
    for number in range(1, EARLIER + 1):
        for name in moves:
            plan.layouts[number][name] += place - layouts[0].mover + (number - 1) * move_length(settings)
    plan.bits = place + lengths["earlier"]
    place = int(plan.bits)
    for name in ("chances", "shown", "ages", "board"):
        plan[name] = place
        place += lengths[name]
    plan.length, plan.width = place, place + lengths["own"]
    plan.packed = (plan.bits + 7) // 8
    plan.packed_width = plan.packed + lengths["ages"] + 1 + settings.hand_size
    return plans


@kernel
def write_counts(counts, table, planes):
    """Writes how many copies of each card, by HLE's numbers, there are in three planes."""
    place = 0
    for colour in range(table.suits):
        for rank in range(table.ranks):
            card = np.int64(RANKS * colour + rank)
            counts[place] = ((planes[0] >> card) & 1) + ((planes[1] >> card) & 1) + ((planes[2] >> card) & 1)
            place += 1


@kernel
def spread_bits(row, words, bits):
    """Writes bits as bytes."""
    for word in range((bits + 63) >> 6):
        held, part = words[word], row[64 * word : min(64 * word + 64, bits)]
        for place in range(len(part)):
            part[place] = WHOLE * contains(held, place)


@kernel
def share(count, scale):
    """A share as a byte, given the fraction of it that one makes."""
    return np.int32(np.float32(count) * scale + np.float32(0.5))


@kernel
def write_odds(row, counts, mask, scale):
    """Writes the odds on a card that is one of a mask; 32-bit numbers, so that the loop runs on vectors."""
    for card in range(len(row)):
        held = np.float32(counts[card] if contains(mask, card) else 0)
        row[card] = np.int32(held * scale + np.float32(0.5))


@kernel
def put_odds(row, table, plan, planes, counts, holder, offset):
    """Writes the odds on each card of a hand, for somebody who has not seen the cards of some planes."""
    layout, useless, critical = plan.layouts[0], table.useless, critical_cards(table)
    playable = table.playable & ~useless
    step = layout.cards + table.suits + table.ranks
    place, at = layout.knowledge + offset * table.hand_size * step, plan.chances + offset * table.hand_size * KINDS
    for slot in range(table.hand_size):
        if table.hands[holder, slot] != NO_CARD:
            possible = table.knowledge[holder, slot]
            total = count_copies(planes, possible)
            scale = SCALES[total]
            write_odds(row[place : place + layout.cards], counts, mask_by_number(table, possible), scale)
            row[at] = share(count_copies(planes, possible & playable), scale)
            row[at + 1] = share(count_copies(planes, possible & useless), scale)
            row[at + 2] = share(count_copies(planes, possible & critical), scale)
        place, at = place + step, at + KINDS


@kernel
def put_kinds(row, place, table, holder, critical):
    """Writes whether the cards of a hand are playable, useless or critical."""
    for slot in range(table.hand_size):
        card = int(table.hands[holder, slot])
        if card != NO_CARD:
            row[place] = WHOLE * contains(table.playable & ~table.useless, card)
            row[place + 1] = WHOLE * contains(table.useless, card)
            row[place + 2] = WHOLE * contains(critical, card)
        place += KINDS


@kernel
def recency(turns):
    """A byte that falls with the turns that have passed."""
    return (8 * WHOLE + 4 + turns) // (2 * (4 + turns))  # 255 / (1 + turns / 4), rounded


@kernel
def put_ages(row, place, table, trace, holder):
    """Writes when the cards of a hand were told of and drawn."""
    for slot in range(table.hand_size):
        if table.hands[holder, slot] != NO_CARD:
            told, drawn = trace.told_at[holder, slot], trace.drawn_at[holder, slot]
            if told != NEVER:
                row[place] = WHOLE * (told == trace.hinted_at[holder])
                row[place + 1] = recency(table.turn - told)
            row[place + 2] = recency(table.turn - drawn)
        place += KINDS


@kernel
def put_numbers(row, place, table):
    """Writes the score, what is within reach, the pace and the turns left."""
    highest, score = int(table.suits) * int(table.ranks), int(table.score)
    reachable = score + popcount(table.all_cards & ~table.useless)
    pace = score + int(deck_left(table)) + int(table.players) - highest
    row[place] = WHOLE * score // highest
    row[place + 1] = WHOLE * reachable // highest
    row[place + 2] = min(max(128 + 8 * pace, 0), WHOLE)
    if table.drawn == table.deck_size:
        for turn in range(min(table.turns_left, table.players)):
            row[place + 3 + turn] = WHOLE


@kernel
def put_bits(words, table, trace, plan, seat):
    """Writes the inputs that are bits into words."""
    write_words(words[: (plan.layouts[0].length >> 6) + 2], table, trace, plan.layouts[0], seat)
    for word in range((plan.layouts[0].length >> 6) + 2, len(words)):
        words[word] = 0
    for number in range(EARLIER):
        if trace.earlier[number].mover >= 0:
            put_last(words, table, plan.layouts[number + 1], trace.earlier[number], seat)


@kernel
def write_insight(row, words, table, unseen, trace, plan, seat):
    """Writes the inputs of a seat, to which some cards are unseen."""
    put_bits(words, table, trace, plan, seat)
    spread_bits(row, words, plan.bits)
    row[plan.bits : plan.length] = 0
    counts, critical = np.empty(CARDS, np.int32), critical_cards(table)
    write_counts(counts, table, unseen)
    put_odds(row, table, plan, unseen, counts, seat, 0)
    write_counts(counts, table, table.unrevealed)
    hand = table.hand_size * KINDS
    put_ages(row, plan.ages, table, trace, seat)
    for offset in range(1, table.players):
        holder = (seat + offset) % table.players
        put_odds(row, table, plan, table.unrevealed, counts, holder, offset)
        put_kinds(row, plan.shown + (offset - 1) * hand, table, holder, critical)
        put_ages(row, plan.ages + offset * hand, table, trace, holder)
    put_numbers(row, plan.board, table)


@kernel
def write_own(row, table, plan, seat):
    """Writes a seat's own hand behind its inputs, for the value of a position."""
    row[plan.length : plan.width] = 0
    cards, place = plan.layouts[0].cards, plan.length
    for slot in range(table.hand_size):
        card = int(table.hands[seat, slot])
        if card != NO_CARD:
            row[place + slot * cards + card_place(table, card)] = WHOLE
    put_kinds(row, place + table.hand_size * cards, table, seat, critical_cards(table))


@kernel
def write_packed(row, words, table, trace, plan, seat):
    """Writes a row from which all inputs follow, its own hand included: packed bits, ages, turns left and its cards."""
    put_bits(words, table, trace, plan, seat)
    pack_bits(row[: plan.packed], words)
    row[plan.packed :] = 0
    for offset in range(table.players):
        place = plan.packed + offset * table.hand_size * KINDS
        put_ages(row, place, table, trace, (seat + offset) % table.players)
    place = plan.packed_width - table.hand_size
    row[place - 1] = table.turns_left if table.drawn == table.deck_size else 0
    for slot in range(table.hand_size):
        card = int(table.hands[seat, slot])
        row[place + slot] = card_place(table, card) if card != NO_CARD else WHOLE
