"""Games for people: moves with names, positions, files and stories.

In reading order:

- ``notation``: cards and moves with their text forms, and what players and suits are called
- ``position``: what can be read off a table, and its picture as text
- ``view``, ``game``: what one seat sees, and the whole game
- ``hanab_live``, ``links``, ``jaxmarl``: formats of others
- ``replay``: files of games, read and written
- ``story``: a game told move by move
- ``hle/``: the Hanabi Learning Environment
"""
