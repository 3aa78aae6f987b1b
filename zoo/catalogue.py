# SPDX-License-Identifier: Apache-2.0
"""The table of networks: what models.json says, as plain data.

models.json is the one source for names, counts and shapes; `strobe zoo` reads the same file. Standard library only, so
that listing works where the packages needed for building are missing.
"""

import json
from dataclasses import dataclass, replace
from pathlib import Path

TABLE = Path(__file__).with_name("models.json")
CLASSES = 1000  # of ImageNet


@dataclass(frozen=True)
class Entry:
    name: str
    parameters: int
    features: int  # that the last layer reads
    input: str
    shape: str
    about: str
    classes: int = CLASSES

    def with_classes(self, classes: int) -> "Entry":
        """The same network with another last layer: a row of weights and a bias for each class."""
        more = (classes - self.classes) * (self.features + 1)
        return replace(self, classes=classes, parameters=self.parameters + more)

    @property
    def file_name(self) -> str:
        return f"{self.name}.onnx" if self.classes == CLASSES else f"{self.name}_c{self.classes}.onnx"

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
