"""A study: a recorded game with all cards face up, and the lines that people and bots have tried from its turns."""

from dataclasses import dataclass, field
from typing import ClassVar

from tamaya.arena.analysis.game_analysis import Analyst
from tamaya.bridges.protocol import Choice
from tamaya.game.game import Game
from tamaya.game.replay import from_record
from tamaya.play.tables.game_table import move_code
from tamaya.play.tables.journal import Branched, Dropped, Journal, Journaled, Studied, Tried
from tamaya.play.tables.messages import Reason, Refused
from tamaya.play.tables.study_analysis import LineAnalysis
from tamaya.solver.solve import at_turn

GAME = 0
"""The line of the recorded game itself, which never changes."""

MOST_LINES = 60
"""How many lines a study keeps."""


@dataclass
class Line:
    """A line of play: where it left which other line, the game, and the agent that made each move, if any."""

    parent: int
    turn: int
    game: Game
    makers: list[str]
    reasons: dict[int, Reason] = field(default_factory=dict)
    """Why bots made their moves, as far as somebody has asked."""


class Study(Journaled):
    """A study: a game and its lines."""

    begins = Studied

    def __init__(self, studied: Studied, journal: Journal) -> None:
        super().__init__(studied, journal)
        self.record = studied.record
        game = from_record(studied.record)
        self.rules, self.wording = game.settings, game.wording
        self.lines = {GAME: Line(GAME, 0, game, studied.makers)}
        self.newest = GAME
        """The number of the newest line; numbers are not used again."""
        self.analyses: dict[int, LineAnalysis] = {}
        """What was found out about the moves of lines, as far as somebody has asked."""
        self.busy = ""
        """What the server works out for this study at the moment, if anything."""

    @property
    def agents(self) -> list[str]:
        """The agent that sat in each seat of the game at its end; none where that is not known."""
        makers, players = self.lines[GAME].makers, self.rules.players
        return [(makers[seat::players] or [""])[-1] for seat in range(players)]

    def branch(self, entry: Branched) -> None:
        """Begins a line."""
        game, makers = self.game_at(entry.parent, entry.turn), self.lines[entry.parent].makers
        self.lines[entry.line] = Line(entry.parent, entry.turn, game, makers[: entry.turn])
        self.newest = max(self.newest, entry.line)

    def extend(self, entry: Tried) -> None:
        """Makes a move at the end of a line."""
        line = self.lines[entry.line]
        line.game.advance(move_code(line.game, entry.move))
        line.makers.append(entry.agent)

    def drop(self, entry: Dropped) -> None:
        """Gives a line up."""
        del self.lines[entry.line]
        self.analyses.pop(entry.line, None)

    changes: ClassVar = {Branched: branch, Tried: extend, Dropped: drop}

    def line(self, number: int) -> Line:
        """A line by its number."""
        if number not in self.lines:
            raise Refused(f"there is no line {number} in this study")
        return self.lines[number]

    def game_at(self, number: int, turn: int) -> Game:
        """The game of a line after some turns."""
        whole = self.line(number).game
        if not 0 <= turn <= whole.turn:
            raise Refused(f"the line has {whole.turn} turns; there is no turn {turn}")
        return at_turn(whole, turn)

    def line_from(self, number: int, turn: int) -> int:
        """The line to which moves after a turn are added: the same one at the end of a branch, else a new one."""
        if number != GAME and turn == self.line(number).game.turn:
            return number
        if len(self.lines) >= MOST_LINES:
            raise Refused(f"a study has at most {MOST_LINES} lines; delete one first")
        self.enter(Branched(self.newest + 1, number, turn))
        return self.newest

    def try_move(self, number: int, turn: int, move: Choice) -> int:
        """Makes a person's move after a turn of a line, and returns the line that has it."""
        game = self.game_at(number, turn)
        if game.is_over:
            raise Refused("the game is over")
        move_code(game, move)
        line = self.line_from(number, turn)
        self.enter(Tried(line, move))
        return line

    def analysis(self, number: int, analyst: Analyst) -> LineAnalysis:
        """What is known about the moves of a line; up to where it left another line, that is known of both."""
        if number not in self.analyses:
            line, empty = self.lines[number], LineAnalysis(analyst)
            self.analyses[number] = self.analyses.get(line.parent, empty).until(line.turn)
        return self.analyses[number]

    def give_up(self, number: int) -> None:
        """Deletes a line; those that have left it stay."""
        self.line(number)
        if number == GAME:
            raise Refused("the game itself cannot be deleted")
        self.enter(Dropped(number))
