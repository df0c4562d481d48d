"""The Hanabi Learning Environment: its move numbers, knowledge strings and observations.

In reading order:

- ``move_numbers``: cards and moves by their numbers there
- ``conversions``: settings and knowledge strings
- ``layout``: where everything stands in an observation, and how many moves there are
- ``encoding``, ``observation``: observations as kernels, and from Python
"""
