"""The catalogue of rules by name, and the policy that plays a list of them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tamaya.engine.jit import kernel, record, record_reader
from tamaya.engine.knowledge import count_unseen, recall_spent
from tamaya.engine.moves import NO_MOVE
from tamaya.policies.contract import policy
from tamaya.policies.rules import discarding, mixed, playing, telling


@dataclass(frozen=True)
class Rule:
    """A rule's kernel and its arguments with their defaults."""

    kernel: Callable[..., Any]
    defaults: dict[str, float] = field(default_factory=dict)


CATALOGUE = (
    Rule(mixed.LegalRandom),
    Rule(mixed.TryToUnBlock),
    Rule(playing.PlaySafeCard),
    Rule(playing.PlayIfCertain),
    Rule(playing.PlayProbablySafeCard, {"threshold": 0.95}),
    Rule(playing.PlayProbablySafeLate, {"threshold": 0.4, "cards_left": 5}),
    Rule(discarding.DiscardProbablyUselessCard, {"threshold": 1.0}),
    Rule(discarding.DiscardLeastLikelyToBeNecessary),
    Rule(discarding.DiscardOldestFirst),
    Rule(discarding.DiscardRandomly),
    Rule(discarding.OsawaDiscard),
    Rule(discarding.DiscardIfCertain),
    Rule(discarding.DiscardHighest),
    Rule(discarding.DiscardUnidentifiedCard),
    Rule(telling.TellPlayableCard),
    Rule(telling.TellPlayableCardOuter),
    Rule(telling.TellUnknown),
    Rule(telling.TellRandomly),
    Rule(telling.TellAnyoneAboutUsefulCard),
    Rule(telling.TellAnyoneAboutOldestUsefulCard),
    Rule(telling.TellAnyoneAboutUselessCard, {"tell_again": False}),
    Rule(telling.TellDispensable, {"spare_singles": False}),
    Rule(telling.TellMostInformation, {"only_new": False, "in_turn_order": False, "spare_singles": False}),
    Rule(telling.CompleteTellUsefulCard),
    Rule(telling.CompleteTellDispensableCard),
    Rule(telling.CompleteTellUnplayableCard),
    Rule(telling.TellIllInformed),
    Rule(telling.TellNextPlayerAboutSingleUsefulCard),
    Rule(playing.PlayJustHinted, {"threshold": 0.0}),
)
"""A rule's number is its index here; ``fire`` below follows the same order."""

RULES = {rule.kernel.__name__: rule for rule in CATALOGUE}
NUMBERS = {name: number for number, name in enumerate(RULES)}


@kernel
def fire(rule, view, first, second, third, rng):
    """The move of a rule of the catalogue, by its number."""
    if rule == 0:
        return mixed.LegalRandom(view, rng)
    if rule == 1:
        return mixed.TryToUnBlock(view)
    if rule == 2:
        return playing.PlaySafeCard(view)
    if rule == 3:
        return playing.PlayIfCertain(view)
    if rule == 4:
        return playing.PlayProbablySafeCard(view, first)
    if rule == 5:
        return playing.PlayProbablySafeLate(view, first, second)
    if rule == 6:
        return discarding.DiscardProbablyUselessCard(view, first)
    if rule == 7:
        return discarding.DiscardLeastLikelyToBeNecessary(view)
    if rule == 8:
        return discarding.DiscardOldestFirst(view)
    if rule == 9:
        return discarding.DiscardRandomly(view, rng)
    if rule == 10:
        return discarding.OsawaDiscard(view)
    if rule == 11:
        return discarding.DiscardIfCertain(view)
    if rule == 12:
        return discarding.DiscardHighest(view)
    if rule == 13:
        return discarding.DiscardUnidentifiedCard(view)
    if rule == 14:
        return telling.TellPlayableCard(view, rng)
    if rule == 15:
        return telling.TellPlayableCardOuter(view)
    if rule == 16:
        return telling.TellUnknown(view)
    if rule == 17:
        return telling.TellRandomly(view, rng)
    if rule == 18:
        return telling.TellAnyoneAboutUsefulCard(view)
    if rule == 19:
        return telling.TellAnyoneAboutOldestUsefulCard(view)
    if rule == 20:
        return telling.TellAnyoneAboutUselessCard(view, first)
    if rule == 21:
        return telling.TellDispensable(view, first)
    if rule == 22:
        return telling.TellMostInformation(view, first, second, third)
    if rule == 23:
        return telling.CompleteTellUsefulCard(view)
    if rule == 24:
        return telling.CompleteTellDispensableCard(view)
    if rule == 25:
        return telling.CompleteTellUnplayableCard(view)
    if rule == 26:
        return telling.TellIllInformed(view)
    if rule == 27:
        return telling.TellNextPlayerAboutSingleUsefulCard(view)
    return playing.PlayJustHinted(view, first)


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
