"""Hanabi for Gymnasium: one learner among named team-mates. Importing this module registers ``tamaya/Hanabi-v0``."""

import copy
from collections.abc import Sequence
from typing import Any

import numpy as np

from tamaya.agents.registry import Playable
from tamaya.arena.game_loop import NO_RULE
from tamaya.engine.settings import Settings
from tamaya.environments.game_batch import GameBatch, choose_settings
from tamaya.environments.rendering import MODES, check_mode, render
from tamaya.environments.single_game import given_deck
from tamaya.environments.step_loop import deal_given, start_games, step_games, write_turns
from tamaya.game.game import Game
from tamaya.game.position import IllegalMove
from tamaya.networks.inputs.policy_inputs import WHOLE

try:
    import gymnasium
    from gymnasium import spaces
except ImportError as error:
    raise ImportError("this environment needs Gymnasium: pip install 'tamaya[rl]'") from error

ILLEGAL_ACTIONS = ("raise", "end")

Info = dict[str, Any]
Step = tuple[np.ndarray, float, bool, bool, Info]


class Actions(spaces.Discrete):
    """The actions, of which only those that are legal now are sampled."""

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self.legal = np.ones(count, np.int8)

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """A random action, among the legal ones unless a mask or probabilities are given."""
        if mask is None and probability is None and self.legal.any():
            mask = self.legal
        return np.int64(super().sample(mask=mask, probability=probability))


class Hanabi(gymnasium.Env):
    """A game of Hanabi as one player sees it; the others are agents that are named, and play in compiled code.

    ``team`` names one agent for all other seats, or one for each, next seat first. The learner sits anywhere, or at
    ``seat``. With ``illegal="end"``, an illegal action ends the game with a reward of -1, for learners that know no
    masks. The further options are those of ``tamaya.Settings``.
    """

    metadata = {"render_modes": [*MODES], "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        players: int | Settings = 2,
        team: str | Sequence[Playable] = "piers",
        *,
        seat: int | None = None,
        observation_type: str = "card_knowledge",
        rewards: str = "strict",
        illegal: str = "raise",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        if illegal not in ILLEGAL_ACTIONS:
            raise ValueError(f"illegal must be {' or '.join(ILLEGAL_ACTIONS)}, not {illegal!r}")
        check_mode(render_mode)
        self.render_mode, self.illegal = render_mode, illegal
        self.settings = choose_settings(players, options)
        self.games = GameBatch(
            1,
            self.settings,
            team=team,
            seat=seat,
            observation_type=observation_type,
            rewards=rewards,
            restarts=False,
        )
        if self.games.team.count(None) != 1:
            raise ValueError(f"{team!r} leaves {self.games.team.count(None)} seats for learners; there is only one")
        self.action_space = Actions(self.games.buffers.action_masks.shape[1])
        highest = WHOLE if observation_type == "insight" else 1
        self.observation_space = spaces.Box(0, highest, (self.games.seen,), np.uint8)

    def _observe(self) -> tuple[np.ndarray, Info]:
        buffers, table = self.games.buffers, self.games.state.tables[0]
        self.action_space.legal = buffers.action_masks[0].copy()
        info = {
            "action_mask": self.action_space.legal.copy(),
            "seat": int(buffers.seats[0]),
            "score": int(table.score),
            "strict_score": int(table.score) if table.lives else 0,
        }
        return buffers.observations[0, : self.games.seen].copy(), info

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, Info]:
        """Starts a game, and lets the players before the learner move.

        The option ``deck`` gives the cards in the order in which they are drawn: as cards, by their names such as R1,
        or by the numbers of HLE.
        """
        super().reset(seed=seed)
        cards = given_deck(options, self.settings)
        self.games.reseed(seed)
        arrays = (self.games.state, self.games.plan, self.games.buffers)
        with self.games.blamed_on_team():
            if cards is None:
                start_games(*arrays, 0, 1)
            else:
                self.games.state.episodes["deck"][0, : len(cards)] = cards
                deal_given(*arrays)
        if self.games.is_over:
            raise ValueError("with this deck, the team-mates end the game before the learner's first turn")
        return self._observe()

    def step(self, action: int) -> Step:
        """Makes the learner's move and those of the others; an illegal one raises IllegalMove and changes nothing."""
        if self.games.is_over or not self.games.is_started:
            raise ValueError("there is no game going on; call reset first")
        actions, buffers = self.games.as_actions(action), self.games.buffers
        try:
            self.games.check_actions(actions)
        except IllegalMove as reason:
            if self.illegal == "raise":
                raise
            return self._end(str(reason))
        with self.games.blamed_on_team():
            step_games(self.games.state, self.games.plan, buffers, actions, 0, 1)
        observation, info = self._observe()
        if self.render_mode == "human":
            self.render()
        ends = bool(buffers.terminations[0]), bool(buffers.truncations[0])
        return observation, float(buffers.rewards[0]), *ends, info

    def _end(self, reason: str) -> Step:
        """Ends the game after an illegal action."""
        self.games.state.episodes["ending"] = NO_RULE
        write_turns(self.games.state, self.games.plan, self.games.buffers, 0, 1)
        observation, info = self._observe()
        return observation, -1.0, True, False, info | {"illegal": reason}

    def action_masks(self) -> np.ndarray:
        """Which actions are legal, as learners with masks ask for it."""
        return self.action_space.legal.astype(bool)

    def game(self) -> Game:
        """A copy of the game as it stands, without its past."""
        self.games.check_started()
        return self.games.position(0)

    def render(self) -> Any:
        """The table as text, as a picture, or printed, as the render mode says."""
        return render(self.game(), self.render_mode)

    def save(self) -> list[np.ndarray]:
        """The game as it stands, to which ``restore`` goes back."""
        return self.games.save()

    def restore(self, saved: Sequence[np.ndarray]) -> None:
        """Goes back to a game that was saved."""
        self.games.restore(saved)
        self._observe()

    def copy(self) -> "Hanabi":
        """An independent copy, with the game as it stands."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.games, twin.action_space = self.games.copy(), copy.deepcopy(self.action_space)
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> "Hanabi":
        return self.copy()


gymnasium.register("tamaya/Hanabi-v0", entry_point="tamaya.environments.gym:Hanabi")
