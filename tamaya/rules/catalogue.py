"""The catalogue of rules by name, and the policy that plays a list of them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import tamaya.rules as rules
from tamaya.jit import kernel
from tamaya.knowledge import count_unseen, recall_spent
from tamaya.moves import NO_MOVE
from tamaya.policies import policy


@dataclass(frozen=True)
class Rule:
    """A rule's kernel and its arguments with their defaults."""

    kernel: Callable[..., Any]
    defaults: dict[str, float] = field(default_factory=dict)


CATALOGUE = (
    Rule(rules.LegalRandom),
    Rule(rules.TryToUnBlock),
    Rule(rules.PlaySafeCard),
    Rule(rules.PlayIfCertain),
    Rule(rules.PlayProbablySafeCard, {"threshold": 0.95}),
    Rule(rules.PlayProbablySafeLate, {"threshold": 0.4, "cards_left": 5}),
    Rule(rules.DiscardProbablyUselessCard, {"threshold": 1.0}),
    Rule(rules.DiscardLeastLikelyToBeNecessary),
    Rule(rules.DiscardOldestFirst),
    Rule(rules.DiscardRandomly),
    Rule(rules.OsawaDiscard),
    Rule(rules.DiscardIfCertain),
    Rule(rules.DiscardHighest),
    Rule(rules.DiscardUnidentifiedCard),
    Rule(rules.TellPlayableCard),
    Rule(rules.TellPlayableCardOuter),
    Rule(rules.TellUnknown),
    Rule(rules.TellRandomly),
    Rule(rules.TellAnyoneAboutUsefulCard),
    Rule(rules.TellAnyoneAboutOldestUsefulCard),
    Rule(rules.TellAnyoneAboutUselessCard, {"tell_again": 0}),
    Rule(rules.TellDispensable, {"spare_singles": 0}),
    Rule(rules.TellMostInformation, {"only_new": 0, "in_turn_order": 0, "spare_singles": 0}),
    Rule(rules.CompleteTellUsefulCard),
    Rule(rules.CompleteTellDispensableCard),
    Rule(rules.CompleteTellUnplayableCard),
    Rule(rules.TellIllInformed),
    Rule(rules.TellNextPlayerAboutSingleUsefulCard),
)
"""A rule's number is its index here; ``fire`` below follows the same order."""

RULES = {rule.kernel.__name__: rule for rule in CATALOGUE}
NUMBERS = {name: number for number, name in enumerate(RULES)}


@kernel
def fire(rule, view, first, second, third, rng):
    """The move of a rule of the catalogue, by its number."""
    if rule == 0:
        return rules.LegalRandom(view, rng)
    if rule == 1:
        return rules.TryToUnBlock(view)
    if rule == 2:
        return rules.PlaySafeCard(view)
    if rule == 3:
        return rules.PlayIfCertain(view)
    if rule == 4:
        return rules.PlayProbablySafeCard(view, first)
    if rule == 5:
        return rules.PlayProbablySafeLate(view, first, second)
    if rule == 6:
        return rules.DiscardProbablyUselessCard(view, first)
    if rule == 7:
        return rules.DiscardLeastLikelyToBeNecessary(view)
    if rule == 8:
        return rules.DiscardOldestFirst(view)
    if rule == 9:
        return rules.DiscardRandomly(view, rng)
    if rule == 10:
        return rules.OsawaDiscard(view)
    if rule == 11:
        return rules.DiscardIfCertain(view)
    if rule == 12:
        return rules.DiscardHighest(view)
    if rule == 13:
        return rules.DiscardUnidentifiedCard(view)
    if rule == 14:
        return rules.TellPlayableCard(view, rng)
    if rule == 15:
        return rules.TellPlayableCardOuter(view)
    if rule == 16:
        return rules.TellUnknown(view)
    if rule == 17:
        return rules.TellRandomly(view, rng)
    if rule == 18:
        return rules.TellAnyoneAboutUsefulCard(view)
    if rule == 19:
        return rules.TellAnyoneAboutOldestUsefulCard(view)
    if rule == 20:
        return rules.TellAnyoneAboutUselessCard(view, first)
    if rule == 21:
        return rules.TellDispensable(view, first)
    if rule == 22:
        return rules.TellMostInformation(view, first, second, third)
    if rule == 23:
        return rules.CompleteTellUsefulCard(view)
    if rule == 24:
        return rules.CompleteTellDispensableCard(view)
    if rule == 25:
        return rules.CompleteTellUnplayableCard(view)
    if rule == 26:
        return rules.TellIllInformed(view)
    return rules.TellNextPlayerAboutSingleUsefulCard(view)


# A rule list as params: how the own past cards are counted, the number of lines, and the lines, each of the rule's
# number, its three arguments, whether it has a condition, and bounds on the lives, hint tokens and unseen cards.
HEADER, LINE = 2, 11


@kernel
def applies(view, params, line):
    """Whether the table is one that the line of a rule list at an index of params is meant for."""
    return params[line + 4] == 0.0 or (
        params[line + 5] <= view.lives <= params[line + 6]
        and params[line + 7] <= view.hint_tokens <= params[line + 8]
        and params[line + 9] <= count_unseen(view, view.all_cards) <= params[line + 10]
    )


@policy
def rule_list(view, memory, params, rng):
    """Makes the move of the first rule of a list that fires."""
    if params[0] == 2017:
        recall_spent(view)
    for index in range(int(params[1])):
        line = HEADER + index * LINE
        if applies(view, params, line):
            move = fire(int(params[line]), view, params[line + 1], params[line + 2], params[line + 3], rng)
            if move != NO_MOVE:
                return move
    return NO_MOVE
