"""The loop: a team of policies plays games, one after the other, in compiled code."""

import numpy as np

from tamaya.engine.cards import contains
from tamaya.engine.gameplay import MAX_MOVES, apply, deal_seeded, is_legal, is_over
from tamaya.engine.jit import copy_items, kernel, record
from tamaya.engine.knowledge import look, show_hand
from tamaya.engine.moves import ASK, DISCARD, NO_MOVE, TELL, hint_of, target_of
from tamaya.engine.randomness import derive_seed, lots_of
from tamaya.engine.settings import COLOURS
from tamaya.engine.table import TABLE
from tamaya.policies.contract import DECK_SIGHT, seen_deck
from tamaya.policies.seats import ask, memory_at, show_move

RUNNING, PERFECT, STRUCK_OUT, DECK_OUT, NO_RULE, FORFEITED, ILLEGAL, OVERRUN = range(8)
"""How a game ended. NO_RULE: a policy had no move; the points stand. FORFEITED: a bot failed, and with it went the
lives of its team. ILLEGAL: a policy broke the rules. OVERRUN: one wrote beyond its memory; the last answer is its
seat."""

OUTCOME = record(
    seed="u8",
    ending="i1",
    score="i1",  # the points on the table, even after the last life was lost
    lives="i1",
    hint_tokens="i1",
    misplays="i1",
    wasted="i1",  # discarded cards that could still have been played
    length="i2",
    answer="i8",  # the last answer of a policy
    searched="i2",  # decisions that a search reported, with the sums of their iterations and depths
    iterations="i8",
    depth="i4",
    moves=("i1", MAX_MOVES),
)


@kernel
def note_errors(outcome, table, move):
    """Counts the errors of Monis et al.: a life lost, and a card discarded that could still have been played."""
    if move < TELL:
        card = int(table.hands[table.seat, move % DISCARD])
        if move < DISCARD:
            outcome.misplays += not contains(table.playable, card)
        else:
            outcome.wasted += not contains(table.useless, card)


@kernel
def make_move(outcome, table, deck, move):
    """Makes a move and writes it down; an illegal one ends the game."""
    if not is_legal(table, move):
        outcome.ending = NO_RULE if move == NO_MOVE else ILLEGAL
        return
    note_errors(outcome, table, move)
    outcome.moves[outcome.length] = move
    outcome.length += 1
    apply(table, deck, move)
    if is_over(table):
        outcome.ending = STRUCK_OUT if table.lives == 0 else DECK_OUT
        if table.score == table.suits * table.ranks:
            outcome.ending = PERFECT


@kernel
def overrun(seats, memory):
    """The last seat behind whose memory something was written, -1 if there is none."""
    found = -1
    for row in range(len(memory)):
        for word in range(seats[row].words if seats[row].row == row else 0, memory.shape[1]):
            if memory[row, word] != 0:
                found = row
    return found


@kernel
def close_books(outcome, table, seats, memory):
    """Writes down how the game stands, and what searches reported in the last words of their memory.

    The words behind the memory of a seat must still be empty.
    """
    outcome.score = table.score
    outcome.lives = table.lives
    outcome.hint_tokens = table.hint_tokens
    for row in range(len(memory)):
        words = seats[row].words if seats[row].row == row else 0
        if words:
            outcome.searched += memory[row, words - 3]
            outcome.iterations += memory[row, words - 2]
            outcome.depth += memory[row, words - 1]
    row = overrun(seats, memory)
    if row >= 0:
        outcome.ending, outcome.answer = OVERRUN, row


@kernel
def unveil(view, table, deck, memory, sight):
    """Shows a policy what it asked for: its own hand, or the deck too, in the words of its memory kept for that."""
    show_hand(view, table)
    if sight == DECK_SIGHT:
        seen = seen_deck(memory)
        for place in range(len(deck)):
            seen[place] = deck[place]


@kernel
def is_observed(seats, players):
    """Whether somebody observes the moves."""
    for seat in range(players):
        if seats[seat].observer:
            return True
    return False


@kernel
def advance(outcome, tables, deck, seats, memory):
    """Lets the policies move until the game ends or one of them must be asked in Python.

    A move that was answered in Python is made first.
    """
    views, rng = np.empty(1, TABLE), np.empty(1, np.uint64)
    has_observers, lots = is_observed(seats, tables[0].players), lots_of(outcome.seed)
    while outcome.ending == RUNNING:
        look(views, tables, tables[0].seat)
        if outcome.answer == ASK:
            seat = seats[tables[0].seat]
            if seat.sight:
                unveil(views[0], tables[0], deck, memory_at(memory, seat), seat.sight)
            rng[0] = derive_seed(lots, tables[0].turn)
            outcome.answer = ask(views, seats, memory, rng)
            if outcome.answer == ASK:
                return
        if has_observers and is_legal(tables[0], outcome.answer):
            show_move(views, tables, seats, memory, outcome.answer)
        make_move(outcome, tables[0], deck, outcome.answer)
        if outcome.ending == RUNNING:
            outcome.answer = ASK
    close_books(outcome, tables[0], seats, memory)


@kernel
def continue_game(outcomes, tables, deck, seats, memory):
    """Continues one game; the bridge for teams with an agent in plain Python."""
    advance(outcomes[0], tables, deck, seats, memory)
    return outcomes[0].ending


@kernel
def play_games(outcomes, start, cards, seats, memory):
    """Plays a game from the start for the seed of each outcome; returns how many were played."""
    tables = np.empty(1, TABLE)
    deck = np.empty_like(cards)
    for game in range(len(outcomes)):
        tables[0] = start[0]
        copy_items(deck, cards)
        memory[:] = 0
        deal_seeded(tables[0], deck, outcomes[game].seed)
        outcomes[game].answer = ASK
        advance(outcomes[game], tables, deck, seats, memory)
        if outcomes[game].ending == RUNNING:
            outcomes[game].ending = ILLEGAL
    return len(outcomes)


@kernel
def list_actions(outcome, tables, deck, actions):
    """Writes the moves of an outcome as hanab.live does, [type, target, value], with the cards' places in the deck.

    Returns the number of moves before the first illegal one, or -1 if they lead to another score.
    """
    table = tables[0]
    deal_seeded(table, deck, outcome.seed)
    for index in range(outcome.length):
        move = int(outcome.moves[index])
        if is_over(table) or not is_legal(table, move):
            return index
        actions[index, 0] = move // DISCARD if move < TELL else 2 + (hint_of(move) >= COLOURS)
        if move < TELL:
            actions[index, 1] = table.orders[table.seat, move % DISCARD]
        else:
            actions[index, 1] = target_of(table, move)
            actions[index, 2] = hint_of(move) if hint_of(move) < COLOURS else hint_of(move) - COLOURS + 1
        apply(table, deck, move)
    return int(outcome.length) if table.score == outcome.score else -1
