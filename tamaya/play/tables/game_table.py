"""A table: a game, who sits there, and the rules of sitting. Its journal is all that it is made of."""

import secrets
from dataclasses import dataclass
from typing import Any, ClassVar

from tamaya.bridges.events import code_of
from tamaya.bridges.protocol import Choice
from tamaya.engine.moves import NO_MOVE
from tamaya.game.game import Game
from tamaya.game.notation import Wording
from tamaya.game.replay import to_record
from tamaya.play.tables.journal import Claimed, Dealt, Holder, Journal, Journaled, Kept, Made, Opened, Paced, Replaced
from tamaya.play.tables.messages import SPECTATOR, Reason, Refused
from tamaya.policies.agent import Player


@dataclass
class Seat:
    """A seat: who holds it, which bot plays there if any, and how many browsers of its person are connected."""

    holder: Holder
    agent: str
    token: str
    browsers: int = 0
    player: Player | None = None

    @property
    def is_persons(self) -> bool:
        """Whether it belongs to a person, even while a bot plays."""
        return not self.holder.agent

    @property
    def is_taken(self) -> bool:
        """Whether its person has used the link."""
        return bool(self.token) or not self.is_persons


class Table(Journaled):
    """A table: its seats, and the game that is played there."""

    begins = Opened

    def __init__(self, opened: Opened, journal: Journal) -> None:
        super().__init__(opened, journal)
        self.rules, self.delay = opened.rules, opened.delay
        self.seats = [Seat(one, one.agent, one.token) for one in opened.holders]
        self.dealt = 0
        self.deal(Dealt(opened.seed))

    def deal(self, entry: Dealt) -> None:
        """Begins another game."""
        self.game = Game(self.rules, entry.seed)
        self.game.wording = Wording(players=tuple(seat.holder.name for seat in self.seats))
        self.dealt += 1
        self.is_kept = False
        self.makers: list[str] = []
        """The agent that made each move; none if it was a person."""
        self.reasons: dict[int, Reason] = {}
        """Why bots made their moves, as far as somebody has asked."""
        for seat in self.seats:
            seat.player = None

    def move(self, entry: Made) -> None:
        """Makes a move for the seat whose turn it is."""
        self.makers.append(self.seats[self.game.seat].agent)
        self.game.advance(move_code(self.game, entry.move))

    def claim(self, entry: Claimed) -> None:
        """Gives a seat to whoever has used its invitation."""
        self.seats[entry.seat].token = entry.token

    def replace(self, entry: Replaced) -> None:
        """Lets a bot, or the person again, play for a seat."""
        seat = self.seats[entry.seat]
        seat.agent, seat.player = entry.agent, None

    def pace(self, entry: Paced) -> None:
        """Changes how long bots wait."""
        self.delay = entry.delay

    def keep(self, entry: Kept) -> None:
        """Notes that the game is in the file of games."""
        self.is_kept = True

    changes: ClassVar = {Made: move, Claimed: claim, Replaced: replace, Paced: pace, Dealt: deal, Kept: keep}

    @property
    def has_person(self) -> bool:
        """Whether any seat belongs to a person."""
        return any(seat.is_persons for seat in self.seats)

    @property
    def bot(self) -> str:
        """The agent whose turn it is, if it is a bot's."""
        return "" if self.game.is_over else self.seats[self.game.seat].agent

    def find(self, token: str) -> int:
        """The seat of a secret, or of an invitation that is still open; a spectator's if there is none."""
        for number, seat in enumerate(self.seats):
            for secret in (seat.token, "" if seat.token else seat.holder.invitation):
                if secret and secrets.compare_digest(secret.encode(), token.encode()):
                    return number
        return SPECTATOR

    def sit(self, token: str) -> int:
        """The seat that a secret or an invitation gives; an invitation is used up by it."""
        number = self.find(token)
        if number != SPECTATOR and not self.seats[number].token:
            self.enter(Claimed(number, secrets.token_urlsafe(16)))
        return number

    def play(self, seat: int, turn: int, move: Choice) -> None:
        """Makes the move of a person."""
        if self.game.is_over:
            raise Refused("the game is over")
        if self.seats[seat].agent:
            raise Refused("a bot plays for you; take your seat back first")
        if seat != self.game.seat or turn != self.game.turn:
            raise Refused("it is not your turn")
        move_code(self.game, move)
        self.enter(Made(move))

    def let_bot_play(self, asking: int, number: int, agent: str) -> None:
        """Lets a bot take one's own seat, or that of a person who is not there."""
        if not 0 <= number < len(self.seats) or not self.seats[number].is_persons:
            raise Refused("no person sits there")
        if number != asking and self.seats[number].browsers:
            raise Refused(f"{self.seats[number].holder.name} is here; only a person who is away can be replaced")
        self.enter(Replaced(number, agent))

    def take_back(self, number: int) -> None:
        """Lets the person of a seat play again."""
        if self.seats[number].agent:
            self.enter(Replaced(number))

    def again(self, is_fresh: bool) -> None:
        """Deals another game, or the same one; a game that is going on ends only if it is one person's own."""
        if not self.game.is_over and sum(seat.is_persons for seat in self.seats) > 1:
            raise Refused("the game is not over, and others play it too")
        self.enter(Dealt(secrets.randbits(53) if is_fresh or self.game.seed is None else self.game.seed))

    def record(self) -> Any:
        """The game in hanab.live's format, with who played."""
        return to_record(self.game, [seat.agent or "person" for seat in self.seats])


def move_code(game: Game, move: Choice) -> int:
    """The kernel number of a legal move; raises with the reason if it is not one, or would break the game off."""
    code = code_of(game.view(), move)
    if code == NO_MOVE:
        raise Refused("a game is played to its end here")
    return code
