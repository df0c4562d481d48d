"""What the papers did, as data: one TOML file per table, with its experiment and its published figures.

In reading order:

- ``paper_tables``: the files, read
- ``reproduce``: a table, played again
- ``verdicts``: measured figures beside the published ones
- ``comparison``: a page about a table
"""
