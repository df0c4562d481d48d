"""Tree search: the papers' loop of sampling, descending, expanding, rolling out and backing up."""
