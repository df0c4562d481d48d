"""The table in a terminal: a person plays with bots, by single keys or by lines.

In reading order:

- ``terminal_session``: how a game begins, is left, and goes on
- ``person``: what the person may see and do, and the moves of the bots
- ``key_play``, ``keyboard``, ``key_bindings``: playing by keys, single keys from a terminal, and what each of them does
- ``screen``, ``table_screen``: what is drawn, and on it the table
- ``line_play``: playing by lines, with their commands
- ``visible_cards``, ``words``, ``colours``: what the seat sees of each card, moves and cards in words, and in colours
"""
