"""Beliefs: which cards a seat may hold, and which strangers it plays with.

In reading order:

- ``hand_pool``, ``resampling``: hands that a seat may hold, weighted by the moves of the others, and kept rich
- ``hint_inference``: what hints say beyond their words, from where their givers would give them
- ``strangers``: which policies of a pool the others may follow
"""
