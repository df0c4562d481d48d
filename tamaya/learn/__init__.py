"""Learning from searches: rows of data from their trees, networks trained on them, and the generations of Goodman."""
