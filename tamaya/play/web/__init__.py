"""The table in the browser: people and bots play, watch and replay games."""
