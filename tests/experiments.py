"""Small experiments to play."""

import tomllib

from tamaya.arena.statistics import COLUMNS
from tamaya.experiments.experiment import parse_experiment
from tamaya.experiments.runs import Run

SMALL = """
seed = 3
games = {games}
players = [2, 3]
keep = "moves"

[[lineup]]
kind = "self-play"
agents = ["internal", "flawed"]

[[lineup]]
kind = "pairing"
agents = ["piers"]
partners = ["outer"]
"""


def small(games=20, **changes):
    return parse_experiment(tomllib.loads(SMALL.format(games=games)) | changes)


def finish(directory, experiment, threads=None):
    with Run(directory, experiment) as run:
        run.play(workers=threads)
        return all_games(run.store)


def all_games(store):
    """Every game of a store, by the key of its cell."""
    query = f"SELECT key, number, seed, {', '.join(COLUMNS)}, moves FROM games JOIN cells ON cells.id = cell"
    return sorted(store.connection.execute(query).fetchall())
