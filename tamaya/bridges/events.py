"""A game as one seat sees it, told in the events of hanab.live."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from tamaya.bridges.protocol import (
    NO_TARGET,
    NORMAL,
    STRIKE_OUT,
    UNSEEN,
    Choice,
    Clue,
    ClueGiven,
    Discard,
    Draw,
    GameOver,
    Init,
    Play,
    Status,
    Strike,
    Turn,
)
from tamaya.engine.cards import HIDDEN, HINTS, NO_CARD, members
from tamaya.engine.gameplay import legal_at
from tamaya.engine.moves import DISCARD, NO_MOVE, TELL
from tamaya.engine.settings import COLOURS, RANKS, Settings
from tamaya.game.hanab_live import END_GAME, options_of
from tamaya.game.notation import Kind, Move
from tamaya.game.position import IllegalMove
from tamaya.game.view import Seen, View


def opening(view: View) -> Iterator[Any]:
    """The beginning of a game: the rules, and the cards that were dealt."""
    settings = view.settings
    rules = {name: getattr(settings, name) for name in settings.__struct_fields__}
    yield Init(list(view.wording.players[: settings.players]), view.seat, options_of(settings), rules)
    first = view.past[0].tables if view.past else view.tables
    for seat, hand in enumerate(first["hands"][0, : settings.players].tolist()):
        for order, card in zip(first["orders"][0, seat].tolist(), hand, strict=True):
            if card != NO_CARD:
                yield draw_event(seat, order, card)
    yield status(first)
    yield Turn(0, 0)


def news(view: View, since: int) -> Iterator[Any]:
    """What has happened at the table from a turn on."""
    past = view.past
    for turn in range(since, len(past)):
        if turn + 1 < len(past):
            yield from told(view.settings, past[turn], past[turn + 1].tables, False)
        else:
            yield from told(view.settings, past[turn], view.tables, view.is_over)


def told(settings: Settings, seen: Seen, after: np.ndarray, is_over: bool) -> Iterator[Any]:
    """A move, with the table after it, and whether that ended the game."""
    before, mover, move, shown = seen
    if move >= TELL:
        yield clue(settings, seen)
    else:
        order = int(before["orders"][0, mover, move % DISCARD])
        suit, rank = divmod(shown, RANKS)
        lives = int(after["lives"][0])
        failed = lives < int(before["lives"][0])
        is_lost = move >= DISCARD or failed
        yield Discard(mover, order, suit, rank + 1, failed) if is_lost else Play(mover, order, suit, rank + 1)
        if failed:
            yield Strike(settings.lives - lives, order)
        taken = int(before["drawn"][0])
        if int(after["drawn"][0]) > taken:
            yield draw_event(mover, taken, int(after["hands"][0, mover, settings.hand_size - 1]))
    yield status(after)
    turn = int(before["turn"][0]) + 1
    yield Turn(turn, -1 if is_over else (mover + 1) % settings.players)


def clue(settings: Settings, seen: Seen) -> Clue:
    """A hint, with the cards that it touches."""
    offset, hint = divmod(seen.move - TELL, HINTS)
    target = (seen.mover + 1 + offset) % settings.players
    orders = seen.tables["orders"][0, target].tolist()
    given = ClueGiven(0, hint) if hint < COLOURS else ClueGiven(1, hint - COLOURS + 1)
    touched = [orders[slot] for slot in members(seen.shown)]
    return Clue(given, seen.mover, target, touched)


def draw_event(seat: int, order: int, card: int) -> Draw:
    """A card that a seat takes; its own cards are not shown to it."""
    return Draw(seat, order, UNSEEN, UNSEEN) if card == HIDDEN else Draw(seat, order, card // RANKS, card % RANKS + 1)


def status(tables: np.ndarray) -> Status:
    """How a game stands."""
    score = int(tables["score"][0])
    reachable = int(tables["all_cards"][0]) & ~int(tables["useless"][0])
    return Status(int(tables["hint_tokens"][0]), score, score + reachable.bit_count())


def game_over(view: View) -> GameOver:
    """The end of a game by the rules."""
    return GameOver(NORMAL if view.lives else STRIKE_OUT)


def orders_of(view: View) -> list[int]:
    """The orders of the seat's own cards."""
    orders: list[int] = view.read("orders")[view.seat].tolist()
    return orders


def choices(view: View) -> list[Choice]:
    """The legal moves."""
    mask, orders = int(legal_at(view.tables)), orders_of(view)
    return [choice(view, code, orders) for code in members(mask)]


def choice(view: View, code: int, orders: list[int]) -> Choice:
    """The move with a kernel number, for a seat whose cards have these orders."""
    if code < TELL:
        return Choice(code // DISCARD, orders[code % DISCARD])
    offset, hint = divmod(code - TELL, HINTS)
    target = (view.seat + 1 + offset) % view.players
    return Choice(2, target, hint) if hint < COLOURS else Choice(3, target, hint - COLOURS + 1)


def code_of(view: View, chosen: Choice) -> int:
    """The kernel number of a chosen move; raises with the reason if it is not legal."""
    if chosen.type == END_GAME:
        return NO_MOVE
    if chosen.type not in list(Kind):
        raise IllegalMove(f"there is no move of type {chosen.type}; types are 0 to 3, or {END_GAME} to end the game")
    if chosen.target == NO_TARGET:
        raise IllegalMove(f"a move of type {chosen.type} needs a target")
    if chosen.type in (Kind.COLOUR, Kind.RANK):
        return view.verify(Move(Kind(chosen.type), chosen.target, chosen.value))
    held = orders_of(view)
    if chosen.target not in held or chosen.target == NO_CARD:
        raise IllegalMove(f"card {chosen.target} of the deck is not in its hand")
    return view.verify(Move(Kind(chosen.type), held.index(chosen.target)))
