"""The conformance check: an agent in processes of its own must obey the rules, see nothing hidden and foresee nothing.

In reading order:

- ``conformance``: all checks, and their findings
- ``checked_agent``: the agent under examination and its processes
- ``agent_process``, ``child_program``: such a process as its owner sees it, and what runs in it
- ``hidden_cards_check``: whether a seat moves by cards that it cannot see
- ``seed_check``: whether it is better at games that anybody can foresee
"""
