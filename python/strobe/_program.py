# SPDX-License-Identifier: Apache-2.0
"""The command `strobe` of the wheel: the program that lies in the package."""
from __future__ import annotations

import os
import sys

from ._environment import FOLDER, variables


def main() -> None:
    """Becomes the program, so that signals, exit codes and the terminal are its own."""
    program = FOLDER / "bin" / "strobe"
    try:
        os.execve(program, ["strobe", *sys.argv[1:]], {**variables(), **os.environ})
    except OSError as e:
        sys.exit(f"strobe: cannot run {program}: {e.strerror}. Install the package again.")
