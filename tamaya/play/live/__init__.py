"""hanab.live: an agent at its tables, over its websocket."""
