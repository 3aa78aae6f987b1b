# SPDX-License-Identifier: Apache-2.0
"""Entry point: `python -m zoo` with the repository root on the path, or this file by its path from anywhere."""

import sys
from pathlib import Path

if not __package__:
    # Run by path, Python puts this folder first on sys.path; the package is found from its parent.
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from zoo.cli import main

sys.exit(main())
