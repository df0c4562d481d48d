"""Rows of training data from teams of strangers: every move of their games, and which policy of a pool made it."""

from collections.abc import Sequence

import numpy as np

from tamaya.agents.registry import build
from tamaya.agents.search_builder import check_pool
from tamaya.engine.gameplay import MAX_MOVES, apply, deal_seeded, is_legal, is_over
from tamaya.engine.jit import copy_items, kernel, record
from tamaya.engine.knowledge import look
from tamaya.engine.randomness import derive_seed, lots_of
from tamaya.engine.settings import SEATS, Settings
from tamaya.engine.table import TABLE, fresh_deck, fresh_table
from tamaya.experiments.lineups import draw_lots
from tamaya.networks.json_weights import JUDGED
from tamaya.networks.likelihood import RULES, write_inputs
from tamaya.policies.contract import REPORT
from tamaya.policies.language import Call
from tamaya.policies.rules.rule_syntax import parse_rules
from tamaya.policies.seats import SEAT, ask

MADE = record(features=("f4", len(JUDGED)), policy="i1", players="i1", game="i4")
"""A move that was made, as its mover knew it, and the number of the policy that made it."""


@kernel
def note_moves(rows, tables, deck, seed, seats, policies, rules):
    """Plays the game of a seed and writes a row for every move; the number of rows."""
    views, rng, inputs = np.empty(1, TABLE), np.empty(1, np.uint64), np.empty(len(JUDGED))
    memory, count = np.zeros((SEATS, REPORT), np.int64), 0
    deal_seeded(tables[0], deck, seed)
    while not is_over(tables[0]):
        seat = tables[0].seat
        look(views, tables, seat)
        rng[0] = derive_seed(lots_of(seed), tables[0].turn)
        move = int(ask(views, seats, memory, rng))
        if not is_legal(tables[0], move):
            break
        look(views, tables, seat)  # a policy may have written into its view
        write_inputs(inputs, views, move, rules, rng)
        copy_items(rows[count].features, inputs)
        rows[count].policy, rows[count].players = policies[seat], tables[0].players
        count += 1
        apply(tables[0], deck, move)
    return count


class StrangerGames:
    """A pool of policies, teams of which play games."""

    def __init__(self, pool: Sequence[str]) -> None:
        calls = parse_rules(", ".join(pool))
        self.agents = [build(call) for call in calls]
        check_pool(Call("teams", calls), self.agents)
        self.seats = np.zeros(len(self.agents), SEAT)
        for number, agent in enumerate(self.agents):
            agent.fill(self.seats[number])

    def team(self, players: int, seed: np.uint64) -> np.ndarray:
        """The numbers of the policies that the seed of a game draws, seat by seat."""
        lots = np.zeros((1, 1 + players), np.int64)
        draw_lots(np.array([seed], np.uint64), lots, len(self.agents))
        return lots[0, 1:]

    def play(self, players: int, seed: np.uint64) -> tuple[dict[str, list[np.ndarray]], int]:
        """The moves of a game, and its score."""
        settings, team, rows = Settings(players=players), self.team(players, seed), np.zeros(MAX_MOVES, MADE)
        tables, seats = fresh_table(settings), np.zeros(SEATS, SEAT)
        seats[:players] = self.seats[team]
        seats["row"] = np.arange(SEATS)
        count = note_moves(rows, tables, fresh_deck(settings), seed, seats, team, RULES)
        return {"moves": [rows[:count]]}, int(tables[0].score)
