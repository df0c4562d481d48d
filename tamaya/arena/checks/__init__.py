"""The conformance check: an agent must obey the rules and see no hidden card."""
