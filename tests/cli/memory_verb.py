# SPDX-License-Identifier: Apache-2.0
"""strobe memory: peak, phases, causes, growth, limits; what it cannot see; its files."""
import json

from . import golden
from .program import CANNOT, MEASURED, NOT_USABLE, USAGE, ProgramTest

MIB = 1 << 20
MACHINE = "sim:kernels=10x3us+1x20us+4x2us,launch=4us,sync=6us,memory=1GiB,weights=43MiB,workspace=32MiB,activations=11MiB"


class Memory(ProgramTest):
    def memory(self, *arguments, code=MEASURED):
        return json.loads(self.text("memory", *arguments, "--json", "-", code=code))

    def test_text_is_as_in_the_golden_file(self):
        golden.check(self, "memory", self.text("memory", "sim:memory", "--requests", "20"))

    def test_phases_hold_what_the_description_says(self):
        r = self.memory(MACHINE, "--launches", "2", "--requests", "10")
        device, allocations = r["memory"]["places"]
        self.assertEqual((device["name"], allocations["name"]), ("device", "allocations"))
        self.assertEqual([p["name"] for p in device["phases"]], ["load", "first request", "warm-up", "steady"])
        self.assertEqual([p["end"]["value"] / MIB for p in device["phases"]], [43, 97, 97, 97])
        self.assertEqual([p["peak"]["value"] / MIB for p in allocations["phases"]], [43, 97, 97, 97])
        self.assertEqual(r["metrics"]["memory"]["value"], 97 * MIB)
        self.assertEqual(r["metrics"]["memory"]["verdict"]["word"], "repeats")
        self.assertEqual((len(r["launches"]), r["settings"]["launches"], r["memory"]["requests"]), (2, 2, 20))
        self.assertEqual(sum(p["bytes"]["value"] for p in r["memory"]["parts"]), 97 * MIB)

    def test_a_limit_decides_the_exit_code(self):
        words = [MACHINE, "--launches", "1", "--requests", "10"]
        fits = self.memory(*words, "--limit", "97MiB")["memory"]["fit"]
        self.assertEqual((fits["outcome"], fits["margin_bytes"]), ("fits", 0))
        missing = self.memory(*words, "--limit", "96MiB", code=NOT_USABLE)["memory"]["fit"]
        self.assertEqual((missing["outcome"], missing["margin_bytes"]), ("does-not-fit", -MIB))
        self.assertIn("it does not fit into 96.0 MiB", self.text("memory", *words, "--limit", "96MiB", code=NOT_USABLE))

    def test_a_leak_of_a_megabyte_is_found_in_fifty_requests(self):
        r = self.memory("work:leak=1MB", "--launches", "2")
        growth = r["memory"]["places"][0]["growth"]
        self.assertEqual((growth["outcome"], growth["requests"]), ("grows", 50))
        self.assertAlmostEqual(growth["per_request"]["value"] / 1e6, 1, delta=0.05)
        self.assertEqual([f["id"] for f in r["findings"] if f["severity"] == "warning"], ["memory-grows"])
        self.assertEqual(r["verdict"], "caution")

    def test_what_does_not_leak_does_not(self):
        r = self.memory("work:spin=100us", "--launches", "2")
        self.assertEqual(r["memory"]["places"][0]["growth"]["outcome"], "steady")
        self.assertIn("its runtime tells nothing of an allocator", r["memory"]["why_no_allocator"])
        self.assertEqual(r["memory"]["places"][0]["name"], "process")

    def test_the_arena_of_a_model_and_what_it_gave_out(self):
        self.needs_zoo("resnet18")
        r = self.memory("zoo:resnet18", "--threads", "1", "--launches", "2", "--requests", "10")
        arena = r["memory"]["allocator"]
        self.assertEqual(arena["name"], "ONNX Runtime's arena")
        self.assertGreaterEqual(arena["reserved"]["value"], arena["in_use"]["value"])
        parts = {p["name"]: p["bytes"]["value"] for p in r["memory"]["parts"]}
        self.assertGreater(parts["other blocks of the heap"], 40e6)  # 11.7 million weights of four bytes
        causes = {p["name"]: p["bytes"]["value"] for p in r["memory"]["peak_causes"]}
        self.assertEqual(set(causes), {"load", "requests"})
        self.assertIn("in the place of ONNX Runtime's arena", r["memory"]["recorder"])
        load, first = r["memory"]["places"][0]["phases"][:2]
        self.assertGreater(load["end"]["value"], 40e6)
        self.assertGreater(first["end"]["value"], load["end"]["value"] - 20e6)

    def test_a_trace_has_counters(self):
        self.text("memory", MACHINE, "--launches", "1", "--requests", "10", "--export", "m.trace.json", "--export", "m.html",
                  "--export", "m.md", "--export", "m.csv")
        events = json.loads((self.folder / "m.trace.json").read_text())["traceEvents"]
        counters = [e for e in events if e["ph"] == "C"]
        self.assertEqual({e["name"] for e in counters}, {"memory: device", "memory: allocations"})
        self.assertEqual(max(e["args"]["bytes"] for e in counters), 97 * MIB)
        self.assertIn("| device | steady |", (self.folder / "m.md").read_text())
        self.assertIn("Memory over a launch", (self.folder / "m.html").read_text())

    def test_wrong_options_are_refused(self):
        for words in (["--requests", "0"], ["--launches", "0"], ["--sweep", "seed=1,2"], ["--limit", "lots"], ["--copies"]):
            with self.subTest(" ".join(words)):
                self.complains(USAGE, ["memory", "sim:memory", *words])
        self.complains(USAGE, ["memory", "sim:launch-bound"], "none that is counted", "sim:memory")
        self.complains(CANNOT, ["memory", "no.onnx"], "no.onnx")
