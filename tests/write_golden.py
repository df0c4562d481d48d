"""Writes data/golden.json anew, after a change that is meant to change games."""

import json

from test_arena import GOLDEN, MORE, digest

from tamaya.agents import RECIPES

GOLDEN.write_text(json.dumps({name: digest(name) for name in [*RECIPES, *MORE]}, indent=1) + "\n")
