"""A position as text, for the terminal."""

from typing import TYPE_CHECKING

from tamaya.game.notation import Card, Wording

if TYPE_CHECKING:
    from tamaya.game.position import Position


def known(possible: frozenset[Card], wording: Wording) -> str:
    """What the hints say about a card: its colour and rank, with a dot for what is still open."""
    colours, ranks = {card.colour for card in possible}, {card.rank for card in possible}
    colour = wording.letters[min(colours)] if len(colours) == 1 else "·"
    rank = str(min(ranks)) if len(ranks) == 1 else "·"
    return colour + rank


def picture(position: "Position", mover: int) -> str:
    """The table as text, one line per seat: its cards, and what it knows of them."""
    wording = position.wording
    state = "game over" if position.is_over else f"{wording.player(mover)} to move"
    fireworks = " ".join(f"{letter}{top}" for letter, top in zip(wording.letters, position.fireworks, strict=False))
    width = max(6, *(len(wording.player(seat)) for seat in range(position.players)))
    lines = [
        f"turn {position.turn}, {state}: score {position.score} of {position.max_score}, "
        f"lives {position.lives}, hints {position.hint_tokens}, deck {position.deck_left}",
        f"  fireworks {fireworks}",
        f"  discarded {' '.join(map(wording.card, position.discards)) or '-'}",
    ]
    for seat, (hand, masks) in enumerate(zip(position.hands, position.possible, strict=True)):
        cards = " ".join(map(wording.card, hand))
        knows = " ".join(known(mask, wording) for mask in masks)
        sign = ">" if seat == mover and not position.is_over else " "
        lines.append(f"{sign} {wording.player(seat):<{width}}    {cards:<18} knows {knows}")
    return "\n".join(lines)
