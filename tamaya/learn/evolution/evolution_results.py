"""What an evolution found: the best of its elite, or the elites of all niches, measured on fresh decks."""

import functools
import math
import shlex
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from tamaya.agents.registry import make_agent
from tamaya.arena.batches import in_order
from tamaya.arena.seating import game_seeds
from tamaya.arena.statistics import Difference, difference, mean_interval
from tamaya.engine.files import write_files
from tamaya.engine.settings import Settings
from tamaya.experiments.report.plots import are_available, as_svg, new_figure
from tamaya.learn.evolution.evolution_loop import pruned
from tamaya.learn.evolution.evolution_state import (
    AGENTS,
    CHOOSING,
    CURVE,
    FRESH,
    GRID,
    POOL,
    RESULT,
    Elite,
    EvolutionPlan,
    EvolutionState,
    GenerationRecord,
)
from tamaya.learn.evolution.fitness import Trials
from tamaya.learn.evolution.genes import Genome, agent_of, text_of

PRUNING_GAMES = 1000


class Found(msgspec.Struct, frozen=True):
    """An agent that evolution found, with its mean score on fresh decks."""

    agent: str
    mean: float
    low: float
    high: float
    games: int
    hints: float
    caution: float
    row: int = 0
    column: int = 0

    @property
    def half(self) -> float:
        """Half of the 95 % interval."""
        return self.high - self.mean


def best_of(plan: EvolutionPlan, course: Trials, state: EvolutionState, threads: int | None) -> Genome:
    """The genome of the elite that scores most on decks of their own, ten times as many as in a generation."""
    seeds = game_seeds(plan.seed + CHOOSING, 0, 10 * plan.games)
    trials = in_order(functools.partial(course.try_out, seeds=seeds), state.elite, threads)
    return state.elite[int(np.argmax([trial.fitness for trial in trials]))]


def measured(plan: EvolutionPlan, course: Trials, genome: Genome, games: int, place: tuple[int, int] = (0, 0)) -> Found:
    """A genome without the genes that do not matter, and what it scores on fresh decks."""
    genes = pruned(course, genome, game_seeds(plan.seed + CHOOSING, 0, min(games, PRUNING_GAMES)))
    seeds = game_seeds(plan.seed + FRESH, 0, games)
    scores, trial = course.watch(agent_of(genes), seeds)
    by_deck, mean = scores.mean(0), float(scores.mean())
    error = float(by_deck.std(ddof=1)) / math.sqrt(len(by_deck))
    highest = max(Settings(players=count).max_score for count in plan.players)
    low, high = mean_interval(mean, error, len(by_deck), highest)
    return Found(text_of(genes), mean, low, high, scores.size, trial.hints, trial.caution, *place)


def results_of(plan: EvolutionPlan, state: EvolutionState, games: int, threads: int | None = None) -> list[Found]:
    """What an evolution found: one agent, or one per niche, the fittest first."""
    course = Trials(plan.players, plan.partners)
    if not plan.niches:
        return [measured(plan, course, best_of(plan, course, state, threads), games)]

    def measure(one: Elite) -> Found:
        return measured(plan, course, one.genome, games, (one.row, one.column))

    return sorted(in_order(measure, state.niches, threads), key=lambda one: -one.mean)


def compare_with(
    plan: EvolutionPlan, found: Found, names: Sequence[str], games: int
) -> list[tuple[str, float, Difference]]:
    """What other agents score in the games that measured one that was found, and how it differs from them."""
    course, seeds = Trials(plan.players, plan.partners), game_seeds(plan.seed + FRESH, 0, games)
    own, rows = course.watch(make_agent(found.agent), seeds, False)[0], []
    for name in names:
        scores = course.watch(make_agent(name), seeds, False)[0]
        gains = (own - scores).mean(0)
        row = difference(name, len(gains), float(gains.sum()), float((gains * gains).sum()))
        rows.append((name, float(scores.mean()), row))
    return rows


def quoted(text: str) -> str:
    """A text as a string of TOML."""
    return msgspec.json.encode(text).decode()


def pool_file(plan: EvolutionPlan, found: Sequence[Found], agent: str = "piers") -> str:
    """An experiment in which an agent plays with every elite, for ``tamaya run``; the agents are one per line."""
    partners = "\n".join(f"    {quoted(one.agent)}," for one in found)
    players = ", ".join(map(str, plan.players))
    head = f'title = "An agent with the elites"\nplayers = [{players}]\ngames = 1000\n\n[[lineup]]\nkind = "pairing"'
    return f'{head}\nagents = ["{agent}"]\npartners = [\n{partners}\n]\n'


def curve_picture(plan: EvolutionPlan, history: Sequence[GenerationRecord]) -> str:
    """The best and the mean fitness over the generations as SVG, readable in black and white."""
    figure, panel = new_figure(3.6, 6.0)
    generations = range(1, len(history) + 1)
    panel.plot(generations, [one.best for one in history], "k-", label="best")
    panel.plot(generations, [one.mean for one in history], "k--", label="mean of all niches" if plan.niches else "mean")
    panel.set_xlabel("generation")
    panel.set_ylabel("mean score")
    title = f"fitness in {plan.games:,} games per genome"
    panel.set_title(title, fontsize=10)
    panel.legend()
    return as_svg(figure, title)


def niche_picture(plan: EvolutionPlan, found: Sequence[Found]) -> str:
    """The fitness of all niches as a heat map in SVG."""
    figure, panel = new_figure(4.6, 5.6)
    grid = np.full((plan.niches, plan.niches), np.nan)
    for one in found:
        grid[one.row, one.column] = one.mean
    edges = np.linspace(0, 1, plan.niches + 1)
    mesh = panel.pcolormesh(edges, edges, grid, cmap="YlGnBu", edgecolors="none")
    figure.colorbar(mesh, ax=panel, label="mean score")
    panel.set_xlabel("communicativeness: share of hints while there are tokens")
    panel.set_ylabel("risk aversion: chance of success when playing")
    title = "the elites of all niches"
    panel.set_title(title, fontsize=10)
    return as_svg(figure, title)


def niche_lines(plan: EvolutionPlan, found: Sequence[Found]) -> list[str]:
    """The grid of niches as lines of text: the mean scores, the most cautious first."""
    means = {(one.row, one.column): one.mean for one in found}
    bounds = [f"{place / plan.niches:.2f}" for place in range(plan.niches)]
    lines = ["rows: caution from; columns: hints from", " " * 6 + " ".join(f"{bound:>4}" for bound in bounds)]
    for row in reversed(range(plan.niches)):
        cells = (f"{means[row, column]:4.1f}" if (row, column) in means else "   ·" for column in range(plan.niches))
        lines.append(f"{bounds[row]:>4}  {' '.join(cells)}")
    return lines


def write_results(directory: Path, plan: EvolutionPlan, state: EvolutionState, found: Sequence[Found]) -> list[Path]:
    """Writes what was found: as JSON with all that made it, as agents one per line, as an experiment, as pictures."""
    about: dict[str, Any] = {
        "tamaya": version("tamaya"),
        "command": shlex.join(["tamaya", *sys.argv[1:]]),
        "plan": plan,
    }
    content = msgspec.json.format(msgspec.json.encode({**about, "history": state.history, "found": found}), indent=1)
    files = {RESULT: content.decode() + "\n", AGENTS: "".join(f"{one.agent}\n" for one in found)}
    if plan.niches:
        files[POOL] = pool_file(plan, found)
    if are_available():
        files[CURVE] = curve_picture(plan, state.history)
        if plan.niches:
            files[GRID] = niche_picture(plan, found)
    return write_files(directory, files)
