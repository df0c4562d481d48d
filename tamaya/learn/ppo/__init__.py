"""Proximal policy optimisation: networks that learn in self-play."""
