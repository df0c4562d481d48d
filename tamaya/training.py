"""Training without a command line: evolution, Goodman's generations, and the networks that a training writes.

Only Goodman's networks need PyTorch, and only when they are trained.
"""

from tamaya.learn.evolution.evolution_loop import evolve
from tamaya.learn.evolution.evolution_results import Found, results_of, write_results
from tamaya.learn.evolution.evolution_state import EvolutionPlan, EvolutionState
from tamaya.learn.evolution.genes import GENES
from tamaya.learn.evolution.genetic_operators import Breeding
from tamaya.learn.goodman.collection import Collection, collect
from tamaya.learn.goodman.generations import FASTER, Generation, GoodmanPlan, run_plan, train_from
from tamaya.learn.goodman.network_training import Training
from tamaya.networks.inputs.goodman_features import FEATURES
from tamaya.networks.inputs.policy_inputs import InputSection, further_sections
from tamaya.networks.inputs.sight_features import SIGHT_FEATURES
from tamaya.networks.npz_weights import PolicyNetwork, TowerNetwork, read_archive
from tamaya.networks.sparse_layers import VECTOR

__all__ = [
    "FASTER",
    "FEATURES",
    "GENES",
    "SIGHT_FEATURES",
    "VECTOR",
    "Breeding",
    "Collection",
    "EvolutionPlan",
    "EvolutionState",
    "Found",
    "Generation",
    "GoodmanPlan",
    "InputSection",
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
