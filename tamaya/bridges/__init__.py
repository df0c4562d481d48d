"""Bridges to programs of others: bots over a pipe, OpenSpiel, and agents of the Hanabi Learning Environment."""
