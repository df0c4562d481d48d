"""The table on the screen: how the game stands, the fireworks, and the hands with what is known of them."""

from rich.text import Text

from tamaya.bridges.events import status
from tamaya.bridges.protocol import Choice
from tamaya.engine.cards import HINT_CARDS
from tamaya.engine.settings import COLOURS
from tamaya.game.notation import Card
from tamaya.game.view import View
from tamaya.play.terminal.colours import STYLES
from tamaya.play.terminal.key_bindings import KeyControls
from tamaya.play.terminal.visible_cards import Held, is_last_copy, reachable, visible_hand
from tamaya.play.terminal.words import hint_number

NAMES = 11
"""The columns for names."""


def cell_width(view: View) -> int:
    """The columns for each card."""
    return view.settings.suits + 2 if view.settings.suits > 5 else 7


def style_of(view: View, suit: int) -> str:
    """The style of a suit."""
    return STYLES.get(view.wording.colours[suit], "bold")


def standing_lines(view: View) -> list[Text]:
    """How the game stands: tokens and cards left, and the fireworks."""
    state, rules = status(view.tables), view.settings
    strikes = rules.lives - view.lives
    pace = state.score + view.deck_left + rules.players - state.max_score
    first = Text.assemble(
        ("tamaya", "bold"),
        f"   score {state.score}/{state.max_score}   ",
        (f"hints {state.clues}/{rules.hint_tokens}", "" if state.clues else "bold red"),
        "   ",
        (f"strikes {strikes}/{rules.lives}", "bold red" if strikes else ""),
        "   ",
        (f"deck {view.deck_left}", "" if view.deck_left else "bold red"),
        f"   pace {pace}",
    )
    second = Text("fireworks ")
    for suit, top in enumerate(view.fireworks):
        end = reachable(view, suit)
        limit = f"≤{end}" if end < rules.ranks else ""
        second.append(f" {view.wording.letters[suit]}{top}{limit}", f"bold {style_of(view, suit)}")
    return [first, second]


def seat_lines(controls: KeyControls, view: View, height: int) -> list[Text]:
    """All hands: the person's own at the end; with all that is known, or less if there is no room for it."""
    players = view.players
    order = [(view.seat + offset) % players for offset in range(1, players + 1)]
    lines = [slot_line(view)]
    has_details = players * 3 < height
    for seat in order:
        block = hand_block(controls, view, seat)
        lines += block if has_details or seat == view.seat else block[:1]
        if players * 4 <= height:
            lines.append(Text())
    return lines


def slot_line(view: View) -> Text:
    """The numbers of the slots."""
    slots, width = range(1, view.settings.hand_size + 1), cell_width(view) - 1
    return Text(" " * NAMES + "".join(f" {slot:<{width}}" for slot in slots), style="dim")


def hand_block(controls: KeyControls, view: View, seat: int) -> list[Text]:
    """A hand in three lines: names and faces; the suits, and the ranks, that its cards can have for their holder."""
    is_over, chosen = controls.person.deck is not None, controls.chosen
    is_mover = seat == view.mover and not view.is_over
    style = "bold reverse" if chosen.target == seat else "bold" if is_mover else ""
    names = (f"{'>' if is_mover else ' '} {view.wording.player(seat)}", f"  {controls.person.titles[seat]}", "")
    styles = (style, "dim", "")
    lines = [
        Text.assemble((f"{name[: NAMES - 1]:<{NAMES - 1}}", one), " ") for name, one in zip(names, styles, strict=True)
    ]
    hides = chosen.is_as_known or (seat == view.seat and not is_over)
    for slot, held in enumerate(visible_hand(view, seat, controls.person.deck), 1):
        face = held.known if hides else held.face or held.known
        is_chosen = (seat == view.seat and chosen.picked == slot) or would_touch(view, chosen.hint, seat, held)
        for line, cell in zip(lines, (face_cell(view, held, face, is_chosen), *pips(view, held)), strict=True):
            cell.truncate(cell_width(view), overflow="crop", pad=True)
            line.append(cell)
    return lines


def face_cell(view: View, held: Held, face: Card | None, is_chosen: bool) -> Text:
    """A card: in brackets if a hint has touched it, pale if useless, marked if it is the last copy or just told."""
    style = style_of(view, face.colour) if face else ""
    style += " dim" if face and view.is_useless(face) else " bold"
    left, right = "[]" if held.is_touched else "  "
    cell = Text.assemble(left, (view.wording.card(face), style), right)
    if face and is_last_copy(view, face):
        cell.append("!", "bold red")
    if held.is_news:
        cell.append("*" if held.is_first else "+", "bold")
    if is_chosen:
        cell.stylize("reverse")
    return cell


def pips(view: View, held: Held) -> tuple[Text, Text]:
    """The suits and the ranks that a card can have for its holder."""
    suits, ranks = Text(" "), Text(" ")
    for suit in range(view.settings.suits):
        is_open = held.possible & int(HINT_CARDS[suit])
        suits.append(view.wording.letters[suit] if is_open else "·", style_of(view, suit) if is_open else "dim")
    for rank in range(1, view.settings.ranks + 1):
        is_open = held.possible & int(HINT_CARDS[COLOURS + rank - 1])
        ranks.append(str(rank) if is_open else "·", "" if is_open else "dim")
    return suits, ranks


def would_touch(view: View, hint: Choice | None, seat: int, held: Held) -> bool:
    """Whether a hint that is considered would touch a card that the person sees."""
    if hint is None or hint.target != seat or held.face is None:
        return False
    number = hint_number(hint)
    named = int(HINT_CARDS[number]) | (int(view.read("wild_cards")) if number < COLOURS else 0)
    return bool(named >> held.face.number & 1)
