"""Tables for people: in the browser, in the terminal, and on hanab.live.

In reading order:

- ``tables/``: games, journals, bots and messages, without a socket
- ``web/``: the server, and in ``page`` what the browser runs
- ``terminal/``: the same table in a terminal
- ``live/``: an agent at the tables of hanab.live
- ``rate_limit``: how much may be said, at once and in the long run
"""
