"""A position as text, for the terminal."""

from typing import TYPE_CHECKING

from tamaya.core.cards import COLOUR_LETTERS
from tamaya.game.notation import Card

if TYPE_CHECKING:
    from tamaya.game.position import Position

NAMES = ("Alice", "Bob", "Cathy", "Donald", "Emily")


def known(possible: frozenset[Card]) -> str:
    """What the hints leave of a card: its colour and rank, a dot for what is open."""
    colours, ranks = {card.colour for card in possible}, {card.rank for card in possible}
    colour = COLOUR_LETTERS[min(colours)] if len(colours) == 1 else "·"
    rank = str(min(ranks)) if len(ranks) == 1 else "·"
    return colour + rank


def picture(position: "Position", mover: int) -> str:
    """The table, a line a seat: its cards, and what it knows of them."""
    state = "game over" if position.is_over else f"{NAMES[mover]} to move"
    fireworks = " ".join(f"{letter}{top}" for letter, top in zip(COLOUR_LETTERS, position.fireworks, strict=False))
    lines = [
        f"turn {position.turn}, {state}: score {position.score} of {position.max_score}, "
        f"lives {position.lives}, hints {position.hint_tokens}, deck {position.deck_left}",
        f"  fireworks {fireworks}",
        f"  discarded {' '.join(map(str, position.discards)) or '-'}",
    ]
    for seat, (hand, masks) in enumerate(zip(position.hands, position.possible, strict=True)):
        cards = " ".join("??" if card is None else str(card) for card in hand)
        sign = ">" if seat == mover and not position.is_over else " "
        lines.append(f"{sign} {NAMES[seat]:<6}    {cards:<18} knows {' '.join(map(known, masks))}")
    return "\n".join(lines)
