# SPDX-License-Identifier: Apache-2.0
"""What the library and the program find in the environment that this package is installed in."""
from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from typing import Optional

FOLDER = Path(__file__).resolve().parent


def onnxruntime_library() -> "Optional[Path]":
    """ONNX Runtime's shared library of the installed package. The package itself is not imported."""
    spec = importlib.util.find_spec("onnxruntime")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        libraries = sorted(Path(folder, "capi").glob("libonnxruntime.so.*"))
        if libraries:
            return libraries[-1]
    return None


def variables() -> "dict[str, str]":
    """For the program and for plugins, where the user has not set them. The plugin itself looks for a package beside
    ours; only where there is none, for example because ours is in the user's folder, has it to be told."""
    found = {"STROBE_PYTHON": sys.executable}
    library = onnxruntime_library()
    if library and library.parents[2] != FOLDER.parent:
        found["STROBE_ONNXRUNTIME"] = str(library)
    return found


def prepare() -> None:
    """The same for models that run in this process or its workers."""
    for name, value in variables().items():
        os.environ.setdefault(name, value)
