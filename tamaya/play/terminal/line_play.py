"""KeyPlay by lines: for pipes, for terminals that cannot draw, and for screen readers."""

import time
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from tamaya.bridges.events import status
from tamaya.bridges.protocol import Choice
from tamaya.engine.text import suggestion
from tamaya.game.notation import Card, Kind
from tamaya.game.story import ending
from tamaya.game.view import View
from tamaya.play.terminal.person import Person
from tamaya.play.terminal.visible_cards import Held, is_last_copy, visible_hand
from tamaya.play.terminal.words import did, knowledge

HELP = """\
play 1, or p 1: play the card in slot 1, your newest
discard 2, or d 2: discard the card in slot 2
tell Bob red, tell Bob r, or t Bob 3: give a hint
look: the table; look 5: the table after 5 moves
knows Bob: the cards of Bob as Bob knows them
moves: all moves so far
why 5: why a bot made move 5, once the game is over
again, new: the same deal again, a new deal, once the game is over
help, or ?: these lines
quit: leave; the game is kept"""


class NotUnderstood(ValueError):
    """A line that means nothing, with what would."""


def table_lines(view: View, titles: list[str], deck: list[Card] | None) -> Iterator[str]:
    """The table in words, a line for each hand."""
    state, rules, wording = status(view.tables), view.settings, view.wording
    fireworks = " ".join(f"{wording.letters[suit]}{top}" for suit, top in enumerate(view.fireworks))
    yield (
        f"turn {view.turn}: score {state.score} of {state.max_score}, hints {state.clues} of {rules.hint_tokens}, "
        f"strikes {rules.lives - view.lives} of {rules.lives}, deck {view.deck_left}"
    )
    yield f"fireworks: {fireworks}"
    yield f"discards: {' '.join(map(wording.card, view.discards)) or 'none'}"
    for offset in range(1, view.players + 1):
        seat = (view.seat + offset) % view.players
        is_own = seat == view.seat and deck is None
        yield f"{wording.player(seat)} ({titles[seat]}): {hand_words(view, visible_hand(view, seat, deck), is_own)}"


def hand_words(view: View, hand: list[Held], is_as_known: bool) -> str:
    """A hand in words, newest card first."""
    return "; ".join(f"{slot} {card_words(view, held, is_as_known)}" for slot, held in enumerate(hand, 1))


def card_words(view: View, held: Held, is_as_known: bool) -> str:
    """A card in words: what it is or can be, and what matters about it."""
    face = held.known if is_as_known else held.face
    words = [view.wording.full_card(face) if face else knowledge(view, held.possible)]
    words += ["touched"] * (held.is_touched and not held.is_news)
    words += ["just told" if held.is_first else "told again"] * held.is_news
    if face:
        words += ["of no more use"] * view.is_useless(face) + ["last copy"] * is_last_copy(view, face)
    return ", ".join(words)


class LinePlay:
    """A person who plays by lines."""

    def __init__(self, person: Person, say: Callable[[str], None]) -> None:
        self.person, self.say = person, say
        self.has_left = False

    def play(self, lines: Iterable[str]) -> None:
        """Plays until the lines end or the person leaves."""
        if self.person.notice:
            self.say(self.person.notice)
        self.look()
        self.go_on()
        for line in lines:
            try:
                self.hear(line.split())
            except NotUnderstood as error:
                self.say(str(error))
            if self.has_left:
                break

    def hear(self, words: list[str]) -> None:
        """Does what a line says."""
        if not words:
            return
        name, arguments = words[0].lower(), words[1:]
        name = SHORT.get(name, name)
        if name not in COMMANDS:
            raise NotUnderstood(f"{words[0]!r} means nothing here{suggestion(name, COMMANDS)}; help lists what does")
        command = COMMANDS[name]
        if len(arguments) not in command.counts:
            raise NotUnderstood(f"write it as in: {command.example}")
        command.run(self, *arguments)

    def go_on(self) -> None:
        """Lets the bots move until it is the person's turn or the game is over."""
        while self.person.table.bot:
            start, thought = time.monotonic(), self.person.think()
            thought.exception()
            time.sleep(max(0.0, self.person.table.delay - (time.monotonic() - start)))
            if trouble := self.person.let_move(thought):
                self.say(trouble)
            else:
                self.say(did(self.person.view, self.person.table.game.turn - 1))
        if self.person.table.game.is_over:
            game = self.person.table.game
            self.say(f"{ending(game)} The seed was {game.seed}. Write again, new, why 5 or quit.")
        else:
            self.say("your turn")

    def make(self, choice: Choice) -> None:
        """Makes a move, if it is legal."""
        if trouble := self.person.why_not(choice):
            raise NotUnderstood(f"that cannot be done: {trouble}")
        self.person.act(choice)
        self.say(did(self.person.view, self.person.table.game.turn - 1))
        self.go_on()
        if not self.person.table.game.is_over:
            self.look()

    def use_card(self, kind: Kind, slot: str) -> None:
        """Plays or discards a card."""
        orders = self.person.table.game.orders[self.person.seat][::-1]
        if not slot.isdecimal() or not 1 <= int(slot) <= len(orders):
            raise NotUnderstood(f"a slot is a number from 1 to {len(orders)}, not {slot!r}")
        self.make(Choice(kind, orders[int(slot) - 1]))

    def tell(self, name: str, what: str) -> None:
        """Gives a hint."""
        seat, wording = self.seat_of(name), self.person.view.wording
        if what.isdecimal():
            self.make(Choice(Kind.RANK, seat, int(what)))
            return
        suits = self.person.table.rules.suits
        colours = dict(zip(wording.colours[:suits], range(suits), strict=True))
        colours |= {wording.letters[suit].lower(): suit for suit in range(suits)}
        if what.lower() not in colours:
            raise NotUnderstood(f"{what!r} is not a rank or a colour{suggestion(what.lower(), colours)}")
        self.make(Choice(Kind.COLOUR, seat, colours[what.lower()]))

    def seat_of(self, name: str) -> int:
        """The seat of a player, by the name or its beginning."""
        names = [seat.holder.name for seat in self.person.table.seats]
        found = [seat for seat, one in enumerate(names) if one.lower().startswith(name.lower())]
        if len(found) != 1:
            raise NotUnderstood(f"nobody is called {name!r}{suggestion(name, names)}; here are {', '.join(names)}")
        return found[0]

    def look(self, turn: str = "") -> None:
        """Describes the table, now or after some moves."""
        view = self.person.view
        if turn:
            number = self.number_of(turn)
            view = view.at(number) if number < len(view.past) else view
        deck = self.person.deck
        for line in table_lines(view, self.person.titles, list(deck) if deck else None):
            self.say(line)

    def number_of(self, text: str) -> int:
        """A number of moves."""
        made = self.person.table.game.turn
        if not text.isdecimal() or int(text) > made:
            raise NotUnderstood(f"{made} moves were made; write a number up to that, not {text!r}")
        return int(text)

    def knows(self, name: str) -> None:
        """Describes a hand as its holder knows it."""
        view, seat = self.person.view, self.seat_of(name)
        self.say(f"{view.wording.player(seat)} knows: {hand_words(view, visible_hand(view, seat), True)}")

    def moves(self) -> None:
        """Lists the moves."""
        for turn in range(self.person.table.game.turn):
            self.say(f"{turn + 1} {did(self.person.view, turn)}")

    def why(self, turn: str) -> None:
        """Says why a bot made a move."""
        number = self.number_of(turn)
        if not self.person.table.game.is_over:
            raise NotUnderstood("bots explain their moves when the game is over")
        found = self.person.reason(number - 1)
        for line in found.lines if found else ["no bot made that move"]:
            self.say(line)

    def deal(self, is_fresh: bool) -> None:
        """Deals again."""
        if not self.person.table.game.is_over:
            raise NotUnderstood("the game is not over")
        self.person.again(is_fresh)
        self.look()
        self.go_on()

    def leave(self) -> None:
        """Leaves the table."""
        self.has_left = True


class LineCommand(NamedTuple):
    """A command: what it does, how many words follow it, and an example."""

    run: Callable[..., None]
    counts: tuple[int, ...]
    example: str


COMMANDS = {
    "play": LineCommand(lambda one, slot: one.use_card(Kind.PLAY, slot), (1,), "play 1"),
    "discard": LineCommand(lambda one, slot: one.use_card(Kind.DISCARD, slot), (1,), "discard 2"),
    "tell": LineCommand(LinePlay.tell, (2,), "tell Bob red"),
    "look": LineCommand(LinePlay.look, (0, 1), "look 5"),
    "knows": LineCommand(LinePlay.knows, (1,), "knows Bob"),
    "moves": LineCommand(LinePlay.moves, (0,), "moves"),
    "why": LineCommand(LinePlay.why, (1,), "why 5"),
    "again": LineCommand(lambda one: one.deal(False), (0,), "again"),
    "new": LineCommand(lambda one: one.deal(True), (0,), "new"),
    "help": LineCommand(lambda one: one.say(HELP), (0,), "help"),
    "quit": LineCommand(LinePlay.leave, (0,), "quit"),
}
SHORT = {"p": "play", "d": "discard", "t": "tell", "l": "look", "k": "knows", "w": "why", "?": "help", "q": "quit"}
