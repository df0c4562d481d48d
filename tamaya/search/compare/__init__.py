"""Searches without a tree: moves are compared in the same sampled deals."""
