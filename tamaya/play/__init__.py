"""Tables for people: in the browser, in the terminal, and on hanab.live.

- ``tables/``: games, journals, bots and messages, without a socket
- ``web/``: the server, and in ``page/`` what the browser runs
- ``terminal/``: the same tables by keys or by lines
- ``live/``: an agent with an account of hanab.live
- ``rate_limit``: how much somebody may say, at once and in the long run
"""
