"""Who plays: the contract of policies, the language that names agents, agents and players."""
