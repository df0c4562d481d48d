"""Peeking: a seat moves by cards that it cannot see, or moves differently from what its player answers elsewhere."""

import random
from collections.abc import Callable, Iterator

from tamaya.arena.seating import Seating, game_seeds, replay
from tamaya.engine.cards import NO_CARD
from tamaya.engine.moves import MOVES, NO_MOVE
from tamaya.engine.settings import Settings
from tamaya.game.game import Game
from tamaya.game.view import View
from tamaya.policies.agent import Agent

Answer = Callable[[View], int]
SitDown = Callable[[], Answer]
"""How a player answers what it sees, and how a player sits down to answer."""


def deal_anew(game: Game, seat: int, chance: random.Random) -> Game:
    """The game with everything that a seat cannot see dealt anew, in keeping with what it was told."""
    twin = game.copy()
    table, drawn = twin.table, int(twin.table.drawn)
    held = [slot for slot in range(game.settings.hand_size) if table.hands[seat, slot] != NO_CARD]
    hidden = [int(table.hands[seat, slot]) for slot in held] + [int(card) for card in twin.deck_array[drawn:]]
    for _ in range(10_000):
        pool, hand = chance.sample(hidden, len(hidden)), {}
        for slot in sorted(held, key=lambda slot: int(table.knowledge[seat, slot]).bit_count()):
            fitting = [card for card in pool if int(table.knowledge[seat, slot]) >> card & 1]
            if not fitting:
                break
            hand[slot] = fitting[0]
            pool.remove(fitting[0])
        if len(hand) == len(held):
            for slot, card in hand.items():
                table.hands[seat, slot] = card
                twin.deck_array[table.orders[seat, slot]] = card
            twin.deck_array[drawn:] = pool
            return twin
    raise RuntimeError(f"no new deal was found for seat {seat} of\n{game}")


def decisions(game: Game, seat: int) -> Iterator[tuple[Game, View, int]]:
    """The positions of a game in which a seat decided, with what it saw and the numbers of its moves.

    A game that is not over ended because its next player had no move.
    """
    now = game.copy()
    while now.moves:
        now.undo()
    for move in game.moves:
        if now.seat == seat:
            view = now.view()
            yield now.copy(), view, now.encode(move)
        now.push(move)
    if now.seat == seat and not now.is_over:
        view = now.view()
        yield now.copy(), view, NO_MOVE


def find_difference(sit_down: SitDown, game: Game, seat: int) -> str | None:
    """Where the move of a seat in a game is not what its player answers when asked apart from the game."""
    answer = sit_down()
    for past, view, move in decisions(game, seat):
        said = answer(view)
        if said != move:
            return contradiction(past, move, said, "asked apart from the game")
    return None


def find_peeking(sit_down: SitDown, game: Game, seat: int, chance: random.Random) -> str | None:
    """Where the answer of a seat changes with cards that it cannot see.

    The unseen cards of a decision are dealt anew before the true ones, or anything later, have been shown.
    """
    history = list(decisions(game, seat))
    for turn in sorted(chance.sample(range(len(history)), min(4, len(history)))):
        past, _, move = history[turn]
        answer = sit_down()
        for _, view, _ in history[:turn]:
            answer(view)
        said = answer(deal_anew(past, seat, chance).view())
        if said != move:
            return contradiction(past, move, said, "its unseen cards were dealt anew")
    return None


def contradiction(game: Game, one: int, other: int, when: str) -> str:
    """Two answers to the same position."""
    words = [str(game.decode(code)) if 0 <= code < MOVES else str(code) for code in (one, other)]
    place = f"in the game of seed {game.seed} with {game.settings.players} players, at turn {game.turn}"
    return f"{place}, it answered {words[0]}, but {words[1]} when {when}:\n{game}"


def sit_down_here(agent: Agent) -> SitDown:
    """Sits down in this process."""
    return lambda: agent.sit_down().answer


def find_peeking_here(agent: Agent, settings: Settings, seed: int) -> str | None:
    """Where an agent of this process is found peeking in a game of self-play."""
    chance = random.Random(seed)
    (outcome,) = Seating([agent] * settings.players, settings).play(game_seeds(seed, 0, 1))
    game, seat = replay(settings, outcome), chance.randrange(settings.players)
    sit_down = sit_down_here(agent)
    return find_peeking(sit_down, game, seat, chance) or find_difference(sit_down, game, seat)
