"""Goodman's generations: networks that learn from the trees of searches."""
