"""Search: sampled worlds, a tree of moves or a comparison of moves in the same deals, and rollouts by policies."""
