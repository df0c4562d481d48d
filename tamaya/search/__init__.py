"""Search: sampled worlds, a tree of moves, rollouts by policies, as settings of one loop."""
