# SPDX-License-Identifier: Apache-2.0
"""How many learnable parameters a model has, counted the way torchvision counts them."""

import math

from onnx import GraphProto


def count_parameters(graph: GraphProto) -> int:
    """All initialisers but the running mean and variance of batch normalisation, which are state and not learnt."""
    state = {name for node in graph.node if node.op_type == "BatchNormalization" for name in node.input[3:5]}
    return sum(math.prod(tensor.dims) for tensor in graph.initializer if tensor.name not in state)
