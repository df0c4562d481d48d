"""The exact solver: with all cards face up, what can still be reached, and by which moves.

In reading order:

- ``solve``: the highest score, and the move that lost it
- ``hindsight``, ``endgame``: what was in reach at each turn, and what each move leaves in reach near the end
- ``reachability``: whether a goal can be reached, by quick searches and a proof
- ``translation``: a game as a position of the solver, and its moves as moves of the game
- ``deals``, ``positions``: what stays the same in a search, and what changes
- ``depth_first``, ``move_ordering``: the search, and what it tries first
- ``bounds``, ``transpositions``: why a goal cannot be reached, and positions that are known to be lost
"""
