# SPDX-License-Identifier: Apache-2.0
"""The networks that come along with Strobe, written as ONNX files without PyTorch.

The weights are random: these files are for measuring how fast a network runs, not for what it recognises.
"""
