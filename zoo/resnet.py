# SPDX-License-Identifier: Apache-2.0
"""ResNet-18 and ResNet-50, with the stride of a bottleneck in its 3x3 convolution (the variant torchvision has)."""

from collections.abc import Callable
from dataclasses import dataclass

from zoo.graph import Graph
from zoo.layers import IMAGE_POWER, POOLED_POWER, POWER, activation, batch_norm, conv, global_pool, linear

EPSILON = 1e-5
STAGE_WIDTHS = (64, 128, 256, 512)

# What a block adds to its shortcut, relative to it: smaller than one, so that power does not double with each block.
RESIDUAL_SCALE = 0.5


def unit(g: Graph, x: str, conv_name: str, norm_name: str, channels: tuple[int, int], kernel: int, *, stride: int = 1,
         padding: int | None = None, power: float = POWER["Relu"], scale: float = 1.0) -> str:
    x = conv(g, x, conv_name, channels, kernel, stride=stride, padding=padding, power=power)
    return batch_norm(g, x, norm_name, channels[1], epsilon=EPSILON, scale=scale)


def basic(g: Graph, x: str, name: str, inputs: int, width: int, stride: int) -> str:
    x = unit(g, x, f"{name}.conv1", f"{name}.bn1", (inputs, width), 3, stride=stride)
    x = activation(g, x, "Relu")
    return unit(g, x, f"{name}.conv2", f"{name}.bn2", (width, width), 3, scale=RESIDUAL_SCALE)


def bottleneck(g: Graph, x: str, name: str, inputs: int, width: int, stride: int) -> str:
    x = unit(g, x, f"{name}.conv1", f"{name}.bn1", (inputs, width), 1)
    x = activation(g, x, "Relu")
    x = unit(g, x, f"{name}.conv2", f"{name}.bn2", (width, width), 3, stride=stride)
    x = activation(g, x, "Relu")
    return unit(g, x, f"{name}.conv3", f"{name}.bn3", (width, 4 * width), 1, scale=RESIDUAL_SCALE)


@dataclass(frozen=True)
class Design:
    block: Callable[[Graph, str, str, int, int, int], str]
    expansion: int
    depths: tuple[int, int, int, int]


RESNET18 = Design(basic, 1, (2, 2, 2, 2))
RESNET50 = Design(bottleneck, 4, (3, 4, 6, 3))


def residual(g: Graph, x: str, name: str, design: Design, inputs: int, width: int, stride: int) -> str:
    outputs = width * design.expansion
    shortcut = x
    if stride != 1 or inputs != outputs:
        shortcut = unit(g, x, f"{name}.downsample.0", f"{name}.downsample.1", (inputs, outputs), 1, stride=stride)
    added = g.node("Add", [design.block(g, x, name, inputs, width, stride), shortcut], f"{name}.add")
    return activation(g, added, "Relu")


def resnet(g: Graph, x: str, result: str, design: Design, classes: int) -> None:
    x = activation(g, unit(g, x, "conv1", "bn1", (3, 64), 7, stride=2, power=IMAGE_POWER), "Relu")
    x = g.node("MaxPool", [x], "maxpool", kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
    channels = 64
    for stage, (width, depth) in enumerate(zip(STAGE_WIDTHS, design.depths), start=1):
        for index in range(depth):
            stride = 2 if stage > 1 and index == 0 else 1
            x = residual(g, x, f"layer{stage}.{index}", design, channels, width, stride)
            channels = width * design.expansion
    linear(g, global_pool(g, x, "avgpool"), "fc", (channels, classes), result=result, power=POOLED_POWER)
