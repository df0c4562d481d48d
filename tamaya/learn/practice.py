"""Training in self-play as a whole: checkpoints to go on from, the learning curve, and files that play."""

import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import torch

from tamaya.evaluation.archives import Arrays, TowerNetwork
from tamaya.learn.course import Course, Point
from tamaya.learn.curves import score_curve
from tamaya.learn.ppo import VALUE_UNIT, Trainer
from tamaya.learn.towers import Tower

CHECKPOINT, NETWORK, CURVE, PICTURE = "checkpoint.pt", "network.npz", "curve.csv", "curve.svg"
"""The files of a training."""


def practise(trainer: Trainer, folder: Path, seconds: float = math.inf) -> Iterator[Point]:
    """Trains to the end, or for some time; writes the files of the folder at every point, before it is told."""
    for point in trainer.points(seconds):
        keep(trainer, folder)
        yield point


def begin(course: Course, folder: Path, device: str) -> Trainer:
    """A trainer that goes on from a checkpoint, if there is one."""
    folder.mkdir(parents=True, exist_ok=True)
    path, state = folder / CHECKPOINT, None
    if path.exists():
        state = read_state(path)
        if msgspec.json.decode(state["course"], type=Course) != course:
            raise ValueError(f"{path} was trained in another way; give the same options, or another directory")
    trainer = Trainer(course, device)
    if state is not None:
        trainer.restore(state)
    return trainer


def check_device(device: str) -> None:
    """Raises what is wrong with the name of a device."""
    if device not in ("cpu", "cuda"):
        raise ValueError(f"--device must be cpu or cuda, not {device}")
    if device == "cuda" and not torch.cuda.is_available():
        raise ValueError("PyTorch finds no GPU here; train on the processor with --device cpu")
    if device == "cuda":
        from tamaya.jit.twins import need_gpu

        need_gpu()


def read_state(path: Path) -> dict[str, Any]:
    """What a checkpoint holds."""
    try:
        state: dict[str, Any] = torch.load(path, weights_only=True)
    except Exception as error:  # whatever PyTorch and zipfile raise for a file that is broken, or not theirs
        raise ValueError(f"{path} is not a checkpoint, or not a whole one; delete it to begin anew") from error
    return state


def keep(trainer: Trainer, folder: Path) -> None:
    """Writes the checkpoint, the learning curve and the network, each whole or not at all."""
    partial = folder / "partial"
    torch.save(trainer.state(), partial)
    os.replace(partial, folder / CHECKPOINT)
    lines = [",".join(Point.__struct_fields__)]
    lines += [",".join(f"{value:.6g}" for value in msgspec.structs.astuple(point)) for point in trainer.curve]
    partial.write_text("\n".join(lines) + "\n")
    os.replace(partial, folder / CURVE)
    partial.unlink(missing_ok=True)
    export(trainer, partial)
    os.replace(partial, folder / NETWORK)
    picture = score_curve(trainer.curve, trainer.course.settings.max_score)
    if picture:
        (folder / PICTURE).write_text(picture)


def export(trainer: Trainer, path: Path) -> None:
    """Writes a file for ``network(FILE)``, with weights of 16 bits and how they were made; the value is in points."""
    made = {"by": "tamaya learn ppo", "course": trainer.course, "curve": trainer.curve[-1:]}
    layers, norms = arrays_of(trainer.policy)
    value_layers, value_norms = arrays_of(trainer.value)
    value_layers[-1] = (value_layers[-1][0] * VALUE_UNIT, value_layers[-1][1] * VALUE_UNIT)
    TowerNetwork(trainer.course.settings, layers, norms, value_layers, value_norms, msgspec.to_builtins(made)).write(
        path
    )


def arrays_of(tower: Tower) -> tuple[Arrays, Arrays]:
    """The layers of a tower, and how they are normalised, as arrays of 16 bits."""

    def arrays(part: Any) -> tuple[np.ndarray, np.ndarray]:
        weight, bias = (one.detach().cpu().numpy().astype(np.float16) for one in (part.weight, part.bias))
        return weight, bias

    layers = [arrays(part)[::-1] for part in (*tower.layers, tower.head)]
    return layers, [arrays(part) for part in tower.norms]
