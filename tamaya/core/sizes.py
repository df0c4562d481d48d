"""How large a game can be."""

COLOURS = 6
RANKS = 5
CARDS = COLOURS * RANKS
SEATS = 5
SLOTS = 6
