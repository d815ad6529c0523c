"""A network whose linear layers multiply whole numbers, which processors do several times as fast.

Weights have 8 bits, each output's in a scale of its own. Activations have 8 bits and then 8 more of what is left, each
token's in a scale of its own: 8 alone would lose the small ones beside the few large ones that language models have
(Dettmers et al. 2022, LLM.int8(), section 4). So the error is that of the weights. Sums of whole numbers are exact: a
token's neighbours in a batch change nothing.
"""

from copy import deepcopy
from typing import Any

import torch
from torch import Tensor, nn

_LARGEST = 127
_STEPS = 2 * _LARGEST  # of the rest, which is at most a half


class QuantisedLinear(nn.Module):
    """A linear layer without bias, for prediction alone."""

    def __init__(self, layer: nn.Linear) -> None:
        super().__init__()
        weight = layer.weight.detach().float()
        scale = _scale(weight)
        self.scale: Tensor
        self.weight: Tensor
        self.register_buffer("scale", scale[:, 0] / _STEPS)
        self.register_buffer("weight", (weight / scale).round().to(torch.int8).t().contiguous())

    def forward(self, inputs: Tensor) -> Tensor:
        """Multiply; shape: (..., inputs) -> (..., outputs)."""
        rows = inputs.flatten(0, -2)
        scale = _scale(rows)
        values = rows / scale
        whole = values.round()
        rest = values.sub_(whole).mul_(_STEPS).round_().to(torch.int8)
        product = torch._int_mm(whole.to(torch.int8), self.weight).float().mul_(_STEPS)
        product.add_(torch._int_mm(rest, self.weight)).mul_(scale).mul_(self.scale)
        return product.unflatten(0, inputs.shape[:-1])


def _scale(rows: Tensor) -> Tensor:
    """Return what divides each row so that its largest number is 127: (N, K) -> (N, 1)."""
    return rows.abs().amax(1, keepdim=True).clamp(min=1e-9) / _LARGEST


def quantised(network: Any) -> Any:
    """Return a copy of a network in single precision, with quantised linear layers where it is on a CPU.

    Embeddings, which no adapter touches, are shared.
    """
    embeddings = network.get_input_embeddings().weight
    shared: dict[int, Any] = {id(embeddings): embeddings}
    for module in network.modules():
        if isinstance(module, nn.Linear) and module.bias is None and embeddings.device.type == "cpu":
            shared[id(module)] = QuantisedLinear(module)
    return deepcopy(network, shared)
