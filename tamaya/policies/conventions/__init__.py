"""Players with conventions: codes in which hints and discards tell more than they say literally."""
