"""What a person is about to do and looks at, changed key by key; the keys are those of hanab.live."""

from collections.abc import Callable
from dataclasses import dataclass

from tamaya.bridges.protocol import Choice
from tamaya.game.notation import Kind
from tamaya.play.terminal.person import Person

COLOUR_KEYS = "qwerty"

KEYS = (
    ("a or +, then 1 to 6", "play the card in a slot"),
    ("d or -, then 1 to 6", "discard the card in a slot"),
    ("1 to 6", "look at a card of yours, to play or discard it"),
    ("; or Tab", "choose whom to tell"),
    ("1 to 5, q w e r t y", "a rank, or a colour, to tell"),
    ("Enter", "give the hint"),
    ("Esc", "forget what was begun"),
    ("arrows, [ ], Home, End", "a turn or a round back or on, the first turn, now"),
    ("Space", "all hands as their holders know them, and back"),
    ("Enter, after the game", "why a bot made the move that is shown"),
    ("s, n, after the game", "the same deal again, a new deal"),
    ("? and x", "these keys; leave: the game is kept"),
)


@dataclass
class KeyState:
    """What was begun, and what is looked at."""

    armed: Kind | None = None
    """Play or discard, until a slot is named."""
    picked: int | None = None
    """A slot of the person's own."""
    target: int | None = None
    """Whom to tell."""
    hint: Choice | None = None
    """The hint that is considered."""
    at: int | None = None
    """The turn that is looked at; none for now."""
    is_as_known: bool = False
    """Whether hands are shown as their holders know them."""
    shows_keys: bool = False
    shows_reason: bool = False
    has_left: bool = False
    trouble: str = ""
    """Why the last key did nothing."""


class KeyControls:
    """The state of a person's screen, changed by keys."""

    def __init__(self, person: Person) -> None:
        self.person, self.chosen = person, KeyState(trouble=person.notice)

    @property
    def now(self) -> int:
        """How many moves were made."""
        return self.person.table.game.turn

    @property
    def turn(self) -> int:
        """The turn that is looked at."""
        return self.now if self.chosen.at is None else min(self.chosen.at, self.now)

    def press(self, key: str) -> None:
        """Does what a key means."""
        chosen = self.chosen
        chosen.trouble = ""
        if chosen.shows_keys:
            chosen.shows_keys = False
        elif key in ACTIONS:
            ACTIONS[key](self)
        elif key in "123456" and key:
            self.digit(int(key))
        elif key in COLOUR_KEYS and key:
            self.colour(COLOUR_KEYS.index(key))

    def forget(self) -> None:
        """Forgets what was begun."""
        self.chosen.armed = self.chosen.picked = self.chosen.target = self.chosen.hint = None

    def arm(self, kind: Kind) -> None:
        """Begins a play or a discard; of the chosen card, if there is one."""
        slot = self.chosen.picked
        if not self.can_choose():
            return
        self.forget()
        if slot is not None:
            self.use(kind, slot)
        elif any(one.type == kind for one in self.person.legal):
            self.chosen.armed = kind
        else:
            self.chosen.trouble = self.person.why_not(Choice(kind, self.orders()[0]))

    def can_choose(self) -> bool:
        """Whether it is the person's turn and the screen shows it."""
        if self.person.legal and self.turn != self.now:
            self.chosen.trouble = "you are looking back; End returns to your move"
        elif not self.person.legal and not self.person.table.game.is_over:
            self.chosen.trouble = "it is not your turn"
        return bool(self.person.legal) and self.turn == self.now

    def orders(self) -> list[int]:
        """The orders of the person's cards, newest first."""
        return self.person.table.game.orders[self.person.seat][::-1]

    def digit(self, number: int) -> None:
        """Names a slot, or a rank to tell."""
        chosen = self.chosen
        if chosen.target is not None:
            self.consider(Choice(Kind.RANK, chosen.target, number))
        elif chosen.armed is not None:
            self.use(chosen.armed, number)
        elif number <= len(self.orders()):
            chosen.picked = None if chosen.picked == number else number

    def use(self, kind: Kind, slot: int) -> None:
        """Plays or discards the card in a slot."""
        if slot <= len(self.orders()):
            self.make(Choice(kind, self.orders()[slot - 1]))
        else:
            self.chosen.trouble = f"there is no slot {slot}"

    def make(self, choice: Choice) -> None:
        """Makes a move, if it is legal."""
        self.chosen.trouble = self.person.why_not(choice)
        if not self.chosen.trouble:
            self.forget()
            self.person.act(choice)

    def next_target(self) -> None:
        """Chooses whom to tell: whoever comes next and can be told anything."""
        if not self.can_choose():
            return
        players, legal = len(self.person.table.seats), self.person.legal
        told = {one.target for one in legal if one.type in (Kind.COLOUR, Kind.RANK)}
        start = self.person.seat if self.chosen.target is None else self.chosen.target
        order = [(start + offset) % players for offset in range(1, players + 1)]
        self.forget()
        self.chosen.target = next((seat for seat in order if seat in told), None)
        if self.chosen.target is None:
            self.chosen.trouble = "there is no hint token left"

    def colour(self, index: int) -> None:
        """Names a colour to tell; with two players, there is only one to tell it to."""
        if self.chosen.target is None and len(self.person.table.seats) == 2:
            self.next_target()
        if self.chosen.target is not None:
            self.consider(Choice(Kind.COLOUR, self.chosen.target, index))

    def consider(self, hint: Choice) -> None:
        """Shows a hint before it is given, if it can be given."""
        self.chosen.trouble = self.person.why_not(hint)
        self.chosen.hint = None if self.chosen.trouble else hint

    def enter(self) -> None:
        """Gives the hint that is considered; after the game, shows or hides reasons."""
        if self.person.table.game.is_over:
            self.chosen.shows_reason = not self.chosen.shows_reason
        elif self.chosen.hint is not None:
            self.make(self.chosen.hint)

    def go_to(self, turn: int) -> None:
        """Looks at a turn."""
        self.forget()
        turn = max(0, min(self.now, turn))
        self.chosen.at = None if turn == self.now else turn

    def look_as_known(self) -> None:
        """Shows all hands as their holders know them, or ends that."""
        self.chosen.is_as_known = not self.chosen.is_as_known

    def show_keys(self) -> None:
        """Shows what the keys do."""
        self.chosen.shows_keys = True

    def deal(self, is_fresh: bool) -> None:
        """Deals again, once the game is over."""
        if self.person.table.game.is_over:
            self.person.again(is_fresh)
            self.chosen = KeyState()

    def leave(self) -> None:
        """Leaves the table; the game is kept."""
        self.chosen.has_left = True


def round_of(controls: KeyControls) -> int:
    """How many turns a round has."""
    return len(controls.person.table.seats)


ACTIONS: dict[str, Callable[[KeyControls], None]] = {
    "a": lambda one: one.arm(Kind.PLAY),
    "+": lambda one: one.arm(Kind.PLAY),
    "d": lambda one: one.arm(Kind.DISCARD),
    "-": lambda one: one.arm(Kind.DISCARD),
    ";": KeyControls.next_target,
    "tab": KeyControls.next_target,
    "enter": KeyControls.enter,
    "escape": KeyControls.forget,
    "?": KeyControls.show_keys,
    " ": KeyControls.look_as_known,
    "left": lambda one: one.go_to(one.turn - 1),
    "right": lambda one: one.go_to(one.turn + 1),
    "[": lambda one: one.go_to(one.turn - round_of(one)),
    "]": lambda one: one.go_to(one.turn + round_of(one)),
    "home": lambda one: one.go_to(0),
    "end": lambda one: one.go_to(one.now),
    "s": lambda one: one.deal(False),
    "n": lambda one: one.deal(True),
    "x": KeyControls.leave,
}
