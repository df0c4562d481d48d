"""The inputs of learned policies: what they say, that they hide what they must, and that packed rows hold them all."""

import numpy as np
import pytest
from conftest import VARIANTS, several, short

from tamaya import Settings
from tamaya.engine.table import TABLE
from tamaya.environments import VectorHanabi
from tamaya.game.hle.layout import sections
from tamaya.networks.inputs.move_history import NEVER
from tamaya.networks.inputs.policy_inputs import further_sections, insight_of

WHOLE = 255


def vector(settings, **how):
    """Some games with inputs of learned policies."""
    return VectorHanabi(several(16, 2), settings, observation_type="insight", restart=False, **how)


def random_actions(envs, rng):
    """A random legal action for each game; any where it is over."""
    return (rng.random(envs.observations["action_mask"].shape) * envs.observations["action_mask"]).argmax(1)


def turns(settings, seed=1, **how):
    """Plays random games, and yields before every move."""
    envs, rng = vector(settings, **how), np.random.default_rng(seed)
    envs.reset(seed=seed)
    running = np.ones(envs.num_envs, bool)
    while running.any():
        yield envs, running
        _, _, ends, _, _ = envs.step(random_actions(envs, rng))
        running &= ~ends


def places(settings):
    """Where the sections behind HLE's bits begin and end."""
    place, found = int(insight_of(settings)[0].layouts[0].length), {}
    for section in further_sections(settings):
        found[section.name] = slice(place, place + section.length)
        place += section.length
    return found


@pytest.mark.parametrize("settings", VARIANTS[:: several(1, 6)], ids=short)
def test_bits_are_those_of_hle_and_chances_replace_what_a_card_can_be(settings):
    plain = VectorHanabi(several(16, 2), settings, restart=False)
    rng = np.random.default_rng(1)
    plain.reset(seed=1)
    knowledge = next(one for one in sections(settings) if one.name == "knowledge").start
    step = settings.suits * settings.ranks + settings.suits + settings.ranks
    for envs, running in turns(settings):
        seen, bits = envs.observations["observation"][running], plain.observations["observation"][running]
        assert (seen[:, :knowledge] == WHOLE * bits[:, :knowledge]).all()
        cards, known = (
            one[:, knowledge : knowledge + settings.players * settings.hand_size * step].reshape(-1, step)
            for one in (seen, bits)
        )
        odds, possible = cards[:, : settings.suits * settings.ranks], known[:, : settings.suits * settings.ranks]
        assert (cards[:, odds.shape[1] :] == WHOLE * known[:, odds.shape[1] :]).all()
        assert not odds[possible == 0].any()
        totals = odds.sum(axis=1, dtype=int)
        assert (np.abs(totals[totals > 0] - WHOLE) <= odds.shape[1] / 2).all()
        assert (totals[possible.sum(axis=1) == 0] == 0).all()
        plain.step(random_actions(plain, rng))


def chance_of(table, seat, slot, cards):
    """The chance that a card, as its own seat sees it, is one of some cards, in bytes, counted plainly."""
    held = [int(card) for other in range(table.players) if other != seat for card in table.hands[other]]
    counts = []
    for card in range(30):
        left = sum((int(plane) >> card) & 1 for plane in table.unrevealed) - held.count(card)
        counts.append(left if (int(table.knowledge[seat, slot]) >> card) & 1 else 0)
    return WHOLE * sum(counts[card] for card in cards) / sum(counts)


@pytest.mark.parametrize("settings", [Settings(players=2), Settings(players=4)], ids=short)
def test_chances_count_the_cards_that_a_seat_sees(settings):
    place = places(settings)["chances"].start
    for envs, running in turns(settings):
        table = envs.games.state.tables[0]
        if not running[0]:
            break
        row, useless = envs.observations["observation"][0], int(table.useless)
        playable = int(table.playable) & ~useless
        for slot in range(settings.hand_size):
            if table.hands[table.seat, slot] < 0:
                continue
            for kind, mask in enumerate((playable, useless)):
                wanted = chance_of(table, int(table.seat), slot, [card for card in range(30) if (mask >> card) & 1])
                assert row[place + 3 * slot + kind] == pytest.approx(wanted, abs=0.51)


@pytest.mark.parametrize("settings", [Settings(players=2), Settings(players=3)], ids=short)
def test_ages_and_earlier_moves_are_those_of_the_game(settings):
    at, moves, drawn, told, hinted = places(settings), [], {}, {}, {}
    start, end = (next(one.start for one in sections(settings) if one.name == name) for name in ("mover", "knowledge"))
    hand, players = settings.hand_size, settings.players
    for turn, (envs, running) in enumerate(turns(settings, seed=3)):
        if not running[0]:
            break
        table, row = envs.games.state.tables[0].copy(), envs.games.buffers.observations[0].copy()
        episode = envs.games.state.episodes[0]
        if turn:
            if episode.move >= 12:
                target = (int(episode.mover) + 1 + (int(episode.move) - 12) // 11) % players
                hinted[target] = turn - 1
                told |= {
                    int(table.orders[target, slot]): turn - 1
                    for slot in range(hand)
                    if (int(episode.shown) >> slot) & 1
                }
            moves.append(row[start:end])
        for offset in range(players):
            holder = (int(table.seat) + offset) % players
            for slot in range(hand):
                found = row[at["ages"]][3 * (hand * offset + slot) :][:3]
                order = int(table.orders[holder, slot])
                if order < 0:
                    assert not found.any()
                    continue
                born = drawn.setdefault(order, turn)
                wanted = [0, 0, WHOLE / (1 + (turn - born) / 4)]
                if order in told:
                    wanted[:2] = WHOLE * (told[order] == hinted[holder]), WHOLE / (1 + (turn - told[order]) / 4)
                assert found == pytest.approx(wanted, abs=0.51)
        earlier = row[at["earlier"]].reshape(3, -1)
        for back, bits in enumerate(earlier):
            if back + 1 >= len(moves):
                assert not bits.any()
            else:  # the same but for who moved and whom it told, counted from the one to move now
                kept = [*range(players, players + 4), *range(2 * players + 4, end - start)]
                assert (bits[kept] == moves[-2 - back][kept]).all()


@pytest.mark.parametrize(
    "settings", [Settings(players=2), Settings(players=5), Settings(players=3, colours=6)], ids=short
)
def test_no_input_depends_on_what_a_seat_cannot_see(settings):
    """Other cards in the own hand and the deck, of which the hand may be, change only what follows the inputs."""
    rng = np.random.default_rng(1)
    for envs, running in turns(settings):
        before = envs.observations["observation"].copy()
        state, held = envs.games.state, {}
        for game in np.flatnonzero(running):
            table = state.tables[game]
            held[game] = table.hands.copy()
            hidden = [int(card) for card in table.hands[table.seat] if card >= 0]
            for slot, card in enumerate(hidden):  # any cards will do: nothing may look at them
                table.hands[table.seat, slot] = (card + int(rng.integers(1, settings.suits))) % (5 * settings.suits)
        assert state.tables.dtype == TABLE
        assert (envs.observe(0)[:, : before.shape[1]][running] == before[running]).all()
        for game, hands in held.items():
            state.tables[game].hands[:] = hands


def test_a_trace_begins_empty():
    envs = vector(Settings(players=2))
    envs.reset(seed=1)
    episode = envs.games.state.episodes[0]
    assert (episode.told_at == NEVER).all()
    assert (episode.hinted_at == NEVER).all()
    assert all(one.mover == -1 for one in episode.earlier)


@pytest.mark.torch
@pytest.mark.parametrize("settings", [*VARIANTS[::6], Settings(players=2), Settings(players=5)], ids=short)
def test_packed_rows_hold_all_inputs(settings):
    import torch

    from tamaya.learn.ppo.torch_networks import Unpacker

    unpack = Unpacker(settings, "cpu")
    packed = (envs.games.buffers.observations for envs, _ in turns(settings, encoding="bits"))
    for (envs, running), rows in zip(turns(settings), packed, strict=True):
        shares = unpack(torch.from_numpy(rows), torch.float32).numpy()
        found = (WHOLE * shares[:, unpack.columns[unpack.width]]).round()
        assert shares.shape[1] == unpack.width
        assert shares.sum() == pytest.approx(found.sum() / WHOLE)  # all others are empty
        assert (found[running] == envs.games.buffers.observations[running]).all()
