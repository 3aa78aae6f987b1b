# SPDX-License-Identifier: Apache-2.0
"""What the harness adds to a call of Python. It counts nanoseconds: nothing else may run beside it."""
import unittest

import strobe
from strobe import _strobe

BUDGET_NS = 1000


def nothing():
    pass


class Budget(unittest.TestCase):
    def test_a_request_costs_less_than_a_microsecond_beyond_the_call(self):
        bare, request = _strobe.cost_of_calling(nothing)
        self.assertLess(request - bare, BUDGET_NS)

    def test_so_it_does_in_the_loop_that_measures(self):
        bare, _ = _strobe.cost_of_calling(nothing)
        latency = strobe.measure(nothing, requests=500, progress=False).metrics["latency"]
        self.assertLess(latency.value - bare, BUDGET_NS)
        self.assertGreater(latency.value, 0)

    def test_a_stage_costs_little(self):
        def staged():
            with strobe.stage("nothing"):
                pass
        latency = strobe.measure(staged, requests=500, progress=False).metrics["latency"]
        self.assertLess(latency.value, 3 * BUDGET_NS)


if __name__ == "__main__":
    unittest.main()
