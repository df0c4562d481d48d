"""A table as text or as a picture: an array of pixels, drawn without a library."""

import numpy as np

from tamaya.game.game import Game
from tamaya.game.notation import Card

MODES = ("ansi", "human", "rgb_array")

SCALE = 4
"""The pixels of a dot."""

WIDTH, TOP, HAND = 150, 68, 28
"""The dots across, those of the upper part, and those of a hand from top to bottom."""

BACKGROUND, TEXT, FAINT, INK = (28, 28, 34), (230, 230, 225), (74, 74, 84), (20, 20, 24)
LIFE, TOKEN, TURN = (214, 62, 62), (86, 150, 230), (250, 170, 60)
SUITS = ((214, 62, 54), (236, 204, 72), (92, 176, 90), (238, 238, 236), (78, 128, 224), (182, 104, 206))

SIGNS = " /0123456789ACDEGHIKLMNOPRSTVY"
ROWS = (
    "00000 11244 75557 26227 71747 71717 55711 74717 74757 71222 75757 75717 25755 34443 65556 74647 34553 55755 72227 "
    "55655 44447 57755 65555 25552 65644 65655 34216 72222 55552 55222"
)
GLYPHS = dict(zip(SIGNS, ROWS.split(), strict=True))
"""Letters three dots wide and five high: a digit for each row, a bit for each dot."""


def fill_rectangle(
    dots: np.ndarray, top: int, left: int, height: int, width: int, colour: tuple[int, int, int]
) -> None:
    """Fills a rectangle."""
    dots[top : top + height, left : left + width] = colour


def write_words(dots: np.ndarray, top: int, left: int, words: str, colour: tuple[int, int, int], size: int = 1) -> int:
    """Writes some words and returns where they end."""
    for sign in words:
        rows = [[int(row) >> bit & 1 for bit in (2, 1, 0)] for row in GLYPHS[sign]]
        glyph = np.kron(np.array(rows, bool), np.ones((size, size), bool))
        dots[top : top + 5 * size, left : left + 3 * size][glyph] = colour
        left += 4 * size
    return left


def paint_row(dots: np.ndarray, left: int, words: str, count: int, most: int, colour: tuple[int, int, int]) -> int:
    """Draws how many of something are left, as small squares below a word; returns where they end."""
    write_words(dots, 3, left, words, TEXT)
    for place in range(most):
        fill_rectangle(dots, 10 + 3 * (place // 10), left + 3 * (place % 10), 2, 2, colour if place < count else FAINT)
    return left + max(4 * len(words), 3 * min(most, 10)) + 6


def paint_card(dots: np.ndarray, top: int, left: int, colour: int, rank: int) -> None:
    """Draws a card face up; an empty place if it has no rank."""
    fill_rectangle(dots, top, left, 14, 10, SUITS[colour] if rank else FAINT)
    if not rank:
        fill_rectangle(dots, top + 1, left + 1, 12, 8, BACKGROUND)
        fill_rectangle(dots, top + 6, left + 4, 2, 2, SUITS[colour])
    else:
        write_words(dots, top + 2, left + 2, str(rank), INK, 2)


def paint_known(dots: np.ndarray, top: int, left: int, possible: frozenset[Card]) -> None:
    """Draws what the holder knows of a card from hints: a field in its colour, its rank, dots for what is open."""
    colours, ranks = {card.colour for card in possible}, {card.rank for card in possible}
    fill_rectangle(dots, top, left, 5, 4, SUITS[min(colours)] if len(colours) == 1 else FAINT)
    if len(ranks) == 1:
        write_words(dots, top, left + 6, str(min(ranks)), TEXT)
    else:
        fill_rectangle(dots, top + 2, left + 7, 1, 1, TEXT)


def paint_hand(dots: np.ndarray, top: int, game: Game, seat: int) -> None:
    """Draws the hand of a player, and what it knows of it."""
    is_turn = seat == game.seat and not game.is_over
    if is_turn:
        fill_rectangle(dots, top, 3, 21, 2, TURN)
    write_words(dots, top + 5, 8, f"PLAYER {seat}", TURN if is_turn else TEXT)
    for slot, (card, possible) in enumerate(zip(game.hands[seat], game.possible[seat], strict=True)):
        assert card is not None
        paint_card(dots, top, 50 + 14 * slot, *card)
        paint_known(dots, top + 16, 50 + 14 * slot, possible)


def paint_discards(dots: np.ndarray, game: Game) -> None:
    """Draws the discarded and misplayed cards, with a line for each colour."""
    write_words(dots, 20, 84, "DISCARDED", TEXT)
    ends = [84] * game.settings.suits
    for colour, rank in game.discards:
        ends[colour] = write_words(dots, 28 + 6 * colour, ends[colour], str(rank), SUITS[colour])


def picture_of(game: Game) -> np.ndarray:
    """The table with all hands face up, as (height, width, 3) bytes."""
    settings = game.settings
    dots = np.full((TOP + HAND * settings.players, WIDTH, 3), BACKGROUND, np.uint8)
    left = paint_row(dots, 3, "LIVES", game.lives, settings.lives, LIFE)
    left = paint_row(dots, left, "HINTS", game.hint_tokens, settings.hint_tokens, TOKEN)
    left = write_words(dots, 3, left, f"DECK {game.deck_left}", TEXT) + 4
    write_words(dots, 3, left, f"SCORE {game.score}/{game.max_score}", TEXT)
    if game.is_over:
        write_words(dots, 10, left, "GAME OVER", TURN)
    for colour, rank in enumerate(game.fireworks):
        paint_card(dots, 28, 3 + 12 * colour, colour, rank)
    paint_discards(dots, game)
    for seat in range(settings.players):
        paint_hand(dots, TOP + HAND * seat, game, seat)
    return dots.repeat(SCALE, 0).repeat(SCALE, 1)


def check_mode(mode: str | None) -> None:
    """Raises ValueError unless a table can be shown in this mode."""
    if mode is not None and mode not in MODES:
        raise ValueError(f"render_mode must be one of {', '.join(MODES)}, not {mode!r}")


def render(game: Game, mode: str | None) -> str | np.ndarray | None:
    """The table as text, as a picture, or printed, as a render mode says."""
    if mode == "human":
        print(game)
    return picture_of(game) if mode == "rgb_array" else str(game) if mode == "ansi" else None
