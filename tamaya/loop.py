"""The loop: a team of policies plays games, one after the other, in compiled code."""

import numpy as np

from tamaya.cards import COLOURS, contains
from tamaya.engine import MAX_MOVES, apply, deal_seeded, is_legal, is_over, shown_by
from tamaya.jit import float64, int8, int64, kernel, record, record_type, typed_kernel
from tamaya.knowledge import look
from tamaya.moves import ASK, DISCARD, NO_MOVE, TELL, hint_of, target_of
from tamaya.policies import DECK_SIGHT, OBSERVERS, TEAM, seen_deck
from tamaya.randomness import derive_seed
from tamaya.table import TABLE, TABLE_TYPE

RUNNING, PERFECT, STRUCK_OUT, DECK_OUT, NO_RULE, ILLEGAL = range(6)
"""How a game ended. NO_RULE: a policy had no move, its points stand. ILLEGAL: it broke the rules."""

SIGHT, WATCHES, SHARES = 3, 4, 8
"""Of the habits of a seat: what it sees beyond its view; whether it observes every move; whether its memory is the one
of seat 0, in which whoever moves notes the move for all."""

OUTCOME = record(
    seed="u8",
    ending="i1",
    score="i1",  # the points on the table, also after the last life was lost
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
def close_books(outcome, table, memory):
    """Writes down how the game stands, and what searches reported in the last words of their memory."""
    outcome.score = table.score
    outcome.lives = table.lives
    outcome.hint_tokens = table.hint_tokens
    outcome.searched = memory[:, -3].sum()
    outcome.iterations = memory[:, -2].sum()
    outcome.depth = memory[:, -1].sum()


@kernel
def unveil(view, table, deck, memory, sight):
    """Shows a policy that asks for it its own hand, or the deck too, in the words of its memory that are for it."""
    view.hands[view.seat] = table.hands[view.seat]
    if sight == DECK_SIGHT:
        seen_deck(memory)[: len(deck)] = deck


@kernel
def show_move(tables, views, move, players):
    """Shows a move that is about to be made to those who observe; the view is that of the mover."""
    _, observers, params, memory, habits = players
    mover, shown = tables[0].seat, shown_by(tables[0], move)
    if habits[mover] & SHARES:
        observers[mover](views[0], mover, move, shown, memory[0], params[mover])
        return
    for seat in range(tables[0].players):
        if habits[seat] & WATCHES:
            look(views, tables, seat)
            observers[seat](views[0], mover, move, shown, memory[seat], params[seat])


@kernel
def advance(outcome, tables, deck, players):
    """Lets the policies move until the game ends or one of them must be asked in Python.

    An answer that came from Python is made first.
    """
    views = np.empty(1, TABLE)
    rng = np.empty(1, np.uint64)
    team, _, params, memory, habits = players
    is_observed = habits.max() >= WATCHES
    while outcome.ending == RUNNING:
        if outcome.answer == ASK:
            seat = tables[0].seat
            row = 0 if habits[seat] & SHARES else seat
            look(views, tables, seat)
            if habits[seat] & SIGHT:
                unveil(views[0], tables[0], deck, memory[row], habits[seat] & SIGHT)
            rng[0] = derive_seed(outcome.seed, tables[0].turn)
            outcome.answer = int(team[seat](views[0], memory[row], params[seat], rng))
            if outcome.answer == ASK:
                return
        else:
            look(views, tables, tables[0].seat)
        if is_observed and is_legal(tables[0], outcome.answer):
            show_move(tables, views, outcome.answer, players)
        make_move(outcome, tables[0], deck, outcome.answer)
        if outcome.ending == RUNNING:
            outcome.answer = ASK
    close_books(outcome, tables[0], memory)


PLAYING = int64(
    record_type(OUTCOME)[::1],
    TABLE_TYPE[::1],
    int8[::1],
    TEAM,
    OBSERVERS,
    float64[:, ::1],
    int64[:, ::1],
    int64[::1],
)


@typed_kernel(PLAYING)
def continue_game(outcomes, tables, deck, team, observers, params, memory, habits):
    """Plays on one game; the bridge for teams with an agent in plain Python."""
    advance(outcomes[0], tables, deck, (team, observers, params, memory, habits))
    return outcomes[0].ending


@typed_kernel(PLAYING)
def play_games(outcomes, start, cards, team, observers, params, memory, habits):
    """Plays a game from the start for the seed of each outcome, and tells how many were played."""
    tables = np.empty(1, TABLE)
    deck = np.empty_like(cards)
    for game in range(len(outcomes)):
        tables[0] = start[0]
        deck[:] = cards
        memory[:] = 0
        deal_seeded(tables[0], deck, outcomes[game].seed)
        outcomes[game].answer = ASK
        advance(outcomes[game], tables, deck, (team, observers, params, memory, habits))
        if outcomes[game].ending == RUNNING:
            outcomes[game].ending = ILLEGAL
    return len(outcomes)


@kernel
def list_actions(outcome, tables, deck, actions):
    """Writes the moves of an outcome as hanab.live does, [type, target, value], with the cards' places in the deck."""
    table = tables[0]
    deal_seeded(table, deck, outcome.seed)
    for index in range(outcome.length):
        move = int(outcome.moves[index])
        actions[index, 0] = move // DISCARD if move < TELL else 2 + (hint_of(move) >= COLOURS)
        if move < TELL:
            actions[index, 1] = table.orders[table.seat, move % DISCARD]
        else:
            actions[index, 1] = target_of(table, move)
            actions[index, 2] = hint_of(move) if hint_of(move) < COLOURS else hint_of(move) - COLOURS + 1
        apply(table, deck, move)
