"""The analysis of a line of a study, turn by turn: what each move has cost, and what was still in reach."""

from dataclasses import dataclass, field

from tamaya.agents.reasons import say
from tamaya.arena.analysis.analyst import Analyst, TurnAnalysis, assumption, make_analyst, totals
from tamaya.bridges.bot_server import orders_of
from tamaya.bridges.events import choice
from tamaya.engine.settings import Settings
from tamaya.game.game import Game
from tamaya.game.notation import Move
from tamaya.game.view import View
from tamaya.play.tables.bot_moves import considered
from tamaya.play.tables.study_messages import Analysis, InReach, SeatTotal, Verdict
from tamaya.solver.hindsight import Reach, lost_by, reach_by_turn
from tamaya.solver.solve import at_turn

ITERATIONS = 1000
"""How many games are imagined for a move, and as many for what it costs."""

POSITIONS = 50_000
"""How many positions are looked at to find what is in reach at a turn."""


@dataclass
class Judgement:
    """What has been found out about a line so far; a line only grows, so that what is known stays true."""

    analyst: Analyst
    turns: list[TurnAnalysis] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    reach: list[Reach] = field(default_factory=list)

    @property
    def stage(self) -> tuple[int, int]:
        """How far it has come."""
        return len(self.verdicts), len(self.reach)

    def until(self, turn: int) -> "Judgement":
        """What is known of a line that leaves this one after some turns."""
        return Judgement(self.analyst, self.turns[:turn], self.verdicts[:turn])

    def add(self, one: TurnAnalysis, verdict: Verdict) -> None:
        """Notes what was found out about the next turn."""
        self.turns.append(one)
        self.verdicts.append(verdict)

    def message(self, line: int, game: Game, since: int) -> Analysis:
        """What has been found out about a line since a turn."""
        lost = lost_by(self.reach, game.max_score) if self.reach else None
        return Analysis(
            line=line,
            since=since,
            verdicts=self.verdicts[since:],
            assumption=assumption(self.analyst),
            points=self.analyst.points(game) if game.is_over else None,
            in_reach=[(one.score, one.bound) for one in self.reach],
            lost=lost,
            totals=[SeatTotal(one.seat, one.cost, one.error, one.mistakes) for one in totals(self.turns, game.players)],
        )


def analyst_for(agents: list[str], settings: Settings) -> Analyst:
    """Who judges the moves of a game of some agents, all of which this server offers."""
    analyst = make_analyst(agents=agents, iterations=ITERATIONS)
    analyst.agent.check_table(settings)
    return analyst


def what_was_in_reach(game: Game) -> list[Reach]:
    """The highest score in reach after each turn of a game, with all cards face up."""
    return reach_by_turn(game, POSITIONS)


def judged(analyst: Analyst, game: Game, turn: int) -> tuple[TurnAnalysis, Verdict]:
    """What the move of a turn has cost, as the analyst and as people say it."""
    before = at_turn(game, turn)
    made, view = game.moves[turn], before.view()
    one = analyst.judge(before, made)
    best, chance_made = Move.parse(one.best), one.chance_of(one.made)
    return one, Verdict(
        turn=turn,
        cost=one.cost,
        error=one.error,
        expected=one.expected,
        expected_error=one.expected_error,
        deals=one.deals,
        is_mistake=one.is_mistake,
        best=choice(view, view.encode(best), orders_of(view)),
        best_words=say(best, view),
        is_best=best == made,
        candidates=[considered(candidate, made, view) for candidate in one.candidates],
        chances=[
            InReach(in_words(chance.move, view), chance.perfect, chance.points, chance is chance_made)
            for chance in one.chances
        ],
    )


def in_words(move: str, view: View) -> str:
    """A move near the end of a game; one hint stands for all."""
    return "any hint" if move.startswith("tell") else say(Move.parse(move), view)
