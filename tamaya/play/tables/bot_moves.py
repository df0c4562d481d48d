"""How bots move, what is compiled before anybody waits for them, and why they made a move.

Reasons are for games that are over, because they name cards that others could not see.
"""

import contextlib
from collections.abc import Iterable

from tamaya.agents.reasons import UNSEEN_CARD, move_in_words, reasons
from tamaya.bridges.events import choice, code_of, orders_of
from tamaya.bridges.protocol import Choice
from tamaya.engine.moves import DISCARD, TELL
from tamaya.engine.settings import Settings
from tamaya.game.game import Game
from tamaya.game.notation import Move
from tamaya.game.view import View
from tamaya.play.tables.bots import Bots
from tamaya.play.tables.messages import Reason
from tamaya.play.tables.visibility import NOTHING, seen_by
from tamaya.policies.agent import Agent, Player


def bot_move(player: Player, view: View) -> Choice:
    """The move of a bot."""
    code = player.answer(view)
    player.understand(code, view)
    return choice(view, code, orders_of(view))


def warm_up_bots(bots: Bots, agents: Iterable[str] = (), rules: Settings | None = None) -> None:
    """Lets some bots, or the first that is offered, make their first moves, which compiles what a game needs."""
    for text in dict.fromkeys(agents or [next(iter(bots.offered))]):
        game, player = Game(rules or Settings()), bots.agent(text).sit_down()
        with contextlib.suppress(ValueError):  # a bot without a move is dealt with when it plays
            for _ in range(3):
                view = game.view()
                game.advance(code_of(view, bot_move(player, view)))
                seen_by(game, 0, NOTHING)


def reason_for(agent: Agent, game: Game, turn: int, number: int) -> Reason:
    """Why an agent made the move of a turn."""
    before = game.copy()
    while before.turn > turn:
        before.undo()
    view, made = before.view(), game.moves[turn]
    code = view.encode(made)
    shown = int(before.table.hands[before.seat, code % DISCARD]) if code < TELL else UNSEEN_CARD
    thoughts = agent.think(view)
    lines = reasons(agent, view, code, thoughts, shown)
    texts = [one.move for one in thoughts.candidates]
    return Reason(number, turn, str(made), lines, thoughts.candidates, move_words(texts, view))


def move_words(moves: Iterable[str], view: View) -> dict[str, str]:
    """Returns moves in words, by their text forms."""
    return {move: move_in_words(Move.parse(move), view) for move in moves}
