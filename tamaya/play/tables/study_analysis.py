"""The analysis of a line of a study, turn by turn: what each move has cost, and what was still in reach."""

from dataclasses import dataclass, field

from tamaya.arena.analysis.game_analysis import Analyst, assumption, make_analyst, totals
from tamaya.bridges.events import choice, orders_of
from tamaya.engine.settings import Settings
from tamaya.game.game import Game
from tamaya.game.notation import Move
from tamaya.play.tables.bot_moves import move_words
from tamaya.play.tables.study_messages import AnalysedMove, Analysis
from tamaya.solver.hindsight import Reach, lost_by, reach_by_turn
from tamaya.solver.solve import at_turn

ITERATIONS = 1000
"""How many games are imagined for a move, and as many for what it costs."""

POSITIONS = 50_000
"""How many positions are looked at to find what is in reach at a turn."""


@dataclass
class LineAnalysis:
    """What has been found out about a line so far; a line only grows, so that what is known stays true."""

    analyst: Analyst
    moves: list[AnalysedMove] = field(default_factory=list)
    reach: list[Reach] = field(default_factory=list)

    @property
    def stage(self) -> tuple[int, int]:
        """How far it has come."""
        return len(self.moves), len(self.reach)

    def until(self, turn: int) -> "LineAnalysis":
        """What is known of a line that leaves this one after some turns."""
        return LineAnalysis(self.analyst, self.moves[:turn])

    def message(self, line: int, game: Game, since: int) -> Analysis:
        """What has been found out about a line since a turn."""
        lost = lost_by(self.reach, game.max_score) if self.reach else None
        return Analysis(
            line=line,
            since=since,
            moves=self.moves[since:],
            assumption=assumption(self.analyst),
            points=self.analyst.points(game) if game.is_over else None,
            in_reach=self.reach,
            lost=lost,
            totals=totals([one.analysis for one in self.moves], game.players),
        )


def analyst_for(agents: list[str], settings: Settings) -> Analyst:
    """Who judges the moves of a game of some agents, all of which this server offers."""
    analyst = make_analyst(agents=agents, iterations=ITERATIONS)
    analyst.agent.check_table(settings)
    return analyst


def what_was_in_reach(game: Game) -> list[Reach]:
    """The highest score in reach after each turn of a game, with all cards face up."""
    return reach_by_turn(game, POSITIONS)


def analyse_move(analyst: Analyst, game: Game, turn: int) -> AnalysedMove:
    """Returns what the move of a turn has cost, as the analyst finds it, with its moves in words."""
    before = at_turn(game, turn)
    view = before.view()
    analysis = analyst.judge(before, game.moves[turn])
    best = choice(view, view.encode(Move.parse(analysis.best)), orders_of(view))
    candidates = [one.move for one in analysis.candidates]
    chances = [one.move for one in analysis.chances]
    return AnalysedMove(analysis, best, move_words([analysis.best, *candidates, *chances], view))
