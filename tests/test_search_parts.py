"""The parts of searches: any policy as rollout, model or evaluator, and what is wrong with one."""

import numpy as np
import pytest
from conftest import several
from test_search import hand_made, position

from tamaya import AgentError, Game, Move, PolicyError, Settings, View, make_agent
from tamaya.arena.seating import GameFailure, Seating, game_seeds
from tamaya.engine.gameplay import is_legal_at, is_over_at
from tamaya.engine.table import TABLE
from tamaya.search.compare.move_values import price, team_of
from tamaya.search.determinization import begin, new_scratch, sample_world
from tamaya.search.plan import PLAN
from tamaya.search.rollouts import move_on, roll_out, rollout_move
from tamaya.search.tree.nodes import NO_NODE, NODE, back_up, new_tree
from tamaya.search.tree.tree_search import descend, look_and_trust, next_child, step


@pytest.mark.usefixtures("own_module")
def test_any_policy_can_be_rollout_or_model():
    settings = Settings(players=3)
    texts = ["flat(bold:bold(0.8), deals=2)", "predictor(own_agents:counting, iterations=5)",
             "mcs(mcs(iggi, iterations=2, rollout_depth=3), iterations=3, rollout_depth=4)",
             "predictor(ris(rules=goodman, iterations=2), iterations=4, rollout_depth=4)"]  # fmt: skip
    for text in texts:
        Seating([make_agent(text), make_agent("piers"), make_agent("vdb")], settings).play(
            game_seeds(1, 0, several(2, 1))
        )


@pytest.mark.usefixtures("own_module")
def test_a_policy_that_breaks_the_rules_in_a_rollout_is_named():
    seating = Seating([make_agent("mcs(own_agents:nonsense, iterations=5)")] * 2, Settings(players=2))
    with pytest.raises(GameFailure, match="asked own_agents:nonsense for a move in a rollout and got an illegal one"):
        seating.play(game_seeds(1, 0, 1))
    seating = Seating([make_agent("predictor(iggi, own_agents:nonsense, iterations=50)")] * 3, Settings(players=3))
    with pytest.raises(GameFailure, match="asked own_agents:nonsense"):
        seating.play(game_seeds(1, 0, 1))
    with pytest.raises(GameFailure, match=r"mcs\(own_agents:raising.*lost my nerve"):
        Seating([make_agent("mcs(own_agents:raising)")] * 2, Settings(players=2)).play(game_seeds(1, 0, 1))
    with pytest.raises(PolicyError, match="own_agents:nonsense made an illegal move"):
        make_agent("mcs(own_agents:nonsense)").think(Game(players=2, seed=1).view())


@pytest.mark.usefixtures("own_module")
def test_models_with_a_memory_begin_every_iteration_with_an_empty_one():
    """The model plays its oldest card, a playable one, in its first decision only, which is its reply to a hint."""
    view = hand_made("G4 B4 W3 Y4 B3 R1 Y1 G3 W4 B2").view()
    agent = make_agent(f"predictor(own_agents:once, rollout_depth=0, tree_depth=1, iterations={several(800, 200)})")
    hints = [one for one in agent.think(view).candidates if one.move.startswith("tell")]
    visits = sum(one.visits for one in hints)
    assert sum(one.visits * one.value for one in hints) / visits > 1 - 1.5 * len(hints) / visits


@pytest.mark.usefixtures("own_module")
@pytest.mark.parametrize("text", ["own_agents:private", "flat(own_agents:private, deals=3)", "ris(own_agents:private)"])
def test_seats_that_do_not_share_a_memory_have_one_each_in_rollouts_too(text):
    seating = Seating([make_agent(text.replace("private)", "private, iterations=20)"))] * 3, Settings(players=3))
    seating.play(game_seeds(1, 0, several(20, 1)))


@pytest.mark.usefixtures("own_module")
@pytest.mark.parametrize(
    "text", ["mcs(iterations=100, {})", "flat(deals=3, {})", "mo(iterations=100, tree_depth=0, {})"]
)
def test_an_evaluator_says_what_a_position_is_worth_where_rollouts_end(text):
    game = hand_made("R1 B4 W3 Y4 B3 R4 Y1 G3 W4 B2")
    game.push("tell 1 4")
    game.push("tell 0 red")
    game.push("tell 1 2")
    game.push("tell 0 1")
    agent = make_agent(text.format("rollout_depth=0, leaf=own_agents:red(0.5)"))
    values = {one.move: one.value for one in agent.think(game.view()).candidates}
    assert values.pop("play 0") == 12.5
    assert set(values.values()) == {0.0}
    with pytest.raises(AgentError, match="piers does not evaluate positions"):
        make_agent("ris(leaf=piers)")


def test_to_a_literal_search_moves_mean_only_what_they_say():
    """Two hints that say nothing new are the same, and so is a past in which hints had other meanings."""
    game = hand_made("R1 Y1 R2 Y2 R3 B5 G4 W3 B4 G2")
    for move in ("tell 1 5", "tell 0 red", "tell 1 blue", "tell 0 1"):
        game.push(move)
    view = game.view()
    codes = [view.encode(Move.parse(text)) for text in ("tell 1 blue", "tell 1 5")]
    literal, coded = (team_of(make_agent(f"flat(information, literal={word})")) for word in ("yes", "no"))
    first, second = price(literal, view, codes, several(40, 4), 0, 1).T
    assert (first == second).all()
    first, second = price(coded, view, codes, several(40, 4), 0, 1).T
    assert (first != second).any()
    forgetful = View(view.settings, game.tables, view.seat, view.seed)
    agent = make_agent(f"search(information, literal=yes, iterations={several(60, 12)})")
    assert [one.value for one in agent.think(forgetful).candidates] == [
        one.value for one in agent.think(view).candidates
    ]


@pytest.mark.parametrize(
    "text",
    [
        "ris(legal-random)",
        "ris(vdb)",
        "flat(piers)",
        "flat(information)",
        "predictor(smartbot, vdb, rollout=hat-information)",
        "mcs(seer-information)",
        "seeing-mcts(iggi)",
    ],
)
def test_a_rollout_plays_the_games_that_its_parts_play(text):
    """``roll_out`` writes out ``rollout_move`` and ``move_on``, for speed."""
    agent, view, length = make_agent(text), position(3, 7, 12).view(), 0
    params = agent.params.copy()
    params.view(PLAN)["rollout_depth"] = 1
    (whole, scratch, lots), (parts, other_scratch, other_lots) = (begun(agent, view, params) for _ in range(2))
    views, worlds, deck = other_scratch
    while not is_over_at(worlds):
        assert roll_out(*scratch, whole, lots) == -1
        move = rollout_move(views, worlds, parts, other_lots)
        assert is_legal_at(worlds, move)
        move_on(views, worlds, deck, parts, move, other_lots)
        assert all((scratch.worlds[name] == worlds[name]).all() for name in TABLE.names)
        assert (scratch.deck == deck).all()
        assert (whole.memory == parts.memory).all()
        assert lots == other_lots
        length += 1
    assert length > 3


def begun(agent, view, params):
    """A rollout of a search, a world sampled for it, and the lots that are left."""
    rollout, start = begin(view.tables[0], agent.sit_down().memory, params)
    scratch, lots = new_scratch(start), np.array([9], np.uint64)
    sample_world(scratch.worlds, scratch.deck, start, rollout, lots)
    return rollout, scratch, lots


@pytest.mark.parametrize(
    "text",
    [
        "mo(rules=goodman)",
        "ris(rules=goodman, convention=yes)",
        "ris(rollout=information)",
        "predictor(smartbot, vdb)",
        "ally(iggi, vdb, legal-random)",
    ],
)
def test_a_walk_down_a_tree_takes_the_steps_that_training_data_takes(text):
    """``descend`` writes out ``look_and_trust`` and ``step``, for speed."""
    view, agent, deepest = position(3, 7, 12).view(), make_agent(text), 0
    sides = []
    for walk in (descend, stepped):
        rollout, start = begin(view.tables[0], agent.sit_down().memory, agent.params)
        sides.append((walk, rollout, start, new_scratch(start), new_tree(200), np.array([9], np.uint64)))
    for _ in range(several(150, 40)):
        found = []
        for walk, rollout, start, scratch, tree, lots in sides:
            path = np.zeros(8, np.int64)
            sample_world(scratch.worlds, scratch.deck, start, rollout, lots)
            depth = int(walk(tree, path, scratch, rollout, np.int64(0), lots))
            back_up(tree[0], path, depth, 0.5)
            deepest = max(deepest, depth)
            nodes = tree[0][: tree[1][0]]
            kept = [scratch.deck, rollout.memory, path, lots]
            kept += [scratch.worlds[name] for name in TABLE.names]
            kept += [nodes[name] for name in NODE.names]
            found.append([one.tolist() for one in kept])
        assert found[0] == found[1]
    assert deepest > 1


def stepped(tree, path, scratch, rollout, more, lots):
    """Walks down a tree as ``descend`` does, by the steps that training data takes."""
    views, worlds, deck = scratch
    plan, root = rollout.params.view(PLAN)[0], int(worlds["seat"][0])
    depth, size, is_at_leaf = 0, int(tree[1][0]), False
    while depth < len(path) - 1 and not is_at_leaf and not is_over_at(worlds):
        seat = int(worlds["seat"][0])
        look_and_trust(views, worlds, rollout)
        child = int(next_child(tree, path[depth], scratch, rollout, root, more if depth == 0 else np.int64(0), lots))
        if child == NO_NODE:
            break
        depth += 1
        path[depth] = child
        is_at_leaf = child >= size and bool(seat == root or not plan.pool)
        is_dealt_anew = bool(plan.redeals > 0 and seat != root)
        step(views, worlds, deck, rollout, is_dealt_anew, int(tree[0]["move"][child]), lots)
    return depth
