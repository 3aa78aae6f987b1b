# SPDX-License-Identifier: Apache-2.0
"""An ONNX graph while it grows: nodes in order, and one initialiser per weight.

Every initialiser is a weight or a running statistic; constants (shapes, scalars) are Constant nodes. Counting
parameters relies on that.
"""

import numpy as np
from onnx import GraphProto, TensorProto, helper, numpy_helper

from zoo.weights import Weights


class Graph:
    """Fills the graph of a model in place: assembling it elsewhere would hold hundreds of megabytes twice."""

    def __init__(self, proto: GraphProto, weights: Weights):
        self.weights = weights
        self._proto = proto

    def declare_input(self, name: str, dimensions: list[int | str]) -> None:
        """A dimension in words is dynamic."""
        self._proto.input.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, dimensions))

    def declare_output(self, name: str, dimensions: list[int | str]) -> None:
        self._proto.output.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, dimensions))

    def node(self, op: str, inputs: list[str], name: str, **attributes) -> str:
        """Appends a node with one output, which has the node's name."""
        return self.nodes(op, inputs, name, [name], **attributes)[0]

    def nodes(self, op: str, inputs: list[str], name: str, outputs: list[str], **attributes) -> list[str]:
        self._proto.node.append(helper.make_node(op, inputs, outputs, name, **attributes))
        return outputs

    def constant(self, values, dtype, name: str) -> str:
        return self.node("Constant", [], name, value=numpy_helper.from_array(np.array(values, dtype), name))

    def weight(self, name: str, values: np.ndarray) -> str:
        self._proto.initializer.append(numpy_helper.from_array(values, name))
        return name

    def normal(self, name: str, shape: tuple[int, ...], std: float) -> str:
        return self.weight(name, self.weights.normal(name, shape, std))

    def uniform(self, name: str, shape: tuple[int, ...], low: float, high: float) -> str:
        return self.weight(name, self.weights.uniform(name, shape, low, high))
