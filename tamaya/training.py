"""Training without a command line: evolution, Goodman's generations, and the networks that a training writes.

Only Goodman's networks need PyTorch, and only when they are trained.
"""

from tamaya.learn.evolution.champions import results_of, write_results
from tamaya.learn.evolution.evolution_run import Plan as EvolutionPlan
from tamaya.learn.evolution.evolve import evolve
from tamaya.learn.evolution.genes import GENES
from tamaya.learn.goodman.collecting import Collection, collect
from tamaya.learn.goodman.generations import Plan as GoodmanPlan
from tamaya.learn.goodman.generations import run_plan, train_from
from tamaya.learn.goodman.training import Training
from tamaya.networks.inputs.goodman_features import FEATURES
from tamaya.networks.inputs.policy_inputs import further_sections
from tamaya.networks.inputs.sight_features import SIGHT_FEATURES
from tamaya.networks.npz_weights import PolicyNetwork, TowerNetwork, read_archive
from tamaya.networks.sparse_layers import VECTOR

__all__ = [
    "FEATURES",
    "GENES",
    "SIGHT_FEATURES",
    "VECTOR",
    "Collection",
    "EvolutionPlan",
    "GoodmanPlan",
    "PolicyNetwork",
    "TowerNetwork",
    "Training",
    "collect",
    "evolve",
    "further_sections",
    "read_archive",
    "results_of",
    "run_plan",
    "train_from",
    "write_results",
]
