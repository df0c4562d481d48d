"""Agents of the package that call no others: recipes, rule lists, named policies and networks."""

import importlib

from tamaya.agents.names import POLICIES, Known
from tamaya.agents.rule_based_agents import Recipe
from tamaya.engine.text import suggestion
from tamaya.policies.agent import Agent, PolicyAgent
from tamaya.policies.contract import Policy
from tamaya.policies.language import AgentError, Call, Quoted, words_of
from tamaya.policies.rules.catalogue import rule_list
from tamaya.policies.rules.rule_syntax import check_ranges, encode, fill_in, parse_rules


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


def from_policy(call: Call, known: Known, policy: Policy) -> Agent:
    """The agent of a policy, with the settings of a call."""
    defaults = known.open(policy.defaults)
    text = str(call)
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
        defaults = dict.fromkeys(defaults, known.presets[names[0]])
        names = names[1:]
    if names:
        choices = ", ".join(known.presets)
        meant = suggestion(names[0], known.presets)
        raise AgentError(f"{call}: {names[0]} is neither {choices} nor a setting with its value{meant}")
    settings = fill_in(Call(call.name, keywords=call.keywords), defaults)
    for key, value in settings.items():
        if value not in (0.0, 1.0):
            raise AgentError(f"{call}: {key} must be yes or no")
    return settings
