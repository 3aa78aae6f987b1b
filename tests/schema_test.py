# SPDX-License-Identifier: Apache-2.0
"""Records of the program against docs/record.schema.json, and broken records that the schema must refuse.

    STROBE_PROGRAM=build/dev/bin/strobe python -m unittest tests/schema_test.py
"""
import copy
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

try:
    import jsonschema
except ModuleNotFoundError:
    jsonschema = None

PROGRAM = os.environ.get("STROBE_PROGRAM")
SCHEMA = Path(__file__).resolve().parent.parent / "docs" / "record.schema.json"
CONVERGED = ["run", "sim:launch-bound", "--graph", "--copies", "--effort", "quick"]


def record(*arguments):
    """The record of one run. Exit 1 is a measured record too: its verdict is `invalid`."""
    done = subprocess.run([PROGRAM, *arguments, "--json", "-"], capture_output=True, text=True, timeout=120)
    if done.returncode not in (0, 1):
        raise AssertionError(f"{' '.join(arguments)}: exit {done.returncode}: {done.stderr.strip()}")
    return json.loads(done.stdout)


@unittest.skipUnless(jsonschema, "the Python package jsonschema is not installed")
@unittest.skipUnless(PROGRAM, "STROBE_PROGRAM does not name the program")
class SchemaTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator.check_schema(schema)
        cls.validator = jsonschema.Draft202012Validator(schema)

    def accept(self, document):
        errors = [f"{e.json_path}: {e.message}" for e in self.validator.iter_errors(document)]
        self.assertEqual(errors, [])

    def refuse(self, document, path):
        """The schema complains, and about the field that was broken."""
        paths = [e.json_path for e in self.validator.iter_errors(document)]
        self.assertTrue(any(p.startswith(path) for p in paths), f"no error at {path}, only at {paths}")


class RealRecords(SchemaTest):
    def test_every_metric_of_an_asynchronous_device(self):
        r = record(*CONVERGED)
        self.accept(r)
        self.assertEqual(list(r["metrics"]), ["latency", "submit", "span", "device_time", "replay_time",
                                              "replay_latency", "replay_throughput", "period",
                                              "throughput", "latency_loaded", "copy_in", "copy_in_pageable", "copy_out",
                                              "copy_out_pageable", "end_to_end", "union_time"])

    def test_energy_and_where_it_comes_from(self):
        r = record("run", "sim:powered", "--energy", "--effort", "quick", "--launches", "1")
        self.accept(r)
        self.assertEqual([m for m in r["metrics"] if "energy" in m or "power" in m or "joule" in m],
                         ["energy", "energy_net", "items_per_joule", "power", "idle_power"])
        self.assertEqual(len(r["energy"]["windows"]), 5)
        broken = copy.deepcopy(r)
        broken["energy"]["windows"][0]["joules"] = "many"
        self.refuse(broken, "$.energy.windows[0].joules")

    def test_too_few_requests_leave_bounds_open_and_percentiles_refused(self):
        r = record("run", "sim:launch-bound", "--launches", "1", "--requests", "5")
        self.accept(r)
        latency = r["metrics"]["latency"]
        self.assertEqual((latency["n"], latency["median"]["low"], latency["median"]["high"]), (5, None, None))
        self.assertTrue(all("needs" in p for p in latency["percentiles"]))
        self.assertEqual(r["status"], "fixed")

    def test_one_request_is_invalid_but_a_record(self):
        r = record("run", "sim:launch-bound", "--requests", "1")
        self.accept(r)
        self.assertEqual(r["verdict"], "invalid")

    def test_a_metric_that_cannot_be_measured_says_why(self):
        r = record("run", "sim:kernels=40x30us,launch=4us,sync=6us,hidden_sync=1", "--graph", "--effort", "quick")
        self.accept(r)
        self.assertEqual(list(r["metrics"]["device_time"]), ["unknown"])
        self.assertFalse(r["observations"]["gate"]["used"])

    def test_a_pipeline_with_stages_comparisons_and_a_time_line(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "pipe.yaml"
            file.write_text("device: sim:launch=4us,mark=1us,sync=6us\nstages:\n  - sim: {kernels: 100x20us}\n"
                            "  - cpu: {spin: 1ms}\n")
            r = record("pipeline", str(file), "--launches", "2", "--in-flight", "2")
        self.accept(r)
        self.assertEqual([c["name"] for c in r["cases"]], ["undisturbed", "naive", "sync", "event", "event-wait",
                                                           "one at a time", "2 in flight"])
        self.assertEqual(list(r["cases"][3]["stages"][0]["metrics"]), ["submit", "device_time", "waiting", "reading"])
        self.assertEqual(len(r["comparisons"]), 5)
        self.assertEqual([s["lane"] for s in r["timeline"]], ["host", "host", "main"])
        self.assertEqual((r["rounds"], [len(c["metrics"]) for c in r["launches"]]), (32, [6, 6]))
        overlap = r["pipeline"]["overlap"]
        self.assertEqual({"in_flight", "bound", "bottleneck", "lanes", "timeline", "timeline_ns"}, set(overlap))
        broken = copy.deepcopy(r)
        broken["pipeline"]["overlap"]["bound"] = "host"
        self.refuse(broken, "$.pipeline.overlap.bound")

    def test_a_profile(self):
        r = record("profile", "sim:kernels=20x3us+5x20us,launch=4us,sync=6us", "--launches", "2", "--requests", "10")
        self.accept(r)
        self.assertEqual({"requests", "profiler", "slowdown", "layers", "unattributed", "outside", "kernels", "activity", "trace"},
                         set(r["profile"]))
        broken = copy.deepcopy(r)
        broken["profile"]["layers"][0]["share"] = "much"
        self.refuse(broken, "$.profile.layers[0].share")
        self.accept(record("profile", "work:spin=1ms", "--launches", "1", "--requests", "10"))

    def test_memory(self):
        r = record("memory", "sim:memory", "--launches", "2", "--requests", "10", "--limit", "1GiB")
        self.accept(r)
        self.assertEqual({"requests", "places", "parts", "allocator", "recorded", "events", "peak_causes", "recorder", "fit"},
                         set(r["memory"]))
        broken = copy.deepcopy(r)
        broken["memory"]["fit"]["outcome"] = "perhaps"
        self.refuse(broken, "$.memory.fit.outcome")
        self.accept(record("memory", "work:spin=1ms", "--launches", "1", "--requests", "10"))

    def test_requests_after_pauses_and_the_lanes_of_one(self):
        r = record("run", "sim:sleepy", "--launches", "2", "--effort", "quick", "--idle", "1ms,poisson:10ms")
        self.accept(r)
        self.assertEqual([(i["pause_ns"], i.get("random", False)) for i in r["idle"]], [(1e6, False), (1e7, True)])
        self.assertEqual(list(r["idle"][0]["metrics"]), ["latency", "submit"])
        self.assertEqual([(s["lane"], s["name"]) for s in r["timeline"]],
                         [("host", "submit"), ("host", "wait"), ("device", "work")])
        broken = copy.deepcopy(r)
        broken["idle"][0]["pause_ns"] = 0
        self.refuse(broken, "$.idle[0].pause_ns")
        self.accept(record("methods", "sim:sleepy", "--launches", "2", "--idle", "1ms"))

    def test_candidates_that_were_compared(self):
        r = record("compare", "sim:tiny", "sim:tiny", "--noise-floor", "--pairs", "4")
        self.accept(r)
        self.assertEqual([c["name"] for c in r["cases"]], ["sim:tiny", "sim:tiny (2)", "sim:tiny again"])
        self.assertIsNone(r["comparisons"][0]["ratio"]["low"])  # four pairs bound nothing
        self.assertEqual([c["model"]["name"] for c in r["cases"]], ["sim:tiny"] * 3)

    def test_conditions_of_a_comparison(self):
        r = record("compare", "sim:tiny", "sim:tiny", "--fail-on", "slower=2%", "--fail-on", "p90=50%", "--pairs", "8")
        self.accept(r)
        self.assertEqual([f["condition"] for f in r["fail_on"]], ["slower=2%", "p90=50%"])
        broken = copy.deepcopy(r)
        broken["fail_on"][0]["outcome"] = "maybe"
        self.refuse(broken, "$.fail_on[0].outcome")

    def test_launches(self):
        r = record("run", "work:null", "--launches", "2", "--requests", "20")
        self.accept(r)
        self.assertEqual([c["name"] for c in r["launches"]], ["launch 1", "launch 2"])

    def test_a_search_for_throughput(self):
        r = record("throughput", "work:spin=1ms", "--effort", "quick")
        self.accept(r)
        self.assertEqual([c["outcome"] for c in r["cases"]], ["fits"])
        self.assertEqual(list(r["cases"][0]["metrics"]), ["throughput", "latency_loaded", "memory"])

    def test_an_inline_device_has_no_device_metrics(self):
        r = record("run", "work:null", "--max-time", "1s")
        self.accept(r)
        self.assertEqual(list(r["metrics"]), ["latency", "period", "throughput", "memory"])
        self.assertNotIn("gate", r["observations"])

    def test_modes_and_drift(self):
        r = record("run", "sim:bimodal", "--effort", "quick")
        self.accept(r)
        self.assertEqual(len(r["metrics"]["latency"]["facts"]["modes"]), 2)
        r = record("run", "sim:drifting", "--launches", "1", "--requests", "100000", "--max-time", "1s")
        self.accept(r)
        self.assertEqual(r["status"], "not-converged")
        self.assertIn("status_reason", r)

    def test_a_rate_over_the_whole_window_has_no_distribution(self):
        r = record("run", "sim:launch-bound", "--effort", "quick")
        self.accept(r)
        self.assertEqual(list(r["metrics"]["period"]), ["unit", "n", "n_eff", "median", "launch_spread", "verdict"])
        self.assertEqual(list(r["metrics"]["throughput"]), ["unit", "n", "n_eff", "value", "low", "high", "launch_spread", "verdict"])

    def test_a_real_device_is_watched_and_calibrated(self):
        r = record("run", "work:spin=1ms", "--requests", "100")
        self.accept(r)
        columns = r["telemetry"]["columns"]
        self.assertLessEqual({"busy", "steal"}, set(columns))
        self.assertEqual({len(column) for column in columns.values()}, {len(r["telemetry"]["at_s"])})
        self.assertLessEqual({"busy_share", "steal_share", "canary_excess", "canary_best_ns"}, set(r["telemetry"]["facts"]))
        self.assertLessEqual({"clock_read_ns", "clock_tick_ns"}, set(r["device"]["calibration"]))
        self.assertGreaterEqual(r["host"]["cores"], 1)
        self.assertEqual(list(r["observations"]["cpus"]["passes"]), ["latency"])

    def test_a_simulated_device_is_calibrated_too(self):
        r = record("run", "sim:launch=2us,kernels=4x10us,mark=1us,mark_gpu=3us,sync=6us,tick=32ns", "--requests", "20")
        self.accept(r)
        calibration = r["device"]["calibration"]
        self.assertEqual((calibration["mark_ns"], calibration["sync_ns"], calibration["mark_tick_ns"]), (1000, 6000, 32))
        self.assertNotIn("telemetry", r)
        self.assertNotIn("cpus", r["observations"])

    def test_a_warm_up_that_was_fixed_has_a_bias(self):
        r = record("run", "sim:launch=4us,kernels=40x30us,noise=0.005,warm=1.5:60", "--warmup", "0", "--requests", "300")
        self.accept(r)
        self.assertGreater(r["metrics"]["latency"]["facts"]["warmup_bias"], 0.01)

    def test_every_method_is_a_case(self):
        r = record("methods", "sim:device-bound")
        self.accept(r)
        self.assertEqual(list(r["metrics"]), ["latency", "device_time", "replay_time", "period"])
        cases = {c["name"]: c for c in r["cases"]}
        naive = cases["naive"]
        self.assertEqual((naive["settings"]["clock"], naive["claims"]), ("host", "latency"))
        self.assertLess(naive["difference"], -0.8)
        self.assertEqual([f["id"] for f in naive["findings"]], ["unsynchronized"])
        refused = cases["device, no wait, read at once"]
        self.assertIn("error", refused)
        self.assertNotIn("metrics", refused)

    def test_methods_on_an_inline_device(self):
        r = record("methods", "work:spin=100us")
        self.accept(r)
        self.assertEqual(list(r["metrics"]), ["latency", "period"])
        self.assertTrue(all("reading" in c["metrics"] for c in r["cases"]))

    def test_the_machine(self):
        r = record("doctor")
        self.accept(r)
        self.assertEqual((r["verb"], r["metrics"]), ("doctor", {}))
        cases = {c["name"]: c for c in r["cases"]}
        self.assertIn("version", cases["cpu"])
        self.assertGreater(r["device"]["calibration"]["canary_ns"], 0)

    def test_a_point_of_a_sweep_is_a_case(self):
        r = record("run", "sim:launch-bound", "--requests", "50", "--sweep", "in-flight=1,4", "--sweep", "margin=1%,2%")
        self.accept(r)
        self.assertEqual(r["metrics"], {})
        self.assertEqual([c["name"] for c in r["cases"]], ["in-flight=1 margin=1%", "in-flight=1 margin=2%",
                                                           "in-flight=4 margin=1%", "in-flight=4 margin=2%"])
        self.assertEqual(r["cases"][0]["settings"], {"in-flight": "1", "margin": "1%"})
        self.assertTrue(all("latency" in c["metrics"] for c in r["cases"]))


class BrokenRecords(SchemaTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.good = record(*CONVERGED)
        for metric in cls.good["metrics"].values():   # validating thousands of buckets each time takes seconds
            if "curve" in metric:
                metric["curve"] = metric["curve"][:3]

    def setUp(self):
        self.broken = copy.deepcopy(self.good)

    def test_unknown_fields_are_allowed_everywhere(self):
        self.broken["later"] = {"x": [1, "y", None]}
        self.broken["device"]["later"] = 1
        self.broken["metrics"]["latency"]["later"] = "z"
        self.broken["metrics"]["latency"]["median"]["later"] = True
        self.broken["metrics"]["later"] = {"unit": "J", "n": 1, "n_eff": 1, "median": {"value": 1, "low": None, "high": None}}
        self.accept(self.broken)

    def test_fields_that_only_other_devices_and_verbs_fill(self):
        self.broken["telemetry"] = {"at_s": [0.1, 0.2], "columns": {"power_w": [610, 615.5]}, "facts": {"hz": 10}}
        self.broken["cases"] = [{"name": "naive", "settings": {"clock": "host"}, "about": "misses the work", "difference": -0.5,
                                 "metrics": {"reading": self.good["metrics"]["latency"]}, "findings": self.good["findings"]},
                                {"name": "odd", "error": "a mark is read before it is reached"}]
        self.broken["device"]["calibration"] = {"mark_ns": 1.5}
        self.broken["observations"] |= {"kernels_per_request": 20, "fallback_nodes": 3, "clocks_per_pass": {"latency": 1.98e9}}
        self.accept(self.broken)
        self.broken["telemetry"]["columns"]["power_w"][0] = "610 W"
        self.refuse(self.broken, "$.telemetry.columns.power_w[0]")
        del self.broken["cases"][1]["name"]
        self.refuse(self.broken, "$.cases[1]")

    def test_a_case_that_failed_and_has_figures(self):
        self.broken["cases"] = [{"name": "odd", "error": "it failed", "metrics": {"reading": self.good["metrics"]["latency"]}}]
        self.refuse(self.broken, "$.cases[0]")

    def test_half_a_distribution(self):
        del self.broken["metrics"]["latency"]["min"]
        self.refuse(self.broken, "$.metrics.latency")

    def test_facts_of_the_machine_of_another_kind(self):
        self.broken["host"]["load"] = "0.10 0.08 0.05 1/111 10672"
        self.refuse(self.broken, "$.host.load")
        self.broken["device"]["calibration"] = {"mark_ns": -1}
        self.refuse(self.broken, "$.device.calibration.mark_ns")
        self.broken["telemetry"] = {"columns": {"busy": [0.5]}}
        self.refuse(self.broken, "$.telemetry")

    def test_a_missing_field(self):
        for field in ("schema", "verb", "started_at", "status", "metrics", "findings", "verdict"):
            with self.subTest(field):
                broken = copy.deepcopy(self.good)
                del broken[field]
                self.refuse(broken, "$")

    def test_another_major_version(self):
        self.broken["schema"] = "strobe/1"
        self.refuse(self.broken, "$.schema")

    def test_a_word_that_is_none_of_the_words(self):
        self.broken["status"] = "done"
        self.refuse(self.broken, "$.status")
        self.broken["findings"][0]["severity"] = "error"
        self.refuse(self.broken, "$.findings[0].severity")

    def test_a_time_as_text(self):
        self.broken["metrics"]["latency"]["median"]["value"] = "608 µs"
        self.refuse(self.broken, "$.metrics.latency.median.value")

    def test_a_negative_duration(self):
        self.broken["duration_ns"] = -1
        self.refuse(self.broken, "$.duration_ns")

    def test_half_an_interval_left_out(self):
        del self.broken["metrics"]["latency"]["median"]["high"]
        self.refuse(self.broken, "$.metrics.latency.median")

    def test_a_rate_with_a_median(self):
        self.broken["metrics"]["throughput"] = self.good["metrics"]["latency"]
        self.refuse(self.broken, "$.metrics.throughput")

    def test_half_the_interval_of_a_rate_left_out(self):
        del self.broken["metrics"]["throughput"]["high"]
        self.refuse(self.broken, "$.metrics.throughput")

    def test_a_figure_that_is_unknown_as_well(self):
        self.broken["metrics"]["latency"]["unknown"] = "no reason"
        self.refuse(self.broken, "$.metrics.latency")

    def test_a_metric_without_figure_or_reason(self):
        self.broken["metrics"]["latency"] = {"unit": "ns"}
        self.refuse(self.broken, "$.metrics.latency")

    def test_a_percentile_in_percent_or_with_both_forms(self):
        self.broken["metrics"]["latency"]["percentiles"][0]["p"] = 90
        self.refuse(self.broken, "$.metrics.latency.percentiles[0]")
        self.broken["metrics"]["latency"]["percentiles"] = [{"p": 0.9, "value": 1, "low": 1, "high": 1, "needs": 36}]
        self.refuse(self.broken, "$.metrics.latency.percentiles[0]")

    def test_a_percentile_with_neither_form(self):
        self.broken["metrics"]["latency"]["percentiles"] = [{"p": 0.9}]
        self.refuse(self.broken, "$.metrics.latency.percentiles[0]")

    def test_nested_settings(self):
        self.broken["settings"]["provider"] = {"arena": 1}
        self.refuse(self.broken, "$.settings.provider")

    def test_a_checksum_of_another_kind(self):
        self.broken["model"]["sha256"] = "d41d8cd98f00b204e9800998ecf8427e"
        self.refuse(self.broken, "$.model.sha256")


if __name__ == "__main__":
    unittest.main()
