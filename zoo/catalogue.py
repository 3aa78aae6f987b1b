# SPDX-License-Identifier: Apache-2.0
"""The table of networks: what models.json says, as plain data.

models.json is the one source for names, counts and shapes; `strobe zoo` reads the same file. Standard library only, so
that listing works where the packages needed for building are missing.
"""

import json
from dataclasses import dataclass
from pathlib import Path

TABLE = Path(__file__).with_name("models.json")


@dataclass(frozen=True)
class Entry:
    name: str
    parameters: int
    input: str
    shape: str
    about: str

    @property
    def estimated_bytes(self) -> int:
        """Float32 parameters alone. The graph and the running statistics add less than 2 % to it."""
        return 4 * self.parameters


@dataclass(frozen=True)
class Catalogue:
    # Raise it in models.json whenever a built file would change: files of another version count as out of date.
    version: int
    entries: dict[str, Entry]


def read_catalogue(path: Path = TABLE) -> Catalogue:
    table = json.loads(path.read_text(encoding="utf-8"))
    return Catalogue(table["version"], {row["name"]: Entry(**row) for row in table["models"]})
