"""Networks in training: towers of normalised, rectified layers, each added to the layer below it of the same size."""

import math
from typing import Any

from torch import nn
from torch.nn import functional


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
