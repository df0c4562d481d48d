"""A table as text or as a picture of this text, as the render modes of environments say."""

import textwrap

import numpy as np

from tamaya.game.game import Game

MODES = ("ansi", "human", "rgb_array")

COLUMNS, LINES = 80, 5
"""The characters of a line of a picture, and the lines that a table takes at most besides a line per player."""

SIGN_WIDTH, SIGN_HEIGHT, SCALE = 6, 13, 2
"""The dots of a character of Pillow's own font, and the pixels of a dot."""


def check_mode(mode: str | None) -> None:
    """Raises ValueError unless a table can be shown in this mode."""
    if mode is not None and mode not in MODES:
        raise ValueError(f"render_mode must be one of {', '.join(MODES)}, not {mode!r}")
    if mode == "rgb_array":
        try:
            import PIL  # noqa: F401
        except ImportError as error:
            raise ValueError("render_mode rgb_array needs Pillow: pip install 'tamaya[rl]'") from error


def render(game: Game, mode: str | None) -> str | np.ndarray | None:
    """Returns the table as text or as a picture, or prints it, as a render mode says."""
    if mode == "human":
        print(game)
    return draw(game) if mode == "rgb_array" else str(game) if mode == "ansi" else None


def lines_of(game: Game) -> list[str]:
    """Returns the text of a table in lines that fit a picture."""
    return [part for line in str(game).splitlines() for part in textwrap.wrap(line, COLUMNS, drop_whitespace=False)]


def draw(game: Game) -> np.ndarray:
    """Returns the text of a table as (height, width, 3) bytes, which have the same shape at all turns of a game."""
    from PIL import Image, ImageDraw, ImageFont

    size = COLUMNS * SIGN_WIDTH, (game.players + LINES) * SIGN_HEIGHT
    picture = Image.new("RGB", size)
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default_imagefont()
    for row, line in enumerate(lines_of(game)):
        pen.text((0, row * SIGN_HEIGHT), line, font=font)
    return np.asarray(picture).repeat(SCALE, 0).repeat(SCALE, 1)
