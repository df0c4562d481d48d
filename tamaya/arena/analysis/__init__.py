"""The analysis of recorded games: what each move has cost, and how often agents make the moves of people."""
