"""Beliefs: which cards a seat may hold, and which strangers it plays with."""
