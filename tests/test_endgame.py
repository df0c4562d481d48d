"""The end of a game for the seat to move: exact chances, and nothing that the seat cannot know."""

import itertools
import random

import pytest
from conftest import several
from test_solver import best_score, wandering
from typer.testing import CliRunner

from tamaya import Game, Settings, replay
from tamaya.cli import app as cli
from tamaya.engine.cards import card_name
from tamaya.game.notation import Card
from tamaya.solver.endgame import TooManyWorlds, game_of_world, hidden_places, prospects, worlds_of

SMALL = Settings(players=2, hand_size=2, colours=2, ranks=3, hint_tokens=2, lives=2)


def late_game(seed, deck_left):
    """A small game with some cards left in the deck, or fewer."""
    game = Game(SMALL, seed)
    chance = random.Random(seed)
    while game.deck_left > deck_left and not game.is_over:
        game = wandering(game, 1, chance.random())
    return game


def all_worlds(game):
    """Every order of the cards that the seat to move does not see, if its hints allow it: slow and obvious."""
    places = hidden_places(game)
    cards = [int(game.deck_array[place]) for place in places]
    possible = game.possible[game.seat]
    for order in itertools.permutations(cards):
        if all(Card.of(card) in possible[slot] for slot, card in enumerate(order[: len(possible)])):
            yield game_of_world(game, order)


@pytest.mark.parametrize("deck_left", [0, 1])
def test_the_chances_are_those_of_all_deals(deck_left):
    for seed in range(several(6, 1)):
        game = late_game(seed, deck_left)
        for one in prospects(game):
            scores = []
            for world in all_worlds(game):
                world.push(one.move)
                scores.append(best_score(world))
            assert one.points == pytest.approx(sum(scores) / len(scores))
            assert one.perfect == pytest.approx(scores.count(game.max_score) / len(scores))


def test_every_legal_move_is_there_and_one_hint_for_all():
    game = late_game(3, 1)
    moves = {one.move for one in prospects(game)}
    plain = {move for move in game.legal_moves if not str(move).startswith("tell")}
    assert plain < moves <= set(game.legal_moves)
    assert len(moves) == len(plain) + 1


def test_the_chances_do_not_depend_on_what_the_seat_cannot_see():
    for seed in range(several(6, 1)):
        game = late_game(seed, 1)
        other = random.Random(seed).choice([cards for cards, _ in worlds_of(game)])
        assert prospects(game_of_world(game, other)) == prospects(game)


def test_too_many_deals_and_games_that_are_over_are_refused():
    with pytest.raises(TooManyWorlds, match="more than 1,000 deals"):
        prospects(Game(3, 1))
    with pytest.raises(TooManyWorlds, match="more than 5 positions"):
        prospects(late_game(3, 1), effort=5)
    game = Game(Settings(players=2, lives=1), deck=None)
    slot = next(slot for slot, card in enumerate(game.hands[0]) if card.rank > 1)
    game.push(f"play {slot}")
    with pytest.raises(ValueError, match="the game is over"):
        prospects(game)


def test_the_command_shows_the_chances(tmp_path):
    game = late_game(2, 1)
    replay.save(game, tmp_path / "game.json")
    turn = len(game.moves)
    arguments = ["solve", str(tmp_path / "game.json"), "--turn", str(turn), "--chances"]
    printed = CliRunner().invoke(cli.app, arguments)
    assert printed.exit_code == 0, printed.output
    assert "points" in printed.stdout
    held = printed.stdout.splitlines()[3 + game.seat]
    assert held.startswith(">")
    assert not any(card_name(int(card)) in held.split("knows")[0] for card in game.table.hands[game.seat, :2])
    assert '"perfect"' in CliRunner().invoke(cli.app, [*arguments, "--json"]).stdout
    refused = CliRunner().invoke(cli.app, ["solve", str(tmp_path / "game.json"), "--chances"])
    assert "--chances needs --turn" in str(refused.exception)
