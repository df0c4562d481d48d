"""Writes data/golden.json and data/golden_trees.json anew, after a change that is meant to change games.

Names of agents, or of searches in ``test_search.SMALL``, limit it to these.
"""

import json
import sys

from test_arena import GOLDEN, MORE, POLICIES, digest
from test_search import GOLDEN as TREES
from test_search import SMALL, grown

from tamaya.agents.rule_based_agents import RECIPES


def update(path, names, make):
    """Replaces what is on record of some names."""
    wanted = sys.argv[1:] or names
    old = json.loads(path.read_text())
    found = {name: make(name) if name in wanted else old[name] for name in names}
    path.write_text(json.dumps(found, indent=1) + "\n")


update(GOLDEN, [*RECIPES, *MORE, *POLICIES], digest)
update(TREES, SMALL, grown)
