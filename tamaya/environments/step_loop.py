"""The loop of an environment: learners' moves come from outside, those of their team-mates from compiled policies.

What is called for every move takes records and arrays: tuples of arrays are slow to pass on.
"""

import numpy as np

from tamaya.arena.game_loop import (
    DECK_OUT,
    ILLEGAL,
    NO_RULE,
    OVERRUN,
    PERFECT,
    RUNNING,
    STRUCK_OUT,
    is_observed,
    overrun,
    unveil,
)
from tamaya.engine.gameplay import apply, deal, deal_seeded, is_legal, is_over, legal_moves, shown_by
from tamaya.engine.jit import kernel
from tamaya.engine.knowledge import look, write_unseen
from tamaya.engine.moves import ASK, NO_MOVE
from tamaya.engine.randomness import derive_seed, lots_of
from tamaya.engine.table import TABLE
from tamaya.game.hle.encoding import forget_move, note_last_move, write_observation
from tamaya.game.hle.move_numbers import move_numbered, write_legal
from tamaya.networks.inputs.move_history import forget_all, trace_seen
from tamaya.networks.inputs.policy_inputs import write_insight, write_own, write_packed
from tamaya.policies.seats import ask, memory_at, show_move

STUCK = OVERRUN + 1
MOST_RESTARTS = 1000
"""A game is STUCK after this many games in a row that team-mates ended before a learner's first turn."""

SEATING_STREAM, START_STREAM = 1 << 21, 1 << 22
"""The streams of a game's seed that turn the team and choose who moves first."""


@kernel
def score_of(table, is_strict):
    """The points of a game so far."""
    return 0 if is_strict and table.lives == 0 else int(table.score)


@kernel
def ending_of(table):
    """How a game has ended, if it has."""
    if not is_over(table):
        return RUNNING
    if table.lives == 0:
        return STRUCK_OUT
    return PERFECT if table.score == table.suits * table.ranks else DECK_OUT


@kernel
def make_legal_move(table, episode, move):
    """Makes a legal move."""
    if episode.traces:
        trace_seen(episode, table, int(table.seat), move, shown_by(table, move))
    else:
        note_last_move(episode, table, move)
    apply(table, episode.deck, move)
    episode.length += 1
    episode.ending = ending_of(table)


@kernel
def let_move(tables, episode, seats, memory, move):
    """Makes a learner's move, or none with ASK, then those of its team-mates, up to a learner's turn or the end."""
    views, rng = np.empty(1, TABLE), np.empty(1, np.uint64)
    has_observers, lots = is_observed(seats, tables[0].players), lots_of(episode.seed)
    while episode.ending == RUNNING:
        if move == ASK:
            seat = seats[tables[0].seat]
            if seat.mover == 0:
                return
            look(views, tables, tables[0].seat)
            if seat.sight:
                unveil(views[0], tables[0], episode.deck, memory_at(memory, seat), seat.sight)
            rng[0] = derive_seed(lots, tables[0].turn)
            move = ask(views, seats, memory, rng)
            episode.answer = move
            if not is_legal(tables[0], move):
                episode.ending = NO_RULE if move == NO_MOVE else ILLEGAL
                return
        if has_observers:
            show_move(views, tables, seats, memory, move)
        make_legal_move(tables[0], episode, move)
        move = ASK


@kernel
def advance_game(state, plan, game, move):
    """Makes a learner's move, or none with ASK, and those of its team-mates, who must respect their memory."""
    episode = state.episodes[game]
    seats, memory = plan.seats[episode.seating], state.memory[game]
    let_move(state.tables[game : game + 1], episode, seats, memory, move)
    row = overrun(seats, memory) if episode.ending != RUNNING else -1
    if row >= 0:
        episode.ending, episode.answer = OVERRUN, row


@kernel
def random_seat(seed, stream, players):
    """A seat that depends on a game's seed only."""
    return np.int64(derive_seed(seed, stream) % np.uint64(players))


@kernel
def open_book(table, episode, rules):
    """Begins a game at a fresh table."""
    forget_move(episode)
    episode.traces = rules.traces
    if rules.traces:
        forget_all(episode)
    episode.paid, episode.length, episode.ending, episode.seating = 0, 0, RUNNING, rules.seating
    if rules.turns:
        episode.seating = random_seat(episode.seed, SEATING_STREAM, table.players)
    if rules.random_start:
        table.seat = random_seat(episode.seed, START_STREAM, table.players)


@kernel
def deal_game(table, episode, cards, rules):
    """Deals the game of an episode's seed at a fresh table."""
    open_book(table, episode, rules)
    deck = episode.deck
    for place in range(len(cards)):
        deck[place] = cards[place]
    deal_seeded(table, deck, episode.seed)


@kernel
def start_game(state, plan, game):
    """Deals a game and lets the team-mates before the first learner move."""
    tables, episode, rules = state.tables, state.episodes[game], plan.rules[0]
    for _ in range(MOST_RESTARTS):
        tables[game] = plan.start[0]
        episode.seed = derive_seed(rules.seed, episode.number)
        deal_game(tables[game], episode, plan.cards, rules)
        if len(plan.seats) == 0:
            return
        begin_team(state, plan, game)
        if episode.ending == RUNNING or episode.ending >= ILLEGAL:
            return
        episode.number += rules.games
    episode.ending = STUCK


@kernel
def begin_team(state, plan, game):
    """Lets the team-mates before the first learner move, with nothing in their memory."""
    for row in range(state.memory.shape[1]):
        state.memory[game][row][:] = 0
    advance_game(state, plan, game, ASK)


@kernel
def settle(table, episode, rules):
    """Works out the reward of a step, and how the game ended, if it did."""
    score = score_of(table, rules.is_strict)
    episode.reward = score - episode.paid
    episode.paid = score
    episode.ended = episode.ending
    if episode.ending != RUNNING:
        episode.score, episode.strict_score = table.score, score_of(table, True)
        episode.final_length = episode.length


@kernel
def step_games(state, plan, buffers, actions, first, end):
    """Makes the learners' moves in the games from ``first`` to ``end``; games that are over stay as they are."""
    tables, episodes, rules, has_team = state.tables, state.episodes, plan.rules[0], len(plan.seats) > 0
    for game in range(first, end):
        table, episode = tables[game], episodes[game]
        episode.reward, episode.ended = 0, RUNNING
        if episode.ending == RUNNING:
            move = move_numbered(table, int(actions[game]))
            if has_team:
                advance_game(state, plan, game, move)
            else:
                make_legal_move(table, episode, move)
            settle(table, episode, rules)
            if episode.ending != RUNNING and episode.ending < ILLEGAL and rules.restarts:
                episode.number += rules.games
                start_game(state, plan, game)
    write_turns(state, plan, buffers, first, end)


@kernel
def write_inputs_and_hand(row, words, table, episode, insight, seat):
    """Writes the inputs of a learned policy, and behind them the hand that only a value may know."""
    if len(row) == insight.packed_width:
        write_packed(row, words, table, episode, insight, seat)
        return
    unseen = np.empty(3, np.int64)
    write_unseen(unseen, table, seat)
    write_insight(row, words, table, unseen, episode, insight, seat)
    write_own(row, table, insight, seat)


@kernel
def observe_all(state, plan, rows, words, seats, first, end):
    """Writes what a seat of each game observes."""
    tables, episodes, layout, insights = state.tables, state.episodes, plan.layouts[0], plan.insights
    for game in range(first, end):
        if len(insights) == 0:
            write_observation(rows[game], words[game], tables[game], episodes[game], layout, seats[game])
        else:
            write_inputs_and_hand(rows[game], words[game], tables[game], episodes[game], insights[0], seats[game])


@kernel
def write_turns(state, plan, buffers, first, end):
    """Writes the results of a step, and what the learners to move observe and may do."""
    tables, episodes, masks, seats = state.tables, state.episodes, buffers.action_masks, buffers.seats
    for game in range(first, end):
        table, episode = tables[game], episodes[game]
        episode.legal = 0
        if episode.ending == RUNNING:  # else the one who moved last observes the end
            episode.legal, seats[game] = legal_moves(table), table.seat
        write_legal(masks[game], table, episode.legal)
    observe_all(state, plan, buffers.observations, buffers.words, seats, first, end)
    rewards, terminations, truncations = buffers.rewards, buffers.terminations, buffers.truncations
    for game in range(first, end):
        rewards[game] = episodes[game].reward
        truncations[game] = episodes[game].ended == NO_RULE
        terminations[game] = episodes[game].ended != RUNNING and not truncations[game]
    scores, strict_scores, lengths = buffers.scores, buffers.strict_scores, buffers.lengths
    for game in range(first, end):
        scores[game], strict_scores[game] = episodes[game].score, episodes[game].strict_score
        lengths[game] = episodes[game].final_length


@kernel
def observe_games(state, plan, buffers, rows, offset):
    """Writes what the seats observe that move ``offset`` turns after those whose turn it is."""
    seats = np.empty(len(state.tables), np.int8)
    for game in range(len(seats)):
        seats[game] = (state.tables[game].seat + offset) % state.tables[game].players
    observe_all(state, plan, rows, buffers.words, seats, 0, len(seats))


@kernel
def start_games(state, plan, buffers, first, end):
    """Starts the games from ``first`` to ``end``."""
    for game in range(first, end):
        episode = state.episodes[game]
        episode.number, episode.reward, episode.ended = game, 0, RUNNING
        start_game(state, plan, game)
    write_turns(state, plan, buffers, first, end)


@kernel
def deal_given(state, plan, buffers):
    """Starts the first game with the deck that lies there already."""
    episode = state.episodes[0]
    episode.reward, episode.ended = 0, RUNNING
    state.tables[0] = plan.start[0]
    open_book(state.tables[0], episode, plan.rules[0])
    deal(state.tables[0], episode.deck)
    if len(plan.seats):
        begin_team(state, plan, 0)
    write_turns(state, plan, buffers, 0, 1)


@kernel
def first_illegal(tables, episodes, actions):
    """The first game whose action is not legal, -1 if there is none; games that are over take any."""
    for game in range(len(actions)):
        if episodes[game].ending == RUNNING:
            move = move_numbered(tables[game], int(actions[game]))
            if move < 0 or not (episodes[game].legal >> np.int64(move)) & 1:
                return game
    return -1


@kernel
def first_broken(episodes):
    """The first game that a team-mate broke, -1 if there is none."""
    for game in range(len(episodes)):
        if episodes[game].ending >= ILLEGAL:
            return game
    return -1
