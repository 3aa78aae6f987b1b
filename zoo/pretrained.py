# SPDX-License-Identifier: Apache-2.0
"""Pretrained weights, as torchvision keeps them in its cache. Nothing is ever downloaded: what is not there is said.

Without torch itself, so that all of it can be tested where torch is missing.
"""

import hashlib
import re
from enum import EnumMeta
from pathlib import Path
from urllib.parse import urlparse


class NoWeights(Exception):
    """One sentence, and what to do."""


def choose(known: EnumMeta, word: str, name: str):
    """One of torchvision's sets of weights; DEFAULT is another name of the best of them."""
    if word not in known.__members__:
        raise NoWeights(f"torchvision has no weights '{word}' of {name}. It has {', '.join(known.__members__)}.")
    return known[word]


def refuse_other_size(weights, name: str, side: int) -> None:
    """For networks that take images of one size alone."""
    height, width = weights.meta["min_size"]
    if (height, width) != (side, side):
        raise NoWeights(f"the weights {weights.name} are of images of {height}x{width}, and the zoo's {name} takes "
                        f"{side}x{side}. Take others.")


def cached_file(weights, name: str, cache: Path) -> Path:
    """Where torchvision keeps them; the digits in the file's name are the beginning of its SHA-256."""
    path = cache / "checkpoints" / Path(urlparse(weights.url).path).name
    if not path.is_file():
        fetch = f"import torchvision; torchvision.models.get_model('{name}', weights='{weights.name}')"
        raise NoWeights(f"torchvision's cache has no {path.name} in '{path.parent}', and nothing is downloaded here. "
                        f"Fetch it: python -c \"{fetch}\"")
    expected = re.search(r"-([0-9a-f]{8,})\.", path.name)
    if expected:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        if not digest.startswith(expected[1]):
            raise NoWeights(f"'{path}' is damaged: its checksum begins with {digest[:8]}, not {expected[1]}. "
                            f"Delete it and fetch it again.")
    return path
