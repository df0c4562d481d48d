"""A module that prints what a check would, and exits; import it only in other processes."""

import os

from tamaya import policy

print('{"is_fine": true, "text": "plays by the rules"}')
print("ok    plays by the rules in 2200 games at 11 kinds of tables", flush=True)
os._exit(0)


@policy
def forged(view, memory, params, rng):
    return 99
