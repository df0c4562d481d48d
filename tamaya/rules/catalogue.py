"""The catalogue of rules by name, and the policy that plays a list of them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import tamaya.rules as rules
from tamaya.core.knowledge import count_unseen, recall_spent
from tamaya.core.moves import NO_MOVE
from tamaya.jit import kernel, record, record_reader
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
    Rule(rules.PlayJustHinted, {"threshold": 0.0}),
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
    if rule == 27:
        return rules.TellNextPlayerAboutSingleUsefulCard(view)
    return rules.PlayJustHinted(view, first)


LINE = record(
    rule="f8",  # its number in the catalogue
    first="f8",  # its arguments
    second="f8",
    third="f8",
    is_conditional="f8",
    lives=("f8", 2),  # the bounds within which the line applies
    hint_tokens=("f8", 2),
    unseen=("f8", 2),
)
COUNTING, LINES, FIRST_LINE = range(3)
"""A rule list as params: how a player counts its own past cards, the number of lines, and the lines."""

LINE_LENGTH = LINE.itemsize // 8
line_at = record_reader(LINE)


@kernel
def is_within(bounds, number):
    """Whether a number lies within two bounds, inclusive."""
    return bounds[0] <= number <= bounds[1]


@kernel
def applies(view, line):
    """Whether a line of a rule list applies at this table."""
    return line.is_conditional == 0.0 or (
        is_within(line.lives, view.lives)
        and is_within(line.hint_tokens, view.hint_tokens)
        and is_within(line.unseen, count_unseen(view, view.all_cards))
    )


@policy
def rule_list(view, memory, params, rng):
    """Makes the move of the first rule of a list that fires."""
    if params[COUNTING] == 2017:
        recall_spent(view)
    for index in range(int(params[LINES])):
        line = line_at(params, FIRST_LINE + index * LINE_LENGTH)
        if applies(view, line):
            move = fire(int(line.rule), view, line.first, line.second, line.third, rng)
            if move != NO_MOVE:
                return move
    return NO_MOVE
