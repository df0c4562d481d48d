"""The engine against its naive twin, and the rules one by one."""

import random

import pytest
from conftest import VARIANTS, several, short
from naive import NaiveHanabi

from tamaya import Card, Game, IllegalMove, Kind, Move
from tamaya.engine.gameplay import is_legal, legal_moves
from tamaya.engine.settings import CARDS

NAMES = {Kind.PLAY: "play", Kind.DISCARD: "discard", Kind.COLOUR: "colour", Kind.RANK: "rank"}


def as_naive(move):
    return (NAMES[move.kind], move.target) if move.kind < Kind.COLOUR else (NAMES[move.kind], move.target, move.value)


def mask(cards):
    return sum(1 << Card(*card).number for card in set(cards))


def planes_of(cards):
    return [mask(card for card in set(cards) if cards.count(card) > copies) for copies in range(3)]


def assert_same(game, twin):
    table = game.table
    assert [[(card.colour, card.rank) for card in hand] for hand in game.hands] == [
        [(card.colour, card.rank) for card in hand] for hand in twin.hands
    ]
    assert game.orders == [[card.order for card in hand] for hand in twin.hands]
    assert game.possible == [
        [frozenset(Card(colour, rank) for colour in card.colours for rank in card.ranks) for card in hand]
        for hand in twin.hands
    ]
    told = [
        [
            {("colour", hint) if hint < 6 else ("rank", hint - 5) for hint in range(11) if int(bits) >> hint & 1}
            for bits in table.told[seat][: len(hand)]
        ]
        for seat, hand in enumerate(twin.hands)
    ]
    assert told == [[card.told for card in hand] for hand in twin.hands]
    singled = [
        [slot for slot in range(len(hand)) if table.singled[seat] >> slot & 1] for seat, hand in enumerate(twin.hands)
    ]
    assert singled == [[slot for slot, card in enumerate(hand) if card.order in twin.singled] for hand in twin.hands]
    assert game.fireworks == twin.fireworks
    assert [tuple(card) for card in game.discard_pile] == twin.discards
    assert [tuple(card) for card in game.discards] == sorted(twin.discards)
    assert (game.lives, game.hint_tokens, game.score, game.turn) == (twin.lives, twin.tokens, twin.score, twin.turn)
    assert game.deck_left == len(twin.deck) - twin.drawn
    assert game.is_over == twin.is_over
    identities = [(number // 5, number % 5 + 1) for number in range(CARDS) if game.settings.copies(number)]
    assert table.playable == mask(card for card in identities if twin.is_playable(*card))
    assert table.useless == mask(card for card in identities if twin.is_useless(*card))
    if not game.is_over:
        assert game.seat == twin.seat
        assert sorted(map(as_naive, game.legal_moves)) == sorted(twin.legal_moves())
        assert game.view().table.unseen.tolist() == planes_of(twin.unseen_by(game.seat))


def careful_move(game, chance):
    """Random moves lose their lives at once; mostly playing playable cards reaches every part of the rules."""
    moves = game.legal_moves
    safe = [
        move
        for move in moves
        if move.kind != Kind.PLAY or int(game.table.playable) >> game.hands[game.seat][move.target].number & 1
    ]
    plays = [move for move in safe if move.kind == Kind.PLAY]
    if plays and chance.random() < 0.7:
        return chance.choice(plays)
    return chance.choice(safe if safe and chance.random() < 0.95 else moves)


@pytest.mark.parametrize("settings", VARIANTS, ids=short)
def test_fast_engine_agrees_with_naive(settings):
    for seed in range(several(12, 2)):
        chance = random.Random(seed)
        game = Game(settings, seed)
        twin = NaiveHanabi(settings, [tuple(card) for card in game.deck])
        while True:
            assert_same(game, twin)
            if game.is_over:
                break
            move = careful_move(game, chance) if seed % 3 else chance.choice(game.legal_moves)
            twin.move(as_naive(move))
            game.push(move)


@pytest.mark.parametrize("settings", VARIANTS, ids=short)
def test_legal_mask_agrees_with_legality_of_each_number(settings):
    game = Game(settings, 5)
    chance = random.Random(5)
    while not game.is_over:
        legal = int(legal_moves(game.table))
        assert [bool(is_legal(game.table, code)) for code in range(-2, 70)] == [
            code >= 0 and bool(legal >> code & 1) for code in range(-2, 70)
        ]
        game.push(careful_move(game, chance))


def deck_starting(*names, settings):
    """A deck that starts with the cards of some names."""
    rest = [Card.of(card) for card in settings.cards]
    top = [Card.parse(name) for name in names]
    for card in top:
        rest.remove(card)
    return top + rest


def two_players(*names, **options):
    game = Game(2, 0, **options)
    return Game(game.settings, deck=deck_starting(*names, settings=game.settings))


def test_a_misplay_costs_a_life_and_the_card():
    game = two_players("R2")
    game.push("play 0")
    assert (game.lives, game.score, game.discard_pile) == (2, 0, [Card.parse("R2")])


def test_the_third_misplay_ends_the_game_and_keeps_the_points_of_the_papers():
    game = two_players("R1", "R2", "R4", "R4", "R5", "Y2", "Y2", "Y3")
    for move in ("play 0", "play 0", "play 1", "play 0"):
        game.push(move)
    assert game.is_over
    assert (game.lives, game.score, game.strict_score) == (0, 1, 0)
    assert len(game.hands[game.seat - 1]) == 4


def test_completing_a_suit_gives_a_token_back():
    game = two_players("R1", "R3", "R5", "Y1", "G1", "R2", "R4", "B1", "B1", "B2", hint_tokens=3)
    for move in ("play 0", "play 0", "play 0", "play 0", "tell 1 1"):
        game.push(move)
    assert game.hint_tokens == 2
    game.push("discard 0")
    game.push("tell 1 1")
    game.push("tell 0 5")
    before = game.hint_tokens
    game.push("play 0")
    assert (game.fireworks[0], game.hint_tokens) == (5, before + 1)


def test_everybody_has_one_move_after_the_last_card_is_drawn():
    game = Game(4, 3)
    while game.deck_left:
        game.push("discard 0" if game.hint_tokens < 8 else next(m for m in game.legal_moves if m.kind >= Kind.COLOUR))
    left = 0
    while not game.is_over:
        game.push("discard 0" if game.hint_tokens < 8 else next(m for m in game.legal_moves if m.kind >= Kind.COLOUR))
        left += 1
    assert left == 4


def test_illegal_moves_are_refused_with_the_reason():
    game = Game(3, 1)
    for move, reason in [
        (Move.discard(0), "a discard is not allowed while all 8"),
        (Move.play(5), "no slot 5"),
        (Move.tell_rank(0, 1), "another seat"),
        (Move.tell_rank(3, 1), "another seat"),
        (Move.tell_rank(1, 6), "ranks 1 to 5"),
        (Move.tell_colour(1, 5), "only 5 colours"),
    ]:
        with pytest.raises(IllegalMove, match=reason):
            game.push(move)
    absent = next(rank for rank in range(1, 6) if all(card.rank != rank for card in game.hands[1]))
    with pytest.raises(IllegalMove, match="touches no card of seat 1"):
        game.push(Move.tell_rank(1, absent))
    assert not game.moves


def test_a_wild_card_is_touched_by_every_colour_and_cannot_be_named():
    settings = Game(2, 0, multicolour="wild").settings
    game = Game(settings, deck=deck_starting(*["R1"] * 3, "R2", "R2", "M1", "Y1", "G2", "Y3", "R3", settings=settings))
    with pytest.raises(IllegalMove, match="cannot be named"):
        game.push(Move.tell_colour(1, 5))
    game.push("tell 1 yellow")
    assert {str(card)[0] for card in game.possible[1][0]} == {"Y", "M"}
    assert {str(card)[0] for card in game.possible[1][2]} == {"R", "G", "W", "B"}
    game.push("tell 0 1")
    game.push("tell 1 green")
    assert {str(card)[0] for card in game.possible[1][0]} == {"M"}
