"""Searches as agents: their settings, their plans, and what travels with them."""

import copy
import pickle

import pytest

from tamaya import AgentError, Settings, make_agent
from tamaya.arena.checks.conformance import check_agent
from tamaya.arena.seating import Seating
from tamaya.search.plan import PLAN, ROLLOUT
from tamaya.search.search_policies import ally_search, confirming_search, deviating_search, flat_search, tree_search
from tamaya.search.search_settings import Flaw


@pytest.mark.usefixtures("own_module")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ris(rollout=own_agents:Patient)", "written in plain Python"),
        ("ris(rollout=seeing-mcts)", "sees the deck"),
        ("ris(rules=goodmann)", "did you mean goodman"),
        ("ris(rules=mo)", "rules must be all, goodman"),
        ("ris(final=luck)", "final must be visits or value"),
        ("ris(iterations=0)", "iterations must be from 1"),
        ("ris(ms=-1)", "ms must be from 0"),
        ("ris(vdb, rollout=vdb)", "one rollout policy expected"),
        ("ris(rollout=3)", "expected an agent, found 3"),
        ("ris(explore=1)", "did you mean exploration"),
        ("ris(rollouts=vdb)", "did you mean rollout"),
        ("ris(finale=value)", "did you mean final"),
        ("ris(final=value(3))", "final must be visits or value"),
        ("ris(iterations=1, iterations=2)", "iterations is given twice"),
        ("ris(iterations=2.5)", "iterations must be a whole number"),
        ("ris(convention=7)", "convention must be yes or no"),
        ("ris(convention=0.5)", "convention must be yes or no"),
        ("mcs(published=2017)", "published must be yes or no"),
        ("mo(published=yes)", "published=yes works only with rules"),
        ("mcs(published=yes, rules=goodman)", "published=yes works only without rules"),
        ("ris(rules=iggi(counting=2017))", "counting=2017 is only for rollouts"),
        ("mcts(score=0, lives=0, cards=0)", "cannot all weigh 0"),
        ("predictor", "needs models"),
        ("rris", "did you mean ris"),
    ],
)
def test_settings_that_make_no_sense_are_refused(text, message):
    with pytest.raises(AgentError, match=message):
        make_agent(text)


def test_the_settings_of_a_search_say_which_algorithm_it_is():
    policies = {
        "mcs": tree_search,
        "ally-nr": tree_search,
        "flat": flat_search,
        "search(piers)": confirming_search,
        "search(piers, confirm=no)": deviating_search,
        "search(duet)": deviating_search,
        "ally": ally_search,
    }
    for text, policy in policies.items():
        assert make_agent(text).policy is policy
    flaws = [make_agent(text).settings.flaw for text in ("mcs", "mcs(published=yes)", "mo(rules=all)")]
    assert flaws == [Flaw.NONE, Flaw.PROPOSALS, Flaw.NONE]
    assert make_agent("mo(rules=goodman, published=yes)").params.view(PLAN)[0].flaw == Flaw.NO_OWN_CARDS


def test_as_many_models_as_others_are_needed():
    agent = make_agent("predictor(iggi, vdb, iterations=2)")
    with pytest.raises(AgentError, match="has 2 models; it needs one, or one for each of 3 others"):
        Seating([agent] * 4, Settings(players=4))


def test_an_agent_that_thinks_by_the_clock_cannot_be_checked():
    with pytest.raises(ValueError, match="thinks by the clock"):
        check_agent("predictor(mo(ms=2), iterations=3)")


def test_the_plan_of_a_search_is_read_by_name_in_any_order():
    one, other = make_agent("ris(ms=7, iterations=3, rollout=vdb)"), make_agent("ris(rollout=vdb, iterations=3, ms=7)")
    assert one.settings == other.settings
    plan = other.params.view(PLAN)[0]
    assert (plan.iterations, plan.ms, plan.exploration, plan.redeals, plan.rules) == (3, 7, 0.1, 1, 0)
    assert plan.parts[ROLLOUT].length == len(make_agent("vdb").params)
    assert make_agent("ris(rules=goodman)").params.view(PLAN)[0].rules == 9


def test_a_search_that_travels_carries_no_addresses():
    agent = make_agent("search(information, iterations=20)")
    address = int(agent.params.view(PLAN)[0].parts[ROLLOUT].mover)
    content = pickle.dumps(agent)
    assert address.to_bytes(8, "little").lstrip(b"\0") not in content
    twin = pickle.loads(content)
    assert "params" not in vars(twin)
    assert twin == agent == copy.deepcopy(agent) == make_agent(str(agent))
    assert hash(twin) == hash(agent)
    assert agent != make_agent("search(information, iterations=21)")
    assert twin.params.view(PLAN)[0].parts[ROLLOUT].mover == address


def test_too_long_a_rule_list_for_a_tree_is_refused():
    with pytest.raises(AgentError, match="33 lines; a tree takes at most 32"):
        make_agent(f"ris(rules=rules({', '.join(['PlaySafeCard'] * 33)}))")
    with pytest.raises(AgentError, match="5 models given; there are at most 4 others"):
        make_agent("predictor(iggi, iggi, iggi, iggi, iggi)")
