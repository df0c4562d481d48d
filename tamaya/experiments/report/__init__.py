"""Reports of runs as Markdown and as pages that need no other file.

In reading order: ``run_report`` writes the report of a run from ``rankings`` and ``sections``; ``plots`` and
``heatmaps`` are its pictures; ``pages`` and ``html_tables`` make a page of it with ``report.css`` and ``report.js``.
"""
