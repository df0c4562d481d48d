"""Texts from anywhere, to be shown and not obeyed."""

import html
import re


def plain(text: str) -> str:
    """A text as one line that can be seen; characters that cannot, such as those that steer a terminal, are escaped."""
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in text)


def plain_lines(text: str) -> str:
    """A text of several lines, each of them plain."""
    return "\n".join(map(plain, text.split("\n")))


def in_markdown(text: str) -> str:
    """A text as a part of a line of Markdown, a cell of a table too, that means nothing but itself."""
    return html.escape(re.sub(r"([\\`*_~\[\]|])", r"\\\1", plain(text)), quote=False)
