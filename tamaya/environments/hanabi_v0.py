"""Hanabi for PettingZoo: an AEC environment with the interface of ``pettingzoo.classic.hanabi_v5``.

``env(players=3)`` makes it. Actions, observations and masks are those of the Hanabi Learning Environment.
"""

import operator
from typing import Any

import numpy as np

from tamaya.environments.batch_state import RULES
from tamaya.environments.game_batch import REWARDS, choose_settings, following_seed
from tamaya.environments.rendering import MODES, check_mode, render
from tamaya.environments.single_game import (
    WORDS,
    as_game,
    given_deck,
    legal_single,
    observe_single,
    report_of,
    reveal_single,
    start_given,
    start_of,
    start_single,
    step_single,
)
from tamaya.game.game import Game
from tamaya.game.hle.layout import count_moves, layout_of
from tamaya.game.hle.move_numbers import move_of
from tamaya.game.position import IllegalMove

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
except ImportError as error:
    raise ImportError("this environment needs PettingZoo: pip install 'tamaya[rl]'") from error

Saved = dict[str, Any]


class raw_env(AECEnv):  # noqa: N801 (the name that PettingZoo gives such classes)
    """A game of Hanabi; each agent acts in its turn.

    The parameters have the names and the order of hanabi_v5. ``rewards="points"`` keeps the points when the last life
    is lost. The further options are those of ``tamaya.Settings``.
    """

    metadata = {  # noqa: RUF012
        "render_modes": [*MODES],
        "name": "hanabi_v0",
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        colors: int = 5,
        ranks: int = 5,
        players: int = 2,
        hand_size: int | None = None,
        max_information_tokens: int = 8,
        max_life_tokens: int = 3,
        observation_type: str = "card_knowledge",
        random_start_player: bool = False,
        render_mode: str | None = None,
        rewards: str = "strict",
        **options: Any,
    ) -> None:
        check_mode(render_mode)
        if rewards not in REWARDS:
            raise ValueError(f"rewards must be {' or '.join(REWARDS)}, not {rewards!r}")
        named = {"hand_size": hand_size or 0, "colours": colors, "ranks": ranks}
        named |= {"hint_tokens": max_information_tokens, "lives": max_life_tokens}
        self.settings = choose_settings(players, named | options)
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.agents: list[str] = []
        self.agent_selection = self.possible_agents[0]
        self.rewards: dict[str, float] = {}
        self.terminations: dict[str, bool] = {}
        self.truncations: dict[str, bool] = {}
        self.infos: dict[str, dict[str, Any]] = {}
        self._cumulative_rewards: dict[str, float] = {}
        self._kind = (self.settings, observation_type, rewards, random_start_player)
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._layouts = layout_of(self.settings, observation_type)
        self._length = int(self._layouts[0].length)
        self._rules = np.zeros(1, RULES)
        self._rules["is_strict"], self._rules["random_start"] = rewards == "strict", random_start_player
        self._game = np.zeros(WORDS, np.int64)
        self._seed: int | None = None
        self._make_spaces()

    def _make_spaces(self) -> None:
        moves, hand = count_moves(self.settings), self.settings.hand_size * self.settings.max_score
        self._no_moves = np.zeros(moves, np.int8)
        self._no_moves.flags.writeable = False
        self.action_spaces = {agent: spaces.Discrete(moves) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 1, (self._length,), np.float64),
                    "action_mask": spaces.Box(0, 1, (moves,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.state_space = spaces.Box(0, 1, (self._length + hand + self.settings.players,), np.float64)

    def observation_space(self, agent: str) -> spaces.Dict:
        """What an agent can observe."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """What an agent can do."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts the game of a seed, as ``tamaya.Game`` deals it; without one, a game that follows from the last seed.

        The option ``deck`` gives the cards instead, in the order in which they are drawn: as cards, by their names
        such as R1, or by the numbers of HLE.
        """
        start, cards = start_of(self.settings)
        given = given_deck(options, self.settings)
        self._seed = following_seed(seed, self._seed)
        if given is None:
            start_single(self._game, start, cards, self._rules, np.uint64(self._seed))
        else:
            start_given(self._game, start, given, self._rules, np.uint64(self._seed))
        mask = np.empty(len(self._no_moves), np.int8)
        legal_single(self._game, mask)
        self.agents = self.possible_agents.copy()
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self._tell(mask)

    def _tell(self, mask: np.ndarray) -> None:
        """Lets the agents know how the game stands."""
        now = report_of(self._game)
        mask.flags.writeable = False  # copies and what is saved share it
        self.agent_selection = self.possible_agents[now.seat]
        self.rewards = dict.fromkeys(self.agents, float(now.reward))
        self.infos = {
            agent: {"action_mask": self._no_moves, "score": now.score, "strict_score": now.strict_score}
            for agent in self.agents
        }
        if now.is_over:
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.infos[self.agent_selection]["action_mask"] = mask

    def step(self, action: int | None) -> None:
        """Makes the move of the agent whose turn it is; an illegal one raises IllegalMove and changes nothing."""
        if not self.agents:
            raise ValueError("there is no game going on; call reset first")
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        mask = np.empty(len(self._no_moves), np.int8)
        if not step_single(self._game, self._number(action), self._rules, mask):
            self._refuse(action)
        self._cumulative_rewards[agent] = 0.0
        self._tell(mask)
        for other, reward in self.rewards.items():
            self._cumulative_rewards[other] += reward
        if self.terminations[agent]:
            self._deads_step_first()
        if self.render_mode == "human":
            self.render()

    def _number(self, action: Any) -> int:
        """The number of an action; -1 if it has none."""
        try:
            number = operator.index(action)
        except TypeError:
            raise IllegalMove(f"{self.agent_selection}: {action!r} is not the number of an action") from None
        return number if 0 <= number < len(self._no_moves) else -1

    def _refuse(self, action: Any) -> None:
        """Raises IllegalMove with the reason."""
        game = self.game()
        try:
            game.verify(move_of(game, action))
        except ValueError as reason:
            raise IllegalMove(f"{self.agent_selection}, action {action}: {reason}") from None

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What an agent observes, and which actions are legal: none unless it is its turn."""
        self._check_started()
        row = np.empty(self._length)
        observe_single(self._game, row, self._layouts, self._seats[agent])
        info = self.infos.get(agent)
        return {"observation": row, "action_mask": (info["action_mask"] if info else self._no_moves).copy()}

    def state(self) -> np.ndarray:
        """All but the order of the deck: what player_0 observes, its own cards, and whose turn it is."""
        self._check_started()
        row = np.zeros(self.state_space.shape)
        observe_single(self._game, row[: self._length], self._layouts, 0)
        reveal_single(self._game, row[self._length :])
        return row

    @property
    def legal_moves(self) -> list[int]:
        """The legal actions of the agent whose turn it is."""
        self._check_started()
        return [int(move) for move in np.flatnonzero(self.infos[self.agent_selection]["action_mask"])]

    def game(self) -> Game:
        """A copy of the game as it stands, without its past."""
        self._check_started()
        return as_game(self._game, self.settings)

    def render(self) -> str | np.ndarray | None:
        """The table as text, as a picture, or printed, as the render mode says."""
        return render(self.game(), self.render_mode)

    def close(self) -> None:
        """Does nothing: there is no window."""

    def _check_started(self) -> None:
        """Raises an error if there is no game yet."""
        if self._seed is None:
            raise ValueError("there is no game yet; call reset first")

    def save(self) -> Saved:
        """The game as it stands, to which ``restore`` goes back."""
        return self.copy().__dict__

    def restore(self, saved: Saved) -> None:
        """Goes back to a game that was saved; raises an error, and changes nothing, if its environment is another."""
        if not isinstance(saved, dict) or saved.get("_kind") != self._kind:
            raise ValueError("this was not saved from an environment with the same rules, observations and rewards")
        self.__dict__.update(saved)
        self._part()  # so that what was saved can be restored again

    def copy(self) -> "raw_env":
        """An independent copy of the game as it stands; the spaces are the same."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._part()
        return twin

    def _part(self) -> None:
        """Takes copies of all that changes in place."""
        self._game = self._game.copy()
        self.agents = self.agents.copy()
        self.rewards = self.rewards.copy()
        self.terminations = self.terminations.copy()
        self.truncations = self.truncations.copy()
        self._cumulative_rewards = self._cumulative_rewards.copy()
        self.infos = {agent: info.copy() for agent, info in self.infos.items()}

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> "raw_env":
        return self.copy()


def env(**settings: Any) -> raw_env:
    """A game of Hanabi for PettingZoo; it checks its own actions and needs no wrappers."""
    return raw_env(**settings)
