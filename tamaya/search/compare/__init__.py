"""Searches without a tree: moves are compared in the same sampled deals, each played to its end by a policy.

In reading order:

- ``common_deals``: a deal, and all moves in it
- ``batched_rollouts``: many deals side by side
- ``gains``: what a move gains over the policy's own, and how sure that is
- ``flat``: all moves are tried in as many deals
- ``deviate``, ``confirm``: the policy's move, unless another gains clearly more, once or again in fresh deals
- ``best_reply``: the same among strangers
- ``move_values``: what given moves are worth, for analyses
"""
