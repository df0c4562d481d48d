"""Tables as such, without a socket: games, seats, journals, bots, and what each seat may be told."""
