"""Agents of installed packages, which declare them as entry points of the group ``tamaya.agents``.

The packages are looked through only for a name that is not one of ours, and their code is imported only to be used.
"""

import functools
from typing import Any, NamedTuple

from tamaya.policies.language import AgentError

GROUP = "tamaya.agents"


class Declared(NamedTuple):
    """What a package declares under a name: its own name, and where the agent is."""

    package: str
    entry: Any


@functools.cache
def declared() -> dict[str, list[Declared]]:
    """The names that packages declare, sorted; a name should have one package only."""
    from importlib.metadata import entry_points

    found: dict[str, list[Declared]] = {}
    for entry in sorted(entry_points(group=GROUP)):
        package = entry.dist.name if entry.dist is not None else entry.value
        places = found.setdefault(entry.name, [])
        if all(one.entry.value != entry.value for one in places):  # a package may be found twice
            places.append(Declared(package, entry))
    return found


def load_plugin(name: str) -> Any:
    """What a package declares under a name; raises AgentError if it cannot be loaded."""
    (package, entry), *others = declared()[name]
    if others:
        packages = ", ".join([package, *(other.package for other in others)])
        raise AgentError(f"{name!r} is declared by several packages: {packages}; uninstall all but one")
    try:
        return entry.load()
    except (Exception, SystemExit) as error:
        words = f"{type(error).__name__}: {error}"
        raise AgentError(f"{name!r} of the package {package} cannot be loaded: {words}") from error
