"""The rule-based agents as data, by name."""

from dataclasses import dataclass, field

WALTON_RIVERS = "Walton-Rivers et al. 2017"
OSAWA = "Osawa 2015, in Walton-Rivers et al. 2017"
GOODMAN = "Goodman 2019"
BOUZY = "Bouzy 2017"
MONIS = "Monis et al."
COX = "Cox et al. 2015"
HANABI_RS = "hanabi.rs"
QUUXPLUSONE = "O'Dwyer, Quuxplusone/Hanabi"
TAMAYA = "tamaya"


@dataclass(frozen=True)
class Recipe:
    """A rule-based agent as data: its rules, and the settings that they leave open."""

    source: str
    summary: str
    rules: str
    defaults: dict[str, float] = field(default_factory=dict)
    variants: dict[str, str] = field(default_factory=dict)
    """Rule lists to use instead when the setting with that name is yes."""


# As published, the last resort of Piers and IGGI2 never fires: its unseen cards, its own hand included, never run out.
RECIPES = {
    "legal-random": Recipe(WALTON_RIVERS, "makes random legal moves", "LegalRandom"),
    "internal": Recipe(
        OSAWA,
        "remembers what it was told",
        "PlaySafeCard, OsawaDiscard, TellPlayableCard, TellRandomly, DiscardRandomly",
    ),
    "outer": Recipe(
        OSAWA,
        "remembers what the others were told too",
        "PlaySafeCard, OsawaDiscard, TellPlayableCardOuter, TellUnknown, DiscardRandomly",
    ),
    "cautious": Recipe(
        WALTON_RIVERS,
        "never risks a life",
        "PlayIfCertain, PlaySafeCard, TellAnyoneAboutUsefulCard, OsawaDiscard, DiscardRandomly, TellRandomly",
    ),
    "iggi": Recipe(
        WALTON_RIVERS,
        "cautious, and predictable in its discards",
        "PlayIfCertain, PlaySafeCard, TellAnyoneAboutUsefulCard, OsawaDiscard, DiscardOldestFirst, TellRandomly",
    ),
    "piers": Recipe(
        WALTON_RIVERS,
        "iggi with calculated risks",
        "IfRule(lives > 1, IfRule(unseen == 0, PlayProbablySafeCard(0))), PlaySafeCard, "
        "IfRule(lives > 1, PlayProbablySafeCard(0.6)), TellAnyoneAboutUsefulCard, "
        "IfRule(information < 4, TellDispensable), OsawaDiscard, DiscardOldestFirst, TellRandomly, DiscardRandomly",
    ),
    "flawed": Recipe(
        WALTON_RIVERS,
        "plays recklessly unless it is told enough",
        "PlaySafeCard, PlayProbablySafeCard(0.25), TellRandomly, OsawaDiscard, DiscardOldestFirst, DiscardRandomly",
    ),
    "certainty": Recipe(
        BOUZY,
        "plays and discards what is certain, and tells of playable and useless cards",
        "PlaySafeCard, DiscardProbablyUselessCard(1), TellAnyoneAboutUsefulCard, TellAnyoneAboutUselessCard, "
        "DiscardOldestFirst, TellRandomly",
    ),
    "risky": Recipe(
        GOODMAN,
        "plays cards at a given chance of success; ends the game when no rule fires",
        "PlayIfCertain, PlayProbablySafeCard({threshold}), TellAnyoneAboutUsefulCard, OsawaDiscard, DiscardOldestFirst",
        {"threshold": 0.75},
    ),
    "risky2": Recipe(
        GOODMAN,
        "risky with hints and discards to fall back on",
        "PlayIfCertain, PlayProbablySafeCard({threshold}), TellAnyoneAboutUsefulCard, TellMostInformation(yes), "
        "OsawaDiscard, TellRandomly, DiscardProbablyUselessCard(0)",
        {"threshold": 0.7},
    ),
    "vdb": Recipe(
        "Van den Bergh et al. 2016, in Walton-Rivers et al. 2017",
        "the best of the evolved rule lists; useless=yes adds TellAnyoneAboutUselessCard, as the paper prints it",
        "IfRule(lives > 1, PlayProbablySafeCard(0.6), PlaySafeCard), DiscardProbablyUselessCard(1), "
        "TellAnyoneAboutUsefulCard, TellMostInformation(yes), DiscardProbablyUselessCard(0)",
        {"useless": False},
        {
            "useless": "IfRule(lives > 1, PlayProbablySafeCard(0.6), PlaySafeCard), DiscardProbablyUselessCard(1), "
            "TellAnyoneAboutUsefulCard, TellAnyoneAboutUselessCard({counting}), TellMostInformation(yes), "
            "DiscardProbablyUselessCard(0)"
        },
    ),
    "iggi2": Recipe(
        GOODMAN,
        "iggi with risks, newer hint rules and safer discards",
        "IfRule(lives > 1, IfRule(unseen == 0, PlayProbablySafeCard(0))), PlayIfCertain, PlaySafeCard, "
        "IfRule(lives > 1, PlayProbablySafeCard(0.6)), OsawaDiscard, TellAnyoneAboutOldestUsefulCard, "
        "CompleteTellUsefulCard, DiscardUnidentifiedCard, DiscardOldestFirst, TellMostInformation(yes), TellRandomly",
    ),
    "clivej": Recipe(
        GOODMAN,
        "follows the written advice of a player, CliveJ of BoardGameGeek",
        "TryToUnBlock, PlaySafeCard, TellIllInformed, OsawaDiscard, CompleteTellUsefulCard, "
        "TellAnyoneAboutUsefulCard, TellAnyoneAboutUselessCard, TellMostInformation(yes), DiscardUnidentifiedCard, "
        "DiscardHighest",
    ),
    "clivej2": Recipe(
        GOODMAN,
        "clivej with discards to fall back on",
        "TryToUnBlock, PlaySafeCard, TellIllInformed, OsawaDiscard, CompleteTellUsefulCard, "
        "TellAnyoneAboutUsefulCard, TellAnyoneAboutUselessCard, TellMostInformation(yes), DiscardUnidentifiedCard, "
        "DiscardHighest, DiscardLeastLikelyToBeNecessary, DiscardProbablyUselessCard(0)",
    ),
    # tamaya evolve --players 2-5 --generations 60 --population 150 --games 60
    "evolved": Recipe(
        TAMAYA,
        "a rule list that tamaya evolve found in self-play with 2 to 5 players",
        "IfRule(lives > 1, PlayJustHinted(0)), PlayJustHinted(0.2), PlaySafeCard, "
        "TellNextPlayerAboutSingleUsefulCard, IfRule(lives > 1, PlayProbablySafeCard(0.7)), "
        "PlayProbablySafeLate(0.2, 5), CompleteTellUsefulCard, TellPlayableCardOuter, "
        "DiscardProbablyUselessCard(0), CompleteTellUnplayableCard, IfRule(lives > 2, "
        "PlayProbablySafeCard(0.6)), CompleteTellDispensableCard, TellMostInformation, LegalRandom",
    ),
}
