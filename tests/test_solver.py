"""The exact solver: it agrees with a slow exhaustive search, and its lines are played before they are claimed."""

import functools
import json
import random
import re

import pytest
from conftest import compiled_only, several
from typer.testing import CliRunner

from tamaya import Game, Move, Settings, replay
from tamaya.cli import app as cli
from tamaya.engine.jit import COMPILED
from tamaya.solver.solve import Loss, at_turn, find_loss, is_winnable, solve


def best_score(start):
    """The highest score that a game can reach, by trying every move: a slow and obvious twin of the solver."""
    settings, order = start.settings, [(card.colour, card.rank) for card in start.deck]
    size, most = len(order), settings.max_score

    @functools.cache
    def best(fireworks, hands, seat, tokens, lives, drawn, turns_left):
        score = sum(fireworks)
        if lives == 0:
            return 0
        if turns_left == 0 or score == most:
            return score
        is_last_round, following, found = drawn == size, (seat + 1) % settings.players, 0
        if tokens > 0:
            found = best(fireworks, hands, following, tokens - 1, lives, drawn, turns_left - is_last_round)
        for slot, (colour, rank) in enumerate(hands[seat]):
            for is_play in (True, False):
                if not is_play and tokens == settings.hint_tokens and not settings.discard_at_limit:
                    continue
                tops, left, hints = fireworks, lives, tokens
                if is_play and tops[colour] == rank - 1:
                    tops = (*tops[:colour], rank, *tops[colour + 1 :])
                    hints += rank == settings.ranks
                elif is_play:
                    left -= 1
                else:
                    hints += 1
                hand = hands[seat][:slot] + hands[seat][slot + 1 :] + tuple(order[drawn : drawn + 1])
                held = (*hands[:seat], tuple(sorted(hand)), *hands[seat + 1 :])
                hints = min(hints, settings.hint_tokens)
                after = drawn + (drawn < size)
                found = max(found, best(tops, held, following, hints, left, after, turns_left - is_last_round))
                if found == most:
                    return found
        return found

    hands = tuple(tuple(sorted((card.colour, card.rank) for card in hand)) for hand in start.hands)
    table = start.table
    counts = (int(value) for value in (table.seat, table.hint_tokens, table.lives, table.drawn, table.turns_left))
    return best(tuple(start.fireworks), hands, *counts)


SMALL = [
    Settings(players=2, hand_size=2, colours=2, ranks=3, hint_tokens=1, lives=2),
    Settings(players=2, hand_size=3, colours=2, ranks=3, hint_tokens=2, lives=1),
    Settings(players=3, hand_size=2, colours=2, ranks=3, hint_tokens=1, lives=1),
    Settings(players=2, hand_size=2, colours=1, ranks=5, hint_tokens=2, lives=1),
    Settings(players=2, hand_size=2, colours=2, ranks=3, hint_tokens=1, lives=1, discard_at_limit=True),
    Settings(players=4, hand_size=2, colours=1, ranks=5, hint_tokens=1, lives=2),
    Settings(players=2, hand_size=2, colours=1, ranks=3, multicolour="single", hint_tokens=2, lives=2),
]


def wandering(game, moves, seed):
    """A game after some random moves that lose no life."""
    chance = random.Random(seed)
    for _ in range(moves):
        after = game.copy()
        if not after.is_over:
            after.push(chance.choice(after.legal_moves))
        game = after if after.lives == game.lives else game
    return game


@pytest.mark.parametrize("moves", [0, 4, 7])
@pytest.mark.parametrize("settings", SMALL, ids=str)
def test_the_solver_agrees_with_an_exhaustive_search(settings, moves):
    for seed in range(several(4, 1)):
        game = wandering(Game(settings, seed), moves, seed)
        expected = best_score(game)
        found = solve(game)
        assert (found.score, found.bound) == (expected, expected), seed
        assert found.is_winnable == (expected == settings.max_score) == is_winnable(game)
        for move in found.moves:
            game.push(move)
        assert game.strict_score == expected


def test_small_deals_are_won_and_lost():
    """The test above would say nothing if all answers were the same."""
    games = [wandering(Game(settings, seed), 4, seed) for settings in SMALL for seed in range(several(6, 2))]
    assert {solve(game).is_winnable for game in games} == {True, False}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_random_deals_are_won_by_lines_that_the_engine_plays(players):
    for seed in range(several(25, 1)):
        game = Game(players, seed)
        for move in solve(game).moves:
            game.push(move)
        assert (game.score, game.lives > 0) == (25, True)


HOLDING = "B5 R5 Y3 R2 G4 B4 Y1 B2 G1 R4 G1 W1 Y3 W4 G3 G5 Y1 G1 R1 W3 G4 R4 R1 B3 B4 "
HOLDING += "G3 W1 W5 B1 Y1 R1 Y4 R3 B1 Y5 W1 G2 Y2 W2 B2 G2 Y4 Y2 W2 W4 R2 B1 W3 R3 B3"
"""Too many cards must be held until their predecessors come."""

LATE = "R1 G1 G2 G3 R3 W2 G3 R4 G1 R5 R2 B1 R3 G4 G1 W3 W4 Y1 R1 G5 Y4 Y3 W1 Y4 B4 "
LATE += "B3 B4 W1 Y3 R1 B3 Y1 B5 W3 W1 Y1 Y2 W2 B1 R4 Y2 W5 G2 G4 B1 R2 Y5 W4 B2 B2"
"""Both blue twos are at the end of the deck, and three cards must follow them."""


@pytest.mark.parametrize("deck", [LATE] + [HOLDING] * COMPILED)
def test_what_cannot_be_won_is_refuted_without_a_search(deck):
    found = solve(Game(2, deck=deck.split()))
    assert (found.score, found.bound, found.is_winnable) == (24, 24, False)
    assert found.positions < 10_000


@compiled_only
def test_a_search_that_is_cut_short_claims_nothing():
    open_deal = Game(2, 669)
    found = solve(open_deal, positions=1)
    assert not found.is_exact
    assert found.is_winnable is None
    assert (found.score, found.bound) == (24, 25)
    assert is_winnable(open_deal, 1) is None


@compiled_only
def test_the_same_search_sees_the_same_positions():
    first, second = (solve(Game(2, 669), positions=1) for _ in range(2))
    assert (first.positions, first.moves) == (second.positions, second.moves)


def test_a_lost_life_is_not_spent():
    """With one life, a deal whose last card is misplayed cannot count on it."""
    settings = Settings(players=2, hand_size=2, colours=1, ranks=2, hint_tokens=1, lives=1)
    for seed in range(10):
        game = Game(settings, seed)
        for move in solve(game).moves:
            game.push(move)
        assert game.lives == 1


def test_the_move_that_lost_is_the_first_after_which_nothing_helps():
    for seed in range(2):
        game = wandering(Game(3, seed), several(30, 4), seed)
        loss = find_loss(game)
        answers = [is_winnable(at_turn(game, turn)) for turn in range(len(game.moves) + 1)]
        assert answers == sorted(answers, reverse=True)
        assert loss.lost == (answers.index(False) if False in answers else None)
        assert loss.winnable == answers.count(True) - 1
        assert loss.move == loss.lost


def test_a_perfect_game_is_never_lost():
    game = Game(3, 1)
    for move in solve(game).moves:
        game.push(move)
    assert find_loss(game) == Loss(len(game.moves), None)
    assert find_loss(game).move is None


def test_a_deal_that_cannot_be_won_is_lost_before_the_first_move():
    game = Game(2, deck=LATE.split())
    game.push("tell 1 2")
    assert find_loss(game) == Loss(None, 0)
    assert find_loss(game).move == 0


@compiled_only
def test_where_the_search_is_cut_short_the_loss_is_bounded():
    game = Game(2, 669)
    game.push("tell 1 3")
    assert find_loss(game, positions=1) == Loss(None, None)


def test_a_game_that_is_over_stays_as_it_is():
    settings = Settings(players=2, lives=1)
    game = next(game for game in (Game(settings, seed) for seed in range(9)) if game.hands[0][0].rank > 1)
    game.push("play 0")
    assert (game.lives, solve(game).score, solve(game).bound) == (0, 0, 0)
    assert is_winnable(game) is False


@compiled_only
def test_games_of_all_sizes_are_solved():
    for settings in (Settings(players=5, hand_size=6), Settings(players=2, multicolour="wild"), Settings(4, colours=6)):
        found = solve(Game(settings, 1))
        assert found.is_exact
        assert found.score <= settings.max_score


def ask(*arguments):
    """The answer of the command, as a program reads it."""
    answer = CliRunner().invoke(cli.app, ["solve", *map(str, arguments), "--json"])
    assert answer.exit_code == 0, answer.output
    return json.loads(answer.stdout)


def test_the_command_solves_a_deal_and_tells_the_game():
    found = ask("--players", 3, "--seed", 5)
    assert (found["score"], found["bound"], found["is_winnable"], found["turn"]) == (25, 25, True, 0)
    game = Game(3, found["seed"])
    for move in found["moves"]:
        game.push(move)
    assert game.score == 25
    assert found["link"] == replay.link(game)
    told = CliRunner().invoke(cli.app, ["solve", "--players", "3", "--seed", "5"]).stdout
    assert "Tamaya! A perfect game: 25 points." in told
    assert "With all cards face up, 25 of 25 points can be reached (" in told
    assert found["link"] in told


def test_the_command_counts_the_deals_of_a_match():
    deals = several(20, 2)
    results = ask("--players", "2,4", "--deals", deals, "--threads", 2)["results"]
    assert [one["players"] for one in results] == [2, 4]
    for one in results:
        assert one["deals"] == deals == one["winnable"] + one["lost"] + one["undecided"]
        assert one["low"] <= one["winnable"] / deals <= one["high"]
        assert one["within_second"] <= deals
        assert 24 <= one["mean"] <= 25
    table = CliRunner().invoke(cli.app, ["solve", "--deals", "2"], env={"COLUMNS": "80"}).stdout.splitlines()
    assert table[0].split()[:3] == ["players", "deals", "winnable"]
    assert table[1].split()[:3] == ["2", "2", "100.0%"]


def write_games(path):
    """Four games: one won, one whose deal is lost, one broken off, and one lost by a discard."""
    won, lost, begun, thrown = Game(3, 1), Game(2, deck=LATE.split()), Game(2, 5), Game(2, 3)
    for move in solve(won).moves:
        won.push(move)
    for game in (lost, begun, thrown):
        game.push("tell 1 5" if game.is_legal(Move.parse("tell 1 5")) else "tell 1 1")
    slot = next(slot for slot, card in enumerate(thrown.hands[1]) if card.rank == 5)
    thrown.push(f"discard {slot}")
    path.write_bytes(b"".join(replay.dumps(replay.to_record(game)) + b"\n" for game in (won, lost, begun, thrown)))
    return thrown.hands, slot


def test_the_command_names_the_moves_that_lost(tmp_path):
    write_games(tmp_path / "games.jsonl")
    games = ask(tmp_path / "games.jsonl")["games"]
    assert [one["highest"] for one in games] == [25, 24, 25, 25]
    assert [one["lost_after"] for one in games] == [None, 0, None, 2]
    assert [one["winnable_after"] for one in games] == [games[0]["moves"], None, 1, 1]
    assert games[3]["lost_by"]["player"] == "Bob"
    assert re.fullmatch(r"discard the \w+ card, .5", games[3]["lost_by"]["move"])
    table = CliRunner().invoke(cli.app, ["solve", str(tmp_path / "games.jsonl")]).stdout
    for words in ("never", "the deal", "not yet", f"move 2: Bob, {games[3]['lost_by']['move']}"):
        assert words in table
    after = ask(tmp_path / "games.jsonl", "--game", 4, "--turn", 2)
    assert (after["score"], after["bound"], after["is_winnable"], after["turn"]) == (24, 24, False, 2)


@compiled_only
def test_the_command_says_what_was_left_open(tmp_path):
    game = Game(2, 669)
    game.push("tell 1 3")
    replay.save(game, tmp_path / "open.json")
    said = CliRunner().invoke(cli.app, ["solve", str(tmp_path / "open.json"), "--positions", "1"]).stdout
    assert "24 to 25" in said
    assert "not before move 1" in said
    told = CliRunner().invoke(cli.app, ["solve", str(tmp_path / "open.json"), "--turn", "0", "--positions", "1"]).stdout
    assert "24 to 25 of 25 points can be reached; the search was cut short" in told


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--deals", "0"], "--deals must be from 1 to"),
        (["--players", "6"], "--players must be from 2 to 5"),
        (["--positions", "0"], "--positions must be at least 1"),
        (["--seed", "-1"], "a seed is a whole number"),
        (["--game", "1"], "need a file of games"),
        (["games.jsonl", "--seed", "3"], "do not go with a file"),
        (["none.jsonl"], "none.jsonl cannot be read"),
        (["--threads", "0"], "--threads must be from 1"),
    ],
)
def test_wrong_options_are_refused_in_words(arguments, message):
    answer = CliRunner().invoke(cli.app, ["solve", *arguments])
    assert answer.exit_code != 0
    assert message in str(answer.exception)
