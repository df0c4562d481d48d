"""Why a bot made a move, in words: for games that are over, because reasons name cards that others could not see."""

import math

from tamaya.agents.reasons import UNSEEN_CARD, reasons, say
from tamaya.core.moves import DISCARD, TELL
from tamaya.game.game import Game
from tamaya.game.notation import Move
from tamaya.game.position import View
from tamaya.policies.agents import Agent
from tamaya.policies.thoughts import Candidate
from tamaya.web.messages import Considered, Reason


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
    candidates = [considered(one, made, view) for one in thoughts.candidates]
    return Reason(number, turn, lines, candidates)


def considered(one: Candidate, made: Move, view: View) -> Considered:
    """A move that a search considered, as people read it."""
    error = None if math.isnan(one.standard_error) else one.standard_error
    move = Move.parse(one.move)
    return Considered(say(move, view), one.visits, one.value, error, move == made)
