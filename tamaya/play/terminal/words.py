"""Moves and cards in words, with slots as people count them: slot 1 holds the newest card."""

from collections.abc import Sequence

from tamaya.bridges.protocol import Choice
from tamaya.engine.cards import HINTS, NO_CARD, members
from tamaya.engine.moves import DISCARD, TELL
from tamaya.engine.settings import COLOURS
from tamaya.game.notation import Card, Kind
from tamaya.game.story import enumeration
from tamaya.game.view import View
from tamaya.play.terminal.visible_cards import slots_of

FEW = 6
"""How many cards a card may be for them to be listed."""


def named_slots(slots: Sequence[int]) -> str:
    """Slots in words: ``slots 1 and 3``."""
    if not slots:
        return "no card"
    return f"slot{'s' * (len(slots) > 1)} {enumeration([str(slot) for slot in slots])}"


def hint_name(view: View, hint: int) -> str:
    """What a hint names: a colour or a rank."""
    return view.wording.colours[hint] if hint < COLOURS else str(hint - COLOURS + 1)


def did(view: View, turn: int, is_brief: bool = False) -> str:
    """The move of a turn, as the seat of a view saw it, perhaps in few words."""
    seen, wording = view.past[turn], view.wording
    who, counts = wording.player(seen.mover), (seen.tables["hands"][0] != NO_CARD).sum(axis=1).tolist()
    if seen.move >= TELL:
        offset, hint = divmod(seen.move - TELL, HINTS)
        target = (seen.mover + 1 + offset) % view.players
        slots = slots_of(seen.shown, counts[target])
        touched = ",".join(map(str, slots)) or "none" if is_brief else named_slots(slots)
        return f"{who} tells {wording.player(target)} {hint_name(view, hint)}: {touched}"
    slot, card = counts[seen.mover] - seen.move % DISCARD, Card.of(seen.shown)
    is_playable = int(seen.tables["playable"][0]) >> seen.shown & 1
    verb = "discards" if seen.move >= DISCARD else "plays" if is_playable else "misplays"
    return f"{who} {verb} " + (
        f"{wording.card(card)}, slot {slot}" if is_brief else f"{wording.full_card(card)} from slot {slot}"
    )


def cards_in(mask: int) -> list[Card]:
    """The cards of a mask."""
    return [Card.of(card) for card in members(mask)]


def knowledge(view: View, mask: int) -> str:
    """What a card can be: itself, a few cards, or the suits and ranks that are left."""
    cards, wording = cards_in(mask), view.wording
    if len(cards) == 1:
        return wording.full_card(cards[0])
    if len(cards) <= FEW:
        return f"one of {' '.join(map(wording.card, cards))}"
    suits, ranks = sorted({card.colour for card in cards}), sorted({card.rank for card in cards})
    parts = []
    if len(suits) < view.settings.suits:
        parts.append(wording.colours[suits[0]] if len(suits) == 1 else "".join(wording.letters[suit] for suit in suits))
    if len(ranks) < view.settings.ranks:
        parts.append(f"a {ranks[0]}" if len(ranks) == 1 else "/".join(map(str, ranks)))
    return ", ".join(parts) or "unknown"


def hint_number(choice: Choice) -> int:
    """The number of the hint that a choice gives."""
    return choice.value if choice.type == Kind.COLOUR else COLOURS + choice.value - 1
