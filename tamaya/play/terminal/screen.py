"""The screen: how the game stands, the hands with what is known of them, the discards, the moves, what can be done.

All of it is drawn from the view of the person's seat; the deck is looked at only when the game is over.
"""

import math
from collections.abc import Iterator

from rich.text import Text

from tamaya.engine.text import plain
from tamaya.game.notation import Kind
from tamaya.game.story import ending
from tamaya.game.view import View
from tamaya.play.tables.messages import Reason
from tamaya.play.terminal.colours import STYLES, coloured
from tamaya.play.terminal.key_bindings import COLOUR_KEYS, KEYS, KeyControls
from tamaya.play.terminal.table_screen import NAMES, cell_width, seat_lines, standing_lines, would_touch
from tamaya.play.terminal.visible_cards import lost, visible_hand
from tamaya.play.terminal.words import did, hint_name, hint_number, knowledge, named_slots

NARROWEST = 22
"""How many columns the list of moves needs; narrower terminals show only the last move."""

MARKS = "[R1] touched by a hint: * just now for the first time, + just now again; ! last copy; pale: of no more use"

ABOVE, BELOW = 2, 3
"""The lines that are kept for how the game stands, and for what can be done."""


def screen_lines(controls: KeyControls, width: int, height: int) -> list[Text]:
    """All lines of a screen of some size."""
    view = view_at(controls)
    body = height - ABOVE - BELOW
    left_width = NAMES + cell_width(view) * view.settings.hand_size
    right_width = width - left_width - 2
    if controls.chosen.shows_keys:
        middle = [fitted_line(line, width) for line in key_lines(controls, width)]
    else:
        middle = seat_lines(controls, view, body)
        if right_width >= NARROWEST:
            right = right_lines(controls, view, right_width, body)
            middle = [Text.assemble(fitted_line(one, left_width), "  ", other) for one, other in beside(middle, right)]
        elif controls.chosen.shows_reason:
            middle = why_lines(controls, width)
    middle = [*middle[:body], *[Text()] * (body - len(middle))]
    lines = [*standing_lines(view), *middle, *bottom_lines(controls, view)]
    return [fitted_line(line, width) for line in lines[:height]]


def view_at(controls: KeyControls) -> View:
    """What the person saw at the turn that is looked at."""
    view = controls.person.view
    return view if controls.turn == controls.now else view.at(controls.turn)


def fitted_line(line: Text, width: int) -> Text:
    """A line that is just so wide."""
    line = line.copy()
    line.truncate(width, overflow="crop", pad=True)
    return line


def beside(left: list[Text], right: list[Text]) -> Iterator[tuple[Text, Text]]:
    """Two columns of lines, line by line."""
    for place in range(max(len(left), len(right))):
        yield tuple(one[place] if place < len(one) else Text() for one in (left, right))  # type: ignore[misc]


def right_lines(controls: KeyControls, view: View, width: int, height: int) -> list[Text]:
    """The discards and the moves, or the reason of a bot."""
    if controls.chosen.shows_reason:
        return why_lines(controls, width)
    lines = discard_lines(view)
    return [*lines, Text(), *move_lines(controls, height - len(lines) - 1)]


def discard_lines(view: View) -> list[Text]:
    """The discards, suit by suit."""
    lines = [Text(f"discards: {len(view.discards)}", style="bold")]
    for suit, row in lost(view):
        style = STYLES.get(view.wording.colours[suit], "bold")
        line = Text.assemble((view.wording.letters[suit], style))
        for rank, mark in row:
            line.append(f" {rank}", style)
            line.append(mark, "bold red")
        lines.append(line)
    return lines


def move_lines(controls: KeyControls, height: int) -> list[Text]:
    """The moves, as many as fit, with the turn that is looked at in the middle."""
    view, turn = controls.person.view, controls.turn
    rows = max(0, height - 1)
    last = min(controls.now, max(turn + rows // 2, rows))
    lines = [Text(f"moves: {controls.now}", style="bold")]
    for number in range(max(1, last - rows + 1), last + 1):
        line = Text.assemble(f"{number:>3} ", coloured(did(view, number - 1, is_brief=True), view.wording))
        if number == turn and controls.chosen.at is not None:
            line.stylize("reverse")
        lines.append(line)
    return lines


def why_lines(controls: KeyControls, width: int) -> list[Text]:
    """Why a bot made the move before the turn that is looked at, and what it thought of the others."""
    view, turn = controls.person.view, controls.turn - 1
    if turn < 0:
        return [Text("Go to a move to see its reason.")]
    found = controls.person.reason(turn)
    texts = [f"Why? {did(view, turn)}.", *(found.lines if found else ["You made that move."])]
    lines = [line for text in texts for line in wrapped(coloured(text, view.wording), width)]
    return [*lines, *candidate_lines(found)] if found else lines


def candidate_lines(reason: Reason) -> Iterator[Text]:
    """Yields the moves that a search considered, with a mark at the one that it made."""
    for one in reason.candidates[:8]:
        error = "" if math.isnan(one.standard_error) else f" ± {one.standard_error:.2f}"
        sign = ">" if one.move == reason.made else " "
        yield Text(plain(f"{sign} {one.value:.2f}{error} {reason.words[one.move]}"))


def wrapped(text: Text, width: int) -> list[Text]:
    """A text in lines of a width."""
    lines, line = [], Text()
    for word in text.split(" "):
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = Text("  ")
        line = Text.assemble(line, " " if line.plain.strip() else "", word)
    return [*lines, line]


def key_lines(controls: KeyControls, width: int) -> list[Text]:
    """What the keys do, what the marks mean, and how the bots play."""
    column = max(len(keys) for keys, _ in KEYS)
    lines = [Text(f"{keys:<{column}}  {what}") for keys, what in KEYS]
    notes = [MARKS, *map(plain, controls.person.conventions)]
    return [*lines, Text(), *(line for words in notes for line in wrapped(Text(words), width))]


def bottom_lines(controls: KeyControls, view: View) -> list[Text]:
    """What happened last, what can be done, and what is wrong."""
    is_past = bool(view.past) and not view.is_over
    said = coloured(did(view, len(view.past) - 1), view.wording) if is_past else Text()
    head = Text.assemble((headline(controls, view), "bold reverse" if controls.person.legal else "bold"), "  ", said)
    return [head, prompt(controls, view), Text(plain(controls.chosen.trouble), style="red")]


def headline(controls: KeyControls, view: View) -> str:
    """Whose turn it is, or how the game ended."""
    person, game = controls.person, controls.person.table.game
    if controls.turn != controls.now:
        return f" Turn {controls.turn} of {controls.now} "
    if game.is_over:
        return f" {ending(game)} "
    return " Your turn " if person.legal else f" {view.wording.player(game.seat)} thinks... "


def prompt(controls: KeyControls, view: View) -> Text:
    """What can be done now."""
    begun = what_was_begun(controls, view)
    if begun:
        return coloured(begun, view.wording)
    if controls.person.deck:
        seed = controls.person.table.game.seed
        words = f"s same deal again, n new deal, Enter why?, arrows look back, x leave; seed {seed}"
    elif controls.turn != controls.now:
        words = "End returns to now"
    elif controls.person.legal:
        words = "a play, d discard, ; tell, 1-5 look at a card, Space what others know, ? keys"
    else:
        words = "? keys, x leave"
    return Text(words, style="dim")


def what_was_begun(controls: KeyControls, view: View) -> str:
    """What the person is about to do, and what is left to choose; nothing if nothing was begun."""
    chosen, wording = controls.chosen, view.wording
    if chosen.hint is not None:
        hint, target = chosen.hint, chosen.hint.target
        hand = enumerate(visible_hand(view, target), 1)
        touched = named_slots([slot for slot, held in hand if would_touch(view, hint, target, held)])
        return f"tell {wording.player(target)} {hint_name(view, hint_number(hint))}: {touched}. Enter gives the hint"
    if chosen.target is not None:
        colours = " ".join(f"{key} {name}" for key, name in zip(COLOUR_KEYS, hint_colours(view), strict=False))
        return f"tell {wording.player(chosen.target)}: 1-{view.settings.ranks}, {colours}"
    if chosen.armed is not None:
        return f"{'play' if chosen.armed == Kind.PLAY else 'discard'} which slot? 1-{len(controls.orders())}"
    own = visible_hand(view, view.seat)
    if chosen.picked is not None and chosen.picked <= len(own):
        known = knowledge(view, own[chosen.picked - 1].possible)
        return f"your slot {chosen.picked}: {known}. a plays it, d discards it"
    return ""


def hint_colours(view: View) -> list[str]:
    """The colours that can be named."""
    count = view.settings.suits - (view.settings.multicolour == "wild")
    return list(view.wording.colours[:count])
