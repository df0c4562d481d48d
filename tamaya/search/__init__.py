"""Search: sampled worlds, a tree of moves or a comparison of moves in the same deals, and rollouts by policies.

In reading order:

- ``search_settings``: what each kind of search is, and what a user may give it
- ``plan``: the same as a record that kernels read, with the policies that a search uses
- ``determinization``: worlds that are consistent with what a seat knows
- ``rollouts``: policies at all seats play a world to its end, which is given a value
- ``tree/``: the papers' loop
- ``compare/``: all moves in the same deals
- ``beliefs/``: which cards a seat may hold, and which strangers it plays with
- ``final_move``: the move that a search ends with, and what it reports
- ``search_policies``, ``search_agent``: searches as policies, and as agents

The words: ``start`` is where every iteration begins; ``rollout`` holds the policies of the seats with their memory;
``scratch`` is where an iteration is played; ``facts`` are what a search did, kept in its player's memory; ``part`` is
a policy of the plan: the rollout policy, an evaluator, a judge or a model of the others.
"""
