"""The plan of an evolution, how far it is, and the directory that keeps both."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from tamaya.arena.matches import MOST_GAMES
from tamaya.engine.text import suggestion
from tamaya.experiments.workspace import Workspace, WorkspaceError
from tamaya.learn.evolution.genes import GENES, Genome
from tamaya.learn.evolution.genetic_operators import Breeding

BASELINES = ("legal-random", "internal", "outer", "iggi", "piers", "flawed", "vdb")
"""The partners of Walton-Rivers et al. 2017, for whom Canaan et al. 2018 evolved their agents for mixed teams."""

FITNESS = ("mirror", "mixed")
MOST_GENERATIONS, MOST_GENOMES, MOST_NICHES = 100_000, 100_000, 40
STATE = "evolution.json"
"""The file of an evolution that is under way."""

RESULT = "result.json"
AGENTS = "agents.txt"
POOL = "partners.toml"
CURVE = "curve.svg"
GRID = "niches.svg"
"""The files of its results."""

CHOOSING, FRESH = 1_000_000, 2_000_000
"""What is added to the seed of an evolution for the decks that choose the best, and for those that measure it."""

MOST_SEED = (1 << 64) - 1 - FRESH


class EvolutionPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What evolves, from what, and by which games."""

    players: tuple[int, ...] = (2,)
    partners: tuple[str, ...] = ()
    """The team-mates in mixed teams; in mirror games there are none."""
    generations: int = 500
    population: int = 200
    games: int = 100
    """Games per genome, number of players and partner."""
    seed: int = 1
    niches: int = 0
    """The rows and the columns of the grid of MAP-Elites; 0 for the genetic algorithm."""
    breeding: Breeding = Breeding()
    genes: tuple[str, ...] = GENES

    @property
    def games_of_all(self) -> int:
        """Games of one generation."""
        return self.population * self.games * len(self.players) * max(1, len(self.partners))


def check_plan(plan: EvolutionPlan) -> None:
    """Refuses numbers that make no sense."""
    ranges = {
        "seed": (plan.seed, 0, MOST_SEED),
        "generations": (plan.generations, 1, MOST_GENERATIONS),
        "population": (plan.population, 2, MOST_GENOMES),
        "games": (plan.games, max(plan.players), MOST_GAMES),
        "elite": (plan.breeding.elite, 1, plan.population - 1),
        "tournament": (plan.breeding.tournament, 1, MOST_GENOMES),
        "map-elites": (plan.niches, 0, MOST_NICHES),
    }
    for name, (value, low, high) in ranges.items():
        if not low <= value <= high:
            raise ValueError(f"--{name} must be from {low:,} to {high:,}, not {value:,}")
    for name in ("crossover", "mutation"):
        if not 0 <= getattr(plan.breeding, name) <= 1:
            raise ValueError(f"--{name} must be from 0 to 1, not {getattr(plan.breeding, name):g}")


def check_fitness(fitness: str, partners: Sequence[str]) -> None:
    """Refuses an unknown kind of fitness, and partners where there is no place for them."""
    if fitness not in FITNESS:
        raise ValueError(f"--fitness must be {' or '.join(FITNESS)}, not {fitness!r}{suggestion(fitness, FITNESS)}")
    if fitness == "mirror" and partners:
        raise ValueError("--partners are for --fitness mixed; in mirror games a rule list plays with itself")


class Elite(msgspec.Struct, frozen=True):
    """The best genome of a niche, with its fitness and behaviour."""

    row: int
    column: int
    genome: Genome
    fitness: float
    hints: float
    caution: float


class GenerationRecord(msgspec.Struct, frozen=True):
    """What is remembered of a generation."""

    best: float
    mean: float
    niches: int = 0
    """How many niches are filled."""


class EvolutionState(msgspec.Struct, frozen=True):
    """How far an evolution is: the next genomes to try, the best so far, and what the generations reached."""

    population: list[Genome]
    elite: list[Genome] = []
    niches: list[Elite] = []
    history: list[GenerationRecord] = []

    @property
    def generation(self) -> int:
        """How many generations are done."""
        return len(self.history)


class SavedEvolution(msgspec.Struct, frozen=True):
    """The file of an evolution."""

    plan: EvolutionPlan
    state: EvolutionState


def workspace_of(directory: Path) -> Workspace:
    """The workspace of an evolution."""
    return Workspace(directory, STATE)


def read_evolution(directory: Path, plan: EvolutionPlan) -> EvolutionState | None:
    """How far the evolution in a directory is, none if it has not begun; refuses that of another plan.

    Only the number of generations may differ.
    """
    workspace = workspace_of(directory)
    workspace.check_free()
    kept = workspace.read(SavedEvolution)
    if kept is None:
        return None
    workspace.check_same(binding(kept.plan), binding(plan))
    if not is_usable(kept):
        raise workspace.damaged("it does not hold what evolves by its own plan")
    if kept.state.generation > plan.generations:
        reached = f"{kept.state.generation:,} generations"
        raise WorkspaceError(f"{directory} has {reached} already; ask for at least as many")
    return kept.state


def is_usable(kept: SavedEvolution) -> bool:
    """Whether there are as many genomes as planned, and each is an order of all genes."""
    state, orders = kept.state, list(range(len(kept.plan.genes)))
    genomes = [*state.population, *state.elite, *(one.genome for one in state.niches)]
    return len(state.population) == kept.plan.population and all(sorted(one) == orders for one in genomes)


def binding(plan: EvolutionPlan) -> dict[str, Any]:
    """What must stay the same in the directory of an evolution, by the names of the options that ask for it."""
    given = msgspec.to_builtins(plan)
    rules = "all" if plan.genes == GENES else plan.genes
    flat = given | given["breeding"] | {"map-elites": plan.niches, "rules": rules}
    names = ("players", "partners", "population", "games", "seed", "map-elites", "rules", *Breeding.__struct_fields__)
    return {f"--{name}": flat[name] for name in names}


def write_evolution(directory: Path, plan: EvolutionPlan, state: EvolutionState) -> None:
    """Keeps how far an evolution is."""
    workspace_of(directory).write(msgspec.json.encode(SavedEvolution(plan, state)) + b"\n")
