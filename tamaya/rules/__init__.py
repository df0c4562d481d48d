"""The rules from the papers: kernels that look at a view and return a move, or NO_MOVE when they do not fire."""

from tamaya.rules.discarding import (
    DiscardHighest,
    DiscardIfCertain,
    DiscardLeastLikelyToBeNecessary,
    DiscardOldestFirst,
    DiscardProbablyUselessCard,
    DiscardRandomly,
    DiscardUnidentifiedCard,
    OsawaDiscard,
)
from tamaya.rules.mixed import (
    LegalRandom,
    TryToUnBlock,
)
from tamaya.rules.playing import (
    PlayIfCertain,
    PlayProbablySafeCard,
    PlayProbablySafeLate,
    PlaySafeCard,
)
from tamaya.rules.telling import (
    CompleteTellDispensableCard,
    CompleteTellUnplayableCard,
    CompleteTellUsefulCard,
    TellAnyoneAboutOldestUsefulCard,
    TellAnyoneAboutUsefulCard,
    TellAnyoneAboutUselessCard,
    TellDispensable,
    TellIllInformed,
    TellMostInformation,
    TellNextPlayerAboutSingleUsefulCard,
    TellPlayableCard,
    TellPlayableCardOuter,
    TellRandomly,
    TellUnknown,
)

__all__ = [
    "CompleteTellDispensableCard",
    "CompleteTellUnplayableCard",
    "CompleteTellUsefulCard",
    "DiscardHighest",
    "DiscardIfCertain",
    "DiscardLeastLikelyToBeNecessary",
    "DiscardOldestFirst",
    "DiscardProbablyUselessCard",
    "DiscardRandomly",
    "DiscardUnidentifiedCard",
    "LegalRandom",
    "OsawaDiscard",
    "PlayIfCertain",
    "PlayProbablySafeCard",
    "PlayProbablySafeLate",
    "PlaySafeCard",
    "TellAnyoneAboutOldestUsefulCard",
    "TellAnyoneAboutUsefulCard",
    "TellAnyoneAboutUselessCard",
    "TellDispensable",
    "TellIllInformed",
    "TellMostInformation",
    "TellNextPlayerAboutSingleUsefulCard",
    "TellPlayableCard",
    "TellPlayableCardOuter",
    "TellRandomly",
    "TellUnknown",
    "TryToUnBlock",
]
