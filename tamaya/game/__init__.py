"""Games for people: moves with names, positions, files and stories."""
