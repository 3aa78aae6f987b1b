# SPDX-License-Identifier: Apache-2.0
"""The layers the networks share.

Scales are chosen so that a signal of power one (mean square) stays near one through every layer, without training.
Each weighted layer therefore takes the power of what it is fed: an activation removes some, the layer's weights put it
back. Parameters have the names torchvision gives them.
"""

import math

import numpy as np

from zoo.graph import Graph

# Mean square of f(x) for standard normal x. HardSwish has 0.33 there, 0.25 for weak signals and 0.5 for strong ones: it
# makes a strong signal stronger in every layer, and 0.4 keeps that bounded.
POWER = {"": 1.0, "Relu": 0.5, "HardSwish": 0.4, "Gelu": 0.43}

# Of an image: between uniform noise in [0, 1), which varies by 1/12, and standard normal noise.
IMAGE_POWER = 0.3

# What tells channels apart after averaging each over all positions, roughly: measured on the ResNets.
POOLED_POWER = 0.02

# Biases and running means: not zero, yet small beside the signal, since they are the same for every input.
OFFSET_STD = 0.02


def conv(g: Graph, x: str, name: str, channels: tuple[int, int], kernel: int, *, stride: int = 1, groups: int = 1,
         padding: int | None = None, bias: bool = False, power: float = 1.0) -> str:
    inputs, outputs = channels
    shape = (outputs, inputs // groups, kernel, kernel)
    values = g.weights.normal(f"{name}.weight", shape, 1 / math.sqrt(math.prod(shape[1:]) * power))
    if groups == 1:
        centre(values)
    operands = [x, g.weight(f"{name}.weight", values)]
    if bias:
        operands.append(g.normal(f"{name}.bias", (outputs,), OFFSET_STD))
    pad = kernel // 2 if padding is None else padding
    return g.node("Conv", operands, name, kernel_shape=[kernel] * 2, strides=[stride] * 2, pads=[pad] * 4, group=groups)


def centre(values: np.ndarray) -> None:
    """Gives every output's weights mean zero.

    Activations are positive on average. Uncentred random layers add that average up until it drowns what distinguishes
    one input from another, and deep networks answer every input alike.
    """
    values -= values.mean(axis=tuple(range(1, values.ndim)), keepdims=True)


def batch_norm(g: Graph, x: str, name: str, channels: int, *, epsilon: float, scale: float = 1.0) -> str:
    """Statistics near those of a signal of power one, so that this layer does little but is not an identity."""
    operands = [x,
                g.uniform(f"{name}.weight", (channels,), 0.9 * scale, 1.1 * scale),
                g.normal(f"{name}.bias", (channels,), OFFSET_STD),
                g.normal(f"{name}.running_mean", (channels,), OFFSET_STD),
                g.uniform(f"{name}.running_var", (channels,), 0.8, 1.2)]
    return g.node("BatchNormalization", operands, name, epsilon=epsilon)


def linear(g: Graph, x: str, name: str, features: tuple[int, int], *, result: str | None = None,
           power: float = 1.0) -> str:
    """A fully connected layer on a matrix of one row per batch element."""
    inputs, outputs = features
    values = g.weights.normal(f"{name}.weight", (outputs, inputs), 1 / math.sqrt(inputs * power))
    centre(values)
    operands = [x, g.weight(f"{name}.weight", values), g.normal(f"{name}.bias", (outputs,), OFFSET_STD)]
    return g.node("Gemm", operands, result or name, transB=1)


def activation(g: Graph, x: str, kind: str) -> str:
    """`kind` is the ONNX operator, or empty for none."""
    return g.node(kind, [x], f"{x}.{kind.lower()}") if kind else x


def global_pool(g: Graph, x: str, name: str) -> str:
    """One number per channel, whatever height and width are."""
    return g.node("Flatten", [g.node("GlobalAveragePool", [x], name)], f"{name}.flatten", axis=1)
