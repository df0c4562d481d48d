"""What a seat or a spectator may be told of a game: made from views only, so that nothing hidden can slip in."""

from collections.abc import Iterator
from typing import Any

from tamaya.bridges.events import choices, news, opening
from tamaya.bridges.protocol import UNSEEN, Choice, Draw, Init
from tamaya.game.game import Game
from tamaya.play.tables.bots import Bots
from tamaya.play.tables.game_table import Seat, Table
from tamaya.play.tables.messages import SPECTATOR, Room, Sitting

NOTHING = -1
"""The turn up to which somebody has been told who has not even seen the deal."""


def events_for(table: Table, seat: int, since: int) -> list[Any]:
    """What a seat, or a spectator, may know of what has happened since a turn."""
    if seat != SPECTATOR:
        return seen_by(table.game, seat, since)
    return seen_by_all(table.game, since) if table.has_person else face_up(table.game, since)


def seen_by(game: Game, seat: int, since: int) -> list[Any]:
    """What a seat has seen from a turn on; with the deal if it was told nothing."""
    view = game.view(seat)
    dealt = [event for event in opening(view) if not isinstance(event, Init)] if since == NOTHING else []
    return [*dealt, *news(view, max(0, since))]


def seen_by_all(game: Game, since: int) -> list[Any]:
    """What everybody has seen: no card before it is played or discarded."""
    return [hidden(event) for event in seen_by(game, 0, since)]


def hidden(event: Any) -> Any:
    """An event without the card that is drawn, if it is a draw."""
    return Draw(event.player_index, event.order) if isinstance(event, Draw) else event


def face_up(game: Game, since: int) -> list[Any]:
    """All that was seen by anybody, for tables at which only bots play."""
    return list(better_seen(seen_by(game, 0, since), seen_by(game, 1, since)))


def better_seen(first: list[Any], second: list[Any]) -> Iterator[Any]:
    """The events of two seats, each as whoever sees more of it sees it."""
    for one, other in zip(first, second, strict=True):
        yield other if isinstance(one, Draw) and one.suit_index == UNSEEN else one


def legal_for(game: Game, seat: int) -> list[Choice]:
    """The legal moves of a seat; none if it is not its turn."""
    return choices(game.view(seat)) if seat == game.seat and not game.is_over else []


def room_for(table: Table, seat: int, bots: Bots) -> Room:
    """The table, and who sits there, as a seat or a spectator may know it."""
    is_seated = seat != SPECTATOR
    open_seats = [number for number, one in enumerate(table.seats) if not one.is_taken]
    return Room(
        id=table.id,
        game=table.dealt,
        seat=seat,
        rules={name: getattr(table.rules, name) for name in table.rules.__struct_fields__},
        seats=[sitting(one, bots) for one in table.seats],
        delay=table.delay,
        is_face_up=not table.has_person,
        token=table.seats[seat].token if is_seated else "",
        invitations={number: table.seats[number].holder.invitation for number in open_seats if is_seated},
    )


def sitting(seat: Seat, bots: Bots) -> Sitting:
    """Who sits in a seat, as everybody may know it."""
    offered = bots.offered.get(seat.agent)
    return Sitting(
        name=seat.holder.name,
        agent=seat.agent,
        title=(offered.title if offered else "") or seat.agent,
        convention=offered.convention if offered else "",
        is_persons=seat.is_persons,
        is_here=bool(seat.agent or seat.browsers),
        is_taken=seat.is_taken,
    )
