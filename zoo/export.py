# SPDX-License-Identifier: Apache-2.0
"""The networks as files that torch runs: TorchScript (.pt) and packages compiled by AOTInductor (.pt2).

Torch stores neither shapes nor types of inputs, so both get a description that the plugin reads: strobe.json. The
weights are random and seeded, or the pretrained ones that torchvision's cache has; networks come from torchvision, so
torch and torchvision must be there.
"""

import json
import os
import tempfile
import warnings
from functools import partial
from pathlib import Path

import torch

from zoo import pretrained
from zoo.catalogue import Entry

DESCRIPTION = "strobe.json"  # the plugin's name for it, in a .pt as a file and in a .pt2 as a key of the metadata


class Named(torch.nn.Module):
    """Calls the network's one input what the zoo calls it, whatever the network itself does."""

    def __init__(self, network: torch.nn.Module):
        super().__init__()
        self.network = network

    def forward(self, input: torch.Tensor) -> torch.Tensor:
        return self.network(input)


def wide_mobilenet(width: float, classes: int) -> torch.nn.Module:
    from torchvision.models import mobilenetv3
    setting, last_channel = mobilenetv3._mobilenet_v3_conf("mobilenet_v3_large", width_mult=width)
    return mobilenetv3.MobileNetV3(setting, last_channel, num_classes=classes)


def from_torchvision(name: str, classes: int) -> torch.nn.Module:
    import torchvision
    return torchvision.models.get_model(name, weights=None, num_classes=classes)


# Networks that torchvision has under another name, or with arguments.
SPECIAL = {"mobilenet_v3_large_w2": partial(wide_mobilenet, 2.0)}
FIXED_SIZE = {"vit_b_16"}  # position embeddings fix the number of patches


def usual_shape(entry: Entry) -> list[int]:
    return [int(d) for d in entry.shape.split("x")]


def find_weights(entry: Entry, word: str) -> Path:
    """The file of pretrained weights in torchvision's cache. Raises pretrained.NoWeights."""
    import torchvision
    if entry.name in SPECIAL:
        raise pretrained.NoWeights(f"torchvision has no weights of {entry.name}. Leave --weights out.")
    weights = pretrained.choose(torchvision.models.get_model_weights(entry.name), word, entry.name)
    if entry.name in FIXED_SIZE:
        pretrained.refuse_other_size(weights, entry.name, usual_shape(entry)[-1])
    return pretrained.cached_file(weights, entry.name, Path(torch.hub.get_dir()))


def network(entry: Entry, seed: int, weights: Path | None) -> torch.nn.Module:
    torch.manual_seed(seed)
    plain = SPECIAL.get(entry.name, partial(from_torchvision, entry.name))(entry.classes)
    counted = sum(p.numel() for p in plain.parameters())
    if counted != entry.parameters:
        raise AssertionError(f"{entry.name} has {counted} parameters, models.json says {entry.parameters}")
    if weights:
        plain.load_state_dict(torch.load(weights, map_location="cpu", weights_only=True))
        return Named(plain).eval()
    model = Named(plain)
    for weight in model.parameters():
        # Vision transformers begin with a head of zeros: every image would have the same answer.
        if weight.dim() > 1 and not weight.any():
            torch.nn.init.normal_(weight, std=0.02)
    settle(model, [8, *usual_shape(entry)[1:]])
    return model.eval()


def settle(model: torch.nn.Module, shape: list[int]) -> None:
    """Takes the statistics of batch norms from random images: without them activations grow until fp16 overflows."""
    norms = [m for m in model.modules() if isinstance(m, torch.nn.BatchNorm2d)]
    if not norms:
        return
    for norm in norms:
        norm.momentum = None  # the plain mean of what it sees
    model.train()
    with torch.no_grad():
        model(torch.randn(shape))


def describe(name: str, dims: list[int], usual: list[int], parameters: int, batches: tuple[int, int] | None = None) -> str:
    about = {"inputs": [{"name": name, "type": "f32", "dims": dims, "usual": usual}], "parameters": parameters}
    return json.dumps(about | ({"least_batch": batches[0], "most_batch": batches[1]} if batches else {}))


def save_script(model: torch.nn.Module, example: torch.Tensor, description: str, path: Path) -> None:
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")  # TorchScript says that it is deprecated, and traces that sizes are constants
        torch.jit.save(torch.jit.trace(model, example), path, _extra_files={DESCRIPTION: description})


def save_package(model: torch.nn.Module, example: torch.Tensor, description: str, most_batch: int, path: Path) -> None:
    dynamic = ({0: torch.export.Dim("batch", min=1, max=most_batch)},) if most_batch > 1 else None
    with torch.no_grad():
        program = torch.export.export(model, (example,), dynamic_shapes=dynamic)
        torch._inductor.aoti_compile_and_package(program, package_path=str(path),
                                                 inductor_configs={"aot_inductor.metadata": {DESCRIPTION: description}})


def export(entry: Entry, kind: str, device: str, most_batch: int, seed: int, weights: Path | None, path: Path) -> None:
    """The file appears whole or not at all."""
    usual = usual_shape(entry)
    model = network(entry, seed, weights)
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as folder:
        unfinished = Path(folder, f"model.{kind}")
        if kind == "pt":  # runs on any device, with any batch
            dims = [-1, *usual[1:]] if entry.name in FIXED_SIZE else [-1, usual[1], -1, -1]
            about = describe("input", dims, usual, entry.parameters)
            save_script(model, torch.randn(usual), about, unfinished)
        else:  # compiled for one device. Torch treats a batch of 1 as a constant: either that, or 2 and more
            example = torch.randn([min(most_batch, 2), *usual[1:]]).to(device)
            dims = [-1 if most_batch > 1 else 1, *usual[1:]]
            about = describe("input", dims, usual, entry.parameters, (2, most_batch) if most_batch > 1 else None)
            save_package(model.to(device), example, about, most_batch, unfinished)
        os.replace(unfinished, path)
