"""Trials: the games that say how fit a genome is, and how it behaves in them."""

import itertools
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from tamaya.agents.registry import make_agent
from tamaya.arena.seating import Seating
from tamaya.engine.gameplay import apply, deal_seeded
from tamaya.engine.jit import copy_items, kernel
from tamaya.engine.knowledge import look, probability
from tamaya.engine.moves import DISCARD, TELL
from tamaya.engine.settings import Settings
from tamaya.engine.table import TABLE
from tamaya.learn.evolution.genes import agent_of
from tamaya.policies.agent import Agent

ALL_SEATS = -1


class Trial(NamedTuple):
    """What the games of a genome showed."""

    fitness: float
    """Its mean score over all tables."""
    hints: float
    """Communicativeness: the share of hints among its moves while there are tokens."""
    caution: float
    """Risk aversion: how likely a card is to be playable when it plays it, on average."""


@kernel
def note_behaviour(
    outcome: Any, tables: np.ndarray, views: np.ndarray, deck: np.ndarray, seat: int, sums: np.ndarray
) -> None:
    """Plays a recorded game again, and adds up what the moves of a seat, or of all seats, say about its behaviour."""
    table = tables[0]
    deal_seeded(table, deck, outcome.seed)
    for index in range(outcome.length):
        move = int(outcome.moves[index])
        if seat == ALL_SEATS or seat == table.seat:
            if table.hint_tokens > 0:
                sums[0] += 1.0
                sums[1] += move >= TELL
            if move < DISCARD:
                look(views, tables, table.seat)
                sums[2] += 1.0
                sums[3] += max(0.0, probability(views[0], move, table.playable))
        apply(table, deck, move)


@kernel
def note_games(outcomes: np.ndarray, start: np.ndarray, cards: np.ndarray, seat: int, sums: np.ndarray) -> int:
    """Adds up the behaviour of a seat in recorded games."""
    tables, views, deck = np.empty(1, TABLE), np.empty(1, TABLE), np.empty_like(cards)
    for game in range(len(outcomes)):
        tables[0] = start[0]
        copy_items(deck, cards)
        note_behaviour(outcomes[game], tables, views, deck, seat, sums)
    return len(outcomes)


class Trials:
    """What genomes are tried in: self-play, or teams of partners with one seat for the genome, on given decks."""

    def __init__(self, players: Sequence[int], partners: Sequence[str] = ()) -> None:
        self.tables = [Settings(players=count) for count in players]
        self.partners: list[Agent | None] = [make_agent(name) for name in partners] or [None]

    def seatings(self, agent: Agent) -> Iterator[tuple[int, Seating, int, slice]]:
        """Who sits where: for each team by number, its seatings, the agent's seat in each, and which games it plays."""
        for number, (settings, partner) in enumerate(itertools.product(self.tables, self.partners)):
            if partner is None:
                yield number, Seating([agent] * settings.players, settings), ALL_SEATS, slice(None)
                continue
            for seat in range(settings.players):
                team = [agent if place == seat else partner for place in range(settings.players)]
                yield number, Seating(team, settings), seat, slice(seat, None, settings.players)

    def prepare(self) -> None:
        """Loads or compiles everything that trials need."""
        for _, seating, seat, _ in self.seatings(agent_of([0])):
            seating.prepare()
            note_games(seating.play(np.zeros(0, np.uint64)), seating.start, seating.cards, seat, np.zeros(4))

    def moves(self, genes: Sequence[int], seeds: np.ndarray) -> bytes:
        """All moves of the games of some seeds, to tell whether other genes play the same."""
        played = [seating.play(seeds[part]) for _, seating, _, part in self.seatings(agent_of(genes))]
        return b"".join(one["moves"].tobytes() + one["length"].tobytes() for one in played)

    def watch(self, agent: Agent, seeds: np.ndarray, is_watched: bool = True) -> tuple[np.ndarray, Trial]:
        """The scores of an agent in the games of some seeds, and what they show; behaviour only if it is watched.

        Scores are [team, seed]. Games of the same seed share their deck, so their scores are not independent.
        """
        scores, sums = np.zeros((len(self.tables) * len(self.partners), len(seeds))), np.zeros(4)
        for team, seating, seat, part in self.seatings(agent):
            outcomes = seating.play(seeds[part])
            scores[team, part] = outcomes["score"]
            if is_watched:
                note_games(outcomes, seating.start, seating.cards, seat, sums)
        hints = float(sums[1] / sums[0]) if sums[0] else 0.0
        caution = float(sums[3] / sums[2]) if sums[2] else 1.0
        return scores, Trial(float(scores.mean()), hints, caution)

    def try_out(self, genes: Sequence[int], seeds: np.ndarray, is_watched: bool = False) -> Trial:
        """The trial of some genes in the games of some seeds."""
        return self.watch(agent_of(genes), seeds, is_watched)[1]
