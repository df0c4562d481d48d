"""What commands print: what only one command prints stands in the file of the command, unless that would be long.

In reading order:

- ``console``: the two streams, through which everything is printed
- ``characters``: what stands for the characters that a terminal lacks
- ``progress``: the progress bar
- ``tables``: tables that fit a terminal
- ``match_results``, ``games``: scores, and moves and positions in words
- ``analysis``, ``curve``, ``solutions``: analyses, their curve, and what the solver found
"""
