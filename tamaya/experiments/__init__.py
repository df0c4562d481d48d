"""Experiments as files: runs that survive a kill, their stores, and reports on them.

In reading order:

- ``experiment``: the file of an experiment, and what is wrong with one
- ``lineups``: who plays with whom, in cells
- ``workspace``: a directory in which work goes on only with the options it was begun with; trainings have one too
- ``schema``, ``store``: the games in SQLite, and how a file is checked before it is trusted
- ``cells``: a cell at the table, and how long its games will take
- ``runs``, ``cluster``: a directory that plays what is missing, on threads or on Dask
- ``summaries``: averages and differences over cells
- ``results``, ``export``: runs in Python, as CSV and as Parquet
- ``report/``: pages about runs
- ``papers/``: the published tables, and the verdicts on them

A cell is one agent, pair or pool at one number of players. A unit is a batch of its games, stored whole or not at all.
"""
