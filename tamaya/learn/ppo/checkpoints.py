"""Checkpoints: what a training in self-play writes, and how it goes on from there or from a trained network."""

import io
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

try:
    import torch
except ImportError as error:
    raise ImportError("self-play needs PyTorch: pip install 'tamaya[learn]'") from error

from tamaya.engine.files import replacing, write_files
from tamaya.engine.jit import ctrl_c_held_back
from tamaya.engine.settings import differing
from tamaya.experiments.workspace import Workspace, named_options
from tamaya.learn.learning_curves import score_curve
from tamaya.learn.ppo.hyperparameters import Course, Point
from tamaya.learn.ppo.ppo_training import VALUE_UNIT, Trainer
from tamaya.learn.ppo.torch_networks import Tower, Unpacker
from tamaya.networks.npz_weights import Arrays, TowerNetwork, read_archive
from tamaya.networks.policy_network import DUET

CHECKPOINT, NETWORK, CURVE, PICTURE = "checkpoint.pt", "network.npz", "curve.csv", "curve.svg"
"""The files of a training."""

FAINT = 0.1
"""The scale of a layer that is added to a trained network: the others go on as before, and it can learn."""

MISFITS = (KeyError, IndexError, TypeError, ValueError, RuntimeError, msgspec.MsgspecError)
"""What is raised where a checkpoint has other parts, sizes or names than expected."""


def workspace_of(folder: Path) -> Workspace:
    """The workspace of a training."""
    return Workspace(folder, CHECKPOINT)


def practise(trainer: Trainer, folder: Path, seconds: float = math.inf) -> Iterator[Point]:
    """Trains to the end, or for some time; writes the files of the folder at every point, and where it is stopped."""
    kept = -1  # a network that is gone or broken is written again
    with workspace_of(folder).locked():
        try:
            for point in trainer.points(seconds):
                write_checkpoint(trainer, folder)
                kept = trainer.iteration
                yield point
        except KeyboardInterrupt:
            write_checkpoint(trainer, folder)
            raise
        if trainer.iteration > kept:
            write_checkpoint(trainer, folder)


def begin_training(course: Course, folder: Path, device: str, threads: int = 1) -> Trainer:
    """A trainer that goes on from a checkpoint, if there is one, to the same end or another.

    On a processor, it learns with some threads, or with those of the checkpoint.
    """
    workspace, state = workspace_of(folder), None
    torch.set_num_threads(threads)
    workspace.check_free()
    if workspace.mark.exists():
        state = read_checkpoint(workspace)
        begun = binding(course_of(workspace, state), state.get("device", device))
        workspace.check_same(begun, binding(course, device))
    network = network_to_improve(course) if course.start and state is None else None
    folder.mkdir(parents=True, exist_ok=True)
    trainer = Trainer(course, device)
    if network is not None:
        trainer.made = network.made
        copy_weights(trainer.policy, network.layers, network.norms, trainer.actor.unpack)
        copy_weights(
            trainer.value, in_units(network.value_layers, 1 / VALUE_UNIT), network.value_norms, trainer.actor.unpack
        )
    if state is not None:
        try:
            trainer.restore(state)
        except MISFITS as error:
            raise workspace.damaged("it was made by another version") from error
    return trainer


def binding(course: Course, device: str) -> dict[str, Any]:
    """What must stay the same in the directory of a training, which may end sooner or later than it was to."""
    options = {"device": device} | named_options(course)
    return {name.removeprefix("settings."): value for name, value in options.items() if name != "moves"}


def course_of(workspace: Workspace, state: dict[str, Any]) -> Course:
    """How a checkpoint was trained."""
    try:
        return msgspec.json.decode(state["course"], type=Course)
    except MISFITS as error:  # somebody else's, or of other options
        raise workspace.damaged("it is not a checkpoint of this version of tamaya learn ppo") from error


def hidden_to_improve(start: str, folder: Path) -> tuple[int, ...]:
    """The layers of a training that starts with a network: those of its checkpoint, or else of the network."""
    workspace = workspace_of(folder)
    if workspace.mark.exists():
        return course_of(workspace, read_checkpoint(workspace)).hidden
    return hidden_of(towers_to_improve(start))


def towers_to_improve(start: str) -> TowerNetwork:
    """The network of a file, or duet, if it is one that can be trained on."""
    network = read_archive(DUET if start == "duet" else Path(start))
    if not isinstance(network, TowerNetwork):
        raise ValueError(f"{start} was not made by tamaya learn ppo, so it cannot be trained on")
    return network


def network_to_improve(course: Course) -> TowerNetwork:
    """The network from which a training starts, if it is one for the same game, with the same layers or fewer."""
    network = towers_to_improve(course.start)
    if network.game != course.settings:
        theirs, ours = differing(network.game, course.settings)
        words = f"{course.start} plays games with {theirs}, not with {ours}"
        raise ValueError(f"{words}; give its game, or leave out --start")
    hidden = hidden_of(network)
    if course.hidden != hidden + hidden[-1:] * (len(course.hidden) - len(hidden)):
        words = f"{course.start} has other layers; give --hidden {','.join(map(str, hidden))}"
        raise ValueError(f"{words}, or add layers of {hidden[-1]} neurons to these")
    return network


def hidden_of(network: TowerNetwork) -> tuple[int, ...]:
    """The neurons of each layer of a network but the last."""
    return tuple(network.sizes[1:-1])


def check_device(device: str) -> None:
    """Raises what is wrong with the name of a device."""
    if device not in ("cpu", "cuda"):
        raise ValueError(f"--device must be cpu or cuda, not {device}")
    if device == "cuda" and not torch.cuda.is_available():
        raise ValueError("PyTorch finds no GPU here; train on the processor with --device cpu")
    if device == "cuda":
        from tamaya.engine.jit.cuda import need_gpu

        need_gpu()


def read_checkpoint(workspace: Workspace) -> dict[str, Any]:
    """What a checkpoint holds."""
    try:
        state: dict[str, Any] = torch.load(workspace.mark, weights_only=True)
    except Exception as error:  # whatever PyTorch and zipfile raise for a file that is broken, or not theirs
        raise workspace.damaged("it is not a checkpoint, or not a whole one") from error
    return state


def write_checkpoint(trainer: Trainer, folder: Path) -> None:
    """Writes the checkpoint, the network and the learning curve, each whole or not at all.

    The checkpoint is the first: whatever happens next, the same command goes on from it and writes the others.
    """
    trainer.check_weights()
    lines = [",".join(Point.__struct_fields__)]
    lines += [",".join(f"{value:.6g}" for value in msgspec.structs.astuple(point)) for point in trainer.curve]
    texts = {CURVE: "\n".join(lines) + "\n"}
    picture = score_curve(trainer.curve, trainer.course.settings.max_score) if trainer.curve else ""
    if picture:
        texts[PICTURE] = picture
    with ctrl_c_held_back():
        state = io.BytesIO()
        torch.save(trainer.state(), state)  # what PyTorch says of a full disk is not for people
        workspace_of(folder).write(state.getbuffer())
        with replacing(folder / NETWORK) as file:
            tower_network(trainer).save(file)
        write_files(folder, texts)


def tower_network(trainer: Trainer) -> TowerNetwork:
    """The network that a trainer has made, with weights of 16 bits and how they were made; the value is in points."""
    made = {"by": "tamaya learn ppo", "course": trainer.course, "curve": trainer.curve[-1:]}
    if trainer.made:
        made["start"] = trainer.made
    layers, norms = arrays_of(trainer.policy, trainer.actor.unpack)
    value_layers, value_norms = arrays_of(trainer.value, trainer.actor.unpack)
    value_layers = in_units(value_layers, VALUE_UNIT)
    return TowerNetwork(trainer.course.settings, layers, norms, value_layers, value_norms, msgspec.to_builtins(made))


def in_units(layers: Arrays, factor: float) -> Arrays:
    """The layers of a tower whose outputs are multiplied by a factor."""
    biases, weights = layers[-1]
    return [*layers[:-1], (biases * factor, weights * factor)]


def arrays_of(tower: Tower, unpack: Unpacker) -> tuple[Arrays, Arrays]:
    """The layers of a tower, and how they are normalised, as arrays of 16 bits, without columns that are empty."""

    def arrays(part: Any) -> tuple[np.ndarray, np.ndarray]:
        weight, bias = (one.detach().cpu().numpy().astype(np.float16) for one in (part.weight, part.bias))
        return weight, bias

    layers = [arrays(part)[::-1] for part in (*tower.layers, tower.head)]
    biases, weights = layers[0]
    layers[0] = (biases, weights[:, unpack.columns[weights.shape[1]]])
    return layers, [arrays(part) for part in tower.norms]


@torch.no_grad()
def copy_weights(tower: Tower, layers: Arrays, norms: Arrays, unpack: Unpacker) -> None:
    """Gives a tower the numbers of another one; layers that this does not have hardly count at first."""
    known = len(norms)
    for part, (biases, weights) in zip((*tower.layers[:known], tower.head), layers, strict=True):
        columns = unpack.columns[part.in_features] if part is tower.layers[0] else np.arange(part.in_features)
        part.weight.zero_()
        part.weight[:, torch.from_numpy(columns)] = torch.from_numpy(weights).to(part.weight)
        part.bias.copy_(torch.from_numpy(biases))
    for norm, (scales, shifts) in zip(tower.norms[:known], norms, strict=True):
        norm.weight.copy_(torch.from_numpy(scales))
        norm.bias.copy_(torch.from_numpy(shifts))
    for norm in tower.norms[known:]:
        norm.weight.fill_(FAINT)
