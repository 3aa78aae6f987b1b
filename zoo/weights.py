# SPDX-License-Identifier: Apache-2.0
"""Random weights that are the same each time.

Every tensor has its own generator, seeded by the seed and the tensor's name: changing one layer leaves all other
weights as they are.
"""

import zlib

import numpy as np


class Weights:
    def __init__(self, network: str, seed: int):
        self._network = network
        self._seed = seed

    def _generator(self, name: str) -> np.random.Generator:
        key = zlib.crc32(f"{self._network}/{name}".encode())  # not hash(): that one differs in every process
        return np.random.Generator(np.random.PCG64(np.random.SeedSequence(self._seed, spawn_key=(key,))))

    def normal(self, name: str, shape: tuple[int, ...], std: float) -> np.ndarray:
        values = self._generator(name).standard_normal(shape, dtype=np.float32)
        values *= np.float32(std)
        return values

    def uniform(self, name: str, shape: tuple[int, ...], low: float, high: float) -> np.ndarray:
        values = self._generator(name).random(shape, dtype=np.float32)
        values *= np.float32(high - low)
        values += np.float32(low)
        return values
