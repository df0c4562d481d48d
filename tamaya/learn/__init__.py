"""Learning: networks trained on the trees of searches, up to the generations of Goodman, and policies in self-play."""
