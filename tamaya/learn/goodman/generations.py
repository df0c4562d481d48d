"""The generations of Goodman 2019, and one more: a network learns from games of searches, and makes better ones."""

import contextlib
import math
import shlex
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from tamaya.arena.batches import cores, in_flight, play_batches
from tamaya.arena.seating import Seating
from tamaya.engine.files import replacing, write_files
from tamaya.engine.settings import Settings
from tamaya.experiments.report.plots import are_available
from tamaya.experiments.workspace import Workspace, named_options
from tamaya.learn.goodman.collection import Collection, collect, read_collection
from tamaya.learn.goodman.network_training import Training, train
from tamaya.learn.goodman.training_data import KIND_OF, read_table
from tamaya.learn.learning_curves import Curve, learning_curve
from tamaya.networks.json_weights import Network, read_network

Tell = Callable[[str], None]

FASTER = Training(epochs=30, batch=64, rate=1e-3, decay=True, fewest=5)
"""As good weights in fewer steps; and rows of fewer visits, for our searches are shorter than the published ones."""

COMPARING = Training((64, 32), "sight", epochs=20, batch=32, rate=1e-3, decay=True, advantage=100.0, fewest=2)
"""A network that sees more, and learns above all how the moves of a position differ."""

PUBLISHED = 3
"""The generations of the paper; those after them learn from moves that are compared in the same deals."""


class Generation(msgspec.Struct, frozen=True):
    """How one generation comes to be: its games, and the training on them."""

    number: int
    budget: int
    games: int
    training: Training

    @property
    def agent(self) -> str:
        """The search whose games it learns from: random rollouts, those of the generation before, then a broad tree."""
        last = f"evalfn(evalfn_{self.number - 1}.json)"
        if self.number > PUBLISHED:
            return f"flat({last}, rules=goodman, convention=yes, deals={self.budget})"
        rollout = f", rollout={last}" if self.number > 1 else ""
        exploration = 0.1 if self.number < PUBLISHED else 3
        return f"ris(rules=goodman, convention=yes{rollout}, iterations={self.budget}, exploration={exploration})"


class GoodmanPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """From nothing to the last generation."""

    iterations: tuple[int, ...] = (3000, 1000, 1000, 30)
    """Per move, of each generation; after the published ones, deals in which all moves are compared."""
    games: tuple[int, ...] = (300, 300, 300, 1000)
    players: tuple[int, ...] = (2, 3, 4, 5)
    seed: int = 1
    training: Training = FASTER
    comparing: Training = COMPARING
    """Of the generations after the published ones."""
    matches: int = 1000
    """Games per number of players that measure each generation, of other seeds."""
    tries: int = 4
    """Networks that are trained, from other weights each; the one that plays best on seeds of its own is kept.

    The loss is almost all about how far a game is, play about small differences between moves: networks of the same
    loss differ by up to two points.
    """

    def generations(self) -> list[Generation]:
        """The generations in turn."""
        if len(self.iterations) != len(self.games):
            raise ValueError(f"{len(self.iterations)} numbers of iterations, but {len(self.games)} of games are given")
        return [
            Generation(number, budget, games, self.training if number <= PUBLISHED else self.comparing)
            for number, (budget, games) in enumerate(zip(self.iterations, self.games, strict=True), 1)
        ]


def save_network(path: Path, network: Network) -> None:
    """Writes a file of weights."""
    with replacing(path) as file:
        file.write(msgspec.json.encode(network) + b"\n")


def train_from(directory: Path, task: str, how: Training, path: Path, tell: Tell = lambda text: None) -> Curve:
    """Trains a network on a collection, and writes its file and its learning curve beside it."""
    rows = read_table(directory, KIND_OF[task])
    network, curve = train(task, rows, how, lambda curve: tell(f"{path.stem}: {curve}"))
    collection = read_collection(directory)
    made = {"command": command_given(), "collection": collection, **network.made}
    save_network(path, msgspec.structs.replace(network, outputs=list(collection.pool), made=made))
    if are_available():
        write_files(path.parent, {f"{path.stem}.svg": learning_curve(curve, path.stem)})
    return curve


def command_given() -> str:
    """Returns the command that this process was given, without the places of the programs."""
    name = Path(sys.argv[0]).name
    program = "tamaya" if name in ("tamaya", "__main__.py") else f"python {name}"
    return f"{program} {shlex.join(sys.argv[1:])}".rstrip()


def train_best(plan: GoodmanPlan, how: Training, directory: Path, path: Path, threads: int | None, tell: Tell) -> None:
    """Trains several networks on a collection, lets each play, and keeps the best."""
    drafts = [path.with_name(f"{path.stem}_try_{number + 1}.json") for number in range(plan.tries)]
    tries = [msgspec.structs.replace(how, seed=plan.seed + number) for number in range(plan.tries)]
    jobs = [(directory, "evalfn", how, draft) for how, draft in zip(tries, drafts, strict=True) if not draft.exists()]
    train_side_by_side(jobs, threads or cores(), tell)
    scores = [measure(draft, plan.matches, plan.seed + 2000, threads, tell)["scores"] for draft in drafts]
    save_network(path, read_network(drafts[int(np.argmax(np.sum(scores, axis=1)))]))


def train_side_by_side(jobs: list[tuple[Path, str, Training, Path]], workers: int, tell: Tell) -> None:
    """Trains networks in processes of their own, for each of them needs one core."""
    if min(len(jobs), workers) <= 1:
        for job in jobs:
            train_from(*job, tell)
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        curves = in_flight(lambda job: pool.submit(train_from, *job), jobs, len(jobs))
        for (*_, path), curve in zip(jobs, curves, strict=True):
            tell(f"{path.stem}: {curve}")


def self_play(agent: Any, players: int, games: int, seed: int, threads: int | None) -> tuple[float, float]:
    """The mean score of a team of one agent, and its standard error."""
    seating = Seating([agent] * players, Settings(players=players))
    scores = np.concatenate([batch["score"] for batch, _ in play_batches(seating, seed, games, threads)])
    return float(scores.mean()), float(scores.std(ddof=1) / math.sqrt(games))


def measure(path: Path, games: int, seed: int, threads: int | None, tell: Tell) -> dict[str, Any]:
    """The scores of the greedy agent of a file at every number of players."""
    from tamaya.agents.registry import make_agent

    agent = make_agent(f"evalfn({path.name})")
    found = [self_play(agent, players, games, seed, threads) for players in (2, 3, 4, 5)]
    tell(f"{path.stem} alone: " + ", ".join(f"{mean:.2f} ± {1.96 * error:.2f}" for mean, error in found))
    means, errors = zip(*found, strict=True)
    return {
        "scores": [round(one, 3) for one in means],
        "standard_errors": [round(one, 3) for one in errors],
        "score_games": games,
        "score_seed": seed,
    }


def run_generation(plan: GoodmanPlan, generation: Generation, threads: int | None, tell: Tell) -> None:
    """Collects, trains and measures one generation in the current folder, as far as it has not been done."""
    path, games = Path(f"evalfn_{generation.number}.json"), Path(f"games_{generation.number}")
    wanted = Collection(generation.agent, plan.players, generation.games, plan.seed + generation.number - 1)
    if not path.exists():
        progress = collect(wanted, games, threads, lambda one: tell(f"{games}: {one}"))
        tell(f"{games}: {progress}")
        train_best(plan, generation.training, games, path, threads, tell)
    network = read_network(path)
    if "scores" not in network.made:
        scores = measure(path, plan.matches, plan.seed + 1000, threads, tell)
        save_network(path, msgspec.structs.replace(network, made={**network.made, **scores}))


def run_plan(plan: GoodmanPlan, directory: Path, threads: int | None = None, tell: Tell = print) -> None:
    """Makes all generations, and the classifier, in a directory; started again, it goes on where it was stopped."""
    workspace = Workspace(directory, "plan.json")
    workspace.check_free()
    with workspace.locked():
        begun = workspace.read(GoodmanPlan)
        if begun is None:
            workspace.write(msgspec.json.format(msgspec.json.encode(plan), indent=1))
        else:
            workspace.check_same(named_options(begun), named_options(plan))
        with contextlib.chdir(directory):
            make_generations(plan, threads, tell)


def make_generations(plan: GoodmanPlan, threads: int | None, tell: Tell) -> None:
    """Makes all generations, and the classifier, in the current folder, as far as that has not been done."""
    for generation in plan.generations():
        run_generation(plan, generation, threads, tell)
    classifier = Path("rule-classifier_1.json")
    if not classifier.exists():
        last = Path(f"games_{min(PUBLISHED, len(plan.games))}")
        train_from(last, "rule-classifier", plan.training, classifier, tell)
