"""Goodman's generations: networks that learn from the trees of searches.

In reading order: ``tree_data`` makes rows from a tree and ``likelihood_data`` from the moves of random teams;
``collection`` plays the games for them; ``training_data`` stores them in files; ``training`` fits a network to them;
``generations`` does all of it in turn, each generation with the network of the last.

A shard is a file with the rows of a few games. A table is all shards of a kind: ``rows``, ``choices`` or ``moves``.
"""
