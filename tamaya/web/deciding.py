"""How bots move, and what is compiled before anybody waits for them."""

import contextlib
from collections.abc import Iterable

from tamaya.bridges.events import choice, code_of
from tamaya.bridges.messages import Choice
from tamaya.bridges.serving import orders_of
from tamaya.core.settings import Settings
from tamaya.game.game import Game
from tamaya.game.position import View
from tamaya.policies.agents import Player
from tamaya.web.bots import Bots
from tamaya.web.telling import NOTHING, seen_by


def decide(player: Player, view: View) -> Choice:
    """The move of a bot."""
    code = player.answer(view)
    player.understand(code, view)
    return choice(view, code, orders_of(view))


def warm_up(bots: Bots, agents: Iterable[str] = (), rules: Settings | None = None) -> None:
    """Lets some bots, or the first that is offered, make their first moves, which compiles what a game needs."""
    for text in dict.fromkeys(agents or [next(iter(bots.offered))]):
        game, player = Game(rules or Settings()), bots.agent(text).sit_down()
        with contextlib.suppress(ValueError):  # a bot without a move is dealt with when it plays
            for _ in range(3):
                view = game.view()
                game.advance(code_of(view, decide(player, view)))
                seen_by(game, 0, NOTHING)
