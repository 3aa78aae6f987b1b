# SPDX-License-Identifier: Apache-2.0
"""From a network's name to its ONNX model, and from there to a file."""

import os
from functools import partial
from pathlib import Path

import onnx
from google.protobuf.message import DecodeError
from onnx import ModelProto, helper

from zoo.catalogue import CLASSES, Catalogue, Entry
from zoo.graph import Graph
from zoo.mobilenet_v3 import LARGE, LARGE_W2, SMALL, mobilenet_v3
from zoo.parameters import count_parameters
from zoo.resnet import RESNET18, RESNET50, resnet
from zoo.vit import IMAGE, vit_b_16
from zoo.weights import Weights

# Old enough for any runtime still in use; 17 is the first opset with LayerNormalization, 8 the IR version it came with.
OPSET, IR_VERSION = 17, 8

OUTPUT = "logits"
ANY_SIZE = ["batch", 3, "height", "width"]
FIXED_SIZE = ["batch", 3, IMAGE, IMAGE]  # position embeddings fix the number of patches

# One row for each row of models.json: the dimensions of the input and what builds the nodes from it.
NETWORKS = {
    "resnet18": (ANY_SIZE, partial(resnet, design=RESNET18)),
    "resnet50": (ANY_SIZE, partial(resnet, design=RESNET50)),
    "mobilenet_v3_large": (ANY_SIZE, partial(mobilenet_v3, design=LARGE)),
    "mobilenet_v3_small": (ANY_SIZE, partial(mobilenet_v3, design=SMALL)),
    "mobilenet_v3_large_w2": (ANY_SIZE, partial(mobilenet_v3, design=LARGE_W2)),
    "vit_b_16": (FIXED_SIZE, vit_b_16),
}


def metadata(entry: Entry, version: int, seed: int) -> dict[str, str]:
    """What a file says about itself. A file that says exactly this is up to date."""
    said = {
        "strobe.zoo": entry.name,
        "strobe.zoo_version": str(version),
        "strobe.zoo_seed": str(seed),
        "strobe.parameters": str(entry.parameters),
        f"strobe.default_shape.{entry.input}": entry.shape,
    }
    return said if entry.classes == CLASSES else said | {"strobe.zoo_classes": str(entry.classes)}


def build(catalogue: Catalogue, name: str, seed: int = 0, classes: int = CLASSES) -> ModelProto:
    entry = catalogue.entries[name].with_classes(classes)
    dimensions, network = NETWORKS[name]
    model = ModelProto(ir_version=IR_VERSION, producer_name="strobe-zoo", producer_version=str(catalogue.version),
                       opset_import=[helper.make_opsetid("", OPSET)])
    model.graph.name = name
    graph = Graph(model.graph, Weights(name, seed))
    graph.declare_input(entry.input, dimensions)
    graph.declare_output(OUTPUT, ["batch", classes])
    network(graph, entry.input, OUTPUT, classes=classes)
    counted = count_parameters(model.graph)
    if counted != entry.parameters:
        raise AssertionError(f"{name} has {counted} parameters, models.json says {entry.parameters}")
    helper.set_model_props(model, metadata(entry, catalogue.version, seed))
    return model


def serialise(model: ModelProto) -> bytes:
    return model.SerializeToString(deterministic=True)


def write(model: ModelProto, path: Path) -> None:
    """The file appears whole or not at all: a reader never meets half a model, whatever interrupts the writing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        unfinished.write_bytes(serialise(model))
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)


def is_current(path: Path, expected: dict[str, str]) -> bool:
    """Whether the file exists and says of itself what a new one would. A file that cannot be read is simply not."""
    try:
        model = onnx.load(path)
    except (OSError, DecodeError):
        return False
    return {row.key: row.value for row in model.metadata_props} == expected
