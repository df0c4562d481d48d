"""The agents as data: rule lists and searches, by name."""

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
        {"useless": 0},
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

SQRT_2 = 2**0.5
HASTY = 25.0
"""Milliseconds per move below which a search on a network cannot keep many hands up to date."""


@dataclass(frozen=True)
class Search:
    """A search as data: its parts, and the settings that can be changed."""

    source: str
    summary: str
    fixed: dict[str, float] = field(default_factory=dict)
    defaults: dict[str, float] = field(default_factory=dict)
    learned: dict[str, float] = field(default_factory=dict)
    """Other defaults where the rollout policy is a network that values positions too."""
    hasty: dict[str, float] = field(default_factory=dict)
    """And still others where it has less than ``HASTY`` milliseconds per move."""
    policies: str = "rollout"
    """What is in its brackets: the rollout policy, models of the others, strangers, or whose values count at leaves."""
    rules: str = ""
    """The set of rules that narrows it, if not all moves are considered."""
    rollout: str = "legal-random"
    published: float = 0.0
    """Which flaw of the published code ``published=yes`` brings back, and whether that excludes rules."""
    is_published_without_rules: bool = False
    sees_deck: bool = False


POOL = (
    "legal-random, cautious, iggi, flawed, piers, risky(0.6), outer, vdb, evalfn(3, convention=no), "
    "evalfn(3, convention=yes)"
)
"""The strangers whom an ally knows, those of Goodman's Table VII."""

BUDGET = {"iterations": 1000.0, "ms": 0.0}
STRANGERS = {"learns": 1.0, "knows": 0.0}
TREE = BUDGET | {"exploration": 0.1, "tree_depth": 3.0, "rollout_depth": 160.0}

SEARCHES = {
    "mcs": Search(
        WALTON_RIVERS,
        "one ply of UCB, rollouts of 18 moves by a policy",
        {"by_value": 1.0, "tree_depth": 0.0},
        BUDGET | {"exploration": SQRT_2, "rollout_depth": 18.0, "published": 0.0},
        published=2.0,
        is_published_without_rules=True,
    ),
    "flat": Search(
        BOUZY,
        "depth one: tries every move in the same sampled deals, with rollouts by a policy",
        {"by_value": 1.0},
        {"deals": 100.0, "ms": 0.0, "rollout_depth": 160.0, "convention": 0.0, "literal": 0.0},
    ),
    "search": Search(
        TAMAYA,
        "depth one on top of a policy: deviates from its move where another is clearly better in the same deals",
        {"deals": 1.0, "deviates": 1.0, "strict": 1.0},
        BUDGET
        | {"confidence": 1.0, "margin": 0.003, "prior": 0.0, "confirm": 1.0, "rollout_depth": 160.0, "literal": 0.0}
        | {"hands": 128.0, "fresh": 64.0},
        {"margin": 0.005, "prior": 0.1, "confirm": 0.0, "rollout_depth": 8.0, "hands": 512.0, "fresh": 256.0},
        {"margin": 0.02, "rollout_depth": 1.0, "hands": 128.0, "fresh": 64.0},
    ),
    "mo": Search(
        GOODMAN,
        "MO-ISMCTS: one sampled world per iteration, the moves of all players in one tree",
        {},
        TREE | {"convention": 0.0, "published": 0.0, "infers": 0.0},
        published=1.0,
    ),
    "ris": Search(
        GOODMAN,
        "RIS-MCTS: the others' hands are dealt again at their nodes",
        {"redeals": 1.0},
        TREE | {"convention": 0.0, "infers": 0.0},
    ),
    "ris-nr": Search(
        GOODMAN,
        "RIS-MCTS without rollouts: all moves of a leaf are added at once, valued by evalfn",
        {"redeals": 1.0, "expands": 1.0, "rollout_depth": 0.0},
        BUDGET | {"exploration": 0.03, "tree_depth": 3.0, "convention": 1.0},
        policies="leaf",
        rules="goodman",
    ),
    "is-mcts": Search(
        WALTON_RIVERS,
        "one tree over sampled worlds, with no bound on its depth",
        {"by_value": 1.0},
        BUDGET | {"exploration": SQRT_2, "tree_depth": 30.0, "rollout_depth": 100.0},
    ),
    "predictor": Search(
        WALTON_RIVERS,
        "is-mcts for its own moves; models predict those of the others",
        {"by_value": 1.0},
        BUDGET | {"exploration": SQRT_2, "tree_depth": 30.0, "rollout_depth": 100.0},
        policies="models",
    ),
    "ally": Search(
        TAMAYA,
        "among strangers: learns from their moves who of a pool each of them is, and plays the best reply to them",
        {"deals": 1.0, "deviates": 1.0, "confirm": 0.0, "pool": 1.0},
        BUDGET | {"confidence": 1.0, "margin": 0.003} | STRANGERS,
        policies="pool",
        rollout="piers",
    ),
    "ally-nr": Search(
        GOODMAN,
        "ally without rollouts: a tree of its own moves, valued by evalfn; the mixed-track agent as published",
        {"expands": 1.0, "rollout_depth": 0.0, "pool": 1.0},
        BUDGET | {"exploration": 0.03, "tree_depth": 3.0, "convention": 0.0} | STRANGERS,
        policies="pool",
        rules="goodman",
    ),
    "mcts": Search(
        MONIS,
        "short rollouts, valued by score, lives and cards left",
        {},
        TREE | {"exploration": SQRT_2, "rollout_depth": 4.0, "score": 10.0, "lives": 3.0, "cards": 1.0},
    ),
    "seeing-mcts": Search(
        MONIS,
        "mcts that sees its own hand and the deck",
        {},
        TREE | {"exploration": SQRT_2, "rollout_depth": 4.0, "score": 10.0, "lives": 3.0, "cards": 1.0},
        sees_deck=True,
    ),
}
