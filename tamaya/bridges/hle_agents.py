"""Agents of the Hanabi Learning Environment, with ``act(observation)``, as agents of ours."""

from collections.abc import Callable
from typing import Any

from tamaya.engine.cards import COLOUR_LETTERS
from tamaya.engine.moves import DISCARD, TELL
from tamaya.engine.settings import Settings
from tamaya.game.hle.layout import count_moves, observation_length
from tamaya.game.hle.move_numbers import move_number, move_of
from tamaya.game.hle.observation import observation
from tamaya.game.notation import Card, Kind, Move
from tamaya.game.position import CARDS_BY_NUMBER
from tamaya.game.view import View

MakeAgent = Callable[[dict[str, Any]], Any]
"""What makes an agent: its class, which is given a configuration."""

NAMES = {Kind.PLAY: "PLAY", Kind.DISCARD: "DISCARD", Kind.COLOUR: "REVEAL_COLOR", Kind.RANK: "REVEAL_RANK"}


class LearningEnvironmentMind:
    """An agent of the Hanabi Learning Environment as a class with ``act(view)``.

    As there, it is also shown what it sees while others are to move, and answers nothing then.
    """

    def __init__(self, make: MakeAgent, **settings: Any) -> None:
        self.make = make
        self.settings = settings
        self.agent: Any = None
        self.heard = 0

    def act(self, view: View) -> Move:
        """The agent's move."""
        if self.agent is None:
            self.agent = self.make(configuration(view.settings) | self.settings)
        for turn in range(self.heard, len(view.past)):
            earlier = view.at(turn)
            if earlier.mover != view.seat:
                self.agent.act(as_dict(earlier))
        self.heard = len(view.past)
        answer = self.agent.act(as_dict(view))
        if isinstance(answer, dict):
            return from_dict(view, answer)
        if isinstance(answer, bool) or not hasattr(answer, "__index__"):
            raise ValueError(f"act(observation) answered {answer!r}; it must be a dictionary or the number of a move")
        return move_of(view, answer.__index__())


def configuration(settings: Settings) -> dict[str, Any]:
    """What an agent is told of the rules."""
    return {
        "players": settings.players,
        "colors": settings.colours,
        "ranks": settings.ranks,
        "hand_size": settings.hand_size,
        "information_tokens": settings.hint_tokens,
        "max_information_tokens": settings.hint_tokens,
        "life_tokens": settings.lives,
        "max_life_tokens": settings.lives,
        "num_moves": count_moves(settings),
        "observation_size": observation_length(settings),
    }


def as_dict(view: View) -> dict[str, Any]:
    """What a seat sees, as the dictionary of HLE's ``rl_env``, without its member ``pyhanabi``."""
    around = [(view.seat + offset) % view.players for offset in range(view.players)]
    legal = sorted(view.legal_moves, key=lambda move: move_number(view, move))
    return {
        "current_player": view.mover,
        "current_player_offset": (view.mover - view.seat) % view.players,
        "life_tokens": view.lives,
        "information_tokens": view.hint_tokens,
        "num_players": view.players,
        "deck_size": view.deck_left,
        "fireworks": dict(zip(COLOUR_LETTERS, view.fireworks, strict=False)),
        "legal_moves": [to_dict(view, move) for move in legal],
        "legal_moves_as_int": [move_number(view, move) for move in legal],
        "observed_hands": [[card_dict(card) for card in view.hands[seat]] for seat in around],
        "discard_pile": [card_dict(card) for card in discard_pile(view)],
        "card_knowledge": [
            [
                {
                    "color": None if colour is None else COLOUR_LETTERS[colour],
                    "rank": None if rank is None else rank - 1,
                }
                for colour, rank in view.hinted[seat]
            ]
            for seat in around
        ],
        "vectorized": observation(view).tolist(),
    }


def card_dict(card: Card | None) -> dict[str, Any]:
    """A card; one that cannot be seen has no colour and the rank -1."""
    return (
        {"color": None, "rank": -1} if card is None else {"color": COLOUR_LETTERS[card.colour], "rank": card.rank - 1}
    )


def discard_pile(view: View) -> list[Card]:
    """The discarded and misplayed cards, in the order in which they were lost."""
    pile = []
    for seen in view.past:
        if seen.move < TELL:
            is_lost = seen.move >= DISCARD or not int(seen.tables["playable"][0]) >> seen.shown & 1
            pile += [CARDS_BY_NUMBER[seen.shown]] if is_lost else []
    return pile


def to_dict(view: View, move: Move) -> dict[str, Any]:
    """A move as HLE writes it."""
    if move.kind in (Kind.PLAY, Kind.DISCARD):
        return {"action_type": NAMES[move.kind], "card_index": move.target}
    offset = (move.target - view.seat) % view.players
    told = {"color": COLOUR_LETTERS[move.value]} if move.kind == Kind.COLOUR else {"rank": move.value - 1}
    return {"action_type": NAMES[move.kind], "target_offset": offset} | told


def from_dict(view: View, move: dict[str, Any]) -> Move:
    """The move that HLE writes as a dictionary."""
    kinds = {name: kind for kind, name in NAMES.items()}
    try:
        kind = kinds[move["action_type"]]
        if kind in (Kind.PLAY, Kind.DISCARD):
            return Move(kind, int(move["card_index"]))
        target = (view.seat + int(move["target_offset"])) % view.players
        value = COLOUR_LETTERS.index(move["color"]) if kind == Kind.COLOUR else int(move["rank"]) + 1
        return Move(kind, target, value)
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"act(observation) answered {move!r}, which is not a move") from error
