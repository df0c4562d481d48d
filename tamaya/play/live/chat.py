"""What a guest says: to whoever started it, to one person, and at a table."""

from collections.abc import Callable, Iterator

from tamaya.bridges.rate_limit import Allowance
from tamaya.play.live.commands import frame

LONGEST = 280
"""How many letters a line of chat may have."""

CHATS, CHATS_PER_SECOND = 10, 0.5
"""How much is said in chat at once, and in the long run; whoever asks for more is not answered."""


class Voice:
    """A voice that cannot be made to flood the chat."""

    def __init__(self, note: Callable[[str], None]) -> None:
        self.note = note
        """Says something to whoever started the program."""
        self.allowance = Allowance(CHATS, CHATS_PER_SECOND)

    def answer(self, who: str, words: str) -> Iterator[str]:
        """Says something to one person."""
        if self.allowance.spend():
            yield frame("chatPM", msg=words[:LONGEST], recipient=who)

    def at_table(self, number: int, words: str) -> Iterator[str]:
        """Says something at a table."""
        self.note(f"table {number}: {words}")
        if self.allowance.spend():
            yield frame("chat", msg=words[:LONGEST], room=f"table{number}")
