"""An agent with an account of a site like hanab.live.

In reading order:

- ``login``, ``connection``: the cookie and the websocket
- ``site_commands``: what the site and its players say to each other
- ``bot_account``: what the agent does in the lobby
- ``live_games``: the games that it plays
- ``chat``: what it says to people
"""
