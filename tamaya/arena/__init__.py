"""Many games: the compiled loop, seatings, batches, matches, statistics and the check.

In reading order:

- ``game_loop``: the loop that plays a game, and its outcome
- ``seating``: a team at a table, and the games that it plays there
- ``batches``: games on all cores
- ``matches``: agents and teams on the same decks
- ``statistics``: means, intervals and differences
- ``forecast``: how long the games that are left will take
- ``checks/``: whether an agent obeys the rules and sees nothing hidden
- ``analysis/``: what moves have cost, and how often agents make the moves of people
"""
