# SPDX-License-Identifier: Apache-2.0
"""Joules of requests: of the simulated device, whose truth is known, and of a machine that may count none."""
import re
import sys

from . import golden
from .program import CANNOT, MEASURED, PROGRAM, REPOSITORY, ProgramTest, finding_ids, median

sys.path.insert(0, str(REPOSITORY / "bench"))
import energy as bench_energy  # noqa: E402

POWERED = "sim:kernels=1x1ms,launch=4us,idle_power=80W,active_power=600W,energy_step=100ms,energy_read=2.4ms,noise=0.002"


class Energy(ProgramTest):
    def test_of_a_device_whose_power_is_known(self):
        r = self.record(POWERED, "--energy", "--effort", "quick")
        self.assertAlmostEqual(median(r, "energy"), 0.68, delta=0.005)
        self.assertAlmostEqual(median(r, "energy_net"), 0.6, delta=0.005)
        self.assertAlmostEqual(median(r, "items_per_joule"), 1 / 0.68, delta=0.015)
        self.assertAlmostEqual(median(r, "idle_power"), 80, delta=0.5)
        self.assertEqual(len(r["energy"]["windows"]), 5)
        self.assertTrue(all(w["length_ns"] >= 5e9 for w in r["energy"]["windows"]))
        self.assertNotIn("energy-windows", finding_ids(r))

    def test_the_interval_is_across_launches(self):
        text = self.text("run", POWERED + ",launch_noise=1%", "--energy", "--effort", "quick", default=True)
        golden.check(self, "energy", re.sub(r"in [\d.]+ m?s;", "in N;", text))
        self.assertRegex(text, r"energy +68\d mJ +\[\d+, \d+\] +repeats")

    def test_the_regression_and_the_sum_hold(self):
        self.assertTrue(bench_energy.check_simulated(PROGRAM, self.folder))

    def test_is_unknown_where_a_device_has_no_counter(self):
        text = self.text("run", "sim:launch-bound", "--energy", "--effort", "glance")
        self.assertRegex(text, r"\nenergy +unknown: this simulated device takes no energy")
        self.assertNotIn("energy net", text)

    def test_on_the_cpu_it_is_read_or_the_reason_is_said(self):
        text = self.text("run", "work:sleep=1ms", "--energy", "--max-time", "2s")
        self.assertRegex(text, r"\nenergy +unknown: (the kernel counts no energy|only root may read|there was no time)")

    def test_max_time_bounds_it(self):
        some = self.record(POWERED, "--energy", "--effort", "quick", "--max-time", "20s")
        self.assertLess(len(some["energy"]["windows"]), 5)
        self.assertIn("energy-windows", finding_ids(some))
        none = self.record(POWERED, "--energy", "--effort", "quick", "--max-time", "3s")
        self.assertIn("there was no time for a window of 5", none["metrics"]["energy"]["unknown"])

    def test_is_in_every_format(self):
        self.text("run", POWERED, "--energy", "--effort", "quick", "--json", "r.json")
        self.assertRegex(self.text("report", "r.json", "--format", "csv"), r"\n[^\n]*,energy,J,")
        self.assertIn("strobe_energy_joules", self.text("report", "r.json", "--format", "prom"))
        self.assertRegex(self.text("report", "r.json", "--format", "md"), r"\| items_per_joule \|")
        self.assertIn("energy net", self.text("report", "r.json", "--format", "html"))

    def test_stored_records_are_compared_by_it(self):
        for seed in (1, 2):
            self.text("run", POWERED + ",launch_noise=0.1%", "--energy", "--effort", "quick", "--launches", "5", "--seed", seed,
                      "--json", f"{seed}.json")
        text = self.text("compare", "1.json", "2.json")
        self.assertRegex(text, r"\n  energy +1\.000 +\[0\.99\d, 1\.00\d\] +equivalent")

    def test_candidates_are_compared_by_it_where_it_is_asked_for(self):
        noisy = POWERED + ",launch_noise=0.1%"
        more = noisy.replace("1x1ms", "1x1.1ms")
        text = self.text("compare", noisy, more, "--metric", "energy", "--effort", "quick", "--fail-on", "energy=20%")
        self.assertRegex(text, r"\n  energy +1\.(10|09)\d +\[[^]]*\] +larger \(10 % more\)")
        self.complains(CANNOT, ["compare", "sim:launch-bound", "sim:device-bound", "--metric", "energy", "--effort", "quick"],
                       "cannot compare the energy of requests")

    def test_a_search_leads_with_items_a_joule(self):
        text = self.text("throughput", POWERED, "--metric", "energy", "--max-latency", "10ms", "--effort", "quick")
        self.assertRegex(text, r"\AUnder load p99 stays within 10\.0 ms at 1\.47\d* /J \[[^]]*\], at ")
        self.complains(CANNOT, ["throughput", "sim:launch-bound", "--metric", "energy"], "cannot search by energy")


class LockedClocks(ProgramTest):
    def test_are_refused_where_there_is_none_to_lock(self):
        self.refused(CANNOT, ["sim:launch-bound", "--lock-clocks", "1500"], "a simulated device has none")
        self.refused(CANNOT, ["work:null", "--device", "cpu", "--lock-clocks", "1500"], "an NVIDIA GPU")
