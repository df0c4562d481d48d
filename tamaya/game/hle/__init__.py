"""The Hanabi Learning Environment: its settings, cards, move numbers, knowledge strings and observations."""
