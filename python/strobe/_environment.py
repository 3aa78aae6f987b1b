# SPDX-License-Identifier: Apache-2.0
"""What the library and the program find in the environment that this package is installed in."""
from __future__ import annotations

import importlib.util
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

FOLDER = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Runtime:
    """A package with a runtime's library, and the variable that names the library, or its folder, to the plugin."""

    package: str
    files: str
    variable: str
    names_folder: bool = False

    def library(self) -> "Optional[Path]":
        """Of the installed package, which is not imported."""
        try:
            spec = importlib.util.find_spec(self.package)
        except (ImportError, ValueError):  # a module without a spec, or one that is imported only half
            return None
        for folder in (spec.submodule_search_locations or ()) if spec else ():
            libraries = sorted(Path(folder).glob(self.files))
            if libraries:
                return libraries[-1]
        return None


RUNTIMES = (Runtime("onnxruntime", "capi/libonnxruntime.so.*", "STROBE_ONNXRUNTIME"),
            Runtime("torch", "lib/libtorch_cpu.so", "STROBE_TORCH", names_folder=True),
            Runtime("openvino", "libs/libopenvino_c.so.*", "STROBE_OPENVINO", names_folder=True))


def variables(beside: Path = FOLDER.parent) -> "dict[str, str]":
    """For the program and for plugins, where the user has not set them. Plugins look for packages beside ours; only
    those elsewhere, for example because ours is in the user's folder, have to be named."""
    found = {"STROBE_PYTHON": sys.executable}
    for runtime in RUNTIMES:
        library = runtime.library()
        if library and library.parents[2] != beside:
            found[runtime.variable] = str(library.parent if runtime.names_folder else library)
    return found


def prepare() -> None:
    """The same for models that run in this process or its workers."""
    for name, value in variables().items():
        os.environ.setdefault(name, value)
