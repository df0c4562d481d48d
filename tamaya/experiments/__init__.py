"""Experiments as files: runs that survive a kill, stores, clusters and reports."""
