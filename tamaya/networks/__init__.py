"""What positions and moves are worth: features, networks, their weights, and the agents that play by them.

In reading order:

- ``inputs/``: what networks see
- ``dense_layers``, ``json_weights``: small networks and their files, as Goodman's
- ``evalfn``, ``likelihood``: the agents that play by them, and who made a move
- ``sparse_layers``, ``towers``, ``npz_weights``: large networks and their files
- ``policy_network``: a large network as a policy

The weights that come with the package lie in ``trained``.
"""
