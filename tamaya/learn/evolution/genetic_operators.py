"""Genetic operators: how genomes come from genomes, by tournaments, crossover and mutation."""

from collections.abc import Sequence

import msgspec
import numpy as np

from tamaya.learn.evolution.genes import GENES, Genome

FRONT = 24
"""The places that decide nearly all moves: crossover cuts here, and mutation changes genes here."""


class Breeding(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of the genetic algorithm, by default those of Canaan et al. 2018."""

    elite: int = 20
    """How many of the best go on as they are."""
    tournament: int = 5
    """How many are drawn for each parent, of whom the best becomes it."""
    crossover: float = 0.9
    """The chance that a child has two parents."""
    mutation: float = 0.1
    """The chance of each place in front that its gene is swapped with another one."""


def random_genome(rng: np.random.Generator) -> Genome:
    """Any order of the genes."""
    return tuple(rng.permutation(len(GENES)).tolist())


def crossed(first: Genome, second: Genome, rng: np.random.Generator) -> Genome:
    """The front of one genome, followed by all other genes in the order of another."""
    front = first[: int(rng.integers(1, FRONT))]
    return front + tuple(gene for gene in second if gene not in front)


def mutated(genome: Genome, rate: float, rng: np.random.Generator) -> Genome:
    """A genome in which some genes in front are swapped with others."""
    genes = list(genome)
    for place in np.flatnonzero(rng.random(FRONT) < rate).tolist():
        other = int(rng.integers(len(genes)))
        genes[place], genes[other] = genes[other], genes[place]
    return tuple(genes)


def child_genome(parents: tuple[Genome, Genome], how: Breeding, rng: np.random.Generator) -> Genome:
    """A child of two genomes, or of the first of them alone."""
    child = crossed(*parents, rng) if rng.random() < how.crossover else parents[0]
    return mutated(child, how.mutation, rng)


def winner(fitness: Sequence[float], how: Breeding, rng: np.random.Generator) -> int:
    """The best of some that are drawn at random."""
    drawn: list[int] = rng.integers(len(fitness), size=how.tournament).tolist()
    return max(drawn, key=lambda one: (fitness[one], -one))


def next_population(
    population: Sequence[Genome], fitness: Sequence[float], how: Breeding, rng: np.random.Generator
) -> list[Genome]:
    """The elite of a population, followed by children of winners of tournaments."""
    children = [population[one] for one in ranked(fitness)[: how.elite]]
    while len(children) < len(population):
        parents = population[winner(fitness, how, rng)], population[winner(fitness, how, rng)]
        children.append(child_genome(parents, how, rng))
    return children


def ranked(fitness: Sequence[float]) -> list[int]:
    """The best first; of equals, the first."""
    return sorted(range(len(fitness)), key=lambda one: -fitness[one])
