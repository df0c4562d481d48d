"""Readers: browsers at a study, and what each has been told."""

from collections.abc import Iterator

from starlette.websockets import WebSocket

from tamaya.core.text import plain
from tamaya.web.bots import Bots
from tamaya.web.guests import Guest
from tamaya.web.messages import Said, Sitting, to_text
from tamaya.web.study import Study
from tamaya.web.study_messages import Gone, LineNews, Studying
from tamaya.web.telling import NOTHING, face_up


class Reader(Guest):
    """A browser at a study."""

    def __init__(self, socket: WebSocket, study: Study, bots: Bots) -> None:
        super().__init__(socket, study.id)
        self.study, self.bots = study, bots
        self.about = ""
        self.turns: dict[int, int] = {}
        self.stages: dict[int, tuple[int, int]] = {}
        """What it was told last: the study itself, and how much of each line and of its analysis."""

    def news(self) -> Iterator[Said]:
        """What the reader has not been told yet."""
        about = describe(self.study, self.bots)
        if (text := to_text(about)) != self.about:
            self.about = text
            yield about
        for number in [*self.turns]:
            if number not in self.study.lines:
                del self.turns[number]
                self.stages.pop(number, None)
                yield Gone(number)
        for number, line in self.study.lines.items():
            since = self.turns.get(number, NOTHING)
            if since < line.game.turn:
                self.turns[number] = line.game.turn
                events, makers = face_up(line.game, since), line.makers[max(0, since) :]
                yield LineNews(number, line.parent, line.turn, since, events, makers)
        for number, found in self.study.judgements.items():
            since, _ = before = self.stages.get(number, (0, 0))
            if before != found.stage:
                self.stages[number] = found.stage
                yield found.message(number, self.study.lines[number].game, since)


def describe(study: Study, bots: Bots) -> Studying:
    """A study as all its readers know it."""
    wording, rules = study.wording, study.rules
    return Studying(
        id=study.id,
        rules={name: getattr(rules, name) for name in rules.__struct_fields__},
        seats=[seated(study, seat, bots) for seat in range(rules.players)],
        colours=list(wording.colours[: rules.suits]),
        letters=wording.letters[: rules.suits],
        record=study.record,
        busy=study.busy,
    )


def seated(study: Study, seat: int, bots: Bots) -> Sitting:
    """Who sat in a seat of the game, as far as its record says."""
    offered = bots.offered.get(study.agents[seat])
    name = plain(study.wording.players[seat])[:24]
    if offered is None:
        return Sitting(name, is_persons=True)
    return Sitting(name, offered.agent, bots.title(offered.agent), offered.convention)
