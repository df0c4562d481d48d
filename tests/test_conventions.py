"""Players with conventions: what is public is the same for all and true, and they are as strong as those published."""

import numpy as np
import pytest
from conftest import compiled_only, several
from own_agents import wanderer

from tamaya import Game, Move, Settings, make_agent
from tamaya.agents.names import POLICIES
from tamaya.arena.checks.checked_agent import TRIED
from tamaya.arena.checks.hidden_cards_check import find_peeking_here
from tamaya.arena.game_loop import OUTCOME, RUNNING, make_move
from tamaya.arena.seating import Seating, game_seeds
from tamaya.engine.cards import HIDDEN
from tamaya.engine.gameplay import deal_seeded, is_legal
from tamaya.engine.jit import copy_items, kernel
from tamaya.engine.knowledge import look
from tamaya.engine.randomness import derive_seed
from tamaya.engine.settings import SLOTS
from tamaya.engine.table import TABLE
from tamaya.policies.agent import PolicyAgent
from tamaya.policies.contract import EXCLUSIONS
from tamaya.policies.conventions.hat_recommendation import WORDS
from tamaya.policies.language import AgentError
from tamaya.policies.seats import ask, show_move

CONVENTIONS = [name for name in POLICIES if "keeper" in make_agent(name).policy.kernels and name != "duet"]
EMPTY_HINTS = [name for name in CONVENTIONS if name.startswith("hat-")]


def usual(players, **options):
    return Settings(players=players, **options)


@kernel
def find_disagreement(start, cards, seeds, seats, memory, words):
    """Plays games with a memory per seat until two seats disagree or exclude a true card; returns the game and turn."""
    tables, views, rng = np.empty(1, TABLE), np.empty(1, TABLE), np.empty(1, np.uint64)
    outcomes, deck = np.zeros(1, OUTCOME), np.empty_like(cards)
    compared = 0
    for game in range(len(seeds)):
        tables[0] = start[0]
        copy_items(deck, cards)
        memory[:] = 0
        outcome, table = outcomes[0], tables[0]
        outcome.seed, outcome.ending, outcome.length = seeds[game], RUNNING, 0
        deal_seeded(table, deck, outcome.seed)
        while outcome.ending == RUNNING:
            look(views, tables, table.seat)
            rng[0] = derive_seed(outcome.seed, table.turn)
            answer = int(ask(views, seats, memory, rng))
            if not is_legal(table, answer):
                return game, table.turn, -1
            show_move(views, tables, seats, memory, answer)
            make_move(outcome, table, deck, answer)
            for seat in range(table.players):
                for word in range(words):
                    if memory[seat, word] != memory[0, word]:
                        return game, table.turn, seat
                for slot in range(table.hand_size):
                    card = table.hands[seat, slot]
                    if card >= 0 and (memory[0, seat * SLOTS + slot] >> np.int64(card)) & 1:
                        return game, table.turn, seat
                    compared += 1
    return -1, compared, 0


def agree(agent, settings, games, words=EXCLUSIONS):
    """Whether all seats of a team conclude the same, and nothing wrong, after every move of some games."""
    seating = Seating([agent] * settings.players, settings).separate()
    arrays = (seating.start, seating.cards, game_seeds(3, 0, games), seating.seats, seating.new_memory())
    game, turn, seat = find_disagreement(*arrays, words)
    assert game == -1, f"game {game}, turn {turn}, seat {seat}"
    return turn


@pytest.mark.parametrize("name", CONVENTIONS)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_all_seats_conclude_the_same_and_nothing_wrong(name, players):
    words = WORDS if name.endswith("recommendation") else EXCLUSIONS
    for settings in (usual(players), usual(players, empty_hints=True, hand_size=3)):
        assert agree(make_agent(name), settings, several(150, 1), words) > several(25_000, 0)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_information_is_sound_as_published(players):
    agree(make_agent("information(faithful)"), usual(players), several(1000, 1))


@pytest.mark.parametrize("name", CONVENTIONS)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_convention_is_sound_for_whoever_keeps_it(name, players):
    """A wanderer makes any of the moves that keep the convention, at random."""
    known = make_agent(name)
    words = WORDS if name.endswith("recommendation") else EXCLUSIONS
    for settings in (usual(players), usual(players, empty_hints=True)):
        agree(PolicyAgent(name, wanderer(known.policy), known.settings), settings, several(100, 1), words)


@compiled_only
@pytest.mark.parametrize("name", CONVENTIONS)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_convention_stays_sound_when_every_seat_searches(name, players):
    assert agree(make_agent(f"search({name}, iterations=40)"), usual(players), 5) > 1500


@pytest.mark.parametrize("name", CONVENTIONS)
@pytest.mark.parametrize("players", [2, 5])
def test_one_memory_for_all_plays_the_same_games_as_one_a_seat(name, players):
    seating = Seating([make_agent(name)] * players, usual(players))
    assert seating.seats["shares"][:players].all()
    seeds = game_seeds(9, 0, several(300, 1))
    assert (seating.play(seeds) == seating.separate().play(seeds)).all()


@pytest.mark.parametrize("name", CONVENTIONS)
def test_no_convention_sees_what_it_must_not(name):
    for settings in TRIED[:: several(1, 4)]:
        for seed in range(several(3, 1)):
            assert find_peeking_here(make_agent(name), settings, seed) is None


@compiled_only
@pytest.mark.parametrize("name", CONVENTIONS)
@pytest.mark.parametrize("stranger", ["legal-random", "piers", "information", "smartbot", "hat-recommendation"])
def test_who_breaks_a_convention_breaks_no_game(name, stranger):
    """Play raises on any illegal move."""
    for settings in TRIED:
        agents = [make_agent(name), make_agent(stranger)] * 3
        Seating(agents[: settings.players], settings).play(game_seeds(4, 0, 25))


def test_a_player_catches_up_with_what_it_has_not_seen():
    """In Python every seat keeps its own memory, from the moves that its view lists; so does a latecomer."""
    seating = Seating([make_agent("information")] * 3, usual(3))
    outcome = seating.play(game_seeds(1, 0, 1))[0]
    game, seats = Game(3, int(outcome.seed)), [make_agent("information").sit_down() for _ in range(3)]
    for code in outcome.moves[: outcome.length].tolist():
        assert game.encode(seats[game.seat].act(game.view())) == code
        if game.turn == 20:
            assert game.encode(make_agent("information").sit_down().act(game.view())) == code
        game.push(game.decode(code))
    game.undo()
    game.undo()
    assert game.encode(seats[game.seat].act(game.view())) == outcome.moves[outcome.length - 2]


def test_a_player_follows_when_other_moves_are_made_instead():
    seat = make_agent("information").sit_down()
    for seed in range(several(20, 2)):
        game, others = Game(3, seed), make_agent("piers").sit_down()
        while len(game.moves) < 20:
            game.push(others.act(game.view()))
        seat.act(game.view())
        for _ in range(4):
            game.undo()
        for _ in range(4):
            game.push(game.legal_moves[-1 - seed % 3])
        if not game.is_over:
            assert seat.act(game.view()) == make_agent("information").sit_down().act(game.view())


def test_a_view_and_its_past_hold_no_own_card():
    game = Game(3, 1)
    for move in ("tell 1 1", "discard 0", "play 0"):
        game.push(move if game.is_legal(Move.parse(move)) else game.legal_moves[0])
    for past in game.view(2).past:
        assert (past.tables[0].hands[2, :5] == HIDDEN).all()


def test_a_preset_names_several_settings_which_can_be_changed():
    faithful, changed = make_agent("information(faithful)"), make_agent("information(faithful, closure=yes)")
    assert not any(faithful.settings)
    assert sum(changed.settings) == 1
    for wrong in ("faithfull", "closure=2", "1", "faithful, faithful"):
        with pytest.raises(AgentError, match=r"faithful|yes or no"):
            make_agent(f"information({wrong})")
    for wrong in ("search", "search(information, rules=goodman)", "search(information, final=visits)"):
        with pytest.raises(AgentError):
            make_agent(wrong)


def mean(text, settings, games):
    outcomes = Seating([make_agent(text)] * settings.players, settings).play(game_seeds(1, 0, games))
    return np.where(outcomes["lives"] > 0, outcomes["score"], 0).mean(), outcomes["score"].mean()


@compiled_only
@pytest.mark.parametrize(
    ("text", "scores"),
    [
        ("cox-recommendation", {5: 24.05}),
        ("cox-information", {5: 24.77}),
        ("information(faithful)", {2: 22.59, 3: 24.79, 4: 24.93, 5: 24.92}),
        ("information", {2: 23.27, 3: 24.90, 4: 24.95, 5: 24.94}),
    ],
)
def test_codes_are_as_strong_as_they_were(text, scores):
    """A strike-out counts as zero; the margin is about three standard errors."""
    for players, score in scores.items():
        assert abs(mean(text, usual(players), 8000)[0] - score) < (0.06 if score < 24.5 else 0.02)


@compiled_only
def test_smartbot_is_as_strong_as_the_original():
    for players, least in {2: 23.10, 3: 23.31, 4: 22.44, 5: 20.68}.items():
        assert abs(mean("smartbot", usual(players), 8000)[1] - least) < 0.08


@compiled_only
@pytest.mark.parametrize(
    ("name", "players", "scores"),
    [
        ("confidence", 3, (20.10, 20.14, 19.13)),
        ("confidence", 4, (20.81, 20.28, 18.76)),
        ("confidence", 5, (21.01, 19.78, 17.54)),
        ("hat-recommendation", 3, (23.14, 23.94, 23.91)),
        ("hat-recommendation", 4, (23.81, 24.24, 24.03)),
        ("hat-recommendation", 5, (23.91, 23.94, 22.95)),
        ("hat-information", 3, (23.70, 24.64, 24.60)),
        ("hat-information", 4, (24.59, 24.89, 24.86)),
        ("hat-information", 5, (24.81, 24.86, 24.55)),
    ],
)
def test_the_players_of_bouzy_are_as_strong_as_they_were(name, players, scores):
    """All of these scores are above the published ones."""
    for hand_size, score in zip((3, 4, 5), scores, strict=True):
        settings = usual(players, hand_size=hand_size, empty_hints=True)
        assert abs(mean(name, settings, 4000)[1] - score) < (0.13 if name == "confidence" else 0.07)


@compiled_only
def test_search_wins_most_games_that_the_code_loses():
    settings = usual(3)
    outcomes = Seating([make_agent("information")] * 3, settings).play(game_seeds(1, 0, 200))
    lost = outcomes["seed"][outcomes["score"] < 25][:12].copy()
    again = Seating([make_agent("search(information, iterations=400)")] * 3, settings).play(lost)
    assert (again["score"] == 25).sum() >= 7


@compiled_only
def test_a_search_of_a_search_keeps_the_convention_too():
    view = Game(3, 1).view()
    inner = {one.move for one in make_agent("search(information, iterations=20)").think(view).candidates}
    text = "search(search(information, iterations=5), iterations=5)"
    assert {one.move for one in make_agent(text).think(view).candidates} == inner


def test_a_search_makes_no_move_where_its_policy_has_none():
    text = "search(rules(PlaySafeCard), iterations=20)"
    outcomes = Seating([make_agent(text)] * 2, usual(2)).play(game_seeds(1, 0, 2))
    assert (outcomes["length"] == 0).all()


@pytest.mark.parametrize(("name", "is_same"), [("own_agents:whispering", False), ("smartbot", True)])
def test_a_memory_for_all_and_one_for_each_seat_tell_apart_who_whispers(own_module, name, is_same):
    seating, seeds = Seating([make_agent(name)] * 3, Settings(players=3)), game_seeds(17, 0, several(20, 2))
    together, apart = seating.play(seeds), seating.separate().play(seeds)
    assert (together["moves"] == apart["moves"]).all() == is_same
