# SPDX-License-Identifier: Apache-2.0
"""A model that computes next to nothing on a large image: one convolution with a stride of 8, and the mean.

    python3 small_model.py OUT.onnx
"""
import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

weights = numpy.random.default_rng(1).normal(0, 0.1, (8, 3, 8, 8)).astype(numpy.float32)
graph = helper.make_graph(
    [helper.make_node("Conv", ["input", "weights"], ["features"], kernel_shape=[8, 8], strides=[8, 8]),
     helper.make_node("Relu", ["features"], ["active"]),
     helper.make_node("GlobalAveragePool", ["active"], ["output"])],
    "small", [helper.make_tensor_value_info("input", TensorProto.FLOAT, ["batch", 3, "height", "width"])],
    [helper.make_tensor_value_info("output", TensorProto.FLOAT, ["batch", 8, 1, 1])],
    [numpy_helper.from_array(weights, "weights")])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
onnx.checker.check_model(model)
onnx.save(model, sys.argv[1])
