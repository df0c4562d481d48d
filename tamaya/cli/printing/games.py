"""A game, its moves and its share link in words."""

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tamaya.cli.printing import console

if TYPE_CHECKING:
    from tamaya.game.game import Game
    from tamaya.game.notation import Move, Wording


def print_story(played: "Game", agents: Sequence[str] = ()) -> None:
    """Tells a game move by move."""
    from tamaya.game.story import tell_story
    from tamaya.play.terminal.colours import coloured

    for line in tell_story(played, agents):
        wrapped = textwrap.fill(line, console.out.width, subsequent_indent="     ")
        console.out.print(coloured(wrapped, played.wording), soft_wrap=True)


def link_of(played: "Game") -> str:
    """Returns the share link of a game; empty if hanab.live does not know its rules."""
    from tamaya.game.replay import link_if_any

    return link_if_any(played)


def print_link(played: "Game", title: str = "on hanab.live") -> None:
    """Prints the share link of a game, if there is one."""
    address = link_of(played)
    if address:
        console.say(f"\n{title}: {address}")


def spoken(move: str, wording: "Wording") -> str:
    """Returns a move in the words of a game, which may have names and colours of its own."""
    from tamaya.game.notation import Move

    return wording.say(Move.parse(move))


def with_card(game: "Game", move: "Move") -> str:
    """Returns a move in words, with the card that is played or discarded."""
    from tamaya.game.notation import Kind

    words = game.wording.say(move)
    if move.kind not in (Kind.PLAY, Kind.DISCARD):
        return words
    return f"{words}, {game.wording.card(game.hands[game.seat][move.target])}"
