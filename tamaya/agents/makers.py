"""Agents that call no others: from recipes, rule lists, policies, and the modules of users."""

import importlib
import importlib.util
import inspect
import sys
from typing import Any

from tamaya.agents.names import POLICIES, Known
from tamaya.agents.recipes import Recipe
from tamaya.engine.text import suggestion
from tamaya.policies.agent import Agent, PolicyAgent, PythonAgent, blame
from tamaya.policies.contract import Policy
from tamaya.policies.language import AgentError, Call, Quoted, Value, words_of
from tamaya.policies.rules.catalogue import rule_list
from tamaya.policies.rules.rule_lists import check_ranges, encode, fill_in, parse_rules


def from_recipe(call: Call, recipe: Recipe) -> Agent:
    """The agent of a recipe, with the settings of a call."""
    settings = check_ranges(call, fill_in(call, recipe.defaults | {"counting": 0.0}))
    rules = recipe.rules
    for setting, variant in recipe.variants.items():
        if settings[setting]:
            rules = variant
    return PolicyAgent(str(call), rule_list, encode(parse_rules(rules.format(**settings)), settings["counting"]))


def from_rules(call: Call) -> Agent:
    """The agent of a rule list that is written out: ``rules(PlaySafeCard, ..., counting=2017)``."""
    settings = fill_in(Call("rules", keywords=call.keywords), {"counting": 0.0})
    return PolicyAgent(str(call), rule_list, encode(call.arguments, settings["counting"]))


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


def from_policy(call: Call, known: Known, policy: Policy) -> Agent:
    """The agent of a policy, with the settings of a call."""
    defaults, text = known.open(policy.defaults), str(call)
    is_filed = policy.takes_files and known.takes_files
    call, file = weights_file(call, next(iter(policy.defaults), "")) if is_filed else (call, "")
    given = preset_settings(call, known, defaults) if known.presets else fill_in(call, defaults)
    settings = policy.defaults | given | known.fixed
    if call.name in POLICIES:
        check_ranges(call, settings)
    agent = PolicyAgent(text, policy, tuple(map(float, settings.values())), file)
    return with_weights(agent) if policy.takes_files else agent


def with_weights(agent: PolicyAgent) -> Agent:
    """An agent whose weights are loaded, so that what is wrong with them is told at once."""
    _ = agent.params
    return agent


def from_network(call: Call) -> Agent:
    """The agent of a trained network: ``network(mine.npz, temperature=0.5)``."""
    first = call.arguments[0] if call.arguments else None
    if not isinstance(first, (Call, Quoted)):
        raise AgentError(f"{call}: expected a file of weights first, as in network(mine.npz)")
    file = words_of(first)
    if not file.endswith(".npz"):
        raise AgentError(f"{call}: a network is a file that ends in .npz, not {file}")
    policy = importlib.import_module("tamaya.networks.policy_network").network
    rest = Call(call.name, call.arguments[1:], call.keywords)
    settings = check_ranges(rest, fill_in(rest, policy.defaults))
    return with_weights(PolicyAgent(str(call), policy, tuple(map(float, settings.values())), file))


def is_learned(agent: Agent) -> bool:
    """Whether an agent's policy is a network of ours that values positions too."""
    if "valuer" not in agent.policy.kernels:
        return False
    from tamaya.networks.policy_network import has_value, network

    return agent.policy is network and has_value(agent.params)


def weights_file(call: Call, setting: str) -> tuple[Call, str]:
    """A call without the file of weights, in the current folder, that stands in place of its first setting."""
    first = call.arguments[0] if call.arguments else dict(call.keywords).get(setting)
    file = words_of(first) if isinstance(first, (Call, Quoted)) else ""
    if file in ("", "yes", "no"):
        return call, ""
    if not call.arguments or not file.endswith(".json"):
        raise AgentError(f"{call}: expected a {setting} or a file of weights first, as in {call.name}(mine.json)")
    return Call(call.name, (0.0, *call.arguments[1:]), call.keywords), file


def preset_settings(call: Call, known: Known, defaults: dict[str, float]) -> dict[str, float]:
    """The settings of a call that may name a preset first; each is yes or no."""
    names = [str(value) for value in call.arguments]
    if names and names[0] in known.presets:
        defaults, names = dict.fromkeys(defaults, known.presets[names[0]]), names[1:]
    if names:
        choices, meant = ", ".join(known.presets), suggestion(names[0], known.presets)
        raise AgentError(f"{call}: {names[0]} is neither {choices} nor a setting with its value{meant}")
    settings = fill_in(Call(call.name, keywords=call.keywords), defaults)
    for key, value in settings.items():
        if value not in (0.0, 1.0):
            raise AgentError(f"{call}: {key} must be yes or no")
    return settings
