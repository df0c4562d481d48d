"""The exact solver: with all cards face up, what can still be reached, and by which moves."""
