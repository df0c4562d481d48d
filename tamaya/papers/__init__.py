"""What the papers did, as data: one TOML file a table, with its experiment and its published figures."""
