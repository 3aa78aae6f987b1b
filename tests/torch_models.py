# SPDX-License-Identifier: Apache-2.0
"""Small modules for the tests of the torch plugin, each with one thing that real ones have and a careless loader trips
over. It runs in an interpreter with torch, which the tests themselves need not be.

    scripts/torch-python tests/torch_models.py make FOLDER
    scripts/torch-python tests/torch_models.py time FILE.pt SHAPE THREADS     median of a plain loop, in nanoseconds
"""

import sys
import time
import warnings
from pathlib import Path
from typing import Dict, List, Optional, Tuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import torch  # noqa: E402
from torch import Tensor, nn  # noqa: E402
from zoo import export  # noqa: E402

warnings.simplefilter("ignore")  # TorchScript says that it is deprecated


class Nested(nn.Module):
    def forward(self, x: Tensor) -> Tuple[Tensor, Dict[str, List[Tensor]], Optional[Tensor], int]:
        return x * 2, {"boxes": [x + 1, x - 1], "masks": [x > 0]}, None, 7


class Constant(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("value", torch.randn(4, 64))

    def forward(self, x: Tensor) -> Tensor:
        return self.value.clone()


class Noise(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x + torch.rand_like(x)


class Defaults(nn.Module):
    def forward(self, x: Tensor, scale: float = 2.0, mask: Optional[Tensor] = None) -> Tensor:
        return x * scale if mask is None else x * scale + mask


class NeedsNumber(nn.Module):
    def forward(self, x: Tensor, n: int) -> Tensor:
        return x * n


class Raises(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        if x.size(1) != 5:
            raise ValueError("five columns are needed")
        return x


class Huge(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return torch.zeros([1 << 46]) + x.sum()


class Indexed(nn.Module):
    """Weights that must not be converted with the others."""

    def __init__(self):
        super().__init__()
        self.register_buffer("order", torch.arange(15, -1, -1))
        self.linear = nn.Linear(16, 32)

    def forward(self, x: Tensor) -> Tensor:
        return self.linear(x[:, self.order])


class TwoInputs(nn.Module):
    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        return torch.where(mask, ids.float().cumsum(1), torch.zeros(1))


def convolutions(channels: int = 16) -> nn.Module:
    layers = [nn.Conv2d(3, channels, 3, padding=1), nn.BatchNorm2d(channels), nn.ReLU()]
    for _ in range(3):
        layers += [nn.Conv2d(channels, channels, 3, padding=1), nn.BatchNorm2d(channels), nn.ReLU()]
    return nn.Sequential(*layers)


class Packaged(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(16, 32)

    def forward(self, x: Tensor):
        y = torch.relu(self.linear(x))
        return {"features": y, "more": (y.sum(1), [x * 2])}


def make(folder: Path) -> None:
    torch.manual_seed(1)
    scripts = {
        "linear": nn.Sequential(nn.Linear(16, 32), nn.ReLU()), "convolutions": convolutions(), "nested": Nested(),
        "constant": Constant(), "noise": Noise(), "defaults": Defaults(), "needs_number": NeedsNumber(),
        "raises": Raises(), "huge": Huge(), "indexed": Indexed(), "two_inputs": TwoInputs(),
        "embedding": nn.Embedding(100, 8),
    }
    for name, module in scripts.items():
        torch.jit.save(torch.jit.script(module.eval()), folder / f"{name}.pt")
    renamed = torch.jit.ScriptModule()
    renamed.define("def forward(this, x):\n    return x + 1\n")
    torch.jit.save(renamed, folder / "renamed_self.pt")
    linear = export.Named(nn.Linear(16, 32)).eval()
    about = export.describe("input", [-1, 16], [1, 16], 544)
    export.save_script(linear, torch.randn(1, 16), about, folder / "described.pt")
    for name, about in (("description", "[1]"), ("usual", export.describe("input", [-1, 16], [0, 16], 544))):
        torch.jit.save(torch.jit.script(linear), folder / f"bad_{name}.pt", _extra_files={export.DESCRIPTION: about})
    torch.save(linear.state_dict(), folder / "weights.pt")
    torch.save(linear.state_dict(), folder / "old_weights.pt", _use_new_zipfile_serialization=False)
    packaged = Packaged().eval()
    example = torch.randn(2, 16)
    torch.export.save(torch.export.export(packaged, (example,)), folder / "program.pt2")
    about = export.describe("input", [-1, 16], [1, 16], 544, batches=(2, 32))
    export.save_package(linear, example, about, 32, folder / "described.pt2")
    # As others make them: without a description, and compiled for one shape.
    torch._inductor.aoti_compile_and_package(torch.export.export(packaged, (example,)),
                                             package_path=str(folder / "plain.pt2"))


def time_of(file: str, shape: str, threads: str) -> float:
    torch.set_num_threads(int(threads))
    module = torch.jit.optimize_for_inference(torch.jit.load(file).eval())
    x = torch.randn([int(d) for d in shape.split("x")])
    times = []
    with torch.inference_mode():
        for _ in range(400):
            begin = time.perf_counter_ns()
            module(x)
            times.append(time.perf_counter_ns() - begin)
    return sorted(times[100:])[150]


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(Path(sys.argv[2]))
    else:
        print(time_of(*sys.argv[2:]))
