"""Cards in their colours, where a terminal has any."""

from typing import TYPE_CHECKING

from rich.text import Text

from tamaya.engine.text import plain_lines

if TYPE_CHECKING:
    from tamaya.game.notation import Wording

STYLES = {
    "red": "red",
    "yellow": "yellow",
    "green": "green",
    "white": "bold",
    "blue": "blue",
    "purple": "magenta",
    "teal": "cyan",
    "black": "bright_black",
    "rainbow": "bold magenta",
}
"""The styles of suits, by their names."""


def coloured(text: str, wording: "Wording") -> Text:
    """A text with its cards, short (R1) or in words (red 1), in the colours of a game."""
    shown = Text(plain_lines(text))
    for letter, name in zip(wording.letters, wording.colours, strict=False):
        style = STYLES.get(name, "bold")
        shown.highlight_regex(rf"\b{letter}[0-9·](?!\w)", style)
        shown.highlight_regex(rf"\b{name}( [1-5])?\b", style)
    return shown
