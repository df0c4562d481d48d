"""The analysis of recorded games: what each move has cost, and how often agents make the moves of people.

- ``game_analysis``: what a search would have done, and how many points the move made has cost
- ``agreement``: how often, and how likely, agents make the moves that were made
"""
