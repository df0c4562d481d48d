"""Thousands of games in one call, on all cores: an environment for learners that think in batches."""

import itertools
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from tamaya.agents.registry import Playable
from tamaya.arena.batches import cores
from tamaya.engine.settings import Settings
from tamaya.environments.game_batch import GameBatch, choose_settings
from tamaya.environments.step_loop import observe_games, start_games, step_games
from tamaya.game.game import Game

FEWEST_PER_THREAD = 128
"""So few games are not worth another thread."""

ENCODINGS = ("bytes", "bits")

Observations = dict[str, np.ndarray]
Infos = dict[str, np.ndarray]
Step = tuple[Observations, np.ndarray, np.ndarray, np.ndarray, Infos]


class VectorHanabi:
    """Games that are played at the same time, each one waiting for the action of the player to move.

    Actions have the numbers of the Hanabi Learning Environment, and observations its bits: one in each byte, or eight
    with ``encoding="bits"``. Every array is a buffer that the next call overwrites. ``team`` names team-mates, who
    play in compiled code; without it, all seats learn. Where a game ends, the next one begins, unless ``restart`` is
    False. Without ``checks``, illegal actions are not found, and do anything.
    """

    def __init__(
        self,
        games: int,
        players: int | Settings = 2,
        *,
        team: str | Sequence[Playable] = (),
        seat: int | None = None,
        encoding: str = "bytes",
        observation_type: str = "card_knowledge",
        rewards: str = "strict",
        restart: bool = True,
        threads: int | None = None,
        checks: bool = True,
        **options: Any,
    ) -> None:
        if encoding not in ENCODINGS:
            raise ValueError(f"encoding must be {' or '.join(ENCODINGS)}, not {encoding!r}")
        if threads is not None and (not isinstance(threads, int) or threads < 1):
            raise ValueError(f"threads must be a whole number from 1 on, not {threads!r}")
        self.settings = choose_settings(players, options)
        self.threads, self.checks = threads, checks
        self._open(
            GameBatch(
                games,
                self.settings,
                team=team,
                seat=seat,
                observation_type=observation_type,
                is_packed=encoding == "bits",
                rewards=rewards,
                restarts=restart,
            )
        )

    def _open(self, games: GameBatch) -> None:
        """Divides games among threads, and names their buffers."""
        self.games, buffers = games, games.buffers
        parts = max(1, min(self.threads or cores(), games.count // FEWEST_PER_THREAD))
        edges = np.linspace(0, games.count, parts + 1).astype(int).tolist()
        self._parts = list(itertools.pairwise(edges))
        self._pool = ThreadPoolExecutor(parts) if parts > 1 else None
        self.observations = {"observation": buffers.observations, "action_mask": buffers.action_masks}
        if games.width > games.seen:
            seen, own = np.split(buffers.observations, [games.seen], axis=1)
            self.observations |= {"observation": seen, "own_hand": own}
        self.infos = {
            "seat": buffers.seats,
            "score": buffers.scores,
            "strict_score": buffers.strict_scores,
            "length": buffers.lengths,
        }

    @property
    def num_envs(self) -> int:
        """How many games are played at a time."""
        return self.games.count

    @property
    def num_actions(self) -> int:
        """How many actions there are."""
        return int(self.games.buffers.action_masks.shape[1])

    @property
    def num_bits(self) -> int:
        """How many bits an observation has, packed or not; with ``insight``, how many inputs."""
        return self.games.length

    @property
    def seeds(self) -> np.ndarray:
        """The seeds of the games being played; ``Game(settings, seed)`` deals the same cards."""
        return np.array(self.games.state.episodes["seed"])

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observations, Infos]:
        """Starts all games anew: place g plays the games number g, g + num_envs and so on of the match with this seed.

        Without a seed, the next one follows from the last; the first one is random.
        """
        if options:
            raise ValueError(f"there are no options, so there is no {', '.join(map(repr, options))} either")
        self.games.reseed(seed)
        self._run(start_games)
        return self.observations, self.infos

    def step(self, actions: np.ndarray | Sequence[int]) -> Step:
        """Makes a move in every game: observations, rewards, terminations, truncations and infos.

        An action that is not legal raises IllegalMove with the reason, and no game changes.
        """
        self.games.check_started()
        chosen = self.games.as_actions(actions)
        if self.checks:
            self.games.check_actions(chosen)
        self._run(step_games, chosen)
        buffers = self.games.buffers
        return self.observations, buffers.rewards, buffers.terminations, buffers.truncations, self.infos

    def _run(self, kernel: Any, *arguments: Any) -> None:
        """Runs a kernel on all games, in threads."""
        arrays = (self.games.state, self.games.plan, self.games.buffers, *arguments)
        with self.games.blamed_on_team():
            if self._pool is None:
                kernel(*arrays, 0, self.num_envs)
            else:
                for done in [self._pool.submit(kernel, *arrays, *part) for part in self._parts]:
                    done.result()

    def observe(self, offset: int) -> np.ndarray:
        """What the players observe who move ``offset`` turns after those whose turn it is, as an array of its own."""
        self.games.check_started()
        rows: np.ndarray = np.empty_like(self.games.buffers.observations)
        observe_games(self.games.state, self.games.plan, self.games.buffers, rows, offset % self.settings.players)
        return rows[:, : self.games.seen].copy()

    def game(self, number: int) -> Game:
        """A copy of one of the games as it stands, without its past, for printing it."""
        self.games.check_started()
        return self.games.position(number)

    def save(self) -> list[np.ndarray]:
        """All games as they stand, to which ``restore`` goes back."""
        return self.games.save()

    def restore(self, saved: Sequence[np.ndarray]) -> None:
        """Goes back to games that were saved, buffers included."""
        self.games.restore(saved)

    def copy(self) -> "VectorHanabi":
        """An independent copy, with all games as they stand."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._open(self.games.copy())
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> "VectorHanabi":
        return self.copy()

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the threads and the names of the buffers."""
        return {"settings": self.settings, "threads": self.threads, "checks": self.checks, "games": self.games}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._open(state["games"])

    def close(self) -> None:
        """Ends the threads."""
        if self._pool is not None:
            self._pool.shutdown()

    def __repr__(self) -> str:
        return f"<VectorHanabi games={self.num_envs} players={self.settings.players}>"
