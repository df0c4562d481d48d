"""What networks see: the inputs of Goodman's networks, and those of policies that learn in self-play.

In reading order:

- ``goodman_features``: the 38 features of the evaluation function
- ``sight_features``: further features, from what the seat sees in the hands of the others
- ``move_history``: the last moves, and when each card was drawn and told of
- ``policy_inputs``: HLE's observation with odds, earlier moves and ages: what learned policies see
"""
