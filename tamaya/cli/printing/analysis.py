"""The analysis of a game, printed: a curve, a line per move, the mistakes, the last cards, the cost of each player."""

import os
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any

from tamaya.cli.printing import console
from tamaya.cli.printing.curve import curve_lines
from tamaya.cli.printing.tables import figure_lines, text_table
from tamaya.engine.text import count_of

if TYPE_CHECKING:
    from tamaya.arena.analysis.game_analysis import Analyst, Chance, TurnAnalysis
    from tamaya.game.game import Game
    from tamaya.solver.hindsight import Reach

SLOTS = ("1st", "2nd", "3rd", "4th", "5th", "6th")


@dataclass
class Analysed:
    """A game, and what is known about it so far."""

    game: "Game"
    analyst: "Analyst"
    turns: "list[TurnAnalysis]" = field(default_factory=list)
    reach: "list[Reach]" = field(default_factory=list)
    """The highest scores in reach with all cards face up; empty if they are not known yet."""

    @property
    def final(self) -> int | None:
        """Returns the score, if the game is over and its last move was analysed."""
        is_whole = self.turns and self.turns[-1].turn == len(self.game.moves) - 1
        return self.analyst.points(self.game) if is_whole and self.game.is_over else None

    def before(self, turn: int) -> "Game":
        """Returns the game as it was before a move."""
        from tamaya.solver.solve import at_turn

        return at_turn(self.game, turn)


def print_analysis(found: Analysed, file: str, number: int, json: bool) -> None:
    """Prints what was analysed, even when it was cut short."""
    if json:
        console.print_json({"file": file, "game": number, **json_of_analysis(found)})
        return
    if not found.turns:
        return
    from tamaya.arena.analysis.game_analysis import assumption

    out, width = console.out, console.out.width
    count = "; a lost last life counts as zero" if found.analyst.team.settings.strict else ""
    out.print(f"{found.analyst.agent}: {assumption(found.analyst)}{count}\n", markup=False, soft_wrap=True)
    points = [one.expected for one in found.turns] + [one for one in [found.final] if one is not None]
    first = found.turns[0].turn
    tops = [one.bound for one in found.reach[first : first + len(points)]]
    marked = {place for place, one in enumerate(found.turns) if one.is_mistake}
    console.print_lines(curve_lines(points, tops, marked, first + 1, width))
    out.print()
    out.print(text_table([move_row(found, one) for one in found.turns]))
    out.print("\ncost: in points, ± its standard error; expected: the score, before the move")
    for line in (*mistake_lines(found, file, number), *last_card_lines(found), *loss_lines(found)):
        out.print(line, markup=False, soft_wrap=True)
    out.print()
    console.print_lines(figure_lines(total_rows(found), width))


def json_of_analysis(found: Analysed) -> dict[str, Any]:
    """Returns an analysis for a program."""
    from tamaya.arena.analysis.game_analysis import assumption, totals
    from tamaya.solver.hindsight import lost_by

    game, analyst = found.game, found.analyst
    return {
        "players": [game.wording.player(seat) for seat in range(game.players)],
        "score": analyst.points(game),
        "max_score": game.max_score,
        "is_over": game.is_over,
        "by": str(analyst.agent),
        "assumes": assumption(analyst),
        "is_strict": bool(analyst.team.settings.strict),
        "threshold": analyst.threshold,
        "turns": found.turns,
        "mistakes": [one.turn for one in found.turns if one.is_mistake],
        "totals": totals(found.turns, game.players),
        "face_up": {
            "reach": found.reach,
            "lost_by": lost_by(found.reach, game.max_score) if found.reach else None,
        },
    }


def move_row(found: Analysed, one: "TurnAnalysis") -> dict[str, str]:
    """Returns the line of a move."""
    is_same = one.made == one.best
    mark = " ×" if one.is_mistake else ""
    return {
        "move": str(one.turn + 1),
        "player": found.game.wording.player(one.seat),
        "made": made_words(found, one),
        "search": "✓" if is_same else in_few_words(one.best, found),
        "cost": "" if is_same else f"{one.cost:z5.2f} ± {one.error:.2f}{mark}",
        "expected": f"{one.expected:5.2f}",
        "face up": reach_words(found, one.turn),
    }


def in_few_words(text: str, found: Analysed) -> str:
    """Returns a move in few words: discard 1st, tell Bob R."""
    from tamaya.game.notation import Kind, Move

    move, wording = Move.parse(text), found.game.wording
    if move.kind in (Kind.PLAY, Kind.DISCARD):
        return f"{move.kind.name.lower()} {SLOTS[move.target]}"
    what = wording.letters[move.value] if move.kind == Kind.COLOUR else move.value
    return f"tell {wording.player(move.target)} {what}"


def made_words(found: Analysed, one: "TurnAnalysis") -> str:
    """Returns the move that was made, with the card that was played or discarded."""
    from tamaya.game.notation import Kind, Move

    move, words = Move.parse(one.made), in_few_words(one.made, found)
    if move.kind in (Kind.PLAY, Kind.DISCARD):
        words += f", {found.game.wording.card(found.before(one.turn).hands[one.seat][move.target])}"
    return words


def reach_words(found: Analysed, turn: int) -> str:
    """Returns the highest score in reach before a move, and after it, if it is lower."""
    if not found.reach:
        return ""
    before, after = found.reach[turn], found.reach[turn + 1]
    words = str(before.score) if before.is_exact else f"{before.score}–{before.bound}"
    return f"{words} → {after.bound}" if after.bound < before.score else words


def mistake_lines(found: Analysed, file: str, number: int) -> Iterator[str]:
    """Lists the mistakes, the most expensive first, and how to see the position of the first."""
    from tamaya.arena.analysis.game_analysis import SURE

    wrong = sorted((one for one in found.turns if one.is_mistake), key=lambda one: -one.cost)
    limit = f"{found.analyst.threshold:g} points and {SURE:g} standard errors"
    yield f"\n{count_of(len(wrong), 'mistake')}, at a cost of at least {limit}{':' if wrong else ''}"
    for one in wrong:
        player, made = found.game.wording.player(one.seat), made_words(found, one)
        cost = f"{one.cost:.2f} ± {one.error:.2f}"
        yield f"  move {one.turn + 1}: {player}, {made}, costs {cost}; the search: {in_few_words(one.best, found)}"
    if wrong and os.path.exists(file):  # a link would be too long
        command = f"tamaya think {shlex.quote(file)} --game {number} --turn {wrong[0].turn}"
        yield f"`{command}` shows the table before move {wrong[0].turn + 1}"


def last_card_lines(found: Analysed) -> Iterator[str]:
    """Lists the exact chance of each of the last moves, by what its player could know."""
    known = [one for one in found.turns if one.chances]
    if known:
        yield "\nthe last cards, by all that the player knew, if all cards are turned face up after the move:"
        yield f"the exact chance of {found.game.max_score} points, or the mean of the points if there is none"
    for one in known:
        groups = groupby(one.chances, partial(figure_of, one))
        words = "; ".join(group_words(one, figure, list(group)) for figure, group in groups)
        yield f"  move {one.turn + 1}: {found.game.wording.player(one.seat)}, {words}"


def figure_of(one: "TurnAnalysis", chance: "Chance") -> str:
    """Returns the chance of all points with a move or, if no move has any, the mean of its points."""
    is_open = any(other.perfect for other in one.chances)
    return f"{chance.perfect:.1%}" if is_open else f"{chance.points:.2f}"


def group_words(one: "TurnAnalysis", figure: str, group: "list[Chance]") -> str:
    """Returns moves with the same figure: 66.7% play 1st 3rd (made), any hint."""
    names: dict[str, list[str]] = {}
    for chance in group:
        kind, place = chance.move.split()[:2]
        made = " (made)" if chance is one.chance_of(one.made) else ""
        names.setdefault("any hint" if kind == "tell" else kind, []).append(
            made.strip() if kind == "tell" else f"{SLOTS[int(place)]}{made}"
        )
    return f"{figure} {', '.join(' '.join([kind, *filter(None, places)]) for kind, places in names.items())}"


def loss_lines(found: Analysed) -> Iterator[str]:
    """Says how the game ended, whether its deal could be won, and which move put that out of reach."""
    from tamaya.cli.printing.games import with_card
    from tamaya.game.story import in_short
    from tamaya.solver.hindsight import lost_by

    game, most = found.game, found.game.max_score
    yield f"\nthe game: {found.analyst.points(game)} of {most} points, {in_short(game)}"
    if not found.reach:
        return
    lost, deal = lost_by(found.reach, most), found.reach[0]
    highest = str(deal.score) if deal.is_exact else f"{deal.score} to {deal.bound}"
    words = f"with all cards face up, {highest} of {most} points could be reached"
    if lost:
        before = found.before(lost - 1)
        move = with_card(before, game.moves[lost - 1])
        words += f", until move {lost}: {before.wording.player(before.seat)}, {move}"
    yield words


def total_rows(found: Analysed) -> list[dict[str, str]]:
    """Returns what the moves of each player have cost."""
    from tamaya.arena.analysis.game_analysis import totals

    return [
        {
            "player": found.game.wording.player(one.seat),
            "moves": str(one.moves),
            "mistakes": str(one.mistakes),
            "cost": f"{one.cost:z.2f} ± {one.error:.2f}",
        }
        for one in totals(found.turns, found.game.players)
        if one.moves
    ]
