"""Genes: the rules that evolution puts in order; a genome is an ordering of all of them.

As in Canaan et al. 2018 there are 72. The first rule that fires makes the move, so that all that stands behind a rule
that always fires is never asked.
"""

from collections.abc import Sequence

from tamaya.policies.agent import PolicyAgent
from tamaya.policies.rules.catalogue import rule_list
from tamaya.policies.rules.rule_syntax import ANYTHING, lines_of, parse_rules

Genome = tuple[int, ...]
"""The numbers of all genes, those asked first in front."""

THRESHOLDS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
LOWER = (0.2, 0.4, 0.6, 0.8)

GENES = (
    "PlaySafeCard",
    "PlayIfCertain",
    *(f"PlayProbablySafeCard({chance})" for chance in THRESHOLDS),
    *(f"IfRule(lives > 1, PlayProbablySafeCard({chance}))" for chance in THRESHOLDS),
    *(f"IfRule(lives > 2, PlayProbablySafeCard({chance}))" for chance in LOWER),
    *(f"PlayProbablySafeLate({chance}, 5)" for chance in (0, *LOWER)),
    "IfRule(lives > 1, PlayProbablySafeLate(0, 5))",
    *(f"PlayJustHinted({chance})" for chance in (0, *LOWER)),
    *(f"IfRule(lives > 1, PlayJustHinted({chance}))" for chance in (0, *LOWER)),
    *(f"DiscardProbablyUselessCard({chance})" for chance in (0, *LOWER, 1)),
    "DiscardLeastLikelyToBeNecessary",
    "DiscardOldestFirst",
    "DiscardRandomly",
    "OsawaDiscard",
    "DiscardIfCertain",
    "DiscardHighest",
    "DiscardUnidentifiedCard",
    "TellPlayableCard",
    "TellPlayableCardOuter",
    "TellUnknown",
    "TellRandomly",
    "TellAnyoneAboutUsefulCard",
    "TellAnyoneAboutOldestUsefulCard",
    "TellAnyoneAboutUselessCard",
    "IfRule(information > 3, TellAnyoneAboutUselessCard)",
    "TellDispensable",
    "IfRule(information < 4, TellDispensable)",
    "TellMostInformation",
    "TellMostInformation(yes)",
    "IfRule(information > 3, TellMostInformation(yes))",
    "IfRule(information > 5, TellMostInformation(yes))",
    "CompleteTellUsefulCard",
    "CompleteTellDispensableCard",
    "CompleteTellUnplayableCard",
    "TellIllInformed",
    "TellNextPlayerAboutSingleUsefulCard",
    "TryToUnBlock",
    "LegalRandom",
)

LAST_RESORT = GENES.index("LegalRandom")
"""The gene that always has a move."""

LINES = [lines_of(rule, ANYTHING) for rule in parse_rules(", ".join(GENES))]
"""The lines of a rule list for each gene."""


def text_of(genes: Sequence[int]) -> str:
    """The agent of some genes in their order, as a text that names it everywhere."""
    return f"rules({', '.join(GENES[gene] for gene in genes)})"


def agent_of(genes: Sequence[int]) -> PolicyAgent:
    """The agent of some genes in their order; the same as that of their text, without parsing it."""
    lines = [line for gene in genes for line in LINES[gene]]
    params = (0.0, float(len(lines)), *(float(number) for line in lines for number in line))
    return PolicyAgent(text_of(genes), rule_list, params)
