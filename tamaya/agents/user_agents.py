"""Agents that users write: policies and classes of their own modules, and agents of other frameworks."""

import importlib
import importlib.util
import inspect
import sys
from typing import Any

from tamaya.agents.names import Known
from tamaya.agents.policy_agents import from_policy
from tamaya.engine.text import suggestion
from tamaya.policies.agent import Agent, PythonAgent, blame
from tamaya.policies.contract import Policy
from tamaya.policies.language import AgentError, Call, Value, words_of


class UnknownModule(AgentError):
    """A module that an agent is to come from, but that is not there."""

    def __init__(self, module: str) -> None:
        super().__init__(module)
        self.module = module

    def __str__(self) -> str:
        return f"there is no module {self.module!r} here or among those installed"


def from_module(call: Call) -> Agent:
    """A user's own agent, ``module:name``: a policy, or a class with ``act(view)``."""
    return from_object(call, find_object(call.name))


def find_object(place: str) -> Any:
    """What a user's module has under a name, ``module:name``."""
    module_name, _, name = place.partition(":")
    look_here_too()
    try:
        module = importlib.import_module(module_name)
    except (Exception, SystemExit) as error:
        if isinstance(error, ModuleNotFoundError) and f"{module_name}.".startswith(f"{error.name}."):
            raise UnknownModule(module_name) from error
        raise AgentError(f"{module_name} cannot be imported: {blame(error)}") from error
    found = getattr(module, name, None)
    if found is None:
        usable = [key for key, value in vars(module).items() if isinstance(value, Policy) or hasattr(value, "act")]
        raise AgentError(f"{module_name} has no {name!r}{suggestion(name, usable)}")
    return found


def find_module(name: str) -> str:
    """The file of a user's module, or of its package, found without importing it; empty if it cannot be found."""
    look_here_too()
    try:
        spec = importlib.util.find_spec(name.partition(".")[0])
    except ValueError:
        return ""
    return (spec.origin or "") if spec else ""


def look_here_too() -> None:
    """Makes Python look for modules in the current folder too."""
    if "" not in sys.path:
        sys.path.insert(0, "")


def from_object(call: Call, found: Any) -> Agent:
    """The agent of what a user has written: a policy, or a class with ``act(view)``."""
    check_object(call.name, found)
    if isinstance(found, Policy):
        return from_policy(call, Known(""), found)
    keywords = {key: as_python(value) for key, value in call.keywords}
    return from_class(call, found, tuple(map(as_python, call.arguments)), keywords)


def check_object(name: str, found: Any) -> None:
    """Raises an error for an object that cannot be an agent."""
    is_class = inspect.isclass(found) and callable(getattr(found, "act", None))
    if not is_class and not isinstance(found, Policy):
        raise AgentError(f"{name} is neither a function under @policy nor a class with act(view)")


def from_class(name: object, python: type, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Agent:
    """The agent of a class, with settings that go to its ``__init__``."""
    signature = inspect.signature(python)
    try:
        signature.bind(*arguments, **keywords)
    except TypeError as error:
        taken = f"takes {signature}" if signature.parameters else "takes no settings"
        raise AgentError(f"{name}: {python.__name__} {taken}; {error}") from error
    return PythonAgent(str(name), python, arguments, tuple(keywords.items()))


def as_python(value: Value) -> Any:
    """A setting for a class: a number, an int if it is whole, or else the text as written."""
    if isinstance(value, (int, float)):
        return int(value) if value == int(value) else value
    return words_of(value)


def from_bridge(call: Call) -> Agent:
    """An agent that was written for another framework: ``hle(module:Class)`` or ``openspiel(module:function)``."""
    (inner, *others) = call.arguments or (None,)
    is_named = isinstance(inner, Call) and not inner.arguments and (":" in inner.name or call.name == "openspiel")
    if not isinstance(inner, Call) or not is_named or others or call.keywords:
        example = "hle(mymodule:MyAgent)" if call.name == "hle" else "openspiel(uniform_random)"
        raise AgentError(f"{call}: one agent of that framework expected, with its settings by name, as in {example}")
    settings = tuple((key, as_python(value)) for key, value in inner.keywords)
    if call.name == "hle":
        from tamaya.bridges.hle_agents import LearningEnvironmentMind

        return PythonAgent(str(call), LearningEnvironmentMind, (find_object(inner.name),), settings)
    from tamaya.bridges.openspiel import BotMind, check_bot, openspiel_game

    bot = find_object(inner.name) if ":" in inner.name else check_bot(inner.name)
    return PythonAgent(str(call), BotMind, (bot,), settings, openspiel_game)
