"""A recorded game, told move by move as a person would."""

from collections.abc import Iterator, Sequence

from tamaya.engine.text import count_of, plain
from tamaya.game.game import Game
from tamaya.game.notation import ORDINALS, Card, Kind, Move

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def number(count: int, noun: str) -> str:
    """A count with its noun: ``two lives``."""
    word = NUMBERS[count] if count < len(NUMBERS) else str(count)
    plural = {"life": "lives"}.get(noun, noun + "s")
    return f"{word} {noun if count == 1 else plural}"


def enumeration(words: Sequence[str]) -> str:
    """Words joined with commas and an and."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def tell_hint(before: Game, move: Move) -> str:
    """A hint in words."""
    is_rank = move.kind is Kind.RANK
    what = str(move.value) if is_rank else before.wording.colours[move.value]
    hand = before.hands[move.target]
    touched = [ORDINALS[slot] for slot, card in enumerate(hand) if card is not None and is_touched(before, card, move)]
    receiver = before.wording.player(move.target)
    if not touched:
        return f"tells {receiver} that no card is {'a ' * is_rank}{what}"
    if len(touched) == 1:
        return f"tells {receiver} that the {touched[0]} card is {'a ' * is_rank}{what}"
    return f"tells {receiver} that the {enumeration(touched)} cards are {what}{'s' * is_rank}"


def is_touched(game: Game, card: Card, move: Move) -> bool:
    """Whether a hint points at a card."""
    if move.kind is Kind.RANK:
        return card.rank == move.value
    return card.colour == move.value or bool(int(game.table.wild_cards) >> card.number & 1)


def tell_card(before: Game, move: Move, after: Game) -> str:
    """A play or a discard in words."""
    card = before.hands[before.seat][move.target]
    assert card is not None
    wording, drawn = before.wording, ""
    if after.table.drawn > before.table.drawn:
        new = after.hands[before.seat][-1]
        assert new is not None
        drawn = f"; draws {wording.full_card(new)}"
    if move.kind is Kind.DISCARD:
        waste = "" if int(before.table.useless) >> card.number & 1 else ", still of use"
        return f"discards {wording.full_card(card)}{waste}{drawn}"
    if after.lives < before.lives:
        return f"misplays {wording.full_card(card)}: {number(after.lives, 'life')} left{drawn}"
    complete = f", completing {wording.colours[card.colour]}" if card.rank == before.settings.ranks else ""
    return f"plays {wording.full_card(card)}{complete}{drawn}"


def ending(game: Game) -> str:
    """How a game ended, or that it was broken off."""
    if not game.is_over:
        return f"The game is broken off at {number(game.score, 'point')} of {game.max_score}."
    if game.score == game.max_score:
        return f"Tamaya! A perfect game: {game.score} points."
    if not game.lives:
        return f"The last life is lost at {number(game.score, 'point')}; by the strict count that is zero."
    return f"The deck is empty and everybody has had a last turn: {game.score} of {game.max_score} points."


def forfeit_of(game: Game) -> str:
    """Why a recorded game was forfeited, if it was."""
    extension = game.origin.tamaya if game.origin is not None else None
    return plain(extension.forfeit) if extension is not None else ""


def in_short(game: Game) -> str:
    """How a game ended, in a word or two."""
    if not game.is_over:
        return "forfeited" if forfeit_of(game) else "broken off"
    return "perfect" if game.score == game.max_score else "struck out" if not game.lives else "deck empty"


def tell_story(game: Game, agents: Sequence[str] = ()) -> Iterator[str]:
    """The story of a game, line by line."""
    start, names = Game(game.settings, deck=game.deck), [game.wording.player(seat) for seat in range(game.players)]
    start.wording = game.wording
    seats = [f"{name} ({plain(agent)})" for name, agent in zip(names, agents, strict=True)] if agents else names
    width = max(6, *map(len, names))
    yield f"{enumeration(seats)} play" + (f", game {game.seed}." if game.seed is not None else ".")
    for seat, hand in enumerate(start.hands):
        yield f"  {names[seat]:<{width}} holds {' '.join(map(game.wording.card, hand))}"
    for turn, move in enumerate(game.moves, 1):
        before = start.copy()
        start.push(move)
        is_hint = move.kind in (Kind.COLOUR, Kind.RANK)
        words = tell_hint(before, move) if is_hint else tell_card(before, move, start)
        points, hints = count_of(start.score, "point"), count_of(start.hint_tokens, "hint")
        state = f"{points}, {hints}, {start.deck_left} in the deck"
        yield f"{turn:>3}. {names[before.seat]} {words}.  [{state}]"
    reason = forfeit_of(game)
    yield f"The game is forfeited at {number(start.score, 'point')}: {reason}." if reason else ending(start)
