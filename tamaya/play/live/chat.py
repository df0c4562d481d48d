"""What the bot says on hanab.live: its sentences, and to whom it says how much of them."""

from collections.abc import Callable, Iterator

from tamaya.game.hanab_live import VARIANTS
from tamaya.play.live.site_commands import frame
from tamaya.play.rate_limit import Allowance

LONGEST = 280
"""How many letters a line of chat may have."""

CHATS, CHATS_PER_SECOND = 10, 0.5
"""How much is said in chat at once, and in the long run; whoever asks for more is not answered."""

HELP = "I play Hanabi. /join or /join PASSWORD seats me at your table, and /leave makes me leave it."
NO_TABLE = "I find no table at which you wait for players."
NOT_WITH_YOU = "I do not sit at a table with you."
NO_MOVE = "I have no move, and leave this game."
LOST_TRACK = "I cannot follow this game, and leave it."


def cannot_play(reason: Exception) -> str:
    """Returns what is said of a game whose rules the agent cannot play."""
    return f"I cannot play this game: {reason}"


def plays(variant: str) -> bool:
    """Whether our rules can play a variant."""
    return variant in VARIANTS or not variant


def refusal(variant: str) -> str:
    """Returns what is said of a variant that cannot be played."""
    return f"I do not play {variant}. I play {', '.join(VARIANTS)}."


class Chat:
    """A chat that cannot be made to flood the chat."""

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
