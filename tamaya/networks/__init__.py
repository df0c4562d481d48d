"""What positions and moves are worth: features, networks, their weights, and the agents that play by them."""
