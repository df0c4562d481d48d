"""The table in a terminal: a person plays with bots, by single keys or by lines."""
