"""Evolution of rule lists: a genetic algorithm, and MAP-Elites, on games of the arena."""
