"""Guests: browsers at a table or at a study, how they are told what is new, and how much they may say."""

import abc
import asyncio
from collections.abc import Iterator

from starlette.websockets import WebSocket

from tamaya.bridges.allowance import Allowance
from tamaya.web.messages import Refused, Said, to_text

BURST, PER_SECOND = 40, 10.0
"""How many messages a browser may send at once, and how many per second in the long run."""

MOST_GUESTS, MOST_AT_PLACE = 2000, 200
"""How many browsers can be connected, to the server and to one table or study."""


class Guest(abc.ABC):
    """A browser at a place, which is a table or a study."""

    def __init__(self, socket: WebSocket, place: str) -> None:
        self.socket, self.place = socket, place
        self.allowance = Allowance(BURST, PER_SECOND)
        self.wake = asyncio.Event()
        self.wake.set()
        self.aside: list[Said] = []
        """Answers that only this guest is given."""

    @abc.abstractmethod
    def news(self) -> Iterator[Said]:
        """What everybody may know and the guest has not been told yet."""

    def tell(self, message: Said) -> None:
        """Says something to this guest only."""
        self.aside.append(message)
        self.wake.set()

    def all_news(self) -> Iterator[Said]:
        """All that the guest has not been told yet."""
        yield from self.news()
        while self.aside:
            yield self.aside.pop(0)

    async def listen(self) -> None:
        """Tells the guest everything new; one who is slow gets more at once, and keeps nobody waiting."""
        while True:
            await self.wake.wait()
            self.wake.clear()
            for message in list(self.all_news()):
                await self.socket.send_text(to_text(message))


class Audience:
    """All guests of a server, by their places."""

    def __init__(self) -> None:
        self.guests: dict[str, set[Guest]] = {}

    def check(self, place: str) -> None:
        """Refuses another guest if there are too many."""
        if len(self.at(place)) >= MOST_AT_PLACE or sum(map(len, self.guests.values())) >= MOST_GUESTS:
            raise Refused("too many browsers are connected; try again later")

    def at(self, place: str) -> set[Guest]:
        """The guests of a place."""
        return self.guests.get(place, set())

    def join(self, guest: Guest) -> None:
        """A guest comes."""
        self.guests.setdefault(guest.place, set()).add(guest)

    def part(self, guest: Guest) -> None:
        """A guest leaves."""
        here = self.guests[guest.place]
        here.discard(guest)
        if not here:
            del self.guests[guest.place]

    def announce(self, place: str) -> None:
        """Lets all guests of a place look for what is new."""
        for guest in self.at(place):
            guest.wake.set()
