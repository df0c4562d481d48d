"""Search: sampled worlds, a tree of moves or a comparison in the same deals, rollouts by policies."""
