"""One game in one row of words: quick to copy, and quick to call from Python."""

import functools
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from tamaya.arena.game_loop import RUNNING
from tamaya.engine.cards import NO_CARD
from tamaya.engine.gameplay import deal, legal_moves
from tamaya.engine.jit import copy_items, kernel, record_reader
from tamaya.engine.settings import Settings
from tamaya.engine.table import TABLE, fresh_deck, fresh_table
from tamaya.engine.text import suggestion
from tamaya.environments.batch_state import EPISODE
from tamaya.environments.step_loop import deal_game, make_legal_move, open_book, score_of, settle
from tamaya.game.game import Game, check_deck
from tamaya.game.hle.encoding import card_place, write_observation
from tamaya.game.hle.move_numbers import card_of, move_numbered, write_legal
from tamaya.game.notation import Card

table_at, episode_at = record_reader(TABLE), record_reader(EPISODE)

EPISODE_WORD = TABLE.itemsize // 8
REPORT_WORD = EPISODE_WORD + EPISODE.itemsize // 8
WORDS = REPORT_WORD + 5
"""A game is its table, the rest of what changes, and a report for Python."""


class GameReport(NamedTuple):
    """How a game stands."""

    seat: int
    is_over: int
    reward: int
    """Of the last move."""
    score: int
    strict_score: int


@kernel
def write_game_report(game):  # type: ignore[no-untyped-def]
    """Writes how the game stands into its last words."""
    table, episode = table_at(game, 0), episode_at(game, EPISODE_WORD)
    game[REPORT_WORD] = table.seat
    game[REPORT_WORD + 1] = episode.ending != RUNNING
    game[REPORT_WORD + 2] = episode.reward
    game[REPORT_WORD + 3] = table.score
    game[REPORT_WORD + 4] = score_of(table, True)


@kernel
def start_single(game, start, cards, rules, seed):  # type: ignore[no-untyped-def]
    """Deals the game of a seed."""
    copy_items(game[:EPISODE_WORD], start)
    episode = episode_at(game, EPISODE_WORD)
    episode.seed, episode.reward = seed, 0
    deal_game(table_at(game, 0), episode, cards, rules[0])
    write_game_report(game)


@kernel
def start_given(game, start, cards, rules, seed):  # type: ignore[no-untyped-def]
    """Deals the cards of a deck in their order."""
    copy_items(game[:EPISODE_WORD], start)
    table, episode = table_at(game, 0), episode_at(game, EPISODE_WORD)
    episode.seed, episode.reward = seed, 0
    open_book(table, episode, rules[0])
    deck = episode.deck
    for place in range(len(cards)):
        deck[place] = cards[place]
    deal(table, deck)
    write_game_report(game)


@kernel
def legal_single(game, flags):  # type: ignore[no-untyped-def]
    """Writes which moves are legal for the seat to move."""
    table, episode = table_at(game, 0), episode_at(game, EPISODE_WORD)
    write_legal(flags, table, legal_moves(table) if episode.ending == RUNNING else 0)


@kernel
def step_single(game, number, rules, flags):  # type: ignore[no-untyped-def]
    """Makes a move by HLE's number and writes which are legal then; False if it is illegal and nothing has changed."""
    table, episode = table_at(game, 0), episode_at(game, EPISODE_WORD)
    move = move_numbered(table, number)
    if move < 0 or episode.ending != RUNNING or not (legal_moves(table) >> np.int64(move)) & 1:
        return False
    make_legal_move(table, episode, move)
    settle(table, episode, rules[0])
    write_game_report(game)
    legal_single(game, flags)
    return True


@kernel
def observe_single(game, row, layouts, seat):  # type: ignore[no-untyped-def]
    """Writes what a seat observes."""
    words = np.empty((layouts[0].length >> 6) + 2, np.int64)
    table, episode = table_at(game, 0), episode_at(game, EPISODE_WORD)
    write_observation(row, words, table, episode, layouts[0], seat)


@kernel
def reveal_single(game, row):  # type: ignore[no-untyped-def]
    """Writes what seat 0 does not observe: its own cards, and whose turn it is."""
    table = table_at(game, 0)
    cards = int(table.suits) * table.ranks
    for slot in range(table.hand_size):
        if table.hands[0, slot] != NO_CARD:
            row[slot * cards + card_place(table, int(table.hands[0, slot]))] = 1
    row[table.hand_size * cards + table.seat] = 1


def report_of(game: np.ndarray) -> GameReport:
    """How a game stands."""
    return GameReport(*game[REPORT_WORD:].tolist())


@functools.lru_cache
def start_of(settings: Settings) -> tuple[np.ndarray, np.ndarray]:
    """The words of a table before the deal, and the sorted cards."""
    return fresh_table(settings).view(np.int64), fresh_deck(settings)


def given_deck(options: dict[str, Any] | None, settings: Settings) -> np.ndarray | None:
    """The deck among the options of a reset, whose cards are given as such, by their names, or by HLE's numbers."""
    for name in options or {}:
        meant = suggestion(name, ["deck"])  # anything else is ignored, as the tests of PettingZoo expect
        if meant and name != "deck":
            raise ValueError(f"there is no option {name!r}{meant}")
    deck = (options or {}).get("deck")
    if deck is None:
        return None
    if isinstance(deck, str) or not isinstance(deck, Sequence | np.ndarray):
        raise ValueError(f"a deck is a list of cards in the order in which they are drawn, not {deck!r}")
    return np.array(check_deck([as_card(one, settings) for one in deck], settings), dtype=np.int8)


def as_card(card: Card | str | int, settings: Settings) -> Card:
    """A card, given as such, by its name, or by HLE's number."""
    if isinstance(card, str):
        return Card.parse(card)
    return Card(*card) if isinstance(card, tuple) else card_of(card, settings)


def as_game(game: np.ndarray, settings: Settings) -> Game:
    """The game for printing it, without its past."""
    twin = Game(settings)
    twin.tables = game[:EPISODE_WORD].copy().view(TABLE)
    twin.deck_array = game[EPISODE_WORD:REPORT_WORD].view(EPISODE)["deck"][0, : settings.deck_size].copy()
    return twin
