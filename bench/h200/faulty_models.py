# SPDX-License-Identifier: Apache-2.0
"""TorchScript models with one fault each, for docs/results/h200.md: what Strobe must notice by itself.

    python3 faulty_models.py FOLDER
"""
import json
import sys
from pathlib import Path

import torch
from torch import Tensor, nn


class HiddenSync(nn.Module):
    """The host waits for the device in the middle."""

    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(2048, 2048), nn.Linear(2048, 2048)

    def forward(self, x: Tensor) -> Tensor:
        y = torch.relu(self.a(x))
        if float(y.sum().item()) < -1e30:
            y = y * 2
        return self.b(y)


class Allocates(nn.Module):
    """A larger tensor in each call, so that the allocator must ask the driver."""

    n: int

    def __init__(self):
        super().__init__()
        self.n = 0

    def forward(self, x: Tensor) -> Tensor:
        self.n = self.n + 1
        return x * 2 + torch.zeros([self.n * (1 << 17)], device=x.device)[0]


class Constant(nn.Module):
    """Computes nothing."""

    def __init__(self):
        super().__init__()
        self.register_buffer("value", torch.randn(256, 2048))

    def forward(self, x: Tensor) -> Tensor:
        return self.value.clone()


class SecondStream(nn.Module):
    """Most of the work on a stream that nothing waits for."""

    def __init__(self):
        super().__init__()
        self.register_buffer("kept", torch.zeros([]))

    def forward(self, x: Tensor) -> Tensor:
        side = torch.cuda.Stream(device=x.device)
        y = x @ x.t()
        with torch.cuda.stream(side):
            z = x.t() @ x
            for _ in range(20):
                z = z @ z * 1e-4
            self.kept.copy_(z[0, 0])
        return y + 1


def turning(n: int) -> Tensor:
    """A matrix whose powers neither grow nor vanish."""
    return torch.linalg.qr(torch.randn(n, n))[0]


class Leaks(nn.Module):
    """Most of the work on a stream that does not wait for the request's own, which waits for it in the end: no gate on the
    request's stream holds it. It fills the GPU, so that requests do not overlap there, and is long beside the submission.
    """

    def __init__(self):
        super().__init__()
        self.register_buffer("large", turning(2048))
        self.register_buffer("small", turning(64))

    def forward(self, x: Tensor) -> Tensor:
        side = torch.cuda.Stream(device=x.device)
        with torch.cuda.stream(side):
            z = self.large
            for _ in range(4):
                z = torch.mm(z, self.large)
        y = x[:, :64]
        for _ in range(60):
            y = torch.mm(y, self.small)
        torch.cuda.current_stream(x.device).wait_stream(side)
        return y + z[0, 0]


class FillsQueue(nn.Module):
    """Thousands of small kernels, more than a queue has room for; products, because sums would be fused into one."""

    def __init__(self):
        super().__init__()
        self.register_buffer("small", turning(64))

    def forward(self, x: Tensor) -> Tensor:
        y = x[:, :64]
        for _ in range(6000):
            y = torch.mm(y, self.small)
        return y


folder = Path(sys.argv[1])
for name, make in {"hidden_sync": HiddenSync, "allocates": Allocates, "constant": Constant,
                   "second_stream": SecondStream, "leaks": Leaks, "fills_queue": FillsQueue}.items():
    path = folder / f"{name}.pt"
    if path.exists():
        continue
    torch.manual_seed(1)
    about = {"inputs": [{"name": "x", "type": "f32", "dims": [256, 2048], "usual": [256, 2048]}]}
    torch.jit.save(torch.jit.script(make().eval()), path, _extra_files={"strobe.json": json.dumps(about)})
