"""Cards, rules and knowledge as kernels: what every other part of the package builds on.

In reading order:

- ``settings``: the settings of a game, checked when they are made, and how large a game can be
- ``cards``, ``moves``: cards and moves as numbers, and sets of them as masks
- ``card_counts``: how many copies of each card there are, as three masks
- ``randomness``: random numbers, the same on every machine
- ``table``: everything on and around the table except the deck, as one record
- ``gameplay``: the rules of the game: dealing, legal moves, moving, the end and the score
- ``knowledge``: what a seat knows: its view of the table, and the odds on its own cards
- ``worlds``: all that a seat cannot see, dealt at random consistently with what it knows
- ``text``, ``files``: texts made safe to show, and files that are there whole or not at all
- ``jit/``: numba, behind kernels and records
"""
