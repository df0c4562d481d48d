"""Sets of rules that have a name: those that narrow a tree, and those that a learned agent chooses from."""

from typing import Any

from tamaya.policies.language import parse

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
