"""OpenSpiel: our agents as its bots, and its bots as our agents, in its game of Hanabi."""

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tamaya.engine.cards import NO_CARD
from tamaya.engine.jit import kernel
from tamaya.engine.moves import DISCARD, TELL
from tamaya.engine.randomness import shuffle
from tamaya.engine.settings import Settings
from tamaya.engine.text import suggestion
from tamaya.engine.worlds import open_world, redeal
from tamaya.game.game import Game
from tamaya.game.hle.conversions import settings_of
from tamaya.game.hle.move_numbers import card_number, card_of, move_number, move_of, number_of_move
from tamaya.game.notation import Card, Move
from tamaya.game.view import View
from tamaya.policies.agent import Agent, Player
from tamaya.policies.contract import PolicyError
from tamaya.policies.language import AgentError


class MissingOpenSpiel(AgentError, ImportError):
    """OpenSpiel is not installed."""


try:
    import pyspiel
except ImportError as error:
    raise MissingOpenSpiel("OpenSpiel is not installed; `pip install 'tamaya[openspiel]'` installs it") from error

HANABI, MOST_COLOURS = "hanabi", 5
"""OpenSpiel's name for the game, and how many colours it has at most."""

SEEDS = 1 << 31
"""How many seeds OpenSpiel has for its bots."""

MakeBot = Callable[..., Any]
"""What makes a bot: a function of the game, of the player's number, of a seed if it takes one, and of settings."""


class AgentBot(pyspiel.Bot):  # type: ignore[misc]
    """An agent as a bot that plays a seat of OpenSpiel's Hanabi; it looks only at what its seat sees."""

    def __init__(self, agent: Agent, player: int, seed: int = 0) -> None:
        super().__init__()
        if not isinstance(agent, Agent):
            raise PolicyError(f"AgentBot needs an agent, such as make_agent({agent!r}), not {agent!r}")
        if agent.sees:
            raise PolicyError(f"{agent} sees hidden cards, which a bot must not look at")
        self.agent = agent
        self.player = player
        self.seed = seed
        self.restart()

    def restart(self) -> None:
        """Begins a new game."""
        self.seated: Player = self.agent.sit_down()
        self.game: Game | None = None
        self.known: list[tuple[int, int]] = []

    def restart_at(self, state: Any) -> None:
        """Begins in the middle of a game, whose past is read off the state."""
        self.restart()

    def step(self, state: Any) -> int:
        """The move for a state."""
        view = self.follow(state).view(self.player)
        return move_number(view, self.seated.act(view))

    def follow(self, state: Any) -> Game:
        """The game of a state; a game that is known is continued."""
        history = [(one.player, one.action) for one in state.full_history()]
        draws = [action for player, action in history if player < 0]
        if self.game is None or history[: len(self.known)] != self.known:
            settings = rules_of(state.get_game())
            self.agent.check_table(settings)
            self.game = Game(settings, self.seed, deck=completed(draws, settings))
            self.seated = self.agent.sit_down()
        else:  # nobody has looked at the places of the cards that were drawn since
            self.game.deck_array[:] = [card.number for card in completed(draws, self.game.settings)]
        moves = [action for player, action in history if player >= 0]
        for number in moves[len(self.game.moves) :]:
            self.game.push(move_of(self.game, number))
        self.known = history
        return self.game


def rules_of(game: Any) -> Settings:
    """The settings of OpenSpiel's game; raises PolicyError if it is not Hanabi."""
    name = game.get_type().short_name
    if name != HANABI:
        raise PolicyError(f"an AgentBot plays Hanabi, not {name}")
    return settings_of({"players": game.num_players()} | game.get_parameters())


def completed(draws: Sequence[int], settings: Settings) -> list[Card]:
    """A deck that begins with the cards that were drawn; the others follow in any order."""
    known = [card_of(number, settings) for number in draws]
    rest = [Card.of(card) for card in settings.cards]
    for card in known:
        rest.remove(card)
    return known + rest


class BotMind:
    """A bot of OpenSpiel as a class with ``act(view)``.

    OpenSpiel shows whole states to its bots. This one is shown a state in which the cards that its seat does not see
    are dealt at random, anew for each decision, in keeping with everything that it was told.
    """

    def __init__(self, make: MakeBot | str, **settings: Any) -> None:
        self.make = make
        self.settings = settings
        self.bot: Any = None
        self.numbers: list[int] = []
        """The moves made so far, by OpenSpiel's numbers."""

    def act(self, view: View) -> Move:
        """The bot's move."""
        if self.bot is None:
            self.bot = self.made(openspiel_game(view.settings), view)
        state = self.replayed(view)
        number = self.bot.step(state)
        if number not in state.legal_actions():
            raise ValueError(f"step(state) answered {number!r}, which is not a legal action")
        return move_of(view, number)

    def made(self, game: Any, view: View) -> Any:
        """The bot of a player, by its name in OpenSpiel or from a function; if it takes a seed, that of the view."""
        seed = {"seed": view.seed % SEEDS}
        if isinstance(self.make, str):
            return pyspiel.load_bot(self.make, game, view.seat, seed | self.settings)
        takes_seed = "seed" in inspect.signature(self.make).parameters
        return self.make(game, view.seat, **(seed if takes_seed else {}) | self.settings)

    def replayed(self, view: View) -> Any:
        """The state of a view; the bot is told of the moves that others have made since it was last asked."""
        state, deck = openspiel_game(view.settings).new_initial_state(), iter(imagined_deck(view))
        for turn, move in enumerate(view.moves):
            deal_next(state, deck, view.settings)
            is_new = turn == len(self.numbers)
            if is_new:
                self.numbers.append(number_of_move(view.settings, view.past[turn].mover, move))
            if is_new and view.past[turn].mover != view.seat:
                self.bot.inform_action(state, view.past[turn].mover, self.numbers[turn])
            state.apply_action(self.numbers[turn])
        deal_next(state, deck, view.settings)
        return state


def check_bot(name: str) -> str:
    """The name of a bot that OpenSpiel has for any game; raises AgentError if there is none."""
    if name not in pyspiel.registered_bots():
        known = pyspiel.registered_bots()
        raise AgentError(f"OpenSpiel has no bot {name!r}; it has {', '.join(known)}{suggestion(name, known)}")
    return name


def deal_next(state: Any, deck: Any, settings: Settings) -> None:
    """Deals the next cards of a deck, as long as it is a state's turn to deal."""
    while state.is_chance_node():
        state.apply_action(card_number(next(deck), settings))


@functools.lru_cache
def openspiel_game(settings: Settings) -> Any:
    """OpenSpiel's game for some settings; raises AgentError if it has none."""
    is_missing = {
        "colours": settings.colours > MOST_COLOURS,
        "discard_at_limit": settings.discard_at_limit,
        "empty_hints": settings.empty_hints,
        "multicolour": settings.multicolour != "none",
    }
    missing = [f"{rule}={getattr(settings, rule)}" for rule, is_asked_for in is_missing.items() if is_asked_for]
    if missing:
        raise AgentError(f"OpenSpiel has no Hanabi with {', '.join(missing)}")
    return pyspiel.load_game(
        HANABI,
        {
            "players": settings.players,
            "colors": settings.colours,
            "ranks": settings.ranks,
            "hand_size": settings.hand_size,
            "max_information_tokens": settings.hint_tokens,
            "max_life_tokens": settings.lives,
        },
    )


@kernel
def imagine_deal(worlds, deck, views, rng):  # type: ignore[no-untyped-def]
    """Deals the cards that the seat of a view does not see, in keeping with what it was told."""
    worlds[0] = views[0]
    open_world(worlds[0], deck, views[0])
    redeal(worlds[0], deck, views[0], rng)
    left = deck[worlds[0].drawn :]
    shuffle(rng, left, len(left))


def imagined_deck(view: View) -> list[Card]:
    """A deck with which the game would have gone just as the seat saw it, drawn with the seed of the view."""
    worlds, deck = view.tables.copy(), np.zeros(view.settings.deck_size, dtype=np.int8)
    imagine_deal(worlds, deck, view.tables, np.array([view.seed], dtype=np.uint64))
    for hand, orders in zip(worlds["hands"][0].tolist(), worlds["orders"][0].tolist(), strict=True):
        for card, order in zip(hand, orders, strict=True):
            if order != NO_CARD:
                deck[order] = card
    for seen in view.past:
        if seen.move < TELL:
            deck[seen.tables["orders"][0, seen.mover, seen.move % DISCARD]] = seen.shown
    return [Card.of(card) for card in deck.tolist()]
