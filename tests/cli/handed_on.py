# SPDX-License-Identifier: Apache-2.0
"""What a user says must reach the process that measures, and decide its exit code. All are quick."""
import json
import unittest

from .program import MEASURED, NOT_USABLE, ProgramTest

try:
    from . import models
    MISSING = None
except ModuleNotFoundError as error:
    MISSING = f"the Python package {error.name} is not installed"


class HandedOn(ProgramTest):
    def made(self, *arguments, code=MEASURED):
        return json.loads(self.text(*arguments, "--json", "-", code=code))

    def test_a_launch_measures_as_it_was_told(self):
        record = self.made("run", "sim:tiny", "--launches", "2", "--requests", "30", "--in-flight", "2", "--seed", "7")
        self.assertEqual(record["metrics"]["latency"]["n"], 60)
        self.assertEqual((record["settings"]["in_flight"], record["settings"]["seed"]), (2, 7))

    def test_launches_take_fast_and_slow_streams_in_turns_and_each_draws_anew(self):
        sim = "sim:kernels=20x5us,pause=1us,slow_streams=1.5@0.5,launch_noise=0.001"
        record = self.made("run", sim, "--launches", "5", "--requests", "20")
        times = [c["metrics"]["device_time"]["median"]["value"] for c in record["launches"]]
        self.assertGreater(min(times[1::2]), 1.05 * max(times[::2]))
        self.assertEqual(len(set(times)), 5)

    def test_a_search_goes_by_its_bound_and_its_effort(self):
        bounded = self.made("throughput", "sim:tiny", "--effort", "quick", "--max-latency", "1s", "--percentile", "90")
        self.assertEqual((bounded["settings"]["max_latency_ns"], bounded["settings"]["percentile"]), (1e9, 0.9))
        self.assertEqual((bounded["settings"]["shortest_ns"], bounded["settings"]["longest_ns"]), (1e9, 3e9))
        self.assertEqual(bounded["answer"]["bound"], "met")

    def test_a_search_records_what_it_was_asked_and_apart_from_it_what_it_found(self):
        record = self.made("throughput", "sim:tiny", "--effort", "quick", "--streams", "1,2", "--in-flight", "2",
                           "--memory", "1GiB", "--soak", "1s", "--no-largest", "--max-time", "1h")
        asked = {"effort": "quick", "streams": "1,2", "in_flight": "2", "memory_bytes": 2**30,
                 "soak_ns": 1e9, "largest": False, "max_time_ns": 3600e9}
        self.assertEqual({k: record["settings"].get(k) for k in asked}, asked)
        self.assertNotIn("memory_limit_bytes", record["settings"])
        self.assertEqual(record["answer"]["memory_limit_bytes"], 2**30)

    @unittest.skipIf(MISSING, MISSING)
    def test_a_trial_runs_the_batch_that_its_case_names(self):
        models.relu(self.folder / "m.onnx", ("batch", 8))  # next to no work: the rate is that of the calls
        record = self.made("throughput", "m.onnx", "--effort", "quick", "--batches", "1,64", "--threads", "1",
                           "--device", "cpu")
        one, many = (c["metrics"]["throughput"]["value"] for c in record["cases"])
        self.assertGreater(many, 8 * one)

    def test_candidates_have_as_many_requests_outstanding_as_all_were_told(self):
        def rate(in_flight):
            sim = "sim:launch=100us,kernels=1x100us"  # the host and the device each take half of a request
            record = self.made("compare", sim, sim, "--pairs", "2", "--in-flight", in_flight)
            return record["cases"][0]["metrics"]["throughput"]["value"]

        self.assertGreater(rate(8), 1.5 * rate(1))

    def test_candidates_are_compared_as_asked_for(self):
        pair = ("compare", "sim:kernels=10x100us", "sim:kernels=10x120us", "--pairs", "2")
        usual = self.made(*pair)
        self.assertEqual((usual["settings"]["pairs"], len(usual["cases"])), (2, 2))
        self.assertEqual(len(self.made(*pair, "--noise-floor")["cases"]), 3)

    def test_methods_are_read_as_often_as_asked_for(self):
        usual = self.made("methods", "sim:tiny", "--methods", "sync")
        asked = self.made("methods", "sim:tiny", "--methods", "sync", "--warmup", "9", "--requests", "20")
        self.assertEqual((asked["settings"]["warmup"], asked["settings"]["requests"]), (9, 20))
        self.assertEqual(asked["cases"][0]["metrics"]["reading"]["n"], 20)
        self.assertNotEqual(usual["settings"]["warmup"], 9)

    def test_a_verdict_that_is_required_decides_the_exit_code(self):
        drifting = ("run", "sim:drifting", "--min-time", "5s")
        self.assertEqual(self.made(*drifting)["verdict"], "caution")
        self.made(*drifting, "--require", "caution")
        self.made(*drifting, "--require", "trusted", code=NOT_USABLE)
        self.made("run", "sim:device-bound", "--effort", "standard", "--require", "trusted")

    def test_a_condition_decides_the_exit_code(self):
        pair = ("compare", "sim:kernels=10x100us", "sim:kernels=10x120us", "--pairs", "8")
        self.assertEqual(self.made(*pair, "--fail-on", "slower=2%", code=NOT_USABLE)["fail_on"][0]["outcome"], "failed")
        self.assertEqual(self.made(*pair, "--fail-on", "slower=50%")["fail_on"][0]["outcome"], "passed")
        record = self.made(*pair, "--fail-on", "slower=50%")
        self.assertEqual(len(record["cases"]), 3, "a condition brings the noise floor along")
