"""Reports of runs as Markdown and as pages that need no other file.

In reading order:

- ``run_report``: the report of a run
- ``rankings``: agents that met the same partners at the same tables
- ``result_tables``: every cell, agents over all their partners, scores against budgets
- ``plots``, ``heatmaps``: the pictures
- ``pages``, ``html_markup``: a page of it all, with ``report.css`` and ``report.js``
"""
