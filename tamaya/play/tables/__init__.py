"""Tables as such, without a socket: games, seats, journals, bots, and what each seat may be told.

In reading order:

- ``messages``: what a browser and the server say to each other about a table
- ``journal``: what is kept, an entry for each change
- ``game_table``: a table, which is made of its journal alone
- ``bots``, ``bot_moves``: whom people can choose, how these move, and why they moved so
- ``visibility``: what a seat or a spectator may be told of a game
- ``lobby``: all tables of a server, opened, found and resumed
- ``study_messages``, ``study``, ``study_analysis``, ``study_library``: the same for studies of recorded games

The words: a ``holder`` holds a seat, whoever plays there; a ``maker`` is the agent that made a move, none if a person
did; ``since`` is the turn up to which a browser knows the game.
"""
