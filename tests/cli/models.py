# SPDX-License-Identifier: Apache-2.0
"""ONNX files of a few nodes, each with one thing that real models have and a careless loader trips over."""

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper

# Strobe's name for each element type, ONNX's, and the dtype of a .npy file (bfloat16 has none: two opaque bytes).
ELEMENT_TYPES = {
    "f32": (TensorProto.FLOAT, "<f4"), "f16": (TensorProto.FLOAT16, "<f2"), "f64": (TensorProto.DOUBLE, "<f8"),
    "bf16": (TensorProto.BFLOAT16, "V2"), "i8": (TensorProto.INT8, "i1"), "i16": (TensorProto.INT16, "<i2"),
    "i32": (TensorProto.INT32, "<i4"), "i64": (TensorProto.INT64, "<i8"), "u8": (TensorProto.UINT8, "u1"),
    "u16": (TensorProto.UINT16, "<u2"), "u32": (TensorProto.UINT32, "<u4"), "u64": (TensorProto.UINT64, "<u8"),
    "bool": (TensorProto.BOOL, "?"),
}


def value(name, shape, element="f32"):
    kind = ELEMENT_TYPES[element][0] if element in ELEMENT_TYPES else element
    return helper.make_tensor_value_info(name, kind, shape)


def node(operator, inputs, outputs, **attributes):
    return helper.make_node(operator, inputs.split(), outputs.split(), **attributes)


def save(path, nodes, inputs, outputs, initializers=(), domains=(), **external):
    graph = helper.make_graph(nodes, "tiny", inputs, outputs, list(initializers))
    opsets = [helper.make_opsetid("", 17), *(helper.make_opsetid(d, 1) for d in domains)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=8)
    onnx.save(model, path, **external)
    return Path(path)


def constant(name, array):
    return onnx.numpy_helper.from_array(np.asarray(array), name)


def cast(path, element, shape=(8, 16)):
    """One input of a type, cast to float; for f32 that is the identity."""
    return save(path, [node("Cast", "x", "y", to=TensorProto.FLOAT)], [value("x", shape, element)], [value("y", shape)])


def all_types(path, shape=(4, 8)):
    """An input of every type, each handed on unchanged and as float: 13 inputs, 26 outputs."""
    nodes, inputs, outputs = [], [], []
    for element in ELEMENT_TYPES:
        nodes += [node("Identity", f"x_{element}", f"same_{element}"),
                  node("Cast", f"x_{element}", f"float_{element}", to=TensorProto.FLOAT)]
        inputs.append(value(f"x_{element}", shape, element))
        outputs += [value(f"same_{element}", shape, element), value(f"float_{element}", shape)]
    return save(path, nodes, inputs, outputs)


def relu(path, shape=("batch", 3, 8)):
    return save(path, [node("Relu", "x", "y")], [value("x", shape)], [value("y", shape)])


def two_inputs(path):
    """Two dynamic inputs of different types, three outputs."""
    nodes = [node("Gather", "table ids", "embedded"), node("ReduceSum", "embedded", "sum", keepdims=0),
             node("Not", "mask", "inverse")]
    inputs = [value("ids", ["batch", "sequence"], "i64"), value("mask", ["batch", "sequence"], "bool")]
    outputs = [value("embedded", ["batch", "sequence", 4]), value("sum", []),
               value("inverse", ["batch", "sequence"], "bool")]
    return save(path, nodes, inputs, outputs, [table()])


def table(rows=100):
    return constant("table", np.random.default_rng(1).standard_normal((rows, 4)).astype(np.float32))


def embedding(path, rows=100):
    """An id outside the table is an error when the model runs."""
    return save(path, [node("Gather", "table ids", "y")], [value("ids", [1, 16], "i64")], [value("y", [1, 16, 4])],
                [table(rows)])


def dynamic(path, name="ids"):
    """A dimension that --batch does not settle."""
    nodes = [node("Cast", "a", "b", to=TensorProto.FLOAT), node("Relu", "b", "y")]
    nodes[0].input[0] = name
    return save(path, nodes, [value(name, ["batch", "sequence"], "i64")], [value("y", ["batch", "sequence"])])


def scalar(path):
    return save(path, [node("Mul", "x x", "y")], [value("x", [])], [value("y", [])])


def nonzero(path):
    """How many columns the output has depends on the values of the input."""
    return save(path, [node("Relu", "x", "positive"), node("NonZero", "positive", "y")], [value("x", [4, 8])],
                [value("y", [2, "found"], "i64")])


def decision(path):
    """A yes or no that every sensible input answers with yes."""
    nodes = [node("ReduceMax", "x", "most", keepdims=0), node("Greater", "most zero", "y")]
    return save(path, nodes, [value("x", [1, 256])], [value("y", [], "bool")], [constant("zero", np.float32(0))])


def unused_weight(path):
    """The runtime warns about what no node uses."""
    return save(path, [node("Relu", "x", "y")], [value("x", [4])], [value("y", [4])],
                [constant("idle", np.ones(4, np.float32))])


def empty_output(path):
    """A slice that takes nothing, beside an output that is not empty."""
    return save(path, [node("Slice", "x none none", "y"), node("Relu", "x", "z")], [value("x", [4, 8])],
                [value("y", [0, 8]), value("z", [4, 8])], [constant("none", np.array([0], dtype=np.int64))])


def no_inputs(path):
    return save(path, [node("Relu", "c", "y")], [], [value("y", [4])], [constant("c", np.arange(4, dtype=np.float32))])


def outer(path):
    """n elements in, n² out."""
    nodes = [node("Unsqueeze", "x one", "column"), node("Unsqueeze", "x zero", "row"),
             node("MatMul", "column row", "y")]
    return save(path, nodes, [value("x", ["n"])], [value("y", ["n", "m"])],
                [constant("zero", np.array([0], dtype=np.int64)), constant("one", np.array([1], dtype=np.int64))])


def grows(path):
    """As many elements out as the value of the input says."""
    return save(path, [node("ConstantOfShape", "shape", "y")], [value("shape", [1], "i64")], [value("y", ["n"])])


def unknown_operator(path):
    return save(path, [node("Relu", "x", "h"), node("FlashFoo", "h", "y", domain="com.example")], [value("x", [2])],
                [value("y", [2])], domains=["com.example"])


def text_input(path):
    return save(path, [node("Identity", "x", "y")], [value("x", [2], TensorProto.STRING)],
                [value("y", [2], TensorProto.STRING)])


def sequence_input(path):
    kind = helper.make_sequence_type_proto(helper.make_tensor_type_proto(TensorProto.FLOAT, [2]))
    return save(path, [node("SequenceLength", "x", "y")], [helper.make_value_info("x", kind)], [value("y", [], "i64")])


def external(path, weights):
    """Weights in a file of their own, as exporters write models over 2 GB."""
    w = constant("w", np.ones((64, 64), dtype=np.float32))
    return save(path, [node("MatMul", "x w", "y")], [value("x", [1, 64])], [value("y", [1, 64])], [w],
                save_as_external_data=True, location=weights, size_threshold=0)


def linear(path, width):
    """One product with a matrix of `width` x `width` numbers of 4 bytes."""
    weights = constant("w", np.full((width, width), 0.01, np.float32))
    return save(path, [node("MatMul", "x w", "y")], [value("x", [1, width])], [value("y", [1, width])], [weights])
