"""What networks see: the inputs of Goodman's networks, and those of policies that learn in self-play."""
