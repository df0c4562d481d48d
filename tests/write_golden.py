"""Writes data/golden.json and data/golden_trees.json anew, after a change that is meant to change games."""

import json

from test_arena import GOLDEN, MORE, POLICIES, digest
from test_search import GOLDEN as TREES
from test_search import SMALL, grown

from tamaya.agents.recipes import RECIPES

GOLDEN.write_text(json.dumps({name: digest(name) for name in [*RECIPES, *MORE, *POLICIES]}, indent=1) + "\n")
TREES.write_text(json.dumps({name: grown(text) for name, text in SMALL.items()}, indent=1) + "\n")
