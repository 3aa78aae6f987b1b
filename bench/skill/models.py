#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Networks of torchvision as ONNX and TorchScript files, with random weights: models.py FOLDER. Strobe was tuned on none of them."""

import sys
from pathlib import Path

import torch
import torchvision

NETWORKS = {"squeezenet1_1": 1, "efficientnet_b0": 1, "densenet121": 1, "convnext_tiny": 16, "resnet18": 32, "vit_b_16": 8}
SCRIPTS = {"shufflenet_v2_x1_0": 1}

folder = Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
for name, batch in NETWORKS.items():
    torch.manual_seed(0)
    model = getattr(torchvision.models, name)(weights=None).eval()
    torch.onnx.export(model, torch.randn(batch, 3, 224, 224), folder / f"{name}.onnx", input_names=["input"], dynamo=False)
for name, batch in SCRIPTS.items():
    torch.manual_seed(0)
    model = getattr(torchvision.models, name)(weights=None).eval()
    torch.jit.save(torch.jit.trace(model, torch.randn(batch, 3, 224, 224)), folder / f"{name}.pt")
