"""Learning: networks trained on the trees of searches or in self-play, and rule lists that evolve.

In reading order:

- ``goodman/``: networks that value moves as searches do, up to the generations of Goodman 2019
- ``ppo/``: proximal policy optimisation in self-play
- ``evolution/``: rule lists by a genetic algorithm or by MAP-Elites
- ``learning_curves``: how a loss or a score went, as pictures
"""
