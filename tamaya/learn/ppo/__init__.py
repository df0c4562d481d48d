"""Proximal policy optimisation: networks that learn in self-play, in PyTorch.

In reading order:

- ``hyperparameters``: the options of a training, and the points of its curve
- ``torch_networks``: the networks, and their inputs made from packed rows
- ``self_play``: the games, in steps of all at a time
- ``ppo_training``: advantages, losses and the loop of improvements
- ``checkpoints``: what a training writes, and how it goes on from there
"""
