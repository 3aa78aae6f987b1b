# SPDX-License-Identifier: Apache-2.0
"""--input-sets: how many sets of inputs requests rotate over, and what that does where there is a cache."""

import json
import unittest

from .program import CANNOT, USAGE, ProgramTest, finding_ids, median

try:
    import numpy as np

    from . import models
    MISSING = None
except ModuleNotFoundError as error:
    MISSING = f"the Python package {error.name} is not installed"

# Five sets fit; a request that misses takes 130 µs instead of 100.
CACHED = "sim:launch=1us,kernels=20x5us,sync=6us,cache=5MB,input=1MB,miss=30us"
ITEM = 3 * 8 * 4  # bytes of models.relu


class InputSets(ProgramTest):
    def test_one_more_than_the_cache_holds_is_a_cliff(self):
        record = self.record(CACHED, "--requests", "50", "--sweep", "input-sets=1,2,5,6,cache")
        self.assertEqual([c["name"] for c in record["cases"]],
                         [f"input-sets={n}" for n in ("1", "2", "5", "6", "cache")])
        self.assertEqual([median(c, "device_time") for c in record["cases"]], [100_000] * 3 + [130_000] * 2)
        self.assertEqual([median(c, "latency") for c in record["cases"]], [107_000] * 3 + [137_000] * 2)
        self.assertEqual([c["about"] for c in record["cases"]],
                         ["1 input set hot in the cache", "2 input sets hot in the cache", "5 input sets hot in the cache",
                          "6 input sets", "10 input sets beyond the cache"])
        self.assertNotIn("input_sets", record["settings"])
        self.assertNotIn("input_bytes", record["observations"])

    def test_a_sweep_is_a_table_that_says_where_the_inputs_are(self):
        text = self.text("run", CACHED, "--requests", "50", "--sweep", "input-sets=2,cache")
        self.assertTrue(text.startswith(CACHED + "  simulated\n"), text)
        self.assertRegex(text, r"input-sets=2 +107 µs .* 2 input sets hot in the cache\n")
        self.assertRegex(text, r"input-sets=cache +137 µs .* 10 input sets beyond the cache\n")

    def test_a_run_says_how_many_there_are_and_where(self):
        self.assertIn("· inputs hot in the cache ·", self.text("run", CACHED, "--requests", "50"))
        text = self.text("run", CACHED, "--requests", "50", "--input-sets", "cache")
        self.assertIn("· 10 input sets beyond the cache ·", text)
        self.assertNotIn("hot in", text)

    def test_a_flushed_cache_is_as_slow_as_more_inputs_than_it_holds(self):
        cold, many = (self.record(CACHED, "--requests", "50", *words)
                      for words in (("--cache", "cold"), ("--input-sets", "cache")))
        self.assertEqual(median(cold, "device_time"), median(many, "device_time"))
        self.assertIn("unknown", cold["metrics"]["throughput"])
        self.assertAlmostEqual(median(many, "throughput"), 1e9 / 130_000, delta=1)
        self.complains(CANNOT, ["run", "sim:launch-bound", "--cache", "cold"], "has no cache")

    def test_launches_graphs_and_copies_have_them_too(self):
        record = self.record(CACHED + ",copy_in=2us", "--requests", "50", "--launches", "2", "--input-sets", "6", "--graph",
                             "--copies")
        self.assertEqual((record["settings"]["input_sets"], record["observations"]["input_sets"]), (6, 6))
        self.assertEqual(record["observations"]["input_bytes"], 6_000_000)
        self.assertEqual(median(record, "replay_time"), 130_000)
        self.assertEqual(median(record, "end_to_end"), 108_000)  # what was just copied is in the cache: 2 + 100 + 6

    def test_methods_show_what_one_input_and_a_flush_do(self):
        done = self.text("methods", CACHED, "--input-sets", "6", "--json", "-")
        reads = {c["name"]: median(c, "reading") for c in json.loads(done)["cases"] if not c.get("error")}
        self.assertEqual([reads[m] for m in ("gated", "gated-cold", "gated-same", "sync", "sync-cold", "sync-same")],
                         [130_000, 130_000, 100_000, 137_000, 137_000, 107_000])

    def test_candidates_and_searches_take_them(self):
        out = self.text("compare", CACHED, "--vary", "input-sets=2,cache", "--pairs", "2", "--json", "-")
        record = json.loads(out)
        ratios = {c["metric"]: c["ratio"]["value"] for c in record["comparisons"]}
        self.assertAlmostEqual(ratios["latency"], 137 / 107, places=6)
        self.assertAlmostEqual(ratios["device_time"], 1.3, places=6)
        self.assertEqual([c["settings"]["input_sets"] for c in record["cases"]], [2, "cache"])
        out = self.text("throughput", CACHED, "--input-sets", "cache", "--effort", "quick", "--json", "-")
        record = json.loads(out)
        self.assertEqual(record["settings"]["input_sets"], "cache")
        self.assertAlmostEqual(median(record, "throughput"), 1e9 / 130_000, delta=1)

    def test_work_without_inputs_takes_none(self):
        self.refused(USAGE, ["sim:tiny", "--input-sets", "2"], "no inputs", "input=600kB")
        self.refused(USAGE, ["work:null", "--input-sets", "2"], "no inputs")
        for text in ("0", "4097", "all", "-3"):
            with self.subTest(text):
                self.refused(USAGE, [CACHED, f"--input-sets={text}"], "--input-sets")

    def test_an_input_that_is_too_small_is_refused_with_the_numbers_and_ends_no_sweep(self):
        small = "sim:kernels=1x5us,cache=5MB,input=1kB,miss=1us"
        self.refused(CANNOT, [small, "--input-sets", "cache"], "1000 B", "4.77 MiB", "10,000 sets", "--cache cold")
        record = self.record(small, "--requests", "20", "--sweep", "input-sets=2,cache")
        self.assertEqual(["error" in c for c in record["cases"]], [False, True])


@unittest.skipIf(MISSING, MISSING)
class InputSetsOfModels(ProgramTest):
    def model(self, *words):
        models.relu(self.folder / "m.onnx")
        return ["m.onnx", "--device", "cpu", "--threads", "1", "--warmup", "2", *words]

    def test_each_has_its_own_memory(self):
        record = self.record(*self.model("--batch", "100", "--requests", "40", "--input-sets", "12"))
        self.assertEqual((record["settings"]["input_sets"], record["observations"]["input_sets"]), (12, 12))
        self.assertEqual(record["observations"]["input_bytes"], 12 * 100 * ITEM)
        self.assertIn("12 input sets hot in the cache", self.text("report", self.stored(record), "--format", "text"))

    def stored(self, record):
        (self.folder / "r.json").write_text(json.dumps(record))
        return "r.json"

    def test_are_as_many_as_exceed_the_cpus_cache(self):
        cache = self.record("work:null", "--requests", "20")["host"].get("cache_bytes")
        if not cache or cache > 2**28:
            self.skipTest("this machine does not tell how large its cache is, or it is too large for a test")
        batch = cache // 2 // ITEM + 1  # a little more than half of it
        record = self.record(*self.model("--batch", batch, "--requests", "20", "--input-sets", "cache"))
        self.assertEqual((record["settings"]["input_sets"], record["observations"]["input_sets"]), ("cache", 4))
        self.assertGreaterEqual(record["observations"]["input_bytes"], 2 * cache)
        self.assertIn("4 input sets beyond the cache", self.text("report", self.stored(record), "--format", "text"))

    def test_that_do_not_fit_are_refused_before_they_are_made(self):
        self.refused(CANNOT, self.model("--batch", "100000000", "--input-sets", "4096"),
                     "4096 sets of inputs and outputs need", "are free", "fewer sets")
        words = self.model("--input-sets", "cache")
        cache = self.record("work:null", "--requests", "20")["host"].get("cache_bytes", 0)
        if cache > 4096 * ITEM:
            self.refused(CANNOT, words, "it would take", "4,096 are the most", "larger batch")

    def test_have_a_files_values_in_each(self):
        np.save(self.folder / "x.npy", np.ones((4, 3, 8), np.float32))
        record = self.record(*self.model("--input", "x=x.npy", "--requests", "40", "--input-sets", "5"))
        self.assertEqual((record["observations"]["input_sets"], record["observations"]["input_bytes"]), (5, 5 * 4 * ITEM))
        self.assertIn("same-input", finding_ids(record))

    def test_a_single_one_is_the_same_input(self):
        record = self.record(*self.model("--requests", "40", "--input-sets", "1"))
        self.assertIn("same-input", finding_ids(record))
        self.assertNotIn("same-input", finding_ids(self.record(*self.model("--requests", "40", "--input-sets", "3"))))

    def test_a_stage_of_a_pipeline_has_them(self):
        models.relu(self.folder / "m.onnx")
        stage = "device: cpu\nstages:\n  - {model: m.onnx, batch: 10, input_sets: %s}\n"
        (self.folder / "p.yaml").write_text(stage % "5")
        self.text("pipeline", "p.yaml", "--rounds", "2", "--iterations", "4")
        (self.folder / "p.yaml").write_text(stage % "none")
        self.complains(USAGE, ["pipeline", "p.yaml"], "p.yaml:3:", "input_sets")
