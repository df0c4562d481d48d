"""Why an agent makes a move, in words: the rule that fires, what the move says in its convention, what it believes."""

from collections.abc import Iterator

import numpy as np

from tamaya.engine.cards import members
from tamaya.engine.gameplay import apply_at
from tamaya.engine.knowledge import see_move
from tamaya.engine.moves import DISCARD, NO_MOVE, TELL
from tamaya.engine.settings import RANKS, SEATS, SLOTS
from tamaya.engine.table import TABLE, fresh_deck
from tamaya.engine.text import count_of
from tamaya.game.notation import ORDINALS, Card, Kind, Move
from tamaya.game.view import View
from tamaya.policies.agent import Agent, PolicyAgent, Thoughts
from tamaya.policies.contract import EXCLUSIONS
from tamaya.policies.rules.catalogue import COUNTING, FIRST_LINE, LINE_LENGTH, RULES, rule_list
from tamaya.search.compare.move_values import own_cards
from tamaya.search.search_agent import SearchAgent
from tamaya.search.search_settings import DeviationSettings

MOST_LESSONS = 8
FEW_CARDS = 6
"""How many things that a move says are listed, and how many cards a card may be for them to be listed."""

FAINT, MOST_MOVES, MOST_ODDS = 0.005, 4, 3
"""Moves and cards that a learned policy finds less likely than this are left out; so many of both are listed."""

UNSEEN_CARD = -1
"""What a play or a discard shows, if that is not known."""


def reasons(agent: Agent, view: View, code: int, thoughts: Thoughts, shown: int = UNSEEN_CARD) -> list[str]:
    """Why an agent makes the move with a kernel number; ``shown`` is the card that a play or a discard turns over."""
    lines = [*rule_lines(agent, view), *search_lines(agent, view, thoughts)]
    convention = convention_of(agent)
    if code < TELL:
        lines += card_lines(convention, view, code, thoughts)
    elif thoughts.chances:
        lines += hand_lines(view, thoughts)
    if convention is not None and (code >= TELL or shown != UNSEEN_CARD):
        lines += lesson_lines(convention, view, code, shown)
    return lines or [f"{agent} does not say more about it."]


def convention_of(agent: Agent) -> Agent | None:
    """The agent whose convention a move follows, if any: a search on top of a policy keeps that of the policy."""
    if isinstance(agent, SearchAgent):
        is_on_policy = isinstance(agent.settings, DeviationSettings) and not agent.settings.literal
        return convention_of(agent.rollout) if is_on_policy else None
    return agent if isinstance(agent, PolicyAgent) and agent.watches else None


def rule_lines(agent: Agent, view: View) -> Iterator[str]:
    """The rule of a rule-based agent that fires."""
    if agent.policy is not rule_list:
        return
    params, rng = agent.params, np.array([view.seed], dtype=np.uint64)
    for start in range(FIRST_LINE, len(params), LINE_LENGTH):
        line = params[start : start + LINE_LENGTH]
        alone = np.array([params[COUNTING], 1.0, *line])
        if agent.policy(view.tables.copy()[0], np.zeros(agent.words, np.int64), alone, rng) != NO_MOVE:
            name, rule = list(RULES.items())[int(line[0])]
            settings = ", ".join(f"{value:g}" for value in line[1 : 1 + len(rule.defaults)])
            words = (rule.kernel.__doc__ or "").splitlines()[0].rstrip(".")
            yield f"Its rule {name}{f'({settings})' if settings else ''} fired: {words[:1].lower()}{words[1:]}."
            return


def search_lines(agent: Agent, view: View, thoughts: Thoughts) -> Iterator[str]:
    """What a search did, what its policy would have done, and whom it takes the others for."""
    if thoughts.candidates:
        moves = count_of(len(thoughts.candidates), "move")
        yield f"It compared {moves} in {thoughts.iterations:,} games that it imagined."
    yield from chance_lines(agent, view, thoughts)
    if thoughts.policy_move and isinstance(agent, SearchAgent):
        if not thoughts.candidates:
            yield f"This is the move of {agent.rollout}, and no other one was likely enough to be compared with it."
        elif thoughts.policy_move == thoughts.move:
            yield f"This is the move of {agent.rollout}, and no other one was clearly better."
        else:
            other = move_in_words(Move.parse(thoughts.policy_move), view)
            yield f"{agent.rollout} would {other}, but this was clearly better."
    for seat, beliefs in thoughts.beliefs.items():
        likely = sorted(beliefs.items(), key=lambda one: -one[1])[:3]
        words = ", ".join(f"{name} {share:.0%}" for name, share in likely)
        yield f"It finds that {view.wording.player(seat)} plays like {words}."


def chance_lines(agent: Agent, view: View, thoughts: Thoughts) -> Iterator[str]:
    """How likely a learned policy made its likeliest moves."""
    likely = [(move, chance) for move, chance in thoughts.chances.items() if chance >= FAINT][:MOST_MOVES]
    if likely:
        name = agent.rollout if isinstance(agent, SearchAgent) else agent
        words = ", ".join(f"{move_in_words(Move.parse(move), view)} {chance:.0%}" for move, chance in likely)
        yield f"The odds of {name}: {words}."


def card_lines(convention: Agent | None, view: View, code: int, thoughts: Thoughts) -> Iterator[str]:
    """What an agent took a card of its own for: by the moves of a learned policy, or else by counting cards."""
    slot = code % DISCARD
    own = thoughts.own_cards
    if thoughts.chances and not own and convention is not None:
        own = own_cards(convention, view)
    if own:
        counts = {Card.parse(name).number: chance for name, chance in own[slot].items() if chance >= FAINT}
    else:
        counts = counts_of(convention, view, slot)
    useful = int(view.read("playable" if code < DISCARD else "useless"))
    chance = sum(count for card, count in counts.items() if card in members(useful)) / sum(counts.values())
    what = "playable" if code < DISCARD else "of no more use"
    cards = odds_of(own[slot], view) if own else named_cards(sum(1 << card for card in counts), view)
    yield f"It took its {place_of(view, view.seat, slot)} card for {cards}: {what} at {chance:.0%}."


def hand_lines(view: View, thoughts: Thoughts) -> Iterator[str]:
    """What a player that goes by the moves of a learned policy takes its own cards for, if it has found that out."""
    if thoughts.own_cards:
        cards = "; ".join(odds_of(one, view) for one in thoughts.own_cards)
        yield f"It takes its own cards, oldest first, for {cards}."


def odds_of(chances: dict[str, float], view: View) -> str:
    """The likeliest cards that a card may be, each with its chance."""
    likely = sorted(((chance, name) for name, chance in chances.items() if chance >= FAINT), reverse=True)
    words = [f"{view.wording.card(Card.parse(name))} {chance:.0%}" for chance, name in likely[:MOST_ODDS]]
    return ", ".join(words) + (" or others" if len(likely) > MOST_ODDS else "")


def counts_of(convention: Agent | None, view: View, slot: int) -> dict[int, float]:
    """The unseen copies of each card that a seat's own card can be, by what it was told and by a convention."""
    told = int(view.read("knowledge")[view.seat, slot]) & int(view.read("unseen")[0])
    cards = told
    if convention is not None:
        player = convention.sit_down()
        player.catch_up(view)
        cards = told & ~exclusions(player.memory)[view.seat, slot] or told
    return {card: sum(int(plane) >> card & 1 for plane in view.read("unseen")) for card in members(cards)}


def lesson_lines(convention: Agent, view: View, code: int, shown: int) -> Iterator[str]:
    """What a move tells the others by a convention, beyond what it says by itself."""
    player = convention.sit_down()
    player.catch_up(view)
    seen, after = np.zeros(1, TABLE), view.tables.copy()
    if code >= TELL:
        shown = int(see_move(seen, view.tables, view.seat, code))
        apply_at(after, fresh_deck(view.settings), code)
    old = exclusions(player.memory).copy()
    convention.policy.compiled("observer")(
        view.tables.copy()[0], view.seat, code, shown, player.memory, convention.params
    )
    new, lessons = exclusions(player.memory), []
    for offset in range(1, view.players):
        seat = (view.seat + offset) % view.players
        for slot in range(len(view.hands[seat])):
            told = int(after["knowledge"][0, seat, slot]) & int(view.read("unrevealed")[0])
            before = int(view.read("knowledge")[seat, slot]) & int(view.read("unrevealed")[0]) & ~int(old[seat, slot])
            literal, cards = told & ~int(old[seat, slot]), told & ~int(new[seat, slot]) or told
            words = learnt(before, literal, cards, view)
            if words:
                lessons.append(f"{view.wording.player(seat)}'s {place_of(view, seat, slot)} card {words}")
    if lessons:
        yield f"In the convention of {convention}, that says: {'; '.join(lessons[:MOST_LESSONS])}."


def learnt(before: int, literal: int, cards: int, view: View) -> str:
    """What is new about a card that could be some cards before, and others now; nothing if that is only literal."""
    playable, useless = int(view.read("playable")), int(view.read("useless"))
    critical = int(view.read("unrevealed")[0]) & ~int(view.read("unrevealed")[1]) & ~useless
    if cards == before:
        return ""
    for kind, words in ((playable, "is playable"), (useless, "is of no more use"), (critical, "is a last copy")):
        if not cards & ~kind and before & ~kind:
            return f"{words}: {named_cards(cards, view)}"
    if cards == literal:
        return ""
    if literal & playable and not cards & playable:
        return "is not playable"
    if literal & critical and not cards & critical:
        return "is not a last copy"
    return f"is {named_cards(cards, view)}"


def exclusions(memory: np.ndarray) -> np.ndarray:
    """What a convention excludes of each card, [seat, slot], as masks."""
    return memory[:EXCLUSIONS].reshape(SEATS, SLOTS)


def named_cards(cards: int, view: View) -> str:
    """The cards of a mask, or how many there are."""
    found = members(cards & int(view.read("all_cards")))
    names = [view.wording.card(Card(card // RANKS, card % RANKS + 1)) for card in found]
    if len(names) == 1:
        return names[0]
    return f"one of {' '.join(names)}" if len(names) <= FEW_CARDS else f"one of {len(names)} cards"


def move_in_words(move: Move, view: View) -> str:
    """A move of the seat of a view in words, with its own card called by its age."""
    if move.kind > Kind.DISCARD:
        return view.wording.say(move)
    return f"{move.kind.name.lower()} its {place_of(view, view.seat, move.target)} card"


def place_of(view: View, seat: int, slot: int) -> str:
    """What a card is called by its age: newest, second newest, oldest."""
    age = len(view.hands[seat]) - 1 - slot
    return "newest" if age == 0 else "oldest" if slot == 0 else f"{ORDINALS[age]} newest"
