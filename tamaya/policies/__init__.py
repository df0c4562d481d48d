"""Who plays: the contract of policies, the language that names agents, agents and players.

In reading order:

- ``contract``: a policy is a compiled function (view, memory, params, rng) -> move
- ``roles``: what else a policy may do: observe, keep its convention, evaluate, predict
- ``compile_errors``: the compiler's complaints, in the words of somebody who wrote a policy
- ``language``: the texts that name agents, such as ``risky(0.6)``
- ``agent``: agents and players, compiled or in plain Python
- ``seats``: who plays there and what it keeps, as records that kernels read
- ``rules/``, ``conventions/``: the policies of the papers
"""
