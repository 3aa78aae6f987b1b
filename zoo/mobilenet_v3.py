# SPDX-License-Identifier: Apache-2.0
"""MobileNetV3, large and small, at any width multiplier."""

from dataclasses import dataclass

from zoo.graph import Graph
from zoo.layers import IMAGE_POWER, POOLED_POWER, POWER, activation, batch_norm, conv, global_pool, linear

EPSILON = 1e-3
RE, HS = "Relu", "HardSwish"

# What squeeze-excite leaves of the power: its gates are hard sigmoids of values near zero, so about one half each.
GATE_POWER = 0.25

# See the residual scale of a ResNet; a little more here, since few of these blocks have a shortcut.
RESIDUAL_SCALE = 0.5


@dataclass(frozen=True)
class Block:
    kernel: int
    expanded: int
    outputs: int
    gated: bool  # has squeeze-excite
    activation: str
    stride: int


@dataclass(frozen=True)
class Design:
    blocks: tuple[Block, ...]
    hidden: int  # features of the classifier's hidden layer
    width: float = 1.0


LARGE_BLOCKS = (
    Block(3, 16, 16, False, RE, 1),
    Block(3, 64, 24, False, RE, 2),
    Block(3, 72, 24, False, RE, 1),
    Block(5, 72, 40, True, RE, 2),
    Block(5, 120, 40, True, RE, 1),
    Block(5, 120, 40, True, RE, 1),
    Block(3, 240, 80, False, HS, 2),
    Block(3, 200, 80, False, HS, 1),
    Block(3, 184, 80, False, HS, 1),
    Block(3, 184, 80, False, HS, 1),
    Block(3, 480, 112, True, HS, 1),
    Block(3, 672, 112, True, HS, 1),
    Block(5, 672, 160, True, HS, 2),
    Block(5, 960, 160, True, HS, 1),
    Block(5, 960, 160, True, HS, 1),
)

SMALL_BLOCKS = (
    Block(3, 16, 16, True, RE, 2),
    Block(3, 72, 24, False, RE, 2),
    Block(3, 88, 24, False, RE, 1),
    Block(5, 96, 40, True, HS, 2),
    Block(5, 240, 40, True, HS, 1),
    Block(5, 240, 40, True, HS, 1),
    Block(5, 120, 48, True, HS, 1),
    Block(5, 144, 48, True, HS, 1),
    Block(5, 288, 96, True, HS, 2),
    Block(5, 576, 96, True, HS, 1),
    Block(5, 576, 96, True, HS, 1),
)

LARGE = Design(LARGE_BLOCKS, 1280)
LARGE_W2 = Design(LARGE_BLOCKS, 1280, width=2.0)
SMALL = Design(SMALL_BLOCKS, 1024)


def make_divisible(value: float, divisor: int = 8) -> int:
    """The nearest multiple of `divisor`, but never more than 10 % below `value`."""
    nearest = max(divisor, int(value + divisor / 2) // divisor * divisor)
    return nearest if nearest >= 0.9 * value else nearest + divisor


def unit(g: Graph, x: str, name: str, channels: tuple[int, int], kernel: int, kind: str, *, stride: int = 1,
         groups: int = 1, power: float = 1.0, scale: float = 1.0) -> str:
    x = conv(g, x, f"{name}.0", channels, kernel, stride=stride, groups=groups, power=power)
    x = batch_norm(g, x, f"{name}.1", channels[1], epsilon=EPSILON, scale=scale)
    return activation(g, x, kind)


def squeeze_excite(g: Graph, x: str, name: str, channels: int) -> str:
    squeezed = make_divisible(channels // 4)
    gate = g.node("GlobalAveragePool", [x], f"{name}.avgpool")
    gate = activation(g, conv(g, gate, f"{name}.fc1", (channels, squeezed), 1, bias=True), "Relu")
    gate = conv(g, gate, f"{name}.fc2", (squeezed, channels), 1, bias=True, power=POWER["Relu"])
    gate = g.node("HardSigmoid", [gate], f"{name}.gate", alpha=1 / 6, beta=0.5)
    return g.node("Mul", [gate, x], f"{name}.mul")


def inverted_residual(g: Graph, x: str, name: str, inputs: int, block: Block, width: float) -> str:
    expanded, outputs = make_divisible(block.expanded * width), make_divisible(block.outputs * width)
    shortcut = x if block.stride == 1 and inputs == outputs else None
    power = POWER[block.activation]
    part = 0
    if expanded != inputs:
        x = unit(g, x, f"{name}.block.{part}", (inputs, expanded), 1, block.activation)
        part += 1
    x = unit(g, x, f"{name}.block.{part}", (expanded, expanded), block.kernel, block.activation, stride=block.stride,
             groups=expanded, power=power)
    part += 1
    if block.gated:
        x = squeeze_excite(g, x, f"{name}.block.{part}", expanded)
        part += 1
        power *= GATE_POWER
    x = unit(g, x, f"{name}.block.{part}", (expanded, outputs), 1, "", power=power,
             scale=RESIDUAL_SCALE if shortcut else 1.0)
    return g.node("Add", [x, shortcut], f"{name}.add") if shortcut else x


def mobilenet_v3(g: Graph, x: str, result: str, design: Design, classes: int) -> None:
    channels = make_divisible(16 * design.width)
    x = unit(g, x, "features.0", (3, channels), 3, HS, stride=2, power=IMAGE_POWER)
    for index, block in enumerate(design.blocks, start=1):
        x = inverted_residual(g, x, f"features.{index}", channels, block, design.width)
        channels = make_divisible(block.outputs * design.width)
    x = unit(g, x, f"features.{len(design.blocks) + 1}", (channels, 6 * channels), 1, HS)
    hidden = make_divisible(design.hidden * design.width)
    x = linear(g, global_pool(g, x, "avgpool"), "classifier.0", (6 * channels, hidden), power=POOLED_POWER)
    linear(g, activation(g, x, HS), "classifier.3", (hidden, classes), result=result, power=POWER[HS])
