"""The agents by name: one text makes any agent.

In reading order:

- ``rule_based_agents``, ``searches``: rule-based agents and searches as data
- ``names``: all names, and what is wrong with one
- ``policy_agents``, ``search_builder``: agents made of policies, and of the parts of a search
- ``user_agents``, ``plugins``: agents of a user's module, and of installed packages
- ``registry``: a text becomes an agent
- ``seers``: players that see their own cards, as yardsticks
- ``reasons``: why an agent makes a move, in words
"""
