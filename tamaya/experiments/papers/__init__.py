"""What the papers did, as data: one TOML file per table, with its experiment and its published figures.

In reading order: ``paper_tables`` reads the files, ``verdicts`` puts measured figures beside the published ones, and
``comparison`` writes a page about a table.
"""
