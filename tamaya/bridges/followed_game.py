"""The table as one seat follows it from the events of a game: the other direction of ``events``."""

from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np

from tamaya.bridges.protocol import Clue, Discard, Draw, Init, Play, ProtocolError
from tamaya.engine.cards import HIDDEN, HINT_CARDS, HINTS, NO_CARD
from tamaya.engine.gameplay import apply_at, deal, is_legal_at
from tamaya.engine.moves import DISCARD, PLAY, TELL
from tamaya.engine.settings import CARDS, COLOURS, RANKS, Settings
from tamaya.engine.table import fresh_table
from tamaya.game.hanab_live import from_options
from tamaya.game.view import Seen, View


class FollowedGame:
    """A game as one seat sees it, kept up to date by events; its own cards are hidden.

    A move is made as soon as all that it shows is known: a hint at once, a play or a discard when the next card is
    drawn, or when the turn ends without one.
    """

    def __init__(self, init: Init) -> None:
        self.settings = settings_of_init(init)
        self.seat = init.our_player_index
        if not 0 <= self.seat < self.settings.players:
            raise ProtocolError(f"there is no seat {self.seat} at a table of {self.settings.players}")
        self.tables = fresh_table(self.settings)
        self.deck = np.full(self.settings.deck_size, HIDDEN, dtype=np.int8)
        self.dealt = self.settings.players * self.settings.hand_size
        self.known = 0
        """How many cards are dealt at the start, and how many of the deck were drawn, seen or not."""
        self.past: list[Seen] = []
        self.waiting: int | None = None

    def view(self, seed: int) -> View:
        """What the seat sees; raises ProtocolError if the hands are not dealt yet."""
        if self.known < self.dealt:
            raise ProtocolError(f"the hands are not dealt yet: {self.known} of their {self.dealt} cards were drawn")
        self.settle()
        return View(self.settings, self.tables, self.seat, seed, tuple(self.past))

    def hear(self, event: Any) -> None:
        """Keeps what an event says; those that follow from the others change nothing."""
        heard = HEARD.get(type(event))
        if heard is not None:
            heard(self, event)

    def draw(self, event: Draw) -> None:
        """A card is taken: at the deal, or after a play or a discard."""
        if event.order != self.known or self.known == self.settings.deck_size:
            raise ProtocolError(f"card {event.order} is drawn, but the next one is {self.known}")
        self.deck[self.known] = HIDDEN if event.player_index == self.seat else self.card(event)
        self.known += 1
        if self.known == self.dealt:
            deal(self.tables[0], self.deck)
        else:
            self.settle()

    def card(self, event: Draw | Play | Discard) -> int:
        """The number of the card of an event."""
        card = event.suit_index * RANKS + event.rank - 1
        if not (1 <= event.rank <= RANKS and 0 <= card < CARDS and int(self.tables["all_cards"][0]) >> card & 1):
            raise ProtocolError(f"there is no card with suit {event.suit_index} and rank {event.rank} in this game")
        return card

    def use_card(self, event: Play | Discard) -> None:
        """A card is played, misplayed or discarded."""
        self.settle()
        seat, slot = self.place_of(event.order)
        if seat != event.player_index or seat != self.mover:
            raise ProtocolError(f"seat {event.player_index} cannot play or discard card {event.order} now")
        self.tables["hands"][0, seat, slot] = self.card(event)
        is_discard = isinstance(event, Discard) and not event.failed
        self.waiting = (DISCARD if is_discard else PLAY) + slot

    def clue(self, event: Clue) -> None:
        """A hint is given; the seat's own cards stand in for what they can be, and are hidden again."""
        self.settle()
        hint = event.clue.value + (COLOURS - 1 if event.clue.type else 0)
        offset = (event.target - event.giver) % self.settings.players - 1
        if event.giver != self.mover or offset < 0 or not 0 <= hint < HINTS:
            raise ProtocolError(f"seat {event.giver} cannot give such a hint to seat {event.target} now")
        if event.target == self.seat:
            self.lay_out(hint, event.list)
        self.waiting = TELL + offset * HINTS + hint
        self.settle()

    def lay_out(self, hint: int, touched: list[int]) -> None:
        """Puts cards into the seat's own hand of which a hint touches just those of some orders."""
        wild = int(self.tables["wild_cards"][0]) if hint < COLOURS else 0
        named = int(HINT_CARDS[hint]) | wild
        inside, outside = (next(card for card in range(CARDS) if named >> card & 1 == is_in) for is_in in (1, 0))
        hand, orders = self.tables["hands"][0, self.seat], self.tables["orders"][0, self.seat]
        for slot in range(self.settings.hand_size):
            if hand[slot] != NO_CARD:
                hand[slot] = inside if int(orders[slot]) in touched else outside

    def settle(self) -> None:
        """Makes the move that was waiting for a card to be drawn."""
        if self.waiting is None:
            return
        move, self.waiting = self.waiting, None
        if not is_legal_at(self.tables, move):
            raise ProtocolError(f"seat {self.mover} cannot make that move at turn {len(self.past)}")
        self.past.append(Seen.by(self.seat, self.tables, move))
        apply_at(self.tables, self.deck, move)
        hand = self.tables["hands"][0, self.seat]
        hand[hand != NO_CARD] = HIDDEN

    def place_of(self, order: int) -> tuple[int, int]:
        """The seat and the slot of a card."""
        found = np.argwhere(self.tables["orders"][0] == order)
        if not len(found) or order < 0:
            raise ProtocolError(f"nobody holds card {order} of the deck")
        return int(found[0][0]), int(found[0][1])

    @property
    def mover(self) -> int:
        """Whose turn it is."""
        return int(self.tables["seat"][0])


HEARD: dict[type, Callable[[FollowedGame, Any], None]] = {
    Draw: FollowedGame.draw,
    Play: FollowedGame.use_card,
    Discard: FollowedGame.use_card,
    Clue: FollowedGame.clue,
}


def settings_of_init(init: Init) -> Settings:
    """The rules of a game: as tamaya names them, or else by hanab.live's options."""
    try:
        players = len(init.player_names)
        settings = msgspec.convert(init.rules, Settings) if init.rules else from_options(players, init.options)
        if settings.players != players:
            raise ValueError(f"{players} names for a game of {settings.players} players")
        return settings
    except ValueError as error:
        raise ProtocolError(f"these rules cannot be played: {error}") from error
