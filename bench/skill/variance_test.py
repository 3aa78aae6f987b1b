# SPDX-License-Identifier: Apache-2.0
import math
import random
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import variance  # noqa: E402


class Components(unittest.TestCase):
    def test_what_rounds_loads_and_launches_add_is_told_apart(self):
        chance = random.Random(1)
        round_sd, load_sd, launch_sd = 0.006, 0.004, 0.01

        def launch():
            of_launch = chance.gauss(0, launch_sd)
            of_loads = [of_launch + chance.gauss(0, load_sd) for _ in range(3)]
            return [[1e6 * math.exp(of_load + chance.gauss(0, round_sd)) for _ in range(8)] for of_load in of_loads]

        a_round, all_rounds, loads_add, launches_add = variance.components([launch() for _ in range(400)])
        self.assertAlmostEqual(a_round, round_sd, delta=0.05 * round_sd)
        self.assertAlmostEqual(all_rounds, round_sd / math.sqrt(8), delta=0.05 * round_sd)
        self.assertAlmostEqual(loads_add, load_sd, delta=0.1 * load_sd)
        self.assertAlmostEqual(launches_add, launch_sd, delta=0.1 * launch_sd)

    def test_a_level_that_adds_nothing_reads_as_nothing(self):
        launches = [[[1000.0, 1010.0], [1000.0, 1010.0]], [[1000.0, 1010.0], [1000.0, 1010.0]]]
        _, _, loads_add, launches_add = variance.components(launches)
        self.assertEqual((loads_add, launches_add), (0.0, 0.0))


if __name__ == "__main__":
    unittest.main()
