"""The curve of a game as a picture: the scores expected at its turns, mistakes, and what was in reach."""

from collections.abc import Sequence
from typing import Any

from tamaya.arena.analysis import TurnAnalysis
from tamaya.experiments.plots import COLOURS, new_figure
from tamaya.game.game import Game
from tamaya.solver.hindsight import Reach


def game_curve(game: Game, turns: Sequence[TurnAnalysis], final: int | None = None, reach: Sequence[Reach] = ()) -> Any:
    """A figure of matplotlib; it needs the extra ``plot``."""
    figure, panel = new_figure(3.6, 7.0)
    places, scores = [one.turn for one in turns], [one.expected for one in turns]
    errors = [one.expected_error for one in turns]
    if final is not None:
        places, scores, errors = [*places, len(game.moves)], [*scores, final], [*errors, 0.0]
    if reach:
        tops = [reach[place].bound for place in places]
        panel.step(places, tops, where="post", color=COLOURS[7], linewidth=1, label="highest, all cards face up")
    low, high = ([one + sign * error for one, error in zip(scores, errors, strict=True)] for sign in (-1, 1))
    panel.fill_between(places, low, high, color=COLOURS[0], alpha=0.25, linewidth=0)
    panel.plot(places, scores, color=COLOURS[0], linewidth=1.4, label="expected")
    wrong = [one for one in turns if one.is_mistake]
    if wrong:
        at = [[one.turn for one in wrong], [one.expected for one in wrong]]
        panel.plot(*at, "x", color=COLOURS[1], markersize=7, markeredgewidth=1.8, label="mistake")
    panel.set_xlabel("moves made", fontsize=8)
    panel.set_ylabel("score", fontsize=8)
    panel.grid(axis="y", color="#808080", alpha=0.35, linewidth=0.6)
    figure.legend(loc="outside lower center", fontsize=8, frameon=False, ncols=3)
    return figure
