"""Bridges to programs of others: bots over a pipe, OpenSpiel, and agents of the Hanabi Learning Environment.

In reading order:

- ``protocol``: the messages between a host and a bot, and how they are read
- ``events``, ``followed_game``: a game told as events to one seat, and followed from such events
- ``processes``, ``process_guard``: programs of others, and what ends them when tamaya is gone
- ``pipe_agents``: their bots as agents of ours
- ``bot_server``: our agents as bots of theirs
- ``openspiel``, ``hle_agents``: the same with OpenSpiel, and agents with ``act(observation)``
"""
