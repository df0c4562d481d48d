"""Evolution: generation by generation, the same whatever the number of threads, and from wherever it was stopped."""

import functools
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from tamaya.arena.batches import in_order
from tamaya.arena.seating import game_seeds
from tamaya.learn.evolution.evolution_state import (
    Elite,
    EvolutionPlan,
    EvolutionState,
    GenerationRecord,
    check_plan,
    read_evolution,
    workspace_of,
    write_evolution,
)
from tamaya.learn.evolution.fitness import Trial, Trials
from tamaya.learn.evolution.genes import LAST_RESORT, Genome
from tamaya.learn.evolution.genetic_operators import child_genome, next_population, random_genome, ranked

Tell = Callable[[EvolutionState, int], None]
"""Told how far an evolution is, and how many games were played since it was last told."""

FIRST_POPULATION = 1 << 40
"""The stream of random numbers that draws the first population."""


def random_numbers(plan: EvolutionPlan, generation: int) -> np.random.Generator:
    """The random numbers of a generation: they depend on nothing before it."""
    return np.random.default_rng([plan.seed, generation])


def decks(plan: EvolutionPlan, generation: int) -> np.ndarray:
    """The decks on which all genomes of a generation play.

    The genetic algorithm takes new ones each time. A niche is defended on those on which it was won.
    """
    return game_seeds(plan.seed, 0 if plan.niches else generation * plan.games, plan.games)


def first_state(plan: EvolutionPlan) -> EvolutionState:
    """The first genomes, at random."""
    rng = random_numbers(plan, FIRST_POPULATION)
    return EvolutionState([random_genome(rng) for _ in range(plan.population)])


def evolved(plan: EvolutionPlan, state: EvolutionState, trials: Sequence[Trial]) -> EvolutionState:
    """The state after a generation of the genetic algorithm."""
    fitness = [trial.fitness for trial in trials]
    children = next_population(state.population, fitness, plan.breeding, random_numbers(plan, state.generation))
    record = GenerationRecord(max(fitness), float(np.mean(fitness)))
    return EvolutionState(children, children[: plan.breeding.elite], [], [*state.history, record])


def niche_of(plan: EvolutionPlan, trial: Trial) -> tuple[int, int]:
    """The row and the column of the grid for a behaviour."""
    return tuple(min(plan.niches - 1, int(share * plan.niches)) for share in (trial.caution, trial.hints))  # type: ignore[return-value]


def settled(plan: EvolutionPlan, state: EvolutionState, trials: Sequence[Trial]) -> EvolutionState:
    """The state after a generation of MAP-Elites: whoever is fitter than the elite of its niche takes its place."""
    elites = {(one.row, one.column): one for one in state.niches}
    for genome, trial in zip(state.population, trials, strict=True):
        niche = niche_of(plan, trial)
        if niche not in elites or trial.fitness > elites[niche].fitness:
            elites[niche] = Elite(*niche, genome, *trial)
    niches = [elites[niche] for niche in sorted(elites)]
    rng, genomes = random_numbers(plan, state.generation), [one.genome for one in niches]
    children = [child_genome(two_of(genomes, rng), plan.breeding, rng) for _ in range(plan.population)]
    best = [genomes[one] for one in ranked([one.fitness for one in niches])[: plan.breeding.elite]]
    fitness = [one.fitness for one in niches]
    return EvolutionState(
        children, best, niches, [*state.history, GenerationRecord(max(fitness), float(np.mean(fitness)), len(niches))]
    )


def two_of(genomes: Sequence[Genome], rng: np.random.Generator) -> tuple[Genome, Genome]:
    """Two genomes at random."""
    first, second = rng.integers(len(genomes), size=2).tolist()
    return genomes[first], genomes[second]


def evolve(
    plan: EvolutionPlan, directory: Path, threads: int | None = None, tell: Tell = lambda state, games: None
) -> EvolutionState:
    """Evolves in a directory until all generations are done; given again, goes on where it was stopped."""
    check_plan(plan)
    read_evolution(directory, plan)  # before a directory of others gets a lock
    course = Trials(plan.players, plan.partners)
    course.prepare()
    with workspace_of(directory).locked():
        found = read_evolution(directory, plan)
        state = first_state(plan) if found is None else found
        while state.generation < plan.generations:
            state = after_a_generation(plan, state, course, threads, tell)
            write_evolution(directory, plan, state)
    return state


def after_a_generation(
    plan: EvolutionPlan, state: EvolutionState, course: Trials, threads: int | None, tell: Tell
) -> EvolutionState:
    """The state after all genomes of a generation were tried."""
    trials, games = [], plan.games_of_all // plan.population
    try_out = functools.partial(course.try_out, seeds=decks(plan, state.generation), is_watched=plan.niches > 0)
    for trial in in_order(try_out, state.population, threads):
        trials.append(trial)
        tell(state, games)
    return (settled if plan.niches else evolved)(plan, state, trials)


def pruned(course: Trials, genes: Sequence[int], seeds: np.ndarray) -> Genome:
    """The genes that matter: without any of the others, every game of some seeds has the same moves.

    In a game that is not among them another gene might be asked, so that the last resort stays at the end.
    """
    played, kept = course.moves(genes, seeds), list(genes)
    for gene in reversed(genes):
        fewer = [one for one in kept if one != gene]
        if fewer and course.moves(fewer, seeds) == played:
            kept = fewer
    return tuple(kept) if LAST_RESORT in kept else (*kept, LAST_RESORT)
