"""Games of learners: the arrays that kernels work on, and what can be asked of them."""

import contextlib
import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from tamaya.agents.registry import Playable
from tamaya.arena.game_loop import OVERRUN, RUNNING
from tamaya.engine.randomness import derive_seed
from tamaya.engine.settings import Settings
from tamaya.engine.table import TABLE, fresh_deck, fresh_table
from tamaya.engine.text import suggestion
from tamaya.environments.batch_state import EPISODE, RULES, BatchPlan, BatchState, Buffers
from tamaya.environments.step_loop import STUCK, first_broken, first_illegal
from tamaya.environments.teammates import memory_words, seat_team, seats_of
from tamaya.game.game import Game, check_seed
from tamaya.game.hle.layout import count_moves, layout_of
from tamaya.game.hle.move_numbers import move_of
from tamaya.game.position import IllegalMove
from tamaya.networks.inputs.policy_inputs import insight_of
from tamaya.policies.agent import blame
from tamaya.policies.contract import PolicyError

REWARDS = ("strict", "points")
"""What learners are rewarded with: HLE's score, which is zero once the last life is lost; or points that are kept."""

RESEEDING = 1 << 23
"""The stream of a seed that leads to the next one."""

FIXED = [*itertools.takewhile(lambda name: name != "seat", TABLE.names or ())]
"""What never changes at a table."""


def raw(array: np.ndarray) -> np.ndarray:
    """The bytes of an array; numpy copies records far more slowly."""
    return array.view(np.uint8) if array.dtype.names else array


def choose_settings(players: int | Settings, options: dict[str, Any]) -> Settings:
    """The settings that are given, or those of some options."""
    if isinstance(players, Settings) and options:
        raise TypeError(f"{', '.join(options)}: these options belong in the Settings")
    for name in options:
        if name not in Settings.__struct_fields__:
            raise TypeError(f"there is no option {name!r}{suggestion(name, Settings.__struct_fields__)}")
    return players if isinstance(players, Settings) else Settings(players=players, **options)


def following_seed(seed: int | None, last: int | None) -> int:
    """A seed, if it is valid; without one, that which follows from the last one, or a random one at first."""
    if seed is not None:
        return check_seed(seed)
    if last is not None:
        return int(derive_seed(np.uint64(last), RESEEDING))
    return int(np.random.SeedSequence().generate_state(1, np.uint64)[0])


def layouts_of(settings: Settings, observation_type: str) -> tuple[np.ndarray, np.ndarray]:
    """Where everything stands in HLE's observations, and in the inputs of learned policies if these are wanted."""
    insights = insight_of(settings)
    if observation_type == "insight":
        return layout_of(settings), insights
    return layout_of(settings, observation_type), insights[:0]


class GameBatch:
    """Some games that are played at a time: their state, the plan that they share, and buffers for the learners."""

    def __init__(
        self,
        count: int,
        settings: Settings,
        *,
        team: str | Sequence[Playable] = (),
        seat: int | None = None,
        observation_type: str = "card_knowledge",
        is_packed: bool = False,
        rewards: str = "strict",
        restarts: bool = True,
    ) -> None:
        if not isinstance(count, int) or isinstance(count, bool) or count < 1:
            raise ValueError(f"games must be a whole number from 1 on, not {count!r}")
        if rewards not in REWARDS:
            raise ValueError(f"rewards must be {' or '.join(REWARDS)}, not {rewards!r}")
        if seat is not None and seat not in range(settings.players):
            raise ValueError(f"there is no seat {seat} at a table of {settings.players}")
        self.count, self.settings = count, settings
        self.arguments = {
            "team": team,
            "seat": seat,
            "observation_type": observation_type,
            "is_packed": is_packed,
            "rewards": rewards,
            "restarts": restarts,
        }
        self.team = seat_team(team, settings)
        rules = np.zeros(1, RULES)
        rules["games"], rules["is_strict"], rules["restarts"] = count, rewards == "strict", restarts
        rules["turns"], rules["seating"] = seat is None and any(self.team), seat or 0
        layouts, insights = layouts_of(settings, observation_type)
        rules["traces"] = len(insights)
        self.length = int(insights[0].length if len(insights) else layouts[0].length)
        """The bits of an observation, or the inputs of a learned policy."""
        self.width = self.seen = (self.length + 7) // 8 if is_packed else self.length
        if len(insights):
            self.width = int(insights[0].packed_width if is_packed else insights[0].width)
            self.seen = self.width - settings.hand_size if is_packed else self.length
        """The bytes of a row, and those that its player may know: the player's own hand is behind them."""
        self.plan = BatchPlan(
            fresh_table(settings), fresh_deck(settings), layouts, insights, rules, seats_of(self.team)
        )
        self.state = BatchState(np.zeros(count, TABLE), np.zeros(count, EPISODE), self._new_memory())
        self.buffers = self._new_buffers()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles what it was made of, and what has changed since; addresses mean nothing to another process."""
        return rebuilt, (self.count, self.settings, self.arguments, self.save())

    def _new_memory(self) -> np.ndarray:
        words = memory_words(self.team)
        return np.zeros((self.count, self.settings.players if words else 0, words), np.int64)

    def _new_buffers(self) -> Buffers:
        shapes = Buffers(
            observations=((self.width,), np.uint8),
            action_masks=((count_moves(self.settings),), np.int8),
            seats=((), np.int8),
            rewards=((), np.float32),
            terminations=((), np.bool_),
            truncations=((), np.bool_),
            scores=((), np.int8),
            strict_scores=((), np.int8),
            lengths=((), np.int16),
            words=(((self.length >> 6) + 2,), np.int64),
        )
        return Buffers(*(np.zeros((self.count, *shape), kind) for shape, kind in shapes))

    @property
    def is_started(self) -> bool:
        """Whether the games were ever started."""
        return bool(self.state.tables["players"][0])

    def check_started(self) -> None:
        """Raises an error if there are no games yet."""
        if not self.is_started:
            raise ValueError("the games have not started; call reset first")

    @property
    def is_over(self) -> bool:
        """Whether the first game is over."""
        return bool(self.state.episodes["ending"][0] != RUNNING)

    @property
    def arrays(self) -> list[np.ndarray]:
        """Everything that changes."""
        return [raw(array) for array in (*self.state, self.plan.rules, *self.buffers)]

    def save(self) -> list[np.ndarray]:
        """A copy of everything that changes."""
        return [array.copy() for array in self.arrays]

    def restore(self, saved: Sequence[np.ndarray]) -> None:
        """Goes back to what was saved; raises an error, and changes nothing, if that was saved from other games."""
        self._check_saved(saved)
        for array, old in zip(self.arrays, saved, strict=True):
            array[...] = old

    def _check_saved(self, saved: Sequence[np.ndarray]) -> None:
        shapes = [(array.shape, array.dtype) for array in self.arrays]
        if [(np.shape(array), getattr(array, "dtype", None)) for array in saved] != shapes:
            raise ValueError("this was saved from other games: their number, players or observations differ")
        tables, rules = saved[0].view(TABLE), saved[len(self.state)].view(RULES).copy()
        rules["seed"] = self.plan.rules["seed"]
        is_same = tables[FIXED] == self.plan.start[FIXED]
        if (rules != self.plan.rules).any() or not (is_same | (tables["players"] == 0)).all():
            raise ValueError("this was saved from games with other rules")

    def copy(self) -> "GameBatch":
        """An independent copy of the games as they stand."""
        twin = object.__new__(GameBatch)
        vars(twin).update(vars(self))
        twin.state = BatchState(*(raw(array).copy().view(array.dtype) for array in self.state))
        twin.buffers = Buffers(*(array.copy() for array in self.buffers))
        twin.plan = self.plan._replace(rules=self.plan.rules.copy())
        return twin

    def reseed(self, seed: int | None) -> None:
        """Chooses the games that are played from the next start on; without a seed, one that follows from the last."""
        last = int(self.plan.rules["seed"][0]) if self.is_started else None
        self.plan.rules["seed"] = following_seed(seed, last)

    def as_actions(self, actions: Any) -> np.ndarray:
        """Actions as an array, if they are one whole number for each game."""
        chosen = np.ascontiguousarray(actions)
        if chosen.shape != (self.count,) or chosen.dtype.kind not in "iu":
            wanted = f"actions must be {self.count} whole numbers, one for each game"
            wanted = "an action must be a whole number" if self.count == 1 else wanted
            raise ValueError(f"{wanted}, not of shape {np.shape(actions)} and type {chosen.dtype}")
        return chosen.astype(np.int64, copy=False)

    def check_actions(self, actions: np.ndarray) -> None:
        """Raises IllegalMove, with the reason, if an action is not legal."""
        game = int(first_illegal(self.state.tables, self.state.episodes, actions))
        if game >= 0:
            position, number = self.position(game), int(actions[game])
            place = f"game {game}, " if self.count > 1 else ""
            try:
                position.verify(move_of(position, number))
            except ValueError as reason:
                raise IllegalMove(f"{place}seat {position.seat}, action {number}: {reason}") from None

    def position(self, game: int) -> Game:
        """A copy of a game as it stands, without its past."""
        twin = Game(self.settings)
        twin.tables = self.state.tables[game : game + 1].copy()
        twin.deck_array = self.state.episodes["deck"][game, : self.settings.deck_size].copy()
        return twin

    @contextlib.contextmanager
    def blamed_on_team(self) -> Iterator[None]:
        """Raises PolicyError if a team-mate breaks a game in a block."""
        try:
            yield
        except Exception as error:
            names = " or ".join(sorted({str(agent) for agent in self.team if agent is not None}))
            raise PolicyError(f"{names} raised {blame(error)}") from error
        self._check_team()

    def _check_team(self) -> None:
        game = int(first_broken(self.state.episodes))
        if game < 0:
            return
        episode, table = self.state.episodes[game], self.state.tables[game]
        if episode.ending == STUCK:
            raise PolicyError("the team-mates end every game before the first learner has had its turn")
        seat = int(episode.answer) if episode.ending == OVERRUN else int(table.seat)
        agent = self.team[(seat - int(episode.seating)) % self.settings.players]
        assert agent is not None
        if episode.ending == OVERRUN:
            words = f"wrote beyond its {agent.policy.memory} words of memory"
        else:
            words = f"answered {episode.answer}, which is not a legal move"
        raise PolicyError(f"{agent} {words}, in the game of seed {episode.seed}, turn {table.turn}, seat {seat}")


def rebuilt(count: int, settings: Settings, arguments: dict[str, Any], saved: Sequence[np.ndarray]) -> GameBatch:
    """Games as they stood when they were saved, here or in another process."""
    games = GameBatch(count, settings, **arguments)
    games.restore(saved)
    return games
