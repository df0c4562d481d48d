"""The rules of the papers: kernels that look at a view and return a move, or NO_MOVE when they do not fire.

In reading order:

- ``playing``, ``discarding``, ``telling``, ``mixed``: the rules, by what they do
- ``catalogue``: the rules by name, and the policy that plays a list of them
- ``rule_syntax``: lists of rules as texts, and the sets that have a name

A new rule is a kernel in one of the first four, an entry of the catalogue, and a line of its ``fire``.
"""
