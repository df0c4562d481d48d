"""Evolution of rule lists: a genetic algorithm, and MAP-Elites, on games of the arena.

In reading order:

- ``genes``: the rules, and agents made of them
- ``genetic_operators``: tournaments, crossover and mutation
- ``fitness``: the games that say how fit a genome is
- ``evolution_state``: what is asked for, and how far it is
- ``evolution_loop``: generation by generation
- ``evolution_results``: the best, measured on fresh decks
"""
