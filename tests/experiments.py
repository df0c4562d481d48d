"""Small experiments to play."""

import tomllib

from kills import EXPERIMENT as SMALL
from kills import GAMES

from tamaya.experiments.experiment import parse_experiment
from tamaya.experiments.runs import Run


def small(games=20, **changes):
    return parse_experiment(tomllib.loads(SMALL.format(games=games)) | changes)


def finish(directory, experiment, threads=None):
    with Run(directory, experiment) as run:
        run.play(workers=threads)
        return all_games(run.store)


def all_games(store):
    """Every game of a store, by the key of its cell."""
    return sorted(store.rows(GAMES))
