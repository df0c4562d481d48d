"""Goodman's generations: networks that learn from the trees of searches.

In reading order:

- ``tree_data``, ``likelihood_data``: rows of training data from a tree, and from the moves of random teams
- ``collection``: the games that are played for them
- ``training_data``: the rows in files and in groups
- ``network_training``: a network is fitted to them
- ``generations``: all of it in turn, each generation with the network of the last

A shard is a file with the rows of a few games. A table is all shards of a kind: ``rows``, ``choices`` or ``moves``.
"""
