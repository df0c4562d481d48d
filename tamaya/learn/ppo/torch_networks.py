"""Networks in training: towers of normalised, rectified layers, each added to the layer below it of the same size."""

import functools
import math
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from tamaya.engine.settings import Settings
from tamaya.game.hle.layout import sections
from tamaya.networks.inputs.policy_inputs import SCALES, WHOLE, insight_of


class Tower(nn.Module):
    """Layers of one width, and a head."""

    def __init__(self, inputs: int, hidden: tuple[int, ...], outputs: int, gain: float) -> None:
        super().__init__()
        below = (inputs, *hidden)
        self.layers = nn.ModuleList(nn.Linear(one, other) for one, other in zip(below, hidden, strict=False))
        self.norms = nn.ModuleList(nn.LayerNorm(size) for size in hidden)
        self.head = nn.Linear(hidden[-1], outputs)
        for layer, strength in [*((layer, math.sqrt(2)) for layer in self.layers), (self.head, gain)]:
            nn.init.orthogonal_(layer.weight, strength)
            nn.init.zeros_(layer.bias)

    def rounded(self, dtype: Any) -> list[list[Any]]:
        """The numbers of all layers but the head, in a type that is fast to compute with."""
        pairs = zip(self.layers, self.norms, strict=True)
        return [[one.to(dtype) for one in (*layer.parameters(), *norm.parameters())] for layer, norm in pairs]

    def forward(self, inputs: Any, rounded: list[list[Any]] | None = None) -> Any:
        """The outputs, for inputs whose type is that of the computation."""
        values = inputs
        for number, (weights, biases, scales, shifts) in enumerate(rounded or self.rounded(inputs.dtype)):
            sums = functional.linear(values, weights, biases)
            active = functional.relu(functional.layer_norm(sums, (len(biases),), scales, shifts))
            values = active + values if number and active.shape == values.shape else active
        return functional.linear(values.float(), self.head.weight, self.head.bias)


ALIGNED = 16
"""The inputs of a network fill this many columns, or a multiple of them: a GPU multiplies such matrices faster."""


class Unpacker:
    """Unpacks rows of some settings: all inputs, then the player's own hand, and columns of zeros behind both."""

    def __init__(self, settings: Settings, device: str) -> None:
        plan = insight_of(settings)[0]
        self.settings = settings
        self.empty = [-int(one) % ALIGNED for one in (plan.length, plan.width - plan.length)]
        self.length = int(plan.length) + self.empty[0]
        """The columns that a policy sees; a value sees all."""
        self.width = int(plan.width) + sum(self.empty)
        seen, own = np.arange(plan.length), np.arange(self.length, self.width - self.empty[1])
        self.columns = {self.length: seen, self.width: np.concatenate([seen, own])}
        """Those that are not empty, of a network with so many."""
        self.packed, self.bits = int(plan.packed), int(plan.bits)
        self.ages = slice(self.packed, int(plan.packed_width) - settings.hand_size - 1)
        self.places = {part.name: slice(part.start, part.start + part.length) for part in sections(settings)}
        self.colours, self.ranks, self.hand = settings.suits, settings.ranks, settings.hand_size
        self.cards = self.colours * self.ranks
        tensor = functools.partial(torch.tensor, device=device)
        copies = [settings.copies(5 * colour + rank) for colour in range(self.colours) for rank in range(self.ranks)]
        self.copies = tensor(copies, dtype=torch.float32)
        self.owners = tensor(np.repeat(np.eye(self.cards), copies, axis=0), dtype=torch.float32)
        self.scales = tensor(SCALES)
        self.shifts = tensor(range(7, -1, -1), dtype=torch.uint8)
        self.turns = torch.arange(settings.players, device=device)
        self.numbers = torch.arange(self.cards, device=device)

    def __call__(self, rows: Any, dtype: Any) -> Any:
        """The inputs, [row, column], as shares of 1."""
        count = len(rows)
        bits = ((rows[:, : self.packed, None] >> self.shifts) & 1).flatten(1)[:, : self.bits].float()
        part = {name: bits[:, place] for name, place in self.places.items()}
        hands = part["hands"].view(count, -1, self.hand, self.cards)
        played = part["fireworks"].view(count, self.colours, self.ranks).flip(2).cumsum(2).flip(2)
        left = self.copies - part["discards"] @ self.owners - played.flatten(1)
        kinds = self.kinds_of(left.view_as(played), played)
        knowledge = part["knowledge"].view(count, self.settings.players, self.hand, -1)
        possible, told = knowledge[..., : self.cards], knowledge[..., self.cards :]
        unseen = left - hands.sum((1, 2))
        counts = torch.cat([unseen[:, None], left[:, None].expand(-1, self.settings.players - 1, -1)], 1)[:, :, None]
        held = possible * counts
        scale = self.scales[held.sum(3).long()][..., None]
        chances = of_each_kind(held, kinds)
        own = rows[:, self.ages.stop + 1 :, None] == self.numbers
        turns = rows[:, self.ages.stop, None] > self.turns
        parts = (
            WHOLE * bits[:, : self.places["knowledge"].start],
            torch.cat([to_byte(held * scale), WHOLE * told], 3).flatten(1),
            WHOLE * bits[:, self.places["knowledge"].stop :],
            to_byte(chances * scale).flatten(1),
            WHOLE * of_each_kind(hands, kinds).flatten(1),
            rows[:, self.ages],
            self.board(part, played, kinds),
            WHOLE * turns,
            bits.new_zeros(count, self.empty[0]),
            WHOLE * own.flatten(1),
            WHOLE * of_each_kind(own[:, None].float(), kinds).flatten(1),
            bits.new_zeros(count, self.empty[1]),
        )
        return torch.cat([(one * (1 / WHOLE)).to(dtype) for one in parts], 1)

    def kinds_of(self, left: Any, played: Any) -> Any:
        """Whether each card is playable, useless, critical, [row, card, kind]."""
        lost = (left == 0) & (played == 0)
        useless = (played > 0) | (lost.cumsum(2) > 0)
        height = played.sum(2, keepdim=True)
        playable = ~useless & (height == torch.arange(self.ranks, device=left.device))
        critical = ~useless & (left == 1)
        return torch.stack([playable, useless, critical], 3).flatten(1, 2).float()

    def board(self, part: dict[str, Any], played: Any, kinds: Any) -> Any:
        """The score, the highest score within reach, and the pace."""
        score, useful = played.sum((1, 2)), (1 - kinds[:, :, 1]).sum(1)
        pace = score + part["deck"].sum(1) + self.settings.players - self.cards
        shares = [torch.div(WHOLE * one, self.cards, rounding_mode="floor") for one in (score, score + useful)]
        return torch.stack([*shares, (128 + 8 * pace).clamp(0, WHOLE)], 1)


def of_each_kind(copies: Any, kinds: Any) -> Any:
    """The copies of each kind, [row, player, slot, kind]; a GPU is slow at products of many small matrices."""
    return (copies[..., None] * kinds[:, None, None]).sum(3)


def to_byte(shares: Any) -> Any:
    """Shares of 255 as whole numbers."""
    return (shares + 0.5).floor()
