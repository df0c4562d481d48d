"""The agents by name: recipes, seers and the registry."""
