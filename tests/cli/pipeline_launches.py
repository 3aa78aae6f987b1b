# SPDX-License-Identifier: Apache-2.0
"""strobe pipeline in fresh processes: what they share, what they say together, and what may go wrong on the way."""

import json
import re
import signal
import time

from . import golden
from .program import CANNOT, INTERRUPTED, ProgramTest, finding_ids

SIMULATED = """
device: sim:launch=4us,mark=1us,sync=6us{more}
stages:
  - name: large
    sim: {{kernels: 100x20us}}
  - name: host
    cpu: {{spin: 800us}}
  - name: small
    sim: {{kernels: 60x2us}}
"""
SLEEPING = "device: cpu\nstages:\n  - cpu: {sleep: 2ms}\n"


class PipelineLaunches(ProgramTest):
    def file(self, text, name="pipe.yaml"):
        (self.folder / name).write_text(text, encoding="utf-8")
        return name

    def simulated(self, *options, more=""):
        return self.record_of(SIMULATED.format(more=more), *options)

    def record_of(self, text, *options, **more):
        return json.loads(self.text("pipeline", self.file(text), *options, "--json", "-", default=True, **more))

    def test_are_eight_that_share_32_rounds(self):
        r = self.simulated()
        self.assertEqual((len(r["launches"]), r["settings"]["launches"]), (8, 8))
        self.assertEqual((r["rounds"], r["settings"]["rounds"]), (32, 32))
        self.assertEqual([(c["b"], c["pairs"]) for c in r["comparisons"]], [(way, 8) for way in ("naive", "sync", "event", "event-wait")])
        self.assertEqual(r["pipeline"]["marks"], "cheap")
        self.assertEqual(r["metrics"]["latency"]["median"]["value"], 2_130_000)
        self.assertEqual(r["metrics"]["latency"]["verdict"]["word"], "repeats")
        self.assertEqual((r["status"], r["verdict"]), ("fixed", "trusted"))
        event = r["cases"][3]
        self.assertEqual([s["metrics"]["reading"]["median"]["value"] for s in event["stages"]],
                         [2_004_000, 800_000, 120_000])
        self.assertEqual([s["bound"] for s in event["stages"]], ["device", "host", "host"])
        self.assertEqual(event["metrics"]["latency"]["n"], r["metrics"]["latency"]["n"])
        self.assertEqual(event["settings"], {"clock": "device", "wait": "none"})

    def test_give_an_interval_that_holds_other_launches(self):
        r = self.simulated(more=",launch_noise=0.02,seed=7")
        latency = r["metrics"]["latency"]
        self.assertEqual(latency["verdict"]["word"], "varies")
        self.assertEqual(r["verdict"], "caution")
        for other in range(8, 12):
            again = self.simulated(more=f",launch_noise=0.02,seed={other}")
            for value in (c["metrics"]["latency"]["median"]["value"] for c in again["launches"][:2]):
                self.assertLess(latency["median"]["low"], value)
                self.assertGreater(latency["median"]["high"], value)

    def test_are_the_same_again(self):
        first, second = (self.simulated(more=",noise=0.01,launch_noise=0.01") for _ in range(2))
        self.assertEqual(first["metrics"], second["metrics"])
        self.assertEqual(first["timeline"], second["timeline"])

    def test_say_so_in_the_text(self):
        for name, options in (("pipeline_launches", ()), ("pipeline_in_flight", ("--in-flight", 2))):
            with self.subTest(name):
                text = self.text("pipeline", self.file(SIMULATED.format(more="")), *options, default=True)
                golden.check(self, name, re.sub(r"(launches +8 in) [\d.]+ m?s;", r"\1 (time);", text))

    def test_make_their_share_of_what_was_asked_for(self):
        r = self.simulated("--launches", 3, "--rounds", 7, "--iterations", 50)
        self.assertEqual((len(r["launches"]), r["rounds"]), (3, 9))
        self.assertEqual((r["settings"]["rounds"], r["settings"]["iterations"]), (7, 50))
        self.assertEqual(r["cases"][1]["metrics"]["latency"]["n"], 54)  # three turns of three, there and back, in each
        self.assertEqual(r["pipeline"]["marks"], "cannot-tell")
        message = next(f["message"] for f in r["findings"] if f["id"] == "disturbed")
        self.assertIn("3 launches with 9 rounds, it takes 8 with 32", message)

    def test_have_their_part_of_the_files_iterations(self):
        r = self.record_of("iterations: 40\n" + SIMULATED.format(more=""), "--launches", 2, "--rounds", 2)
        self.assertEqual(r["settings"]["iterations"], 40)
        self.assertEqual(r["cases"][1]["metrics"]["latency"]["n"], 40)

    def test_read_what_the_file_names_from_where_it_lies(self):
        self.compile("void work(void) {}", "sub/work.so")
        name = self.file("device: cpu\nstages:\n  - cpu: {function: {library: ./work.so, symbol: work}}\n"
                         "    name: call\n  - {name: wait, cpu: {sleep: 1ms}}\n", "sub/pipe.yaml")
        r = json.loads(self.text("pipeline", name, "--launches", 2, "--rounds", 2, "--iterations", 8, "--json", "-"))
        self.assertEqual([s["name"] for s in r["cases"][3]["stages"]], ["call", "wait"])
        self.assertEqual((r["model"]["path"], len(r["model"]["sha256"])), (name, 64))

    def test_of_a_pipe_run_what_it_said_once(self):
        text = SIMULATED.format(more="")
        out = self.strobe("pipeline", "/dev/stdin", "--launches", 2, "--json", "-", stdin=None, input=text).stdout
        self.assertEqual(len(json.loads(out)["launches"]), 2)

    def test_a_stage_that_cannot_be_opened_is_named(self):
        name = self.file("device: cpu\nstages:\n  - model: none.onnx\n")
        self.complains(CANNOT, ["pipeline", name], f"{name}:3:5: stage 'none'", "no such file", default=True)

    def test_fit_into_a_maximum_time(self):
        r = self.record_of(SLEEPING, "--max-time", "3200ms", "--iterations", 200)
        self.assertLessEqual(len(r.get("launches", [])), 3)
        self.assertLess(r["duration_ns"], 6e9)
        self.assertEqual(r["settings"]["max_time_ns"], 3.2e9)

    def test_one_that_fails_leaves_those_before(self):
        r = self.record_of(SIMULATED.format(more=""), env=self.failing_workers("exit 3"), code=CANNOT)
        self.assertEqual(len(r["launches"]), 2)
        self.assertEqual(r["status"], "interrupted")
        self.assertIn("exit code 3", r["status_reason"])
        self.assertEqual(r["comparisons"][0]["pairs"], 2)

    def test_an_interrupt_keeps_those_that_are_complete(self):
        child = self.start("pipeline", self.file(SIMULATED.format(more="")), "--launches", "20", "--json", "r.json",
                           env=self.failing_workers("exec sleep 60"))
        deadline = time.monotonic() + 30
        count = self.folder / "count"
        while time.monotonic() < deadline and count.read_text().strip() != "3":
            time.sleep(0.02)
        child.send_signal(signal.SIGINT)
        child.communicate(timeout=30)
        self.assertEqual(child.returncode, INTERRUPTED)
        r = self.read("r.json")
        self.assertEqual((r["status"], len(r["launches"])), ("interrupted", 2))
        self.assertNotIn("one-launch", finding_ids(r))
