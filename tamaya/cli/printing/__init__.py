"""What commands print: what only one command prints stands in the file of the command, unless that would be long.

``console`` has the two streams, and everything is printed through it; ``characters`` what stands for those that a
terminal lacks; ``progress`` the progress bar; ``tables`` tables that fit; ``results`` the scores of matches; ``games``
games and moves in words. ``analysis``, with its ``curve``, and ``solutions`` print what ``analyse`` and ``solve`` find.
"""
