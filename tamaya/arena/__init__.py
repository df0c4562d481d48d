"""Many games: the compiled loop, seatings, batches, matches, statistics and the check."""
