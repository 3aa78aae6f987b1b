# SPDX-License-Identifier: Apache-2.0
"""strobe pipeline: what a launch reads of known stages, how a bad file is refused, how it stops."""

import json
import signal
import time
import unittest

from . import golden, interrupts
from .program import CANNOT, INTERRUPTED, MEASURED, REPOSITORY, USAGE, ProgramTest

try:
    from . import models
    MISSING = None
except ModuleNotFoundError as error:
    MISSING = f"the Python package {error.name} is not installed"

SIMULATED = """
device: sim:launch=4us,mark=1us,sync=6us
stages:
  - name: large
    sim: {kernels: 100x20us}
  - name: host
    cpu: {spin: 800us}
  - name: small
    sim: {kernels: 60x2us}
"""

# A file, where it is wrong, and what the sentence must say.
BAD = (
    ("stages: [", ":1:", "not yaml"),
    ("hello\n", ":1:1", "no pipeline"),
    ("stagse: []\n", ":1:1:", "did you mean 'stages'?"),
    ("device: cpu\n", ":1:1", "no 'stages'"),
    ("stages:\n  - modle: zoo:resnet18\n", ":2:5:", "did you mean 'model'?"),
    ("stages:\n  - model: zoo:resnet18\n    batch: many\n", ":3:12", "not a whole number"),
    ("stages:\n  - cpu: {spin: 100}\n", ":2:17", "no unit", "10ms"),
    ("stages:\n  - cpu: {spin: 1us}\n  - cpu: {spin: 1us}\n", ":3:5", "two stages 'cpu'"),
    ("stages:\n  - cpu: {spin: 1us}\n    after: large\n", ":3:12:", "no earlier stage"),
    ("device: gpu\nstages:\n  - cpu: {spin: 1us}\n", ":1:9", "auto, cpu, cuda"),
    ("device: cpu\nstages:\n  - sim: {kernels: 20x1us}\n", ":3:5", "simulated kernels", "device: sim:"),
    ("device: cpu\nstages:\n  - copy: {direction: in, bytes: 1MB}\n", ":3:5", "one memory", "memcpy"),
    ("device: sim:launch=1us\nstages:\n  - cpu: {memcpy: 1MB}\n", ":3:5", "takes no time"),
    ("device: cpu\nstages:\n  - model: sim:tiny\n", ":3:5", "brings its own device"),
)


class Pipeline(ProgramTest):
    def file(self, text, name="pipe.yaml"):
        (self.folder / name).write_text(text, encoding="utf-8")
        return name

    def pipeline(self, text, *options, code=MEASURED, **more):
        out = self.text("pipeline", self.file(text), *options, "--json", "-", code=code, **more)
        return json.loads(out)

    def test_reads_known_stages_to_the_nanosecond(self):
        r = self.pipeline(SIMULATED)
        self.assertEqual(r["verb"], "pipeline")
        self.assertEqual([c["name"] for c in r["cases"]], ["undisturbed", "naive", "sync", "event", "event-wait"])
        reads = {c["name"]: [s["metrics"]["reading"]["median"]["value"] for s in c["stages"]]
                 for c in r["cases"] if "stages" in c}
        self.assertEqual(reads["naive"], [400_000, 800_000, 240_000])
        self.assertEqual(reads["sync"], [2_010_000, 806_000, 248_000])
        self.assertEqual(reads["event"], [2_004_000, 800_000, 120_000])
        self.assertEqual(reads["event-wait"], [2_004_000, 800_000, 242_000])
        self.assertEqual(r["metrics"]["latency"]["median"]["value"], 2_130_000)
        self.assertEqual([(c["b"], c["pairs"]) for c in r["comparisons"]],
                         [("naive", 32), ("sync", 32), ("event", 32), ("event-wait", 32)])
        self.assertEqual(r["pipeline"]["marks"], "cheap")
        self.assertEqual({s["lane"] for s in r["timeline"]}, {"host", "main"})
        self.assertEqual(r["metrics"]["latency"]["verdict"]["word"], "one-launch")

    def test_shows_stages_costs_and_a_time_line(self):
        golden.check(self, "pipeline", self.text("pipeline", self.file(SIMULATED)))

    def test_a_wait_after_each_part_of_a_training_step_costs_what_the_formula_says(self):
        launch, sync = 4_000, 6_000
        parts = {"forward": (40, 10_000), "loss": (4, 2_000), "backward": (80, 10_000), "step": (60, 2_000)}

        def done(kernels, length, begun=0, free=0):  # docs/pipeline.md
            return max(free + kernels * length, begun + launch + kernels * length, begun + kernels * launch + length)

        begun = free = 0
        for kernels, length in parts.values():
            free = done(kernels, length, begun, free)
            begun += kernels * launch
        alone = [done(*p) + sync for p in parts.values()]
        r = json.loads(self.text("pipeline", REPOSITORY / "examples/training_step.yaml", "--rounds", 4, "--json", "-"))
        cases = {c["name"]: c for c in r["cases"]}
        self.assertEqual(r["metrics"]["latency"]["median"]["value"], free + sync)
        self.assertEqual([s["metrics"]["reading"]["median"]["value"] for s in cases["sync"]["stages"]], alone)
        self.assertEqual(cases["sync"]["metrics"]["latency"]["median"]["value"], sum(alone) + 5 * sync)
        self.assertEqual((free + sync, sum(alone), sum(alone) + 5 * sync), (1_338_000, 1_492_000, 1_522_000))
        self.assertEqual([s["name"] for s in cases["event"]["stages"]], list(parts))

    def test_iterations_in_flight_take_what_the_formula_says(self):
        out = self.text("pipeline", REPOSITORY / "examples/in_flight.yaml", "--in-flight", 2, "--rounds", 4,
                        "--json", "r.json")
        r = json.loads((self.folder / "r.json").read_text())
        periods = {c["settings"]["in_flight"]: c["metrics"]["period"]["median"]["value"]
                   for c in r["cases"] if "in_flight" in c["settings"]}
        self.assertEqual(periods, {1: 1_910_000, 2: 1_101_000})
        self.assertEqual(r["settings"]["in_flight"], 2)
        self.assertEqual(r["pipeline"]["overlap"]["bottleneck"], "host")
        for phrase in ("2 iterations in flight", "one at a time  1.91 ms", "+73 %",
                       "host is the bottleneck, with prepare most of its work", "capitals: every second iteration"):
            self.assertIn(phrase, out)

    def test_launches_of_iterations_in_flight_are_one_result(self):
        r = json.loads(self.text("pipeline", REPOSITORY / "examples/in_flight.yaml", "--in-flight", 3, "--launches", 2,
                                 "--rounds", 2, "--json", "-"))
        self.assertEqual(r["metrics"]["period"]["median"]["value"], 1_101_000)
        self.assertEqual(r["comparisons"][-1]["pairs"], 2)
        self.assertEqual([c["metrics"]["period"]["median"]["value"] for c in r["launches"]], [1_101_000] * 2)

    def test_on_the_cpu_no_iterations_are_in_flight(self):
        self.complains(USAGE, ["pipeline", self.file("device: cpu\nstages:\n  - cpu: {spin: 1us}\n"), "--in-flight", 2],
                       "cannot keep 2 iterations in flight", "one thread does all stages")

    def test_the_example_is_read(self):
        self.needs_zoo("mobilenet_v3_large")
        example = REPOSITORY / "examples/pipeline.yaml"  # its models do not run on a simulated device
        self.complains(CANNOT, ["pipeline", example, "--device", "sim:launch=1us"], f"{example}:10:5: stage 'large'")

    def test_writes_stages_into_tables(self):
        self.text("pipeline", self.file(SIMULATED), "--export", "t.csv", "--export", "t.md")
        self.assertIn(",event: large,reading,", (self.folder / "t.csv").read_text())
        text = (self.folder / "t.md").read_text()
        for phrase in ("event: small", "| method | slows by |", "| sync |", "a stage 10 % faster would gain"):
            self.assertIn(phrase, text)

    def test_a_sweep_is_a_row_for_each_way_of_each_point(self):
        text = self.text("pipeline", self.file(SIMULATED), "--sweep", "rounds=4,8", "--json", "r.json")
        for phrase in ("rounds=4: undisturbed", "rounds=8: event", "2.13 ms"):
            self.assertIn(phrase, text)
        self.assertNotIn("timeline", json.loads((self.folder / "r.json").read_text()))

    def test_options_win_over_the_file(self):
        r = self.pipeline("iterations: 3\n" + SIMULATED, "--iterations", 200, "--rounds", 10,
                          "--device", "sim:launch=2us,sync=6us")
        self.assertEqual(r["settings"]["iterations"], 200)
        self.assertEqual(r["settings"]["rounds"], 10)
        self.assertEqual(r["cases"][1]["stages"][0]["metrics"]["reading"]["median"]["value"], 200_000)
        self.assertEqual(r["pipeline"]["marks"], "cannot-tell")

    def test_runs_on_the_cpu(self):
        r = self.pipeline("device: cpu\nstages:\n"
                          "  - cpu: {randn: {shape: 1x3x32x32, scale: 2.0, offset: 1}}\n"
                          "  - {name: wait, cpu: {sleep: 1ms}}\n"
                          "  - {name: copy, cpu: {memcpy: 1MiB}}\n"
                          "  - {name: work, model: 'work:spin=200us', repeat: 2}\n"
                          "  - {name: call, cpu: {function: {library: libc.so.6, symbol: sched_yield}}}\n",
                          "--rounds", 2, "--iterations", 8)
        reads = [s["metrics"]["reading"]["median"]["value"] for s in r["cases"][3]["stages"]]
        self.assertGreater(reads[1], 1_000_000)
        self.assertGreater(reads[3], 400_000)
        self.assertNotIn("union_time", r["metrics"])

    def test_runs_models(self):
        self.needs_zoo("mobilenet_v3_small")
        r = self.pipeline("device: cpu\nstages:\n  - model: zoo:mobilenet_v3_small\n    batch: 2\n    threads: 1\n"
                          "  - cpu: {spin: 1ms}\n", "--rounds", 2, "--iterations", 4)
        self.assertEqual(r["cases"][3]["stages"][0]["name"], "mobilenet_v3_small")

    @unittest.skipIf(MISSING, MISSING)
    def test_complaints_about_a_model_name_the_keys_of_the_file(self):
        models.dynamic(self.folder / "m.onnx")
        for keys, *phrases in (("{}", "shape: {sequence: 128}"),
                               ("{shape: {sequnce: 8}}", "cannot use 'shape' for 'sequnce'"),
                               ("{input_range: {idz: 0..9}}", "cannot use 'input_range' for 'idz'"),
                               ("{shape: {ids: 1x2x3}}", "'shape' does not fit"),
                               ("{shape: {sequence: 8}, dtype: fp16}", "cannot use 'dtype'"),
                               ("{shape: {sequence: 8}, set: {intra: 1}}", "unknown setting 'intra'")):
            with self.subTest(keys):
                name = self.file("device: cpu\nstages:\n  - " + keys.replace("{", "{model: m.onnx, ", 1) + "\n")
                said = self.complains(USAGE, ["pipeline", name], name, *phrases)
                self.assertNotIn("--", said)

    @unittest.skipIf(MISSING, MISSING)
    def test_the_values_of_a_models_inputs_may_have_a_range(self):
        models.embedding(self.folder / "m.onnx")
        text = "device: cpu\nstages:\n  - {model: m.onnx, input_range: %s}\n"
        self.pipeline(text % "{ids: 0..100}", "--rounds", 2, "--iterations", 4)
        self.complains(CANNOT, ["pipeline", self.file(text % "1000..2000")], "out of")

    def test_a_bad_file_is_refused_with_its_place(self):
        for text, *phrases in BAD:
            with self.subTest(text):
                name = self.file(text)
                self.complains(USAGE, ["pipeline", name, "--json", "left.json"], name, *phrases)

    def test_the_file_cannot_be_read(self):
        self.complains(CANNOT, ["pipeline", "none.yaml"], "none.yaml", "no such file")
        (self.folder / "d").mkdir()
        self.complains(CANNOT, ["pipeline", "d"], "'d'", "folder")
        self.complains(USAGE, ["pipeline"], "FILE")

    def test_a_stage_that_cannot_be_opened_is_named(self):
        stage = "device: cpu\nstages:\n  - cpu: {{spin: 1us}}\n  - {}\n"
        for what, phrase in (("model: none.onnx", "no such file"), ("model: zoo:resnet19", "resnet19"),
                             ("cpu: {function: {library: ./none.so, symbol: f}}\n    name: x", "none.so"),
                             ("cpu: {function: {library: libc.so.6, symbol: no_such}}\n    name: x", "no such symbol"),
                             ("cpu: {memcpy: 900000GB}\n    name: x", "allocate")):
            with self.subTest(what):
                name = self.file(stage.format(what))
                said = self.strobe("pipeline", name)
                self.assertIn(said.returncode, (USAGE, CANNOT), said.stderr)
                self.assert_one_sentence(said.stderr, f"{name}:4:5: stage '", phrase)

    def test_paths_start_where_the_file_lies(self):
        (self.folder / "sub").mkdir()
        self.file("device: cpu\nstages:\n  - model: none.onnx\n", "sub/pipe.yaml")
        self.complains(CANNOT, ["pipeline", "sub/pipe.yaml"], "'sub/none.onnx'")

    def test_an_option_is_wrong(self):
        name = self.file(SIMULATED)
        for text, phrase in (("--rounds 0", "--rounds"), ("--rounds 2305843009213693952", "at most 100000"),
                             ("--iterations 2305843009213693952", "at most 100000"), ("--iterations none", "--iterations"),
                             ("--max-time 5", "no unit"), ("--device nonsense", "nonsense"), ("--bacth 3", "--bacth")):
            with self.subTest(text):
                self.complains(USAGE, ["pipeline", name, *text.split()], phrase)

    def test_results_have_nowhere_to_go(self):
        name = self.file(SIMULATED)
        self.complains(CANNOT, ["pipeline", name, "--export", "no/r.csv"], "no/r.csv", "no such file")
        full = self.strobe("pipeline", name, "--json", "/dev/full")
        self.assertEqual(full.returncode, CANNOT)
        self.assert_one_sentence(full.stderr, "/dev/full", "no space left")

    def test_time_is_up(self):
        r = self.pipeline("device: cpu\nstages:\n  - cpu: {sleep: 2ms}\n", "--rounds", 100000, "--max-time", "500ms")
        self.assertEqual(r["status"], "not-converged")
        self.assertIn("of 100000 rounds", r["status_reason"])


    def interrupted(self, seconds, stage):
        """The record of a run on the CPU after Ctrl-C, so many seconds after it began to listen."""
        name = self.file(f"device: cpu\nstages:\n  - cpu: {{sleep: {stage}}}\n")
        child = self.start("pipeline", name, "--rounds", "100000", "--json", "r.json")
        deadline = time.monotonic() + 20
        while not interrupts.Interrupt.handles_interrupts(child) and time.monotonic() < deadline:
            time.sleep(0.002)
        time.sleep(seconds)
        child.send_signal(signal.SIGINT)
        stdout, stderr = child.communicate(timeout=60)
        self.assertEqual((child.returncode, stderr), (INTERRUPTED, ""))
        self.assertIn("interrupted", stdout)
        record = json.loads((self.folder / "r.json").read_text())
        self.assertEqual(record["status"], "interrupted")
        return record

    def test_ctrl_c_during_the_warm_up(self):
        record = self.interrupted(0.3, "200ms")  # the warm-up takes 2 s
        self.assertIn("unknown", record["metrics"]["latency"])
        self.assertEqual(record["verdict"], "invalid")

    def test_ctrl_c_during_the_rounds_keeps_what_was_measured(self):
        record = self.interrupted(3, "2ms")
        self.assertGreater(record["metrics"]["latency"]["n"], 20)
        self.assertEqual(len(record["cases"]), 4)
        self.assertGreaterEqual(record["metrics"]["latency"]["median"]["value"], 2_000_000)
