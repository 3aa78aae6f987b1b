# SPDX-License-Identifier: Apache-2.0
"""Vision transformer, base size, on patches of 16x16 pixels of an image of 224x224.

Layers inside the encoder keep [batch, token, feature] and so are MatMul and Add; MatMul multiplies from the right, so
their weights are stored as [inputs, outputs], the transpose of what torchvision has, as its ONNX export stores them.
"""

import math

import numpy as np

from zoo.graph import Graph
from zoo.layers import IMAGE_POWER, OFFSET_STD, POWER, conv, linear

IMAGE, PATCH = 224, 16
PATCHES = (IMAGE // PATCH) ** 2
TOKENS = PATCHES + 1
FEATURES, HEADS, HIDDEN, DEPTH = 768, 12, 3072, 12
EPSILON = 1e-6

# Sharpens attention: with queries and keys of power one every token would see nearly the same mean of all tokens, and
# the class token, the only one read at the end, would hardly depend on the image.
ATTENTION_POWER = 0.25


def layer_norm(g: Graph, x: str, name: str) -> str:
    operands = [x,
                g.uniform(f"{name}.weight", (FEATURES,), 0.9, 1.1),
                g.normal(f"{name}.bias", (FEATURES,), OFFSET_STD)]
    return g.node("LayerNormalization", operands, name, axis=-1, epsilon=EPSILON)


def dense(g: Graph, x: str, name: str, features: tuple[int, int], *, power: float = 1.0, separator: str = ".") -> str:
    weight = g.normal(f"{name}{separator}weight", features, 1 / math.sqrt(features[0] * power))
    bias = g.normal(f"{name}{separator}bias", features[1:], OFFSET_STD)
    return g.node("Add", [g.node("MatMul", [x, weight], f"{name}.matmul"), bias], f"{name}.add")


def gelu(g: Graph, x: str, name: str) -> str:
    """The exact one, by the error function: opset 17 has no operator for it, runtimes recognise these five."""
    def scalar(value: float, part: str) -> str:
        return g.constant(value, np.float32, f"{name}.{part}")

    erf = g.node("Erf", [g.node("Div", [x, scalar(math.sqrt(2), "root")], f"{name}.div")], f"{name}.erf")
    product = g.node("Mul", [x, g.node("Add", [erf, scalar(1, "one")], f"{name}.add")], f"{name}.mul")
    return g.node("Mul", [product, scalar(0.5, "half")], name)


def split_heads(g: Graph, x: str, name: str, order: list[int]) -> str:
    shape = g.constant([0, TOKENS, HEADS, FEATURES // HEADS], np.int64, f"{name}.shape")
    return g.node("Transpose", [g.node("Reshape", [x, shape], f"{name}.heads")], f"{name}.transpose", perm=order)


def attention(g: Graph, x: str, name: str) -> str:
    x = dense(g, x, f"{name}.in_proj", (FEATURES, 3 * FEATURES), power=ATTENTION_POWER, separator="_")
    query, key, value = g.nodes("Split", [x], f"{name}.split", [f"{name}.{part}" for part in ("q", "k", "v")], axis=2)
    query = split_heads(g, query, query, [0, 2, 1, 3])
    key = split_heads(g, key, key, [0, 2, 3, 1])
    value = split_heads(g, value, value, [0, 2, 1, 3])
    root = g.constant(math.sqrt(FEATURES // HEADS), np.float32, f"{name}.root")
    scores = g.node("Div", [g.node("MatMul", [query, key], f"{name}.qk"), root], f"{name}.scores")
    mixed = g.node("MatMul", [g.node("Softmax", [scores], f"{name}.softmax", axis=-1), value], f"{name}.mixed")
    mixed = g.node("Transpose", [mixed], f"{name}.merge", perm=[0, 2, 1, 3])
    shape = g.constant([0, TOKENS, FEATURES], np.int64, f"{name}.merged.shape")
    return dense(g, g.node("Reshape", [mixed, shape], f"{name}.merged"), f"{name}.out_proj", (FEATURES, FEATURES))


def encoder_layer(g: Graph, x: str, name: str) -> str:
    attended = attention(g, layer_norm(g, x, f"{name}.ln_1"), f"{name}.self_attention")
    x = g.node("Add", [attended, x], f"{name}.add_1")
    hidden = dense(g, layer_norm(g, x, f"{name}.ln_2"), f"{name}.mlp.0", (FEATURES, HIDDEN))
    hidden = gelu(g, hidden, f"{name}.mlp.1")
    return g.node("Add", [x, dense(g, hidden, f"{name}.mlp.3", (HIDDEN, FEATURES), power=POWER["Gelu"])],
                  f"{name}.add_2")


def embed(g: Graph, image: str) -> str:
    """Patches as tokens, the class token before them, plus where each one stands."""
    patches = conv(g, image, "conv_proj", (3, FEATURES), PATCH, stride=PATCH, padding=0, bias=True, power=IMAGE_POWER)
    shape = g.constant([0, FEATURES, PATCHES], np.int64, "patches.shape")
    patches = g.node("Transpose", [g.node("Reshape", [patches, shape], "patches")], "patches.tokens", perm=[0, 2, 1])
    batch = g.node("Shape", [image], "batch_size", start=0, end=1)
    rest = g.constant([1, FEATURES], np.int64, "class_token.rest")
    shape = g.node("Concat", [batch, rest], "class_token.shape", axis=0)
    token = g.node("Expand", [g.normal("class_token", (1, 1, FEATURES), 1.0), shape], "class_token.expand")
    tokens = g.node("Concat", [token, patches], "tokens", axis=1)
    return g.node("Add", [tokens, g.normal("encoder.pos_embedding", (1, TOKENS, FEATURES), 0.2)], "embedding")


def vit_b_16(g: Graph, x: str, result: str, classes: int) -> None:
    x = embed(g, x)
    for index in range(DEPTH):
        x = encoder_layer(g, x, f"encoder.layers.encoder_layer_{index}")
    x = layer_norm(g, x, "encoder.ln")
    x = g.node("Gather", [x, g.constant(0, np.int64, "class_token.index")], "class_token.features", axis=1)
    linear(g, x, "heads.head", (FEATURES, classes), result=result)
