"""Why a bot made a move, in words: for games that are over, because reasons name cards that others could not see."""

from tamaya.game.game import Game
from tamaya.policies.agents import Agent
from tamaya.web.messages import Reason


def reason_for(agent: Agent, game: Game, turn: int, number: int) -> Reason:
    """Why an agent made the move of a turn."""
    before = game.copy()
    while before.turn > turn:
        before.undo()
    thoughts = agent.think(before.view())
    return Reason(number, turn, [f"{agent} chose to {game.wording.say(game.moves[turn])}."], thoughts.candidates)
