"""Tree search: the papers' loop of sampling, descending, expanding, rolling out and backing up.

In reading order:

- ``nodes``: the tree as an array of nodes, and how values are backed up
- ``selection``: the best child by upper confidence bounds
- ``expansion``: trees without rollouts, whose leaves are appraised
- ``tree_search``: the loop
"""
