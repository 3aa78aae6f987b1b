# SPDX-License-Identifier: Apache-2.0
"""What a tool that watches from outside sees of strobe: NVTX ranges, their names, domain, numbers and order."""
import os
import unittest

from .. import nvtx_log
from .program import ProgramTest, environment

TOOL = os.environ.get("STROBE_TEST_NVTX")


@unittest.skipUnless(TOOL, "STROBE_TEST_NVTX does not name the tool of tests/nvtx_tool.cc")
class Ranges(ProgramTest):
    def ranges(self, *arguments, **more):
        log = self.folder / "ranges"
        self.text(*arguments, env=environment(NVTX_INJECTION64_PATH=TOOL, STROBE_TEST_NVTX_LOG=log), **more)
        whole, domains, still_open = nvtx_log.read(log)
        self.assertEqual((domains, still_open), ({"strobe"}, []))
        return whole

    def test_load_warm_up_soak_passes_and_requests_nest(self):
        whole = self.ranges("run", "sim:launch-bound", "--requests", "12")
        names = [r.name for r in whole.within]
        self.assertEqual(names[:3], ["load", "warm-up", "soak"])
        self.assertEqual(set(names[3:]), {"latency", "span", "device_time", "period"})
        for r in whole.within[3:]:
            inside = "submit" if r.name == "period" else "request"
            self.assertEqual({x.name for x in r.within}, {inside}, r.name)
            self.assertTrue(all(not x.within for x in r.within))

    def test_requests_that_count_are_numbered_in_their_order(self):
        whole = self.ranges("run", "work:spin=1ms", "--requests", "12", "--warmup", "3")
        requests = [x for r in whole.within if r.name == "latency" for x in r.within]
        self.assertGreaterEqual(len(requests), 12)
        self.assertEqual([r.number for r in requests], list(range(requests[0].number, requests[0].number + len(requests))))

    def test_each_launch_has_its_own(self):
        whole = self.ranges("run", "sim:tiny", "--requests", "5", "--launches", "2")
        loads = [r.process for r in whole.within if r.name == "load"]
        self.assertEqual((len(loads), len(set(loads))), (2, 2))

    def test_nobody_is_told_where_nobody_watches(self):
        self.text("run", "sim:tiny", "--requests", "5", env=environment(STROBE_TEST_NVTX_LOG=self.folder / "ranges"))
        self.assertEqual(self.files(), [])
