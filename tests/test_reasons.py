"""Why agents make their moves, in words."""

import pytest

from tamaya import Card, Game, make_agent
from tamaya.agents.reasons import reasons
from tamaya.engine.moves import DISCARD, TELL
from tamaya.game.notation import Move


def played(agent, players=3, seed=6):
    """A game of a team, with the words for each of its moves."""
    game, team = Game(players, seed), [make_agent(agent).sit_down() for _ in range(players)]
    while not game.is_over:
        view = game.view()
        move = team[game.seat].act(view)
        code = view.encode(move)
        shown = int(game.table.hands[game.seat, code % DISCARD]) if code < TELL else -1
        why = reasons(team[0].agent, view, code, team[0].agent.think(view), shown)
        yield game, move, " ".join(why)
        game.push(move)


def test_the_rule_that_fired_is_named_with_its_settings():
    named = {words.split()[2] for _, _, words in played("piers") if words.startswith("Its rule")}
    assert {"TellAnyoneAboutUsefulCard", "PlayProbablySafeCard(0.6)"} <= named


def test_the_rule_is_that_of_a_list_of_one_rule():
    """Every move of an agent is that of the rule that is named, alone."""
    for game, move, words in played("iggi"):
        rule = words.split()[2]
        if "Random" not in rule:
            assert make_agent(f"rules({rule})").sit_down().act(game.view()) == move, words


def test_a_hint_says_in_its_convention_what_its_receiver_then_does():
    """In the convention of smartbot, whoever is told of a playable card holds one."""
    hints = 0
    for game, _, words in played("smartbot"):
        for seat, name in enumerate(("Alice", "Bob", "Cathy")):
            if f"{name}'s newest card is playable" in words:
                card = game.hands[seat][-1]
                assert game.view((seat + 1) % 3).is_playable(card)
                hints += 1
    assert hints > 0


@pytest.mark.parametrize("agent", ["confidence", "information", "smartbot"])
def test_what_a_convention_says_is_true(agent):
    """No card that a move is said to be about is another one than is said, in teams that keep the convention."""
    ages = ("newest", "second newest", "third newest", "fourth newest", "oldest")
    for game, _, words in played(agent, seed=7):
        _, _, said = words.partition("that says: ")
        for lesson in filter(None, said.rstrip(".").split("; ")):
            name, _, rest = lesson.partition("'s ")
            age = next(one for one in sorted(ages, key=len, reverse=True) if rest.startswith(f"{one} card"))
            hand = game.hands[game.wording.players.index(name)]
            card = hand[0] if age == "oldest" else hand[-1 - ages.index(age)]
            about, _, cards = rest.partition(" one of ")
            if cards and not cards.endswith("cards"):
                assert str(card) in cards.split(), lesson
            if "is playable" in about:
                assert game.view((game.wording.players.index(name) + 1) % 3).is_playable(card), lesson


def test_a_search_says_what_it_compared_and_what_its_policy_would_do():
    agent, game = make_agent("search(smartbot, iterations=60)"), Game(3, 6)
    for _ in range(4):
        view = game.view()
        thoughts = agent.think(view)
        move = Move.parse(thoughts.move)
        words = reasons(agent, view, view.encode(move), thoughts)
        assert words[0].startswith(f"It compared {len(thoughts.candidates)} moves in {thoughts.iterations} games")
        assert "smartbot" in words[1]
        assert ("would" in words[1]) == (thoughts.policy_move != thoughts.move)
        game.push(move)


def test_a_search_on_a_learned_policy_says_what_it_took_its_own_cards_for():
    """By the hands that it keeps in mind, which know more than who counts cards."""
    agent, game, sure = make_agent("search(duet, iterations=20, fresh=32)"), Game(2, 3), 0
    for _ in range(30):
        view = game.view()
        thoughts = agent.think(view)
        code = view.encode(Move.parse(thoughts.move))
        words = " ".join(reasons(agent, view, code, thoughts))
        assert all(sum(row.values()) == pytest.approx(1) for row in thoughts.own_cards)
        if code < DISCARD:
            chances = thoughts.own_cards[code]
            playable = sum(chance for name, chance in chances.items() if view.is_playable(Card.parse(name)))
            assert f"playable at {playable:.0%}" in words
            sure += playable > view.probability_playable(code) + 0.1
        if not thoughts.candidates:
            assert "no other one was likely enough to be compared with it" in words
        game.push(thoughts.move)
    assert sure > 0


def test_an_ally_says_whom_it_takes_the_others_for():
    agent, view = make_agent("ally(piers, iggi, iterations=20)"), Game(3, 6).view()
    thoughts = agent.think(view)
    words = reasons(agent, view, view.encode(Move.parse(thoughts.move)), thoughts)
    assert "It finds that Bob plays like piers 50%, iggi 50%." in words


def test_an_agent_that_says_nothing_is_told_so(own_module):
    agent, view = make_agent("own_agents:counting"), Game(2, 1).view()
    hint = view.encode(Move.tell_rank(1, view.hands[1][0].rank))
    assert reasons(agent, view, hint, agent.think(view)) == ["own_agents:counting does not say more about it."]


def test_a_literal_search_reads_nothing_into_hints():
    game = Game(3, 6)
    for move in ("tell 1 red", "tell 2 5", "tell 0 1"):
        game.push(move)
    view, codes = game.view(), []
    for literal in ("yes", "no"):
        agent = make_agent(f"search(information, literal={literal}, iterations=1)")
        codes.append(" ".join(reasons(agent, view, DISCARD + 4, agent.think(view))))
    assert "In the convention" not in codes[0]
    assert codes[0] != codes[1]
