"""Agents as strings: the language, the registry, rule lists, users' own."""

import inspect
import pickle
import re
import threading

import pytest
from conftest import compiled_only

from tamaya import AgentError, Game, PolicyError, Settings, make_agent, make_team
from tamaya.agents.rule_based_agents import RECIPES
from tamaya.arena.seating import Seating
from tamaya.policies.contract import policy
from tamaya.policies.language import parse
from tamaya.policies.roles import ROLES
from tamaya.policies.rules import catalogue
from tamaya.policies.rules.rule_syntax import VARIABLES


def test_every_role_is_given_by_a_keyword_and_takes_what_its_words_say():
    keywords = inspect.signature(policy).parameters
    for role in ROLES.values():
        assert role.keyword in keywords or not role.keyword
        assert len(role.signature.kinds) - 1 == role.arguments.count(",") + 1

    def nothing():
        """Stands for any function."""

    made = policy(nothing, **{role.keyword: nothing for role in ROLES.values() if role.keyword})
    assert list(made.kernels) == list(ROLES)


@pytest.mark.parametrize("name", RECIPES)
def test_every_agent_of_the_registry_can_be_made(name):
    agent = make_agent(name)
    assert str(agent) == name
    assert len(agent.params) == catalogue.FIRST_LINE + agent.params[1] * catalogue.LINE_LENGTH


@pytest.mark.parametrize(
    "text",
    ["piers", "legal-random", "risky(0.6)", "vdb(useless=yes, counting=2017)", "a.b:c(1, x=d(2))",
     "rules(IfRule(lives > 1, PlaySafeCard, TellRandomly), DiscardOldestFirst)", "network(a-b/../c.d/small.npz)",
     "network('my dir/net (1), ü+é.npz', temperature=1)", 'network("it\'s.npz")', "pipe(./bot, log='my logs/(1).log')"],
)  # fmt: skip
def test_the_text_of_an_agent_reads_back(text):
    (call,) = parse(text)
    assert str(call) == text
    assert parse(str(call)) == (call,)


def test_a_text_in_either_quotes_is_the_same_and_a_class_gets_it_without_them():
    assert parse("a:b('two words')") == parse('a:b("two words")')
    assert make_agent("hle(foreign_agents:Wrong(answer='two words'))").keywords == (("answer", "two words"),)


def test_a_team_is_agents_joined_by_plus():
    assert [str(agent) for agent in make_team("piers + iggi+risky( 0.60 )")] == ["piers", "iggi", "risky(0.6)"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pierz", "no agent 'pierz'; did you mean piers"),
        ("rules(PlaySaveCard)", "no rule 'PlaySaveCard'; did you mean PlaySafeCard"),
        ("rules()", "at least one rule"),
        ("rules(3)", "expected a rule, found 3"),
        ("rules(IfRule(live > 1, PlaySafeCard))", "did you mean lives"),
        ("rules(IfRule(lives, PlaySafeCard))", "takes a condition"),
        ("rules(IfRule(lives == 1, PlaySafeCard, TellRandomly))", "cannot have a second rule"),
        ("risky(much)", "threshold must be a number"),
        ("risky(1, 2)", "at most 1: threshold"),
        ("risky(0.5, threshold=0.6)", "given twice"),
        ("vdb(usless=yes)", "did you mean useless"),
        ("piers(counting=2018)", "counting must be correct or 2017"),
        ("piers(", "expected a name, found the end"),
        ("piers)", "expected a [+] or the end"),
        ("risky(threshold=0.5, 3)", "plain arguments come first"),
        ("rules(IfRule(lives > x, PlaySafeCard))", "expected a number"),
        ("risky(0.5 0.6)", "expected a , or [)]"),
        ("p!ers", "'!' has no meaning"),
        ("network('my nets/a.npz)", "the ' is not closed"),
        ("self-recognition(deals=0)", "deals must be from 1 to 1,000,000, not 0"),
        ("risky('much')", "threshold must be a number, yes or no, not 'much'"),
        ("'piers'", "expected a name, found 'piers'"),
        ("nowhere:agent", "no module 'nowhere'"),
        ("math:sin", "neither a function under @policy nor a class"),
        ("naive:NaiveHanaby", "naive has no 'NaiveHanaby'"),
        ("piers+iggi", "a team of 2; one agent expected"),
        ("risky(1e999)", "the number 1e999 is too large"),
        ("rules(IfRule(lives > 1e999, PlaySafeCard))", "the number 1e999 is too large"),
        ("mcs(" * 3000 + "iggi" + ")" * 3000, "nested more than 20 deep"),
        ("+".join(["iggi"] * 9000), "at most 20,000 characters; this one has 44,999"),
    ],
)
def test_a_wrong_text_is_refused_with_the_nearest_right_one(text, message):
    with pytest.raises(AgentError, match=message):
        make_agent(text)


def test_rules_fire_under_the_number_of_their_place_in_the_catalogue():
    """The dispatcher names each rule at the index it has in the catalogue."""
    source = (catalogue.fire.py_func if hasattr(catalogue.fire, "py_func") else catalogue.fire).__code__
    called = [name for name in source.co_names if name in catalogue.RULES]
    assert called == list(catalogue.RULES)


@pytest.mark.parametrize(
    ("condition", "bounds"),
    [("> 1", [2, 99]), (">= 1", [1, 99]), ("< 3", [0, 2]), ("<= 3", [0, 3]), ("== 2", [2, 2]),
     ("> 1.5", [2, 99]), (">= 1.5", [2, 99]), ("< 1.5", [0, 1]), ("<= 1.5", [0, 1]), ("== 1.5", [2, 1])],
)  # fmt: skip
def test_a_condition_holds_for_the_numbers_it_names(condition, bounds):
    line = make_agent(f"rules(IfRule(lives {condition}, PlaySafeCard))").params[catalogue.FIRST_LINE :]
    assert list(line[5:7]) == bounds


def test_numbers_of_any_size_read_back():
    for text in ("risky(0.00001)", "risky(1e-05)", "risky(0.123456789)", "ris(exploration=12345678)"):
        agent = make_agent(text)
        assert (make_agent(str(agent)).params == agent.params).all()


def test_agents_are_equal_if_they_are_made_alike():
    assert make_agent("risky(0.6)") == make_agent("risky( 0.60 )") != make_agent("risky(0.7)")
    assert len({make_agent(name) for name in ("piers", "iggi", "piers")}) == 2


def test_agents_can_be_pickled():
    agent = pickle.loads(pickle.dumps(make_agent("risky(0.6)")))
    assert agent.policy is make_agent("piers").policy


def test_a_player_does_not_move_out_of_turn():
    player, game = make_agent("piers").sit_down(), Game(2, 1)
    with pytest.raises(ValueError, match="it is not seat 1's turn"):
        player.act(game.view(1))


def test_a_module_that_cannot_be_imported_says_why(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "halfwritten.py").write_text("def mine(:\n")
    (tmp_path / "dividing.py").write_text("\n1 / 0\n")
    (tmp_path / "wanting.py").write_text("import want\n")
    for text, message in [
        ("halfwritten:mine", "halfwritten cannot be imported: SyntaxError"),
        ("dividing:mine", "dividing cannot be imported: ZeroDivisionError: .*dividing.py:2"),
        ("wanting:mine", "wanting cannot be imported: ModuleNotFoundError: No module named 'want'"),
    ]:
        with pytest.raises(AgentError, match=message):
            make_agent(text)


def test_conditions_become_bounds():
    line = make_agent("rules(IfRule(lives > 1, IfRule(information <= 3, PlaySafeCard)))").params[catalogue.FIRST_LINE :]
    assert list(line[4:]) == [1, 2, 99, 0, 3, 0, 99]
    lines = make_agent("rules(IfRule(unseen >= 5, PlaySafeCard, TellRandomly))").params[catalogue.FIRST_LINE :]
    assert list(lines[9:11]) == [5, 99]
    assert list(lines[catalogue.LINE_LENGTH + 9 : catalogue.LINE_LENGTH + 11]) == [0, 4]
    assert VARIABLES == ("lives", "information", "unseen")


@pytest.mark.usefixtures("own_module")
def test_a_users_policy_and_class_are_agents():
    assert make_agent("bold:bold").params.tolist() == [0.7]
    assert make_agent("bold:bold(0.9)").params.tolist() == [0.9]
    assert not make_agent("own_agents:Patient").is_compiled
    with pytest.raises(AgentError, match="takes no settings"):
        make_agent("own_agents:Patient(3)")
    with pytest.raises(AgentError, match="did you mean bold"):
        make_agent("bold:bolt")


@compiled_only
@pytest.mark.usefixtures("own_module")
@pytest.mark.parametrize(
    ("name", "words", "line"),
    [
        ("uncompilable", "compiled code has no add(a whole number, the view)", "return play({"),
        ("silent", "it returns nothing on some path; a policy must return a move on every path", ""),
        ("unknown_name", "name 'slotty' is not defined", ""),
        ("adding", "compiled code has no add(a text, a whole number)", 'return play("a" + view.turn)'),
        ("undecided", "a value is a text on one path and a whole number on another", "slot = "),
        (
            "helped",
            "plain_helper is a plain function; put @kernel from tamaya.engine.jit above it",
            "plain_helper(view)",
        ),
        ("chancy", "compiled code has no choice in the module random", "random.choice(view.hands)"),
        ("wordy", "it returns a text; a policy returns a move, which is a whole number", 'return "play 0"'),
        ("averaging", "it returns a fraction; a policy returns a move, which is a whole number", "hint_tokens) / 2"),
        ("opening", "compiled code has no with (context manager) as (variable)", ""),
    ],
)
def test_a_policy_that_cannot_be_compiled_says_why_in_the_words_of_its_author(name, words, line):
    with pytest.raises(PolicyError) as caught:
        make_agent(f"own_agents:{name}").policy.compiled("mover")
    told = str(caught.value)
    assert told.startswith(f"{name} cannot be compiled: {words}")
    assert line in told
    assert "\n" not in told
    assert not line or re.search(r"\(\S*own_agents.py, line \d+: ", told)


@compiled_only
@pytest.mark.usefixtures("own_module")
def test_a_field_that_is_not_there_is_named_with_the_one_that_was_meant():
    with pytest.raises(PolicyError, match="the view has no field 'live'; did you mean lives"):
        make_agent("own_agents:misspelt").policy.compiled("mover")


@pytest.mark.usefixtures("own_module")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("own_agents:three_armed", r"three_armed must be a function of \(view, memory, params, rng\)"),
        ("ris(leaf=own_agents:one_armed)", r"one_armed: worth_nothing must be a function of \(world, params\)"),
    ],
)
def test_a_function_of_other_arguments_is_refused_with_the_right_ones(text, message):
    with pytest.raises(PolicyError, match=message):
        Seating([make_agent(text)] * 2, Settings(players=2))


def test_what_seats_point_at_is_built_once_however_many_threads_ask():
    for text in ("risky(0.31)", "flat(risky(0.32), deals=3)"):
        agent, barrier, found = make_agent(text), threading.Barrier(8), []

        def ask(agent=agent, barrier=barrier, found=found):
            barrier.wait()
            found.append(agent.params)

        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert {id(one) for one in found} == {id(agent.params)}
