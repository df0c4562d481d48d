"""Rule lists as text: ``PlaySafeCard, IfRule(lives > 1, PlayProbablySafeCard(0.6))``, and the sets that have a name."""

import math
from typing import Any

from tamaya.engine.text import suggestion
from tamaya.policies.language import AgentError, Call, Comparison, Value, parse, show
from tamaya.policies.rules.catalogue import NUMBERS, RULES

NINE_RULES = (
    "TellMostInformation(yes, yes, {convention}), TellAnyoneAboutUsefulCard, TellDispensable({convention}), "
    "CompleteTellUsefulCard, CompleteTellDispensableCard, CompleteTellUnplayableCard, PlayProbablySafeCard(0.7), "
    "PlayProbablySafeLate(0.4, 5), DiscardProbablyUselessCard(0)"
)
RULE_SETS = {
    "all": ("", ""),
    "goodman": (
        NINE_RULES.format(convention="no"),
        f"TellNextPlayerAboutSingleUsefulCard, {NINE_RULES}".format(convention="yes"),
    ),
}
"""What a tree considers: all legal moves, or those of Goodman's Table II, without and with the convention."""


def parse_rules(text: str) -> tuple[Any, ...]:
    """The rules of a text."""
    return parse(f"rules({text})")[0].arguments


VARIABLES = ("lives", "information", "unseen")
"""What an IfRule can test: lives, hint tokens, and the cards a player has not seen, including its own hand."""

MOST = 99
OPPOSITE = {"<": ">=", ">=": "<", ">": "<=", "<=": ">"}
Bounds = tuple[tuple[float, float], ...]
ANYTHING: Bounds = ((0, MOST),) * len(VARIABLES)


def narrowed(bounds: Bounds, condition: Comparison, holds: bool) -> Bounds:
    """The bounds under which a condition on whole numbers holds, or does not."""
    if condition.variable not in VARIABLES:
        meant = suggestion(condition.variable, VARIABLES)
        raise AgentError(f"IfRule knows {', '.join(VARIABLES)}, not {condition.variable!r}{meant}")
    if condition.sign == "==" and not holds:
        raise AgentError(f"IfRule({condition}, ...) cannot have a second rule; use < or >")
    sign = condition.sign if holds else OPPOSITE[condition.sign]
    below, above = math.floor(condition.number), math.ceil(condition.number)
    low = {">": below + 1, ">=": above, "==": above}.get(sign, 0)
    high = {"<": above - 1, "<=": below, "==": below}.get(sign, MOST)
    index = VARIABLES.index(condition.variable)
    old_low, old_high = bounds[index]
    return (*bounds[:index], (max(low, old_low), min(high, old_high)), *bounds[index + 1 :])


def lines_of(rule: Value, bounds: Bounds) -> list[list[float]]:
    """The lines of a rule list for one rule, or for an IfRule with its one or two rules."""
    if not isinstance(rule, Call):
        raise AgentError(f"expected a rule, found {show(rule)}")
    if rule.name == "IfRule":
        condition, *branches = (*rule.arguments, None)
        branches = branches[:-1]
        if not isinstance(condition, Comparison) or not 1 <= len(branches) <= 2 or rule.keywords:
            raise AgentError(f"{rule}: IfRule takes a condition and one or two rules, as in IfRule(lives > 1, ...)")
        lines = lines_of(branches[0], narrowed(bounds, condition, True))  # type: ignore[arg-type]
        for other in branches[1:]:
            lines += lines_of(other, narrowed(bounds, condition, False))  # type: ignore[arg-type]
        return lines
    if rule.name not in RULES:
        raise AgentError(f"there is no rule {rule.name!r}{suggestion(rule.name, [*RULES, 'IfRule'])}")
    settings = check_ranges(rule, fill_in(rule, RULES[rule.name].defaults))
    values = [*settings.values(), 0.0, 0.0, 0.0][:3]
    return [[NUMBERS[rule.name], *values, bounds != ANYTHING, *(bound for pair in bounds for bound in pair)]]


RANGES = {
    "threshold": (0.0, 1.0),
    "convention": (0.0, 1.0),
    "cards_left": (0.0, 60.0),
    "useless": (0.0, 1.0),
    "restarts": (1.0, 1e6),
    "deals": (1.0, 1e6),
    "temperature": (0.0, 1000.0),
}
"""What settings of tamaya's own rules and agents can be."""


def fill_in(call: Call, defaults: dict[str, float]) -> dict[str, float]:
    """The arguments of a call by name, with defaults for those left out."""
    unnamed = [key for key in defaults if key != "counting"]
    if len(call.arguments) > len(unnamed):
        wanted = f"at most {len(unnamed)}: {', '.join(unnamed)}" if unnamed else "none"
        count = len(call.arguments)
        raise AgentError(f"{call}: {count} value{'s' if count > 1 else ''} given, but {call.name} takes {wanted}")
    given = dict(zip(unnamed, call.arguments, strict=False))
    for key, value in call.keywords:
        if key not in defaults:
            known = f"it has {', '.join(defaults)}" if defaults else "it has none"
            raise AgentError(f"{call.name} has no setting {key!r}; {known}{suggestion(key, defaults)}")
        if key in given:
            raise AgentError(f"{call}: {key} is given twice")
        given[key] = value
    return defaults | {key: as_number(call, key, value) for key, value in given.items()}


def check_ranges(call: Call, settings: dict[str, float]) -> dict[str, float]:
    """The settings of a rule or agent of tamaya, if they make sense."""
    for key, (low, high) in RANGES.items():
        if key in settings and not low <= settings[key] <= high:
            raise AgentError(f"{call}: {key} must be from {low:g} to {high:,.0f}, not {settings[key]:g}")
    return settings


def as_number(call: Call, key: str, value: Value) -> float:
    """The number of a setting; yes and no are 1 and 0."""
    words = {"yes": 1.0, "no": 0.0, "correct": 0.0}
    if isinstance(value, float):
        return value
    if isinstance(value, Call) and value.name in words and not value.arguments:
        return words[value.name]
    raise AgentError(f"{call.name}: {key} must be a number, yes or no, not {show(value)}")


def encode(rules: tuple[Value, ...], counting: float) -> tuple[float, ...]:
    """The params of the policy ``rule_list`` for a list of rules."""
    if counting not in (0.0, 2017.0):
        raise AgentError(f"counting must be correct or 2017, not {counting:g}")
    if not rules:
        raise AgentError("a rule list needs at least one rule, as in rules(PlaySafeCard, DiscardOldestFirst)")
    lines = [line for rule in rules for line in lines_of(rule, ANYTHING)]
    return tuple(map(float, (counting, len(lines), *(number for line in lines for number in line))))
