"""Files of weights: a network with what it is for and how it was made, as JSON that can be read and compared."""

import functools
import math
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from tamaya.engine.files import content_of
from tamaya.engine.text import count_of, in_words
from tamaya.networks.dense_layers import pack_network
from tamaya.networks.inputs.goodman_features import FEATURES, STATE_FEATURES
from tamaya.networks.inputs.sight_features import SIGHT_FEATURES
from tamaya.policies.language import AgentError
from tamaya.policies.rules.rule_syntax import RULE_SETS, parse_rules

FORMAT = "tamaya network 1"
LARGEST_FILE = 64 << 20
MOST_LAYERS, MOST_NEURONS = 16, 4096
"""The hidden layers that a network has at most, and the neurons of each."""

SMALLEST_DEVIATION = 1e-5
"""Inputs that never vary are not blown up."""

LARGEST_WEIGHT = 1e9
"""With larger ones, the sums of many layers could exceed all numbers."""

CHOICES = 9
JUDGED = (
    *(f"PROPOSED_BY_{rule.name}" for rule in parse_rules(RULE_SETS["goodman"][1])),
    *("IS_PLAY", "IS_DISCARD"),
    *(f"{name}_BY_CONVENTION" for name in FEATURES),
    *FEATURES,
)
"""What is known of a move that somebody made: the rules that propose it, its kind, its features in both readings."""

INPUTS = {"goodman": FEATURES, "sight": SIGHT_FEATURES, "state": STATE_FEATURES, "judged": JUDGED}
"""What networks see, by name."""

TASKS = {"evalfn": (("goodman", "sight"), 1), "rule-classifier": (("state",), CHOICES), "likelihood": (("judged",), 0)}
"""What networks are for, with the inputs that each may have and the number of its outputs; 0 if its file names them."""


class WeightsError(AgentError):
    """A generation that does not exist, or a file without a usable network."""


class Layer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The biases of a layer, and its weights, [output, input]."""

    biases: list[float]
    weights: list[list[float]]


class Network(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A trained network: its task, its inputs with their means and deviations, its layers, and how it was made."""

    format: str
    task: str
    inputs: list[str]
    means: list[float]
    deviations: list[float]
    layers: list[Layer]
    outputs: list[str] = []
    """The policies of the pool that a likelihood network knows."""
    made: dict[str, Any] = {}

    @property
    def sizes(self) -> list[int]:
        """The numbers of inputs, of the neurons of each layer, and of outputs."""
        return [len(self.inputs), *(len(layer.biases) for layer in self.layers)]

    def pack(self) -> np.ndarray:
        """The network as a row for kernels; the scaling of the inputs becomes part of the first layer."""
        weights = [np.array(layer.weights) for layer in self.layers]
        biases = [np.array(layer.biases) for layer in self.layers]
        weights[0] = weights[0] / np.array(self.deviations)
        biases[0] = biases[0] - weights[0] @ np.array(self.means)
        return pack_network(biases, weights)


def check_network(network: Network) -> None:
    """Raises what is wrong with a network."""
    if network.format != FORMAT:
        raise WeightsError(f"its format is {network.format!r}, not {FORMAT!r}")
    if network.task not in TASKS:
        raise WeightsError(f"it is for {network.task!r}, not for one of {', '.join(TASKS)}")
    inputs, outputs = TASKS[network.task]
    if tuple(network.inputs) not in [INPUTS[name] for name in inputs]:
        counts = " or ".join(str(len(INPUTS[name])) for name in inputs)
        raise WeightsError(f"its inputs are not the {counts} features of {network.task}")
    if not len(network.means) == len(network.deviations) == len(network.inputs):
        raise WeightsError("it must have a mean and a deviation for every input")
    if len(network.layers) < 2:
        raise WeightsError("it must have a hidden layer")
    outputs = outputs or max(1, len(network.outputs))
    if network.sizes[-1] != outputs:
        raise WeightsError(f"it must have {count_of(outputs, 'output')}")
    check_hidden(network.sizes[1:-1])
    for number, (layer, size) in enumerate(zip(network.layers, network.sizes, strict=False), 1):
        if len(layer.weights) != len(layer.biases) or {len(row) for row in layer.weights} != {size}:
            raise WeightsError(f"the weights of layer {number} are not {len(layer.biases)} rows of {size}")
    if min(network.deviations) < SMALLEST_DEVIATION or not np.abs(network.pack()).max() < LARGEST_WEIGHT:
        raise WeightsError("some of its numbers are not usable")


def check_hidden(sizes: Sequence[int]) -> None:
    """Raises an error for hidden layers that no network can have."""
    if len(sizes) > MOST_LAYERS:
        raise WeightsError(f"a network has at most {MOST_LAYERS} hidden layers, not {len(sizes)}")
    for size in sizes:
        if not 1 <= size <= MOST_NEURONS:
            raise WeightsError(f"a hidden layer has from 1 to {MOST_NEURONS:,} neurons, not {size:,}")


def parse_network(content: bytes, task: str) -> Network:
    """The network of a file's content, which must be for a task."""
    try:
        network = msgspec.json.decode(content, type=Network)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise WeightsError(f"it is not a file of weights, or not a whole one: {in_words(error)}") from error
    check_network(network)
    if network.task != task:
        raise WeightsError(f"it is for {network.task}, not for {task}")
    return network


def read_network(path: Path, task: str = "evalfn") -> Network:
    """The network of a file."""
    try:
        return parse_network(content_of(path, LARGEST_FILE), task)
    except OSError as error:
        raise WeightsError(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise WeightsError(f"{path} cannot be used: {error}") from error


@functools.lru_cache
def trained_network(task: str, generation: int) -> Network:
    """A network that comes with the package."""
    if generation not in trained_generations(task):
        known = ", ".join(map(str, trained_generations(task)))
        raise WeightsError(
            f"there is no {task}({generation}); choose {known} or a file of weights, as in {task}(mine.json)"
        )
    return parse_network((files("tamaya.networks") / "trained" / f"{task}_{generation}.json").read_bytes(), task)


def trained_generations(task: str) -> list[int]:
    """The numbers of the networks for a task that come with the package."""
    names = [entry.name for entry in (files("tamaya.networks") / "trained").iterdir()]
    numbers = [name.removeprefix(f"{task}_").removesuffix(".json") for name in names if name.startswith(f"{task}_")]
    return sorted(int(number) for number in numbers if number.isdecimal())


def weights_of(task: str, generation: float, file: str) -> Network:
    """The network of a file if one is named, else that of a generation."""
    if file:
        return read_network(Path(file), task)
    if generation != math.floor(generation):
        raise WeightsError(f"generations are whole numbers, not {generation:g}")
    return trained_network(task, int(generation))
