"""Reports of runs: tables, heat maps, plots and pages."""
