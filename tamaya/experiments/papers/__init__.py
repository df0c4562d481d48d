"""What the papers did, as data: one TOML file per table, with its experiment and its published figures."""
