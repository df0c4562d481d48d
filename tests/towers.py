"""Networks of random weights, for tests."""

import itertools

import numpy as np

from tamaya import Settings

SMALL = Settings(players=2, colours=2, ranks=3, hand_size=3, hint_tokens=3)


def drawn_towers(game=SMALL, hidden=(32, 32, 16), seed=1):
    """Towers of random weights."""
    from tamaya.game.hle.layout import count_moves
    from tamaya.networks.inputs.policy_inputs import insight_of
    from tamaya.networks.npz_weights import TowerNetwork

    rng, plan = np.random.default_rng(seed), insight_of(game)[0]

    def tower(inputs, outputs):
        sizes = [int(inputs), *hidden, outputs]
        pairs = list(itertools.pairwise(sizes))
        layers = [
            (rng.normal(size=above).astype(np.float32), rng.normal(0, below**-0.5, (above, below)).astype(np.float32))
            for below, above in pairs
        ]
        norms = [
            (rng.normal(1, 0.3, size).astype(np.float32), rng.normal(0, 0.3, size).astype(np.float32))
            for size in hidden
        ]
        return layers, norms

    return TowerNetwork(game, *tower(plan.length, count_moves(game)), *tower(plan.width, 1), {"by": "chance"})
