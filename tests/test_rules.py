"""Each rule in a position made for it."""

import numpy as np

from tamaya import Card, Game, Settings
from tamaya.engine.knowledge import recall_spent
from tamaya.engine.moves import NO_MOVE
from tamaya.engine.randomness import random_below, random_real
from tamaya.policies.rules.catalogue import NUMBERS, RULES, fire


def table_of(hands, *moves, settings=None, top=()):
    """A game with given hands, the rest of the deck sorted with ``top`` first, after some moves."""
    settings = settings or Settings(players=len(hands), hand_size=len(hands[0].split()))
    dealt = [Card.parse(name) for hand in hands for name in hand.split()] + [Card.parse(name) for name in top]
    rest = [Card.of(card) for card in settings.cards]
    for card in dealt:
        rest.remove(card)
    game = Game(settings, deck=dealt + rest)
    for move in moves:
        game.push(move)
    return game


def answer(game, rule, first=None, second=None, seed=1, counting=0):
    """The move of a rule for the seat to move, as text; None if it does not fire."""
    defaults = [*RULES[rule].defaults.values(), 0.0, 0.0, 0.0]
    view = game.view()
    if counting:
        recall_spent(view.table)
    arguments = [defaults[0] if first is None else first, defaults[1] if second is None else second, defaults[2]]
    code = fire(NUMBERS[rule], view.table, *map(float, arguments), np.array([seed], dtype=np.uint64))
    return None if code == NO_MOVE else str(game.decode(int(code)))


def test_legal_random_reaches_every_legal_move_and_no_other():
    game = table_of(["R1 R2", "Y1 G1", "W3 W3"], "tell 1 1")
    answers = {answer(game, "LegalRandom", seed=seed) for seed in range(400)}
    assert answers == {str(move) for move in game.legal_moves}


def test_play_safe_card_needs_no_exact_knowledge_but_certainty():
    game = table_of(["Y2 R1 G2", "B5 B4 B3"], "play 1")
    assert answer(game, "PlaySafeCard") is None
    game = table_of(["Y2 R1 G1", "B5 B4 B3"], "tell 1 5")
    game.push("tell 0 1")
    assert answer(game, "PlaySafeCard") == "play 1"
    assert answer(game, "PlayIfCertain") is None
    game.push("tell 1 4")
    game.push("tell 0 green")
    assert answer(game, "PlayIfCertain") == "play 2"


def test_the_place_of_a_card_not_its_age_decides_which_comes_first():
    """A new card takes the place of the one it replaces, as in the Java framework."""
    game = table_of(["B5 R1 R1", "Y4 Y4 Y3"], "play 1", "tell 0 1", top=["G1"])
    assert [str(card) for card in game.hands[0]] == ["B5", "R1", "G1"]
    game = table_of(["R2 B4 G1", "Y4 Y4 Y3"], "play 0", "tell 0 1", top=["Y1"])
    assert [str(card) for card in game.hands[0]] == ["B4", "G1", "Y1"]
    assert answer(game, "PlaySafeCard") == "play 2"
    assert answer(game, "DiscardOldestFirst") == "discard 0"


def test_play_probably_safe_card_takes_the_likeliest_and_of_equals_the_last():
    game = table_of(["R3 Y3 R1 G1", "B5 B4 B3 B3"], "tell 1 5", "tell 0 1")
    assert answer(game, "PlayProbablySafeCard", 0.9) == "play 3"
    game = table_of(["R3 Y3 R1 G1", "B5 B4 B3 B3"])
    assert answer(game, "PlayProbablySafeCard", 0.9) is None
    assert answer(game, "PlayProbablySafeCard", 0) == "play 3"
    chance = game.view().probability_playable(0)
    assert answer(game, "PlayProbablySafeCard", chance) == "play 3"
    assert answer(game, "PlayProbablySafeCard", chance + 1e-9) is None


def test_play_probably_safe_late_counts_the_own_hand_as_left():
    settings = Settings(players=2, colours=1, hand_size=2)
    game = table_of(["R3 R1", "R2 R1"], settings=settings, top=["R1"])
    assert answer(game, "PlayProbablySafeLate", 0, 7) is None
    assert answer(game, "PlayProbablySafeLate", 0, 8) == "play 1"


def test_osawa_discards_what_hints_or_counting_show_to_be_useless():
    game = table_of(["R1 R1 Y4", "B5 B4 B3"], "play 0", "tell 0 1", "tell 1 5", "tell 0 red", top=["G3"])
    assert answer(game, "OsawaDiscard") == "discard 0"
    assert answer(game, "DiscardIfCertain") == "discard 0"
    settings = Settings(players=2, colours=1, hand_size=2)
    moves = ("tell 1 2", "tell 0 1", "tell 1 2", "discard 0", "tell 1 2", "discard 0")
    game = table_of(["R5 R1", "R2 R2"], *moves, settings=settings)
    assert game.hinted[0][0] == (None, None)
    assert answer(game, "OsawaDiscard") == "discard 0"


def test_osawa_uses_a_rank_alone_once_every_firework_has_passed_it():
    settings = Settings(players=2, colours=2, hand_size=3)
    game = table_of(["R1 Y1 R1", "R4 R5 Y5"], "play 0", "tell 0 1", settings=settings, top=["R3"])
    assert answer(game, "OsawaDiscard") is None
    game = table_of(
        ["R1 Y1 R1", "R4 R5 Y5"], "play 0", "tell 0 1", "play 0", "tell 0 2", settings=settings, top=["R2", "Y2"]
    )
    assert answer(game, "OsawaDiscard") == "discard 0"


def test_discards_rest_while_all_tokens_are_there():
    game = table_of(["R1 R2", "Y1 Y2"])
    for rule in RULES:
        if rule.startswith(("Discard", "Osawa")):
            assert answer(game, rule, 0) is None


def test_hints_rest_without_a_token():
    settings = Settings(players=2, hand_size=2, hint_tokens=1)
    game = table_of(["R1 R2", "Y1 Y2"], "tell 1 1", settings=settings)
    for rule in RULES:
        if rule.startswith(("Tell", "Complete")):
            assert answer(game, rule) is None


def test_discards_by_what_is_known():
    game = table_of(["R4 Y5 G3", "B5 B4 B3"], "tell 1 5", "tell 0 3", "tell 1 4", "tell 0 4")
    assert answer(game, "DiscardHighest") == "discard 0"
    assert answer(game, "DiscardUnidentifiedCard") == "discard 1"
    game.push("tell 1 3")
    game.push("tell 0 5")
    assert answer(game, "DiscardHighest") == "discard 1"
    assert answer(game, "DiscardUnidentifiedCard") is None


def test_discard_least_likely_to_be_necessary_keeps_a_five():
    game = table_of(["R1 Y5 G3", "B5 B4 B3"], "tell 1 5", "tell 0 5")
    assert answer(game, "DiscardLeastLikelyToBeNecessary") == "discard 2"


def test_discard_probably_useless_card_takes_the_likeliest():
    game = table_of(["R1 R1 Y5", "B5 B4 B3"], "play 0", "tell 0 1", top=["G5"])
    assert answer(game, "DiscardProbablyUselessCard", 1.0) is None
    assert answer(game, "DiscardProbablyUselessCard", 0.0) == "discard 0"
    assert {answer(game, "DiscardRandomly", seed=seed) for seed in range(60)} == {
        f"discard {slot}" for slot in range(3)
    }


def test_tell_rules_about_playable_cards():
    game = table_of(["B5 B4 B3", "R2 Y1 G1", "W1 R1 R3"])
    assert answer(game, "TellAnyoneAboutUsefulCard") == "tell 1 1"
    assert answer(game, "TellPlayableCardOuter") == "tell 1 1"
    assert {answer(game, "TellPlayableCard", seed=seed) for seed in range(20)} == {"tell 1 1", "tell 1 yellow"}
    assert answer(game, "TellUnknown") == "tell 1 red"
    assert answer(game, "CompleteTellUsefulCard") is None
    assert answer(game, "TellAnyoneAboutOldestUsefulCard") == "tell 1 green"
    assert answer(game, "TellNextPlayerAboutSingleUsefulCard") == "tell 1 yellow"
    for move in ("tell 1 1", "tell 2 3", "tell 0 5"):
        game.push(move)
    assert answer(game, "TellAnyoneAboutUsefulCard") == "tell 1 yellow"
    assert answer(game, "CompleteTellUsefulCard") == "tell 1 yellow"
    assert answer(game, "CompleteTellUnplayableCard") == "tell 2 red"
    assert answer(game, "CompleteTellDispensableCard") is None


def test_tell_randomly_names_any_card_of_the_next_player():
    game = table_of(["B5 B4 B3", "R2 Y1 G1", "W1 R1 R3"])
    told = {answer(game, "TellRandomly", seed=seed) for seed in range(100)}
    assert told == {"tell 1 red", "tell 1 yellow", "tell 1 green", "tell 1 1", "tell 1 2"}


def test_tell_anyone_about_useless_card_gives_up_at_one_that_is_known():
    game = table_of(["R1 B4 B3", "R1 Y3 G4", "W4 R1 Y4"], "play 0")
    assert answer(game, "TellAnyoneAboutUselessCard") == "tell 2 1"
    game = table_of(["R1 B4 B3", "W4 Y3 G4", "W4 R1 Y4"], "play 0", "tell 2 1", "tell 0 4", "tell 2 4", "tell 2 red")
    game.push("tell 0 3")
    assert answer(game, "TellAnyoneAboutUselessCard") is None
    assert answer(game, "TellAnyoneAboutUselessCard", 1) == "tell 2 red"
    assert answer(game, "TellIllInformed") is None


def test_tell_dispensable_goes_by_the_order_of_the_seats():
    settings = Settings(players=3, colours=2, hand_size=3)
    hands = ["R1 R4 Y3", "Y1 R1 Y4", "Y5 Y1 R5"]
    game = table_of(hands, "play 0", "play 0", settings=settings, top=["R4", "R2"])
    assert game.seat == 2
    assert answer(game, "TellDispensable") == "tell 1 1"
    game = table_of(hands, "play 0", "tell 2 1", "tell 1 1", settings=settings, top=["R4"])
    assert answer(game, "TellDispensable") == "tell 1 red"


def test_tell_most_information_counts_cards_or_new_ones():
    game = table_of(["B5 B4 B3", "R2 Y2 G1", "W1 W1 W3"])
    assert answer(game, "TellMostInformation", 0) == "tell 2 white"
    game.push("tell 2 white")
    game.push("tell 0 blue")
    game.push("tell 1 2")
    assert answer(game, "TellMostInformation", 0) == "tell 2 white"
    assert answer(game, "TellMostInformation", 1) == "tell 2 1"
    game = table_of(["B5 B4 B3", "R2 Y2 G1", "W1 Y1 W3"], "tell 1 1")
    assert answer(game, "TellMostInformation", 1, 0) == "tell 0 blue"
    assert answer(game, "TellMostInformation", 1, 1) == "tell 0 blue"
    game = table_of(["B5 B4 R3", "R2 Y2 G1", "W1 Y1 W3"], "tell 1 1")
    assert answer(game, "TellMostInformation", 1, 0) == "tell 0 blue"
    assert answer(game, "TellMostInformation", 1, 1) == "tell 2 1"


def test_try_to_unblock_gives_a_token_to_a_player_who_is_stuck():
    settings = Settings(players=3, hand_size=2, hint_tokens=2)
    hands = ["R1 R1", "B4 B3", "W4 Y4"]
    game = table_of(hands, "play 0", "tell 0 1", "tell 0 red", settings=settings, top=["R5"])
    assert (game.seat, game.hint_tokens) == (0, 0)
    assert answer(game, "TryToUnBlock") == "discard 0"
    game = table_of(hands, "play 0", "tell 0 1", settings=settings, top=["R5"])
    assert answer(game, "TryToUnBlock") is None


def test_counting_of_2017_takes_own_past_cards_for_unseen():
    game = table_of(["R1 B4 Y1", "B5 W4 Y4"], "play 0", "tell 0 yellow", "tell 1 4", "tell 0 1", top=["G5"])
    view = game.view()
    assert not int(view.table.unseen[2]) & 1
    before = [int(plane).bit_count() for plane in view.table.unseen]
    recall_spent(view.table)
    assert int(view.table.unseen[2]) & 1
    assert sum(int(plane).bit_count() for plane in view.table.unseen) == sum(before) + 1


def test_random_numbers_are_even_and_within_their_bounds():
    rng = np.array([3], dtype=np.uint64)
    reals = [random_real(rng) for _ in range(2000)]
    assert 0 <= min(reals) < 0.01 < 0.99 < max(reals) < 1
    counts = np.bincount([random_below(rng, 7) for _ in range(7000)], minlength=7)
    assert abs(counts - 1000).max() < 5 * 30


def test_what_was_just_touched_alone_is_played_if_it_is_likely_enough():
    game = table_of(["R2 B4 Y4", "Y3 W3 G4"], "tell 1 4", "tell 0 2")
    assert answer(game, "PlayJustHinted") is None  # no two can be played yet
    game = table_of(["R1 B4 R2", "Y3 W3 G3"], "play 0", "tell 0 2", top=["B5"])
    assert answer(game, "PlayJustHinted", 0.1) == "play 1"
    assert answer(game, "PlayJustHinted", 0.5) is None
    game = table_of(["R1 B4 R2", "Y3 W3 G3"], "play 0", "tell 0 blue", top=["B5"])
    assert answer(game, "PlayJustHinted") is None  # two cards were touched
